# SPDX-License-Identifier: Apache-2.0
"""Teaches gdb the kernel's structures: `source` this file, in any gdb with Python.

`foliot debug` does that by itself. docs/debugging.md tells what it brings.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from foliot_view import commands, core_threads, frames, printers, top

printers.install()
frames.install()
commands.install()
top.install()
core_threads.install()

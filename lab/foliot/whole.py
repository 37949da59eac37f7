# SPDX-License-Identifier: Apache-2.0
"""An environment that lost packages (half deleted, or of another Python) is made whole, once.

The launcher sees by a stamp that it was whole once, and looks at no package, since that would take
as long as most commands. So a package that is missed when it is imported has the stamp taken away,
and the launcher called again.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

_TRIED = "FOLIOT_ENVIRONMENT_TRIED"
_LAUNCHER = Path(__file__).resolve().parents[2] / "foliot"


@contextlib.contextmanager
def environment() -> Iterator[None]:
    """Begin the command anew where a package is missing in the block; say so the second time."""
    try:
        yield
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] == "foliot":
            _end(f"{error.name} is missing: this checkout is not whole (git status says more)")
        stamp = Path(sys.prefix) / "foliot.stamp"
        if _TRIED in os.environ or not stamp.is_file():
            _end(f"the Python package {error.name} is missing: remove .venv, start ./foliot again")
        stamp.unlink()
        sys.stdout.flush()
        words = [str(_LAUNCHER), *sys.argv[1:]]
        os.execve(_LAUNCHER, words, {**os.environ, _TRIED: "yes"})  # noqa: S606 - no shell's words


def _end(why: str) -> NoReturn:
    print(f"foliot: {why}", file=sys.stderr)
    raise SystemExit(1) from None

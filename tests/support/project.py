# SPDX-License-Identifier: Apache-2.0
"""A miniature project, with a machine that is a process of this host.

The lab's own tests measure a firmware that prints a log given to it: so each of the
lab's steps runs for real (Kconfig, CMake, compiler, process, parser, table) without a
kernel, a simulator or more than a second.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from foliot.target import paths

ROOT = Path(__file__).resolve().parents[2]

_BOARD = """
description = "a process that prints a log"
default = true
arch = "fake"
core = "this host"
unit = "cycles"
clock_hz = 100_000_000
memory = "the host's"
packages = { gcc = "gcc", cmake = "cmake", ninja-build = "ninja" }
[run]
kind = "process"
[reference]
run = "zephyr-3.3-speed@ibex"
name = "Zephyr 3.3 -O2"
"""

_KCONFIG = """
config LIMIT
	int "a number"
	range 0 10
	default 1
config ASSERT
	bool "assertions"
config TRACE
	bool "tracing"
	depends on ASSERT
config DERIVED
	bool
	default y
config NAME
	string "a name"
"""

_KERNEL = """
struct k_sem { int count, limit; };
void kernel_start(void);
void kernel_start(void)
{
	static volatile int started;
	started++;
}
"""

_PORT = """
void kernel_start(void);
static __attribute__((constructor)) void boot(void)
{
	kernel_start();
}
"""

_MAIN = """
#include <stdio.h>
#include "build_info.h"
static const char log_text[] =
#include "log.inc"
;
int main(void)
{
	fputs(log_text, stdout);
	return EXIT_STATUS;
}
"""


class Tree:
    """The miniature project; `paths` of the lab point into it while a test runs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("CMakeLists.txt", "Kconfig", "cmake"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, root / name)
        self.write("boards/fake/board.toml", _BOARD)
        self.write("boards/fake/board.cmake", "set(FOLIOT_ARCH fake)\n")
        self.write("boards/fake/board.conf", "CONFIG_LIMIT=3\n")
        self.write(
            "arch/fake/arch.cmake",
            'set(FOLIOT_HOSTED ON)\nset(FOLIOT_TOOLCHAIN_PREFIX "")\n'
            "set(FOLIOT_ARCH_SOURCES boot.c)\n",
        )
        self.write("arch/fake/boot.c", _PORT)
        self.write("kernel/Kconfig", _KCONFIG)
        self.write("suites/measure/Kconfig", 'config MEASURE_SAMPLES\n\tint "samples"\n')
        self.write("lib/printk.c", "extern int nothing;\n")
        self.write("kernel/sources.cmake", "foliot_kernel_sources(start/init.c)\n")
        self.write("kernel/start/init.c", _KERNEL)

    def write(self, name: str, content: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path

    def suite(self, name: str, log: str, status: int = 0) -> Path:
        """Make a suite that prints `log` and ends with `status`."""
        self.write(f"suites/{name}/CMakeLists.txt", "target_sources(app PRIVATE main.c)\n")
        self.write(f"suites/{name}/prj.conf", "CONFIG_LIMIT=4\n")
        self.write(f"suites/{name}/main.c", _MAIN.replace("EXIT_STATUS", str(status)))
        lines = [json.dumps(line + "\n") for line in log.splitlines()]
        self.write(f"suites/{name}/log.inc", "\n".join(lines) or '""')
        return self.root / "suites" / name


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """A miniature project that the lab takes for its own."""
    made = Tree(tmp_path)
    monkeypatch.setattr(paths, "ROOT", made.root)
    for name, place in (
        ("BUILD", "build"), ("BOARDS", "boards"), ("SUITES", "suites"), ("FRAGMENTS", "conf"),
    ):  # fmt: skip
        monkeypatch.setattr(paths, name, made.root / place)
    return made

# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over every C source, each in as few builds as show all of it.

A source that no build holds is never looked at, and a branch of an option that is off is
not either: so each is read in the first build that holds it, most with every option on. That is
what others link into their programs; where it is asked for, since it takes three times as long,
suites, samples and tests as well, and the kernel once more for 32 bits, as it is by default, and
for size. A build is only configured here
(Kconfig, CMake, the generated headers), not compiled. The commands are GCC's; what clang doesn't
know of them is left out, and the target is named.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import filterfalse
from pathlib import Path

from foliot.show.terminal import Progress
from foliot.target import boards, build, paths, process

PROGRAM = "run-clang-tidy-19"
EVERYTHING = (
    "checked", "features", "robust", "canaries", "ipc", "objcore", "stackguard", "timeslicing",
)  # fmt: skip

_CORE = ("kernel", "lib", "arch", "drivers")
_NOT_CLANGS = frozenset(
    {
        "-fno-cse-follow-jumps",
        "-fno-schedule-insns",
        "-masm-syntax-unified",
        "-mno-stv",
        "-mtune-ctrl=^sse_unaligned_load_optimal,^sse_unaligned_store_optimal",
        "-mstringop-strategy=unrolled_loop",
    }
)
_REGISTERS = ("-fcall-used-", "-ffixed-")  # which code is made with: nothing to read
_STEP = re.compile(r"\[ *(\d+)/(\d+)\].* (\S+)$")
_LIMIT_S = 900


@dataclass(frozen=True, slots=True)
class Build:
    """An application on a board; `core`: by --long, what others have shown of the kernel too."""

    board: str
    app: str
    conf: tuple[str, ...] = ()
    core: bool = False


# What is linked into others' programs: kernel, ports, drivers, library.
SHIPPED = (
    Build("host", "tests/kernel", (*EVERYTHING, "wide", "priorities"), core=True),
    Build("host", "tests/kernel", ("checked", "deadline", "metairq")),
    Build("qemu_riscv32", "tests/kernel", EVERYTHING, core=True),
    Build("mps2_an385", "tests/kernel", EVERYTHING),
    Build("qemu_aarch64", "tests/kernel", EVERYTHING),
    Build("qemu_x86_64", "tests/kernel", EVERYTHING),
    Build("qemu_riscv64", "tests/user", ("stackguard",)),
    Build("ibex", "tests/kernel", ("fast",), core=True),
    Build("ibex", "tests/periodic", ("canaries", "objcore", "stackguard", "timeslicing")),
    Build("host", "tests/kernel", ("user",)),
    Build("mps2_an385", "tests/user", ("canaries", "checked", "features", "stackguard")),
    Build("mps2_an521", "tests/user", ("canaries", "stackguard")),
    Build("qemu_aarch64", "tests/user", ("stackguard",)),
    Build("qemu_x86_64", "tests/user", ("stackguard",)),
    Build("qemu_aarch64", "tests/ipc", ("el2", "user"), core=True),  # stage 2's
    Build("qemu_riscv32", "tests/kernel/tls"),
    Build("microbit", "tests/kernel", ("part1",)),
    Build("bbc_microbit_v2", "samples/hello"),
    Build("pc", "samples/hello", ("clocks",)),
    *(Build(name, "samples/hello")
      for name in ("rpi_pico", "nucleo_f401re", "nucleo_g431kb", "teensy41", "netduinoplus2",
                   "stm32h747i_disco")),
    Build("ibex", "tests/lab/apps/watched", ("report",)),
    Build("ibex", "tests/lab/apps/traced", ("ring",)),
    Build("ibex", "tests/lab/apps/traced", ("stream",)),
    Build("mps2_an385", "tests/ztest/faults"),
    Build("vexriscv", "suites/caches"),
    Build("mps2_an385", "samples/minimal", ("small",), core=True),
    Build("ibex", "suites/floor", ("stamps",)),
    Build("ibex", "suites/periodic", ("scope",)),
    Build("mps2_an385", "suites/latency"),
    Build("mps2_an385", "suites/floor"),
    Build("mps2_an385", "suites/ipc"),
    Build("microbit", "suites/floor"),
    Build("qemu_aarch64", "suites/ipc", ("fpu",)),
    Build("raspi3b", "samples/hello", ("canaries",)),
    Build("qemu_aarch64", "suites/floor"),
    Build("qemu_x86_64", "suites/floor"),
    Build("qemu_x86_64", "suites/ipc", ("fpu",)),
)  # fmt: skip
# Those that hold nothing but suites, samples and tests besides.
OF_SUITES = (
    Build("qemu_x86_64", "tests/user/nmi"),
    Build("mps2_an385", "tests/user/interrupted"),
    Build("qemu_riscv32", "tests/ipc", ("checked", "features", "user")),
    *(Build("qemu_riscv32", f"samples/{name}")
      for name in ("user", "syscall", "bank", "zephyr/tenants", "zephyr/meter")),
    Build("qemu_riscv32", "tests/lab/apps/ticked"),
    Build("ibex", "tests/lab/apps/masked"),
    *(Build("host", f"samples/{name}")
      for name in ("hello", "interrupt", "measure", "producer_consumer")),
    *(Build("host", f"samples/zephyr/{name}")
      for name in ("commands", "philosophers", "pipe", "sensors")),
    Build("ibex", "suites/latency", ("stamps", "userspace")),
    *(Build("ibex", f"suites/{name}")
      for name in ("interrupt", "states", "calibration", "growth", "heap", "objects", "periodic",
                   "thread_metric", "time", "interference", "worst", "ipc")),
    Build("ibex", "suites/interrupt", ("sweep",)),
    Build("mps2_an385", "suites/interrupt"),
    Build("qemu_aarch64", "suites/ipc"),
)  # fmt: skip
# And nothing but tests.
OF_TESTS = (
    Build("qemu_riscv64", "tests/kernel", EVERYTHING),
    Build("qemu_riscv32", "tests/kernel", ("user",)),
    Build("qemu_riscv32", "tests/user", ("checked", "features")),
    Build("qemu_riscv32", "tests/user", ("canaries", "stackguard")),
    Build("qemu_x86_64", "tests/user/kernel_fault", ("read",)),
    Build("qemu_riscv32", "tests/user/attack"),
    Build("mps2_an385", "tests/user/attack"),
    Build("qemu_riscv32", "tests/user/takeover"),
    Build("qemu_riscv32", "tests/user/everywhere"),
    Build("ibex", "tests/sweep"),
    Build("mps2_an385", "tests/user/kernel_fault"),
    Build("host", "tests/user/fuzz"),
    Build("mps2_an385", "tests/ipc", ("user",)),
    Build("host", "tests/host"),
    Build("host", "tests/soak"),
    Build("host", "tests/kernel/misuse"),
    Build("host", "tests/models"),
    Build("host", "tests/board_check"),
    Build("host", "tests/zephyr_log"),
    Build("ibex", "tests/user/secrets_in_time"),
    Build("qemu_x86_64", "tests/user", ("fpu",)),
    Build("host", "tests/zephyr", ("checked",)),
    Build("host", "tests/ztest/broken"),
    Build("host", "tests/ztest/ledger"),
    Build("host", "tests/kernel/faults"),
    Build("qemu_riscv32", "tests/kernel/switch_faults"),
    Build("host", "tests/kernel/message_faults", ("isr",)),
    Build("qemu_riscv32", "tests/kernel/masked"),
    Build("qemu_aarch64", "tests/kernel/mapped"),
    Build("mps2_an386", "tests/kernel/floating", ("user",)),
    Build("qemu_x86_64", "tests/kernel/floating", ("user",)),
    *(Build("host", f"tests/configurations/{name}", ("canaries", "stackguard"))
      for name in ("objects", "overflow", "slicing", "ticks")),
    *(Build("host", f"tests/lab/apps/{name}") for name in ("fault", "hang", "sleep", "states")),
)  # fmt: skip
BUILDS = (*SHIPPED, *OF_SUITES, *OF_TESTS)

# A program of this host without a kernel, which its test compiles by itself.
PROGRAMS = {"tests/host": "*_model*.c", "tests/pc": "*.c"}


def check(progress: Progress, whole: bool) -> list[str]:
    """Analyse the sources; return what was found, a line a finding, none where all is right.

    `whole`: suites', samples' and tests' too, and the kernel in each build that is marked for it.

    Raises FoliotError where a build can't be configured or clang-tidy takes too long.
    """
    directory = paths.BUILD / "analysis"
    with paths.locked(directory):
        with progress.task("Preparing the builds for clang-tidy"):
            commands = [*database(BUILDS), *programs()] if whole else database(SHIPPED, False)
        text = json.dumps(commands, indent=1)
        paths.write_if_changed(directory / "compile_commands.json", text)
        found: list[str] = []
        with progress.task("Analysing the C sources with clang-tidy-19") as task:

            def follow(line: str) -> None:
                step = _STEP.match(line)
                if step:
                    task.update(step[3].rsplit("/", 1)[-1], int(step[1]), int(step[2]))
                elif " error: " in line:
                    found.append(line.removeprefix(f"{paths.ROOT}/"))

            words = [PROGRAM, "-quiet", f"-j{os.cpu_count() or 1}", "-p", str(directory)]
            try:
                process.run(words, "clang-tidy", follow, limit_s=_LIMIT_S)
            except process.ToolFailed as failure:
                return list(dict.fromkeys(found)) or list(failure.lines)[-5:]
    return list(dict.fromkeys(found))


def database(builds: Sequence[Build], whole: bool = True) -> list[dict[str, object]]:
    """Return clang's command for each source of those builds, as compile_commands.json has it."""
    prepared = [
        build.configured(paths.ROOT / one.app, boards.load(one.board), one.conf) for one in builds
    ]
    with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
        list(workers.map(build.prepare, prepared))
    commands: list[dict[str, object]] = []
    seen: set[str] = set()
    for one, firmware in zip(builds, prepared, strict=True):
        for source, command in _sources(firmware.directory):
            room = source.split("/")[0]
            if room == paths.BUILD.name:
                continue  # made of an application's headers
            again = whole and one.core and room in _CORE
            if again or (source not in seen and (whole or room in _CORE)):
                file = str(paths.ROOT / source)
                words = clangs(shlex.split(command))
                commands.append(
                    {"directory": str(firmware.directory), "file": file, "arguments": words}
                )
            seen.add(source)
    return commands


def _sources(directory: Path) -> Iterator[tuple[str, str]]:
    """Give each C source of the repository in a build, relative to it, and its command."""
    for entry in json.loads((directory / "compile_commands.json").read_text(encoding="utf-8")):
        path = Path(entry["file"])
        if path.suffix == ".c" and path.is_relative_to(paths.ROOT):
            yield str(path.relative_to(paths.ROOT)), entry["command"]


def clangs(words: Sequence[str]) -> list[str]:
    """Return GCC's command line as clang takes it: for the same target, without GCC's own flags."""
    target = Path(words[0]).name.removesuffix("gcc").removesuffix("-")
    if any(word.startswith("-march=rv32") for word in words):
        target = target.replace("riscv64", "riscv32")
    named = [f"--target={target}"] if target else []
    return [words[0], *named, *filterfalse(_is_not_clangs, words[1:])]


def _is_not_clangs(word: str) -> bool:
    return word in _NOT_CLANGS or word.startswith(_REGISTERS)


def programs() -> list[dict[str, object]]:
    """Return the same for the programs that a test compiles by itself."""
    root = str(paths.ROOT)
    words = [
        "gcc", "-std=gnu11", "-Wall", "-Wextra", f"-I{root}/include", f"-I{root}",
        f"-I{root}/boards/host", "-DCONFIG_SYS_CLOCK_TICKS_PER_SEC=1000",
    ]  # fmt: skip
    return [
        {"directory": root, "file": str(path), "arguments": [*words, "-c", str(path)]}
        for directory, pattern in PROGRAMS.items()
        for path in sorted((paths.ROOT / directory).glob(pattern))
    ]

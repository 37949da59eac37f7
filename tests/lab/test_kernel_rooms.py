# SPDX-License-Identifier: Apache-2.0
"""The firmware's rooms: each includes from lower ones only, and nothing goes in a circle.

What is held is who includes whom. A call by way of a public header shows in no include:
fatal.c ends a thread by `thread_exit()`, as a thread's own return does.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest
from includes import included
from rooms import circles, upward

ROOT = Path(__file__).resolve().parents[2]
SCANNED = ("include", "arch", "boards", "drivers", "lib", "kernel", "suites", "samples")

# Each room is a directory. A port lies twice among them: what it says (its include/, the contract
# arch.h) is below the kernel, what it does is above core.
TABLE = (
    ("public", "include/*", "arch/*/include/*", "boards/*"),
    ("contract", "arch/arch.h", "arch/sections.ld"),
    ("drivers' contracts", "drivers/*.h"),
    ("drivers", "drivers/*"),
    ("lib", "lib/*"),
    ("suites", "arch/*/suites/*", "arch/*/tests/*", "suites/*", "samples/*"),
    ("ports", "arch/*"),
    *((room, f"kernel/{room}/*") for room in (
        "base", "hooks", "core", "time", "sched", "memory", "objects", "work", "stack", "access",
        "syscall", "ipc", "inspect", "start",
    )),
)  # fmt: skip
# `hooks` is what a file anywhere tells one above it: headers, empty where the option is off.
ORDER = (
    "public", "contract", "drivers' contracts", "drivers", "lib", "base", "hooks", "core", "ports",
    "time", "sched", "memory", "objects", "work", "stack", "access", "syscall", "ipc", "inspect",
    "start", "suites",
)  # fmt: skip

# Circles that are left, each with its reason. A new one is opened, not listed.
KNOWN_CIRCLES: list[list[str]] = [
    # The switch's hooks are called inline where a switch is decided, in sched.h; with a
    # feature on the same switch is a function of its own (switch.h says why), in sched.h's terms.
    ["kernel/sched/sched", "kernel/sched/switch"],
]


def room(file: str) -> str:
    return next((name for name, *globs in TABLE if any(fnmatch(file, g) for g in globs)), "none")


def unit(file: str) -> str:
    """Name a header and its source alike, but for hooks: these are below their sources."""
    return file if room(file) in ("hooks", "public", "suites") else file.rpartition(".")[0]


@pytest.fixture(scope="module")
def needs() -> dict[str, set[str]]:
    found = included(ROOT, SCANNED)
    assert len(found) > 150
    assert "kernel/objects/operation.h" in found["kernel/objects/sem.c"]
    assert "arch/riscv/include/arch_inline.h" in found["include/foliot/irq.h"]
    return found


def rooms_included(needs: dict[str, set[str]], *of: str) -> set[str]:
    return {room(other) for file, others in needs.items() if room(file) in of for other in others}


def test_every_room_includes_from_lower_ones_only(needs):
    assert upward(needs, ORDER, room) == []


def test_every_directory_of_the_firmware_is_in_the_table(needs):
    assert {room(file) for file in needs} == set(ORDER) == {name for name, *_ in TABLE}
    there = {path.name for path in (ROOT / "kernel").iterdir() if path.is_dir()}
    assert there <= {*ORDER}


def test_no_file_includes_itself_by_way_of_others(needs):
    assert circles(needs) == []


def test_no_source_and_its_header_go_in_a_circle_but_the_known_ones(needs):
    units: dict[str, set[str]] = {}
    for file, others in needs.items():
        found = units.setdefault(unit(file), set())
        found |= {unit(other) for other in others} - {unit(file)}
    assert circles(units) == KNOWN_CIRCLES


def test_hooks_include_base_and_what_is_below_it_and_no_other_hook(needs):
    found = {other for file, others in needs.items() if room(file) == "hooks" for other in others}
    assert {room(other) for other in found} <= {
        "public",
        "contract",
        "drivers' contracts",
        "base",
    }


def test_hooks_and_base_are_headers(needs):
    files = {file for file in needs if room(file) in ("hooks", "base")}
    assert {file for file in files if not file.endswith((".h", ".inc"))} == set()


def test_ports_include_base_hooks_and_contracts_only(needs):
    assert rooms_included(needs, "ports") <= {
        "public", "contract", "drivers' contracts", "lib", "base", "hooks", "ports"
    }  # fmt: skip


def test_a_port_includes_nothing_of_another_port(needs):
    def port(file: str) -> str:
        return file.split("/")[1] if file.startswith("arch/") and file.count("/") > 1 else ""

    for file, others in needs.items():
        if port(file):
            assert {port(other) for other in others} <= {"", port(file)}, file


def test_suites_and_samples_include_public_headers_and_drivers_contracts_only(needs):
    """But for a port's part of the floor, which saves as its switch does: by the same macros."""
    of_floors = {
        file: [other for other in others if not fnmatch(other, "arch/*/frame.inc")]
        for file, others in needs.items()
        if room(file) == "suites"
    }
    assert rooms_included(of_floors, "suites") <= {"public", "drivers' contracts", "suites"}


def test_drivers_include_public_headers_and_their_own_contract_only(needs):
    """A contract is a header in drivers/ itself; one in a folder is what drivers share.

    The clock's is everybody's: a UART divides it.
    """
    assert rooms_included(needs, "drivers") <= {"public", "drivers' contracts"}
    for file, others in needs.items():
        for other in others:
            if room(file) == "drivers" and fnmatch(other, "drivers/*.h") and other.count("/") == 1:
                own = other.split("/")[1].startswith(file.split("/")[1])
                assert own or other == "drivers/clock.h", file


def test_the_allocator_is_pure(needs):
    assert {room(other) for other in needs["kernel/memory/sys_heap.h"]} <= {"public", "memory"}
    assert {room(other) for other in needs["kernel/memory/poison.h"]} <= {"public"}
    assert {room(other) for other in needs["kernel/memory/sys_heap.c"]} == {"memory", "lib"}


def test_an_include_that_points_up_is_found_wherever_it_stands(tmp_path):
    for name, text in {
        "kernel/base/kernel.h": "#pragma once\n",
        "kernel/time/clock.c": '#ifdef X\n  # include "kernel/sched/sched.h"\n#endif\n',
        "kernel/sched/sched.h": '#include "../base/kernel.h"\n#include <stdint.h>\n'
                                '/* #include "kernel/time/none.h" */\n',
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    needs = included(tmp_path, ("kernel",))
    assert needs["kernel/sched/sched.h"] == {"kernel/base/kernel.h"}
    assert upward(needs, ORDER, room) == [
        "kernel/time/clock.c needs kernel/sched/sched.h, which is above it"
    ]
    (tmp_path / "kernel/base/bad.c").write_text('#include "nowhere.h"\n')
    with pytest.raises(AssertionError, match=r"bad.c: no nowhere.h"):
        included(tmp_path, ("kernel",))

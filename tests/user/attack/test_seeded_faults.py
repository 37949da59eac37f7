# SPDX-License-Identifier: Apache-2.0
"""Seeded holes: with any one check taken out of the kernel, the attackers' judge says so.

checks.py finds the checks in the sources. The kernel that is changed is a copy of this tree. A
hole is looked for by the attackers, and by tests/user where those see nothing: what only kernel
mode asks for, as a domain's partitions, attackers cannot ask for. In a port other than RISC-V's
the tests come first, since they know it, but for AArch64's and x86-64's registers.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
import where
from checks import SeededFault, seeded_faults, silent_rooms, unnamed_decisions
from no_checks import NO_CHECKS
from where import MESSAGES

from support.command import ROOT
from support.seeded import Copy, copy_tree
from support.sources import sources

Run = subprocess.CompletedProcess[str]
# Simulated seconds, and what makes the attackers fit there.
LIMITS_S = {
    "qemu_riscv32": "1",
    "qemu_riscv64": "2",
    "mps2_an385": "60",
    "qemu_aarch64": "2",
    "qemu_x86_64": "2",
}
CONFS = {"mps2_an385": "coarse,few"}
SEEDED = seeded_faults()
EVERYWHERE = "tests/user/everywhere"
RACES = (
    "passed something else", "loses its memory", "loses its memory, and goes on",
    "loses all rights",
)  # fmt: skip


def attack(copy: Copy, conf: str = "", board: str = "qemu_riscv32") -> Run:
    """Build and run the attackers there."""
    confs = f"{CONFS.get(board, 'pages')},{conf.strip(',')}".strip(",")
    return copy.foliot("run", "tests/user/attack", "--board", board, "--conf", confs,
                       "--quiet", "--timeout", LIMITS_S[board])  # fmt: skip


def is_noticed_by_attackers(done: Run) -> bool:
    """Said by the judge; or the kernel hung, or its own fault or assertion was the end."""
    ends = ("stopped at the limit", "fault on the target: kernel panic")
    noticed = "ATTACK FOUND A HOLE" in done.stdout or any(end in done.stderr for end in ends)
    assert noticed or "ATTACK HELD" in done.stdout, f"{done.stdout[-1000:]}{done.stderr[-1000:]}"
    return noticed


def run_tests(copy: Copy, board: str, more: str = "") -> Run:
    confs = f"checked,{more}".strip(",")
    return copy.foliot("run", "tests/user", "--board", board, "--conf", confs, "--quiet",
                       "--timeout", "10" if board == "mps2_an385" else "2")  # fmt: skip


def is_noticed_by_tests(done: Run) -> bool:
    begun = ("PASS" in done.stdout or "fault on the target" in done.stderr
             or "stopped at the limit" in done.stderr)  # fmt: skip
    assert begun, f"{done.stdout[-1000:]}{done.stderr[-1000:]}"
    return "PROJECT EXECUTION SUCCESSFUL" not in done.stdout


def is_noticed_by_races(copy: Copy) -> bool:
    """Let in at one of a call's instructions, at each of which its object becomes another one."""
    done = copy.foliot("run", "tests/user/interrupted", "--board", "mps2_an385", "--quiet")
    assert "meanwhile; " in done.stdout, f"{done.stdout[-1000:]}{done.stderr[-1000:]}"
    return "meanwhile; 0 were let in" not in done.stdout


def is_noticed_by_messages(copy: Copy) -> bool:
    """Look at the copies between two threads, which messages between domains make."""
    done = copy.foliot("run", "tests/ipc", "--board", "qemu_riscv32", "--conf", "user", "--quiet",
                       "--timeout", "3")  # fmt: skip
    return is_noticed_by_tests(done)


def windows(copy: Copy, call: str) -> list[int]:
    """Return those in which what a call was passed becomes something else, or is taken away."""
    folder = copy.root / EVERYWHERE
    cases = re.findall(r"^\tCASE\((\w+),", (folder / "cases.c").read_text("utf-8"), re.MULTILINE)
    actions = re.findall(r'^\t\{"([^"]+)",', (folder / "actions.c").read_text("utf-8"),
                         re.MULTILINE)  # fmt: skip
    of = [number for number, case in enumerate(cases, 1) if case == call]
    return [actions.index(race) * 1000 + number for race in RACES for number in of]


def is_noticed_by_sweep(copy: Copy, call: str, iss: str) -> bool:
    """Let a sibling in at each instruction of the call, which changes what it was passed."""
    done = copy.foliot("build", EVERYWHERE, "--board", "ibex", "--quiet")
    assert done.returncode == 0, done.stderr[-1000:]
    elf = copy.root / "build/firmware/ibex/tests-user-everywhere/firmware.elf"
    statuses = []
    for window in windows(copy, call):
        command = [iss, "--elf", str(elf), "--max-cycles", "500000000", "--sweep", "--window",
                   str(window)]  # fmt: skip
        swept = subprocess.run(command, capture_output=True, timeout=300, check=False)
        assert b'"sweep"' in swept.stderr, swept.stderr[-1000:]
        statuses.append(swept.returncode)
    assert statuses, f"no case of {call}"
    return any(statuses)


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Copy what a build of the attackers needs; built from then on by what changes."""
    return copy_tree(tmp_path_factory.mktemp("tree"), "tests/user", "tests/ipc", "tests/check")


def make(text: str, hole: SeededFault, suffix: str) -> str:
    """Return a source's text with the seeded fault."""
    lines = text.splitlines(keepends=True)
    at = sum(len(line) for line in lines[: hole.line - 1])
    assert text[at:].find(hole.old) in range(len(lines[hole.line - 1]))
    for line in hole.without:
        lines[line - 1] = "\t(void)0;\n"
    before = "".join(lines[: hole.line - 1])
    # A check that is gone leaves memcpy() undeclared.
    head = '#include "lib/string.h"\n' if suffix == ".c" else ""
    return head + before + "".join(lines[hole.line - 1 :]).replace(hole.old, hole.new, 1)


def finds(copy: Copy, hole: SeededFault, more: str = "") -> str:
    """Make the seeded fault, attack, with `more` too, and close it again; return who found it."""
    path = copy.root / hole.file
    text = path.read_text(encoding="utf-8")
    path.write_text(make(text, hole, path.suffix), encoding="utf-8")
    looks = {
        "attackers": lambda: is_noticed_by_attackers(
            attack(copy, f"{hole.conf},{more}", hole.board)),
        "tests": lambda: is_noticed_by_tests(
            run_tests(copy, hole.board, f"{hole.option},{more}")),
    }  # fmt: skip
    try:
        order = [*reversed(looks)] if hole.is_for_tests else [*looks]
        looks["races"] = lambda: is_noticed_by_races(copy)
        looks["messages"] = lambda: is_noticed_by_messages(copy)
        order += ["races", "messages"] * (hole.board == "qemu_riscv32" and not hole.port)
        return next((who for who in order if looks[who]()), "")
    finally:
        path.write_text(text, encoding="utf-8")


NOBODY = "neither the attackers nor the tests noticed anything"


def test_checks_of_every_form_are_found_in_the_sources():
    """Where a form changes, its holes would be gone, and nobody would miss them."""
    forms = {"VERIFY_": 43, "verify_thread(": 15, "user_copy_": 7, " zero": 36, "IS_USABLE(": 19,
             "reference_poll(": 5, "K_SYSCALL_NARROW": 11}  # fmt: skip
    texts = [hole.old + hole.new for hole in SEEDED]
    found = {form: sum(form in text for text in texts) for form in forms}
    assert all(found[form] >= least for form, least in forms.items()), found


def _tried() -> set[tuple[str, int]]:
    lines = {(hole.file, line) for hole in SEEDED for line in (hole.line, *hole.without)}
    return lines | {(hole.file, hole.line) for hole in MESSAGES}


def test_what_decides_something_is_a_hole_or_is_said_to_keep_nobody_out():
    """A line that is added at the boundary is one or the other (checks.py, no_checks.py)."""
    known = {function: number for function, (number, _) in NO_CHECKS.items()}
    assert unnamed_decisions(_tried()) == known


def test_in_each_room_that_decides_a_seeded_fault_is_found():
    """Where a room gets another name, or another form of check, nobody would miss its faults."""
    assert silent_rooms(_tried()) == set()
    ports = {one.port for one in sources()} - {"", "host"}  # the host protects nothing
    assert ports == {hole.port for hole in SEEDED} - {""}
    assert silent_rooms(set()), "without any, there are rooms that miss them"


def test_names_of_seeded_faults_hold_no_path_and_are_in_the_table_of_where_they_lie():
    files = where.found()
    assert [name for name in files if re.search(r"(?:kernel|arch|include)/", name)] == []
    assert files == where.recorded(), "tests/user/attack/where.py makes seeds.txt anew"
    assert set(where.gone()) & set(files) == set()


def test_no_seeded_fault_of_those_that_were_there_is_lost():
    """972 stood in the table when their names lost their paths: they are there, or went."""
    assert len(where.found()) + len(where.gone()) >= 972


def test_sources_that_move_take_their_seeded_faults_along(tmp_path):
    """In a copy whose kernel/syscall is called something else, and is two rooms, all are found."""
    for part in (
        "kernel",
        "arch",
        "include",
        "tests/support",
        "tests/user/attack",
        "tests/ipc",
    ):
        shutil.copytree(ROOT / part, tmp_path / part)
    for room in ("this", "that"):
        (tmp_path / "kernel" / room).mkdir()
    for number, path in enumerate(sorted((tmp_path / "kernel/syscall").iterdir())):
        path.rename(tmp_path / "kernel" / ("this", "that")[number % 2] / path.name)
    command = [sys.executable, tmp_path / "tests/user/attack/where.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "tests/user/attack/seeds.txt").read_text(encoding="utf-8")
    names = [line for line in text.splitlines() if line[:1] not in ("", "#", "=")]
    assert sorted(names) == sorted(where.found())
    assert "= kernel/syscall/" not in text


@pytest.mark.slow
@pytest.mark.board("qemu_riscv32")
def test_a_check_that_is_taken_out_is_noticed(copy):
    """Of all of them one, which only reads what it must not: the test of all is --long."""
    assert finds(copy, [hole for hole in SEEDED if "VERIFY_SEM" in hole.old][-1]), NOBODY


@pytest.mark.long
@pytest.mark.board(*sorted({hole.board for hole in SEEDED}))
@pytest.mark.parametrize("hole", SEEDED, ids=str)
def test_each_check_that_is_taken_out_is_noticed(copy, hole):
    """Where there is a reason why nobody does, nobody does."""
    assert bool(finds(copy, hole)) == (hole.why == ""), hole.why or NOBODY


# Of all a sample. With the guard QEMU's RISC-V has other regions than those of CODE's hole.
WITH_CHECKED_STACKS = [
    hole for hole in SEEDED
    if hole.board in {"qemu_riscv32", "mps2_an385"} and hole.function != "riscv:CODE"
    and not hole.why
][::20]  # fmt: skip


@pytest.mark.long
@pytest.mark.board("qemu_riscv32", "mps2_an385")
@pytest.mark.parametrize("hole", WITH_CHECKED_STACKS, ids=str)
def test_a_check_that_is_taken_out_is_noticed_with_canaries_and_the_guard_too(copy, hole):
    assert finds(copy, hole, "canaries-all,stackguard"), NOBODY


@pytest.mark.long
@pytest.mark.board("qemu_riscv32", "mps2_an385")
def test_with_all_checks_in_the_copy_holds(copy):
    assert "ATTACK HELD" in attack(copy).stdout
    assert "ATTACK HELD" in attack(copy, board="mps2_an385").stdout
    assert not is_noticed_by_tests(run_tests(copy, "mps2_an385"))

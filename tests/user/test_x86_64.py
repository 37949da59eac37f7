# SPDX-License-Identifier: Apache-2.0
"""What ring 0 and ring 3 share on x86-64: nothing that ring 0 would fault on (SMEP, SMAP)."""

from __future__ import annotations

import re
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from foliot.target import boards
from support.command import ROOT

NMIS_AT_LEAST = 100

# Before threads, and behind a fatal error, the kernel's own view is loaded: views.c.
AT_START = {"init.c", "interrupt_connect.c", "sys_init.c", "domain.c", "mmu.c", "views.c"}
AT_THE_END = {"assert_failed.c", "fatal.c", "fatal_print.c", "fatal_words.c"}
IN_USER_MODE = {"user_side.c", "user.S", "canary.c", "ipc_stubs.S"}
IN_EITHER_MODE = {"fifo_lifo.c", "timepoint.c"}
REPORTS = {"object.c", "object_traversal.c", "report.c"}  # they print, for who asks
ENDS = {"__stack_chk_fail", "arch_fault_raise"}  # of a thread, or of the run


def symbols(path: Path) -> list[tuple[str, bool, int]]:
    """Each name, whether it is defined there, and its value."""
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return [(s.name, s["st_shndx"] != "SHN_UNDEF", s["st_value"])
                for s in table.iter_symbols() if s.name]  # fmt: skip


def called_names(obj: Path, stubs: set[str]) -> set[str]:
    """What the linker takes for what an object refers to (ld, --wrap)."""
    names = {name for name, is_defined, _ in symbols(obj) if not is_defined}
    return {
        name.removeprefix("__real_") if name.startswith("__real_")
        else f"__wrap_{name}" if name in stubs else name
        for name in names
    }  # fmt: skip


def built(foliot, app: str, *confs: str) -> Path:
    words = [word for conf in confs for word in ("--conf", conf)]
    done = foliot("build", app, "--board", "qemu_x86_64", *words, limit_s=400)
    return ROOT / next(line for line in done.stdout.splitlines() if line.endswith(".elf"))


@pytest.mark.board("qemu_x86_64")
@pytest.mark.parametrize(
    ("app", "confs"),
    [("tests/user", ["canaries-all", "stackguard", "checked"]),
     pytest.param("tests/kernel", ["features", "user", "ipc", "objcore"], marks=pytest.mark.long)],
)  # fmt: skip
def test_no_file_of_the_kernels_refers_to_pages_that_user_mode_has(foliot, app, confs):
    """Each such reference would be a page fault in a system call, and a view to be loaded again."""
    elf = built(foliot, app, *confs)
    where = {name: value for name, is_defined, value in symbols(elf) if is_defined}
    users = range(where["x86_64_user_start"], where["x86_64_user_end"])
    stubs = {name.removeprefix("__wrap_") for name in where if name.startswith("__wrap_")}
    objects = [*elf.parent.glob("CMakeFiles/kernel.dir/**/*.obj"),
               *elf.parent.glob("CMakeFiles/machine.dir/**/*.obj")]  # fmt: skip
    found = {
        obj.name.removesuffix(".obj"): names for obj in objects
        if (names := {n for n in called_names(obj, stubs) - ENDS if where.get(n, 0) in users})
    }  # fmt: skip
    assert "user_side.c" in found  # which is told apart: it runs in user mode
    expected = AT_START | AT_THE_END | IN_USER_MODE | IN_EITHER_MODE | REPORTS
    assert {name: found[name] for name in found.keys() - expected} == {}


def command(elf: Path, *more: str, cpu: str = "") -> list[str]:
    """How the board runs an image, with more options, or another core."""
    words = [word.replace("{elf}", str(elf)) for word in boards.load("qemu_x86_64").run["command"]]
    if cpu:
        words[words.index("-cpu") + 1] = cpu
    return [*words, *more]


@pytest.mark.long
@pytest.mark.board("qemu_x86_64")
@pytest.mark.parametrize(
    ("app", "confs"),
    [("tests/user", ["canaries-all", "stackguard", "checked"]), ("tests/user", ["fpu"]),
     ("tests/ipc", ["user"]), ("tests/ipc", ["fpu", "user"])],
)  # fmt: skip
def test_a_core_without_smep_smap_and_umip_holds_user_threads_all_the_same(foliot, app, confs):
    """What these keep is the kernel from user mode's pages, and not the other way round."""
    elf = built(foliot, app, *confs)
    done = foliot.program(*command(elf, cpu="qemu64,+rdrand"), limit_s=400)
    assert "PROJECT EXECUTION SUCCESSFUL" in done.stdout.splitlines(), done.stdout[-4000:]


def raise_nmis(path: Path, ended: threading.Event) -> None:
    """Until the program has said its last line."""
    with socket.socket(socket.AF_UNIX) as monitor:
        monitor.connect(str(path))
        answers = monitor.makefile()
        answers.readline()  # its greeting
        monitor.sendall(b'{"execute":"qmp_capabilities"}')
        answers.readline()
        while not ended.is_set():
            try:
                monitor.sendall(b'{"execute":"inject-nmi"}')
                answers.readline()
            except OSError:
                return


@pytest.mark.long
@pytest.mark.board("qemu_x86_64")
def test_an_nmi_at_any_instruction_changes_nothing(foliot, tmp_path):
    """At the entry's first, too, on the user's stack: QEMU's log says where they were."""
    elf = built(foliot, "tests/user/nmi")
    log, monitor = tmp_path / "log", tmp_path / "monitor"
    ended = threading.Event()
    more = ["-qmp", f"unix:{monitor},server=on,wait=off", "-d", "int", "-D", str(log)]
    with subprocess.Popen(command(elf, *more), stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout.readline() == "begins\n"
            raising = threading.Thread(target=raise_nmis, args=(monitor, ended))
            raising.start()
            assert running.stdout.readline() == "600000 calls, 0 wrong, an NMI\n"
        finally:
            ended.set()
            running.kill()
            raising.join()
    where = {name: value for name, is_defined, value in symbols(elf) if is_defined}
    taken = re.findall(r"v=02 e=0000 i=0 cpl=(\d) IP=\w+:([0-9a-f]+)", log.read_text())
    assert len(taken) > NMIS_AT_LEAST
    assert {cpl for cpl, _ in taken} == {"0", "3"}
    assert where["x86_64_call"] in {int(pc, 16) for _, pc in taken}

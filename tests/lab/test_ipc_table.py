# SPDX-License-Identifier: Apache-2.0
"""`foliot ipc`: L4Re's page, with what is on record beside it, unit by unit."""

from __future__ import annotations

import io
import json

import pytest

import logs
from foliot.compare import ipc_table
from foliot.log.reader import parse
from foliot.store.sqlite import Store
from foliot.store.writer import record

DASH = ipc_table.NONE
OURS = {
    "ipc.mean.intra": 165, "ipc.mean.inter": 180, "syscall.null.user": 59,
    "ipc.call.inter.4": 172, "fault.round.inter": 791,
}  # fmt: skip


def measured(store, board, figures, unit="insn", conf="default", core=""):
    core = core or ("a core of x86" if board.startswith("pc") else logs.HEADER["core"])
    header = {
        **logs.HEADER, "suite": "ipc", "board": board, "core": core, "unit": unit,
        "configuration": [conf],
    }  # fmt: skip
    rows = [logs.row(name, [value] * 200) for name, value in figures.items()]
    text = logs.log(rows, header)
    record(Store(store), parse(text), io.BytesIO(repr(header).encode()), "bench", "x")


def cells(printed, title, name):
    """Return the cells of a line of the table under `title`."""
    table = printed.partition(f"{title}\n")[2].partition("\n\n")[0].splitlines()
    found = [line for line in table if line.startswith(f"{name} ")]
    assert len(found) == 1, (title, name, table)
    return found[0][len(name) :].split()


def test_a_board_that_was_measured_stands_beside_others_of_its_unit_only(foliot, own_store):
    measured(own_store, "qemu_riscv32", OURS)
    printed = foliot("ipc").stdout
    page = "one message, one way, and a system call, in"
    assert cells(printed, f"{page} instructions", "qemu_riscv32") == ["165", "180", "59"]
    assert cells(printed, f"{page} instructions", "sel4@qemu_aarch64") == ["191", "191", "91"]
    assert cells(printed, f"{page} cycles", "l4re-el2@a53") == ["661", "770", "228"]
    assert "qemu_riscv32" not in printed.partition("in cycles")[2]
    assert "l4re-el1" not in printed.partition("in cycles")[0]
    assert all(len(line) <= 100 for line in printed.splitlines())


def test_what_somebody_has_not_measured_is_a_dash_and_two_halves_of_a_fault_are_added(
    foliot, own_store
):
    measured(own_store, "qemu_riscv32", OURS)
    printed = foliot("ipc").stdout
    title = "between address spaces, in instructions"
    assert cells(printed, title, "qemu_riscv32") == ["172", *[DASH] * 4, "791"]
    assert cells(printed, title, "sel4@qemu_aarch64")[-1] == str(511 + 617)


def test_x86_has_its_three_counters_and_the_page_as_it_is_to_be_read(foliot, own_store):
    measured(own_store, "qemu_x86_64", {"ipc.mean.intra": 496, "syscall.null.user": 165})
    printed = foliot("ipc").stdout
    title = "x86: TSC / clocks / instructions"
    assert cells(printed, title, "n100")[:5] == ["173", "/", "622", "/", "~543"]  # not 5431
    assert cells(printed, title, "qemu_x86_64") == (
        [DASH, "/", DASH, "/", "496", DASH, "/", DASH, "/", DASH, DASH, "/", DASH, "/", "165"]
    )


def test_a_pcs_three_runs_are_one_line_and_nothing_is_of_another_counter(foliot, own_store):
    """Figures that were made up: no PC was measured."""
    made_up = {"tsc": 611, "cycles": 707, "insn": 123}
    confs = {"tsc": "default", "cycles": "clocks", "insn": "instructions"}
    for unit, value in made_up.items():
        measured(own_store, "pc", {"ipc.mean.intra": value}, unit, confs[unit])
    measured(own_store, "pc2", {"ipc.mean.intra": 999}, "insn")
    printed = foliot("ipc").stdout
    title = "x86: TSC / clocks / instructions"
    assert cells(printed, title, "pc")[:6] == ["611", "/", "707", "/", "123", DASH]
    assert cells(printed, title, "pc2")[:5] == [DASH, "/", DASH, "/", "999"]
    page = "one message, one way, and a system call, in"
    assert cells(printed, f"{page} instructions", "pc (instructions)") == ["123", DASH, DASH]
    assert cells(printed, f"{page} cycles", "pc (clocks)") == ["707", DASH, DASH]
    assert "611" not in printed.partition(title)[0]


def test_each_configuration_is_a_line_with_its_newest_run(foliot, own_store):
    for value, conf in ((150, "default"), (140, "default"), (145, "el2")):
        measured(own_store, "qemu_aarch64", {"ipc.mean.intra": value}, conf=conf)
    told = json.loads(foliot("ipc", "--json").stdout)
    ours = {line["name"]: line["figures"] for line in told if line["ours"]}
    assert ours == {"qemu_aarch64": {"intra": 140}, "qemu_aarch64 (el2)": {"intra": 145}}


def test_exception_levels_cores_and_rtl_in_cycles_have_rows_of_their_own(foliot, own_store):
    a53, a76 = "QEMU Cortex-A53 virt", "QEMU Cortex-A76 virt"
    for value, board, conf, core in (
        (135, "qemu_aarch64", "default", a53), (136, "qemu_aarch64", "el2", a53),
        (137, "qemu_aarch64_a76", "default", a76), (138, "qemu_aarch64_a76", "el2", a76),
    ):  # fmt: skip
        measured(own_store, board, {"ipc.mean.intra": value}, conf=conf, core=core)
    measured(own_store, "ibex", {"ipc.mean.intra": 400, "syscall.null.user": 90}, "cycles")
    printed = foliot("ipc").stdout
    page = "one message, one way, and a system call, in"
    for value, name in ((135, "qemu_aarch64 (A53, EL1)"), (136, "qemu_aarch64 (A53, EL2)"),
                        (137, "qemu_aarch64_a76 (A76, EL1)"),
                        (138, "qemu_aarch64_a76 (A76, EL2)")):  # fmt: skip
        assert cells(printed, f"{page} instructions", name)[0] == str(value)
    assert cells(printed, f"{page} cycles", "ibex") == ["400", DASH, "90"]
    assert all(len(line) <= 100 for line in printed.splitlines())


@pytest.mark.long
@pytest.mark.board("qemu_aarch64", "qemu_aarch64_a76")
def test_a_board_that_is_named_is_measured_first_in_that_configuration(foliot, own_store):
    words = ("ipc", "-q", "--json", "--board", "qemu_aarch64,qemu_aarch64_a76", "--conf", "el2")
    done = foliot(*words, limit_s=600)
    assert done.returncode == 0, done.stderr
    ours = {line["name"]: line["figures"] for line in json.loads(done.stdout) if line["ours"]}
    assert ours.keys() == {"qemu_aarch64 (A53, EL2)", "qemu_aarch64_a76 (A76, EL2)"}
    assert all(figures["intra"] > 0 and figures["inter"] > 0 for figures in ours.values())


@pytest.mark.long
@pytest.mark.board("ibex")
def test_an_rtl_core_has_cycles(foliot, own_store):
    done = foliot("ipc", "-q", "--json", "--board", "ibex", limit_s=1800)
    assert done.returncode == 0, done.stderr
    ours = [line for line in json.loads(done.stdout) if line["ours"]]
    assert [(line["name"], line["unit"]) for line in ours] == [("ibex", "cycles")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--conf", "el2"], "name a board"),
        (["--board", "nowhere"], "unknown board 'nowhere'"),
        (["--board", "host"], "can't measure"),
        (["--board", "ty51822r3"], "is a device"),
    ],
)
def test_wrong_use(foliot, own_store, words, said):
    done = foliot("ipc", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr


@pytest.mark.board("qemu_riscv32")
def test_a_configuration_that_a_board_has_not_is_said_and_the_page_is_there(foliot, own_store):
    done = foliot("ipc", "-q", "--board", "qemu_riscv32", "--conf", "el2")
    assert done.returncode == 1
    assert "qemu_riscv32: " in done.stderr
    assert "AARCH64_EL2" in done.stderr
    assert "l4re-el1@a76" in done.stdout


def test_without_a_run_on_record_the_page_is_there_and_the_command_that_records_one(
    foliot, own_store
):
    done = foliot("ipc")
    assert done.returncode == 0
    assert "l4re-el1@a76" in done.stdout
    assert "foliot ipc --board BOARD" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("suite", ["latency", "floor"])
def test_runs_of_other_suites_are_no_lines(foliot, own_store, suite):
    header = {**logs.HEADER, "suite": suite}
    text = logs.log([logs.row("ipc.mean.intra", [9] * 200)], header)
    record(Store(own_store), parse(text), io.BytesIO(b"x"), "bench", "x")
    assert not [line for line in json.loads(foliot("ipc", "--json").stdout) if line["ours"]]

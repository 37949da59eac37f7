# SPDX-License-Identifier: Apache-2.0
"""The cores of the simulated SoC and their boards: that each is whole, and what is fetched when."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from foliot.model.errors import FoliotError
from foliot.project import testing
from foliot.show.terminal import Progress
from foliot.target import boards, fault, machines, paths, provision, runner

CORES = paths.ROOT / "sim" / "cores"
NAMES = sorted(path.parent.name for path in CORES.glob("*/core.mk"))
RTL = [name for name in boards.names() if boards.load(name).kind == "verilator"]
PORT = re.compile(r"^  (?:input|output) +logic +(?:\[[\d:]+\] +)?(\w+)", re.MULTILINE)
QUIET = Progress(quiet=True)


def included(core):
    return re.findall(
        r"^include cores/(\w+)/core.mk$", (CORES / core / "core.mk").read_text(), re.M
    )


def test_every_core_has_a_board_and_every_board_in_rtl_a_core():
    assert {boards.load(name).run["core"] for name in RTL} == set(NAMES)


@pytest.mark.parametrize("core", NAMES)
def test_a_core_stands_in_the_socket_with_all_ports(core):
    def ports(name):
        return PORT.findall((CORES / name / "core.sv").read_text(encoding="utf-8"))

    owner = core if (CORES / core / "core.sv").is_file() else included(core)[0]
    assert ports(owner) == ports("ibex")


@pytest.mark.parametrize("name", RTL)
def test_rtl_is_one_package_of_one_version_with_its_hash(name):
    board = boards.load(name)
    package = str(board.run["rtl"]).replace("_", "-")
    own = CORES / board.run["core"] / f"requirements-{board.run['core']}.txt"
    where = own if own.is_file() else paths.ROOT / "lab" / "requirements.txt"
    text = where.read_text(encoding="utf-8")
    assert re.search(rf"^{package}==\S+ \\\n    --hash=sha256:[0-9a-f]{{64}}", text, re.MULTILINE)


@pytest.mark.parametrize("core", NAMES)
def test_a_simulator_is_built_from_its_own_core_and_no_other(core):
    found = {path.relative_to(CORES).parts[0] for path in provision.simulator_files(core)
             if path.is_relative_to(CORES)}  # fmt: skip
    assert found == {core, *included(core)}
    assert paths.ROOT / "sim" / "soc.sv" in provision.simulator_files(core)


def test_cores_that_are_asked_for_seldom_are_built_for_the_long_tests_only():
    usual, all_of_them = testing.usual_boards(long=False), testing.usual_boards(long=True)
    assert set(all_of_them) == set(boards.names())
    built = {boards.load(name).run["core"] for name in usual if name in RTL}
    assert built == {boards.load(boards.default()).run["core"]}


def test_wait_states_of_a_board_are_the_simulators_and_in_its_memory(monkeypatch):
    monkeypatch.setattr(machines.Verilator, "_more_ram", lambda self, elf: [])
    command = machines.Verilator(boards.load("ibex_ws1")).command(Path("x.elf"), 1, None)
    assert command[3:5] == ["--wait-states", "1,1"]
    for name in RTL:
        options = boards.load(name).run.get("options", [])
        states = re.search(r"(\d) wait state", boards.load(name).memory)
        assert states
        assert options == (
            [] if states[1] == "0" else ["--wait-states", f"{states[1]},{states[1]}"]
        )


def test_an_access_to_nothing_on_a_deaf_core_is_reported(monkeypatch, tmp_path):
    judged = machines.Verilator(boards.load("cv32e40p")).judge(
        6, b'{"type":"stop","reason":"stray","cycle":9,"pc":"0x80000000"}'
    )
    assert judged == ("stray", 9, 0x80000000)
    outcome = runner.Outcome("stray", 6, 1.0, units=9)
    assert outcome.hung
    (told, *_) = fault.describe_hang(outcome, tmp_path / "none.elf")
    assert "an access where nothing is" in told


def test_rtl_that_is_not_installed_is_installed_as_its_core_says(monkeypatch):
    asked = []
    monkeypatch.setattr(
        provision, "python_packages", lambda path, progress, whose: asked.append((path.name, whose))
    )
    board = boards.load("vexriscv")
    missing = replace(board, run={**board.run, "rtl": "pythondata_cpu_of_nobody"})
    with pytest.raises(FoliotError, match="pythondata_cpu_of_nobody is missing"):
        provision._rtl(missing, QUIET)
    assert asked == [("requirements-vexriscv.txt", "the core vexriscv")]
    provision._rtl(boards.load("ibex"), QUIET)
    assert len(asked) == 1

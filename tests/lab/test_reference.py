# SPDX-License-Identifier: Apache-2.0
"""The figures of other systems: all there, named as ours where they measure the same."""

from __future__ import annotations

import json
import tomllib

import pytest

from foliot.model.errors import FoliotError, UsageError
from foliot.reference import goals, systems
from foliot.store.selection import reference
from foliot.target import boards, paths


def value(name, row):
    return reference(name).run.values()[row]


def test_every_kernel_that_was_measured_or_published_is_there():
    kernels = {reference(name).run.origin.kernel for name in systems.names()}
    assert kernels >= {
        "Zephyr", "FreeRTOS", "ThreadX", "ChibiOS", "RIOT", "seL4", "L4Re", "kernel-v1",
    }  # fmt: skip
    assert len(systems.published()) == 14
    assert len(set(systems.names())) == len(systems.names())
    for name in systems.names():
        run = reference(name).run
        assert run.origin.source, name
        assert run.header.unit in ("cycles", "insn", "ns", "tsc"), name
        assert "@" in name


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("zephyr-3.3@mps2_an385", "thread.yield.preemptive.ctx.k_to_k", 103),
        ("zephyr-3.3-speed@ibex", "semaphore.give.immediate.kernel", 76),
        ("freertos@mps2_an385", "mutex.lock.immediate.recursive.kernel", 18),
        ("threadx-fast@mps2_an385", "isr.resume.different.thread.kernel", 35),
        ("chibios@mps2_an385", "thread.start.kernel.from.kernel", 43),
        ("riot@mps2_an385", "events.set.immediate.kernel", 17),
        ("threadx@ibex", "thread.suspend.kernel.from.kernel", 203),
        ("sel4@qemu_aarch64", "ipc.inter", 191),
        ("fiasco@qemu_aarch64", "ipc.intra", 484),
        ("sel4@cortex_a53", "ipc.syscall", 131),
        ("l4re@n100", "ipc.inter", 1395),
        ("l4re-el1@a76", "ipc.syscall", 138),
        ("kernel-v1@rp2040", "periodic.switch", 1250),
        ("zephyr-4.3@rpi_pico2", "stack.pop.blocking.k_to_k", 361.5),
    ],
)
def test_figures_of_each_file(name, row, expected):
    assert value(name, row) == expected


def test_every_row_with_a_target_has_a_figure_of_zephyrs():
    for board in ("mps2_an385", "ibex"):
        beside = systems.beside(boards.load(board))
        assert set(goals.targets(board)) == set(beside), board


def test_a_stamp_costs_what_the_builds_own_calibration_says():
    """Of two nets in the file the measured one counts: for Zephyr at -O2 it is the lower."""
    data = json.loads((paths.REFERENCE / "peers_ibex_rtl_cycles.json").read_text())
    for name, kernel in data["kernels"].items():
        run = reference(f"{name}@ibex").run
        for row_id, figures in kernel["rows"].items():
            if "net_measured_stamp" in figures and not figures.get("est"):
                row = run.row(row_id)
                assert row is not None
                assert row.p50 == round(figures["net_measured_stamp"], 1), (name, row_id)
    assert value("zephyr-3.3-speed@ibex", "thread.create.kernel.from.kernel") == 208


def test_a_note_names_a_row_of_a_reference():
    text = (paths.REFERENCE / "notes.toml").read_text(encoding="utf-8")
    for name in tomllib.loads(text):
        for note in goals.notes(name):
            row = reference(name).run.row(note.row)
            assert row is not None
            assert 0 < note.holds < row.p50


def test_what_stands_beside_our_own_rows():
    for name in boards.names():
        board = boards.load(name)
        beside = systems.beside(board)
        assert bool(beside) == bool(board.reference)
    ibex = systems.beside(boards.load("ibex"))
    assert ibex["semaphore.give.immediate.kernel"].value == 76
    assert ibex["semaphore.give.immediate.kernel"].name == "Zephyr 3.3 -O2"


def test_a_board_with_a_wrong_reference():
    from dataclasses import replace

    board = replace(boards.load("ibex"), reference={"run": "zephyr-3.3@mps2_an385", "name": "x"})
    with pytest.raises(FoliotError, match="has no reference"):
        systems.beside(board)


def test_no_such_reference():
    with pytest.raises(UsageError, match="no reference 'zephyr@moon'"):
        reference("zephyr@moon")

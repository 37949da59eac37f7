# SPDX-License-Identifier: Apache-2.0
"""The instruction trace, held against instructions whose cost is known.

The figures are those of Ibex's maxperf configuration: what its documentation says of each
instruction, seen through the trace's definition (sim/README.md).
"""

from dataclasses import dataclass
from itertools import pairwise

import pytest

NOP = 0x13


@dataclass(frozen=True)
class Line:
    marker: int
    cycle: int
    pc: int
    encoding: int
    took: int
    empty: int
    event: str


def read(path):
    """{marker: its lines}."""
    lines = {}
    for text in path.read_text().splitlines():
        marker, cycle, pc, encoding, took, empty, event = text.split()
        line = Line(
            int(marker), int(cycle), int(pc, 16), int(encoding, 16), int(took), int(empty), event
        )
        lines.setdefault(line.marker, []).append(line)
    return lines


@pytest.fixture
def stretches(passes, tmp_path):
    """The stretches of programs/timing.S, traced with those options."""

    def stretches(*options):
        path = tmp_path / "trace"
        run = passes("timing", "--trace", path, *options)
        return read(path), run

    return stretches


def took(lines):
    return [line.took for line in lines]


def test_lines(stretches):
    lines, run = stretches()
    assert sorted(lines) == list(range(1, 12))
    for stretch in lines.values():
        for before, line in pairwise(stretch):
            assert line.took == line.cycle - before.cycle
            assert 0 <= line.empty < line.took
        assert 0x80000000 <= stretch[0].pc < 0x80001000
    clock = [line for line in lines[8] if line.encoding != NOP]
    assert [clock[0].cycle, clock[1].cycle] == [n for row in run.numbers for n in row]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param(1, [1] * 21, id="20 nops and the closing store"),
        pytest.param(2, [1, 1, 1, 1], id="load"),
        pytest.param(3, [1, 2, 1, 1], id="load and use: the use waits one clock"),
        pytest.param(4, [1, 2, 2, 1, 1], id="jump, taken branch: the target comes a clock later"),
        pytest.param(5, [1, 2, 1, 1], id="mul 1, mulh 2"),
        pytest.param(6, [37, 37, 2, 1], id="div, remu 37; division by zero 2"),
        pytest.param(7, [1, 1, 1, 1, 2, 1], id="stores and loads; not aligned: 2"),
        pytest.param(8, [1, 1, 1, 1], id="device load"),
        pytest.param(9, [1, 1, 1, 1, 3, 1], id="behind a write of mstatus: two clocks"),
    ],
)
def test_figures(stretches, number, expected):
    lines, _ = stretches()
    assert took(lines[number]) == expected


@pytest.mark.parametrize(("number", "event"), [(10, "e11"), (11, "e5")])
def test_traps(stretches, number, event):
    lines, _ = stretches()
    handler, *rest = lines[number]
    assert handler.event == event, "the instruction that traps has no line"
    assert {line.event for line in rest} == {"-"}
    nop, _ = rest[-2:]
    assert nop.encoding == NOP
    assert nop.empty > 0, "mret refills"


def test_the_tooks_add_up(stretches):
    """Also across what is not retired and not traced."""
    lines, _ = stretches()
    for stretch in lines.values():
        whole = stretch[-1].cycle - stretch[0].cycle
        assert sum(took(stretch[1:])) == whole


def test_only_marked_instructions_are_traced(passes, tmp_path):
    path = tmp_path / "trace"
    passes("hello", "--trace", path)
    assert path.read_text() == ""


@pytest.mark.parametrize(
    ("wait_states", "nop", "load_use"),
    [("0,0", 1, 2), ("2,0", 3, 3), ("0,2", 1, 4), ("1,0", 2, 2), ("3,5", 4, 7)],
)
def test_wait_states(stretches, wait_states, nop, load_use):
    """A port with N wait states takes 1 + N clocks an access, one after the other."""
    lines, _ = stretches("--wait-states", wait_states)
    assert took(lines[1][4:20]) == [nop] * 16
    assert lines[3][1].took == load_use


def test_compressed_encodings(passes, tmp_path):
    path = tmp_path / "trace"
    passes("sleep", "--trace", path)
    words = [text.split()[3] for text in path.read_text().splitlines()]
    assert {len(word) for word in words} == {4, 8}
    for word in words:
        assert (int(word[-1], 16) & 3 == 3) == (len(word) == 8)

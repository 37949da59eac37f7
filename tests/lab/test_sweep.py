# SPDX-License-Identifier: Apache-2.0
"""`foliot sweep`: a row held against its path, what an image is told, what is refused."""

from __future__ import annotations

import json

import pytest

from foliot.explain.code import Place
from foliot.explain.sample import Sample, Step
from foliot.log.reader import parse
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.sweep import judged, plan, show
from foliot.sweep.judged import Found, Judged
from foliot.target import boards

LEAST = 30


class Code:
    """Says of an address what function it lies in: as the path below has it."""

    def prefetch(self, pcs) -> None:
        pass

    def place(self, pc: int) -> Place:
        return Place("arch_isr_window" if pc >= 0x900 else f"f{pc:x}", file="kernel/x.c", line=pc)


def path(*texts: str) -> Sample:
    """Return a sample of one cycle an instruction, two bytes each, from 0x100 on."""
    steps = tuple(
        Step(0x100 + 2 * i, 1, (), text, Code().place(0x100 + 2 * i))
        for i, text in enumerate(texts)
    )
    row = parse(b"") if False else None  # a sample's row is not looked at
    return Sample(row, None, 0, 1, "", len(texts), steps)  # type: ignore[arg-type]


def record(hits: dict[int, tuple[int, int]], **more) -> dict:
    places = "".join(f"{pc:08x}{late:04x}{at:04x}" for pc, (late, at) in hits.items())
    said = {"type": "sweep", "id": "sem.give/queued", "samples": 9, "arrivals": 9, "least": LEAST,
            "cut": 0, "dropped": 0, "places": places}  # fmt: skip
    return said | more


# Masks, five instructions of which nothing interrupts any, opens, returns.
MASKED = path("li a0,1", "csrrci a1,mstatus,8", "a", "b", "c", "d", "csrs mstatus,a1", "ret")
HIT = {0x100: (LEAST, 0), 0x102: (LEAST, 1), 0x10E: (LEAST + 5, 2)}


def judge(hits, sample=MASKED, board="qemu_riscv32", **more) -> Judged:
    return judged.judge(
        judged.swept(record(hits, **more)), sample, boards.load(board), Code(), LEAST
    )


def test_what_is_masked_is_told_by_how_late_the_next_one_was():
    found = judge(HIT)
    assert (found.path, found.hit, found.masked, found.gaps) == (8, 3, 5, ())
    assert (found.latency, found.held, found.good) == (LEAST + 5, 5, True)
    assert found.culprit.text == "csrrci a1,mstatus,8"
    assert found.opened.function == "f10e"


def test_what_nobody_tried_is_a_gap():
    """Open, as the next one's latency says, and no interrupt came: such as where a step is long."""
    found = judge(HIT | {0x10E: (LEAST, 7)})
    assert [gap.text for gap in found.gaps] == ["a", "b", "c", "d", "csrs mstatus,a1"]
    assert not found.good
    assert found.masked == 0


def test_behind_the_last_one_that_was_hit_the_windows_end_counts():
    assert judge({0x100: (LEAST, 0), 0x102: (LEAST, 1), 0x700: (LEAST + 7, 2)}).gaps == ()
    assert judge({0x100: (LEAST, 0), 0x102: (LEAST, 1), 0x700: (LEAST + 2, 2)}).gaps != ()


def test_what_waits_behind_the_kernels_alarm_is_told_apart():
    found = judge(HIT | {0x900: (LEAST + 90, 3)})
    assert (found.latency, found.alarm) == (LEAST + 5, LEAST + 90)


def test_a_caller_that_masks_is_not_the_kernels_doing():
    assert judge(HIT, id="sem.give/masked").by_caller
    assert judge(HIT, id="sem.give/isr").by_caller
    assert judge(HIT, id="isr.give.wake").by_caller
    assert not judge(HIT, board="mps2_an385", id="sem.give/isr").by_caller  # handlers nest there
    found = Found("b", "cycles", "states", (), rows=[judge(HIT, id="sem.give/masked")])
    assert found.judged == []
    assert not any("longest" in line for line in show.sentences(found))


def test_what_is_wrong_is_said_with_where_and_what_came():
    wrong = {"wrong": "given", "wrong_at": {"at": 7, "pc": 0x10A, "act": 4}}
    found = judge(HIT, **wrong)
    assert not found.good
    assert found.swept.wrong == "given (first 7 behind the arming, at 0x10a, act restart)"
    whole = Found("ibex", "cycles", "states", (), rows=[found])
    assert any(line.startswith("WRONG: sem.give/queued: given") for line in show.sentences(whole))
    assert json.dumps(show.as_dict(whole))


def test_a_row_that_was_cut_off_is_not_good():
    assert not judge(HIT, cut=1).good
    assert not judge(HIT, dropped=3).good


@pytest.mark.parametrize("record", [{}, {"places": "12"}, {"id": "a", "places": "x" * 16}])
def test_a_garbled_record_is_refused(record):
    with pytest.raises(LogError, match="sweep"):
        judged.swept(record)


def test_acts_are_named():
    assert plan.acts([]) == plan.ALL_ACTS
    assert plan.acts(["nothing", "restart"]) == 0b10001
    with pytest.raises(UsageError, match="valid are nothing, preempt"):
        plan.acts(["bite"])


def test_a_board_without_an_injector_is_refused():
    plan.check_board(boards.load("vexriscv"))  # by the header that it includes
    with pytest.raises(UsageError, match="no injector"):
        plan.check_board(boards.load("qemu_x86_64"))
    for name in ("host", "rpi_pico"):
        with pytest.raises(UsageError, match="nothing here"):
            plan.check_board(boards.load(name))


def test_an_image_of_another_kind_is_refused(tmp_path):
    other = tmp_path / "other.elf"
    other.write_bytes(b"\x7fELF" + bytes(60))
    with pytest.raises(FoliotError, match="is no ELF file"):
        plan.write(other, plan.Plan())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--board", "qemu_x86_64"), "no injector"),
        (("--act", "bite"), "unknown act"),
        (("--suite", "nowhere"), "nowhere"),
        (("--step", "0"), "--step"),
    ],
)
def test_wrong_use_is_told_in_a_line_or_two(foliot, words, said):
    done = foliot("sweep", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 4


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_a_row_is_swept_on_rtl(foliot):
    done = foliot("sweep", "isr.empty.direct", "--suite", "interrupt", "--json", "-", "--quiet")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    assert row["id"] == "isr.empty.direct"
    assert row["interrupted"] + row["masked_instructions"] == row["path"]
    assert row["not_tried"] == []
    assert row["latency"] > row["least"] > 9
    unknown = foliot("sweep", "isr.nothing", "--suite", "interrupt")
    assert unknown.returncode == 2
    assert "unknown row" in unknown.stderr

# SPDX-License-Identifier: Apache-2.0
"""What is shown of recordings: pictures to one scale, and the table beside the seed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from scope_signals import TICK, Kernel, recording
from test_scope import facts

from foliot.commands import scope
from foliot.model.errors import FoliotError
from foliot.scope import picture, screen, table
from foliot.scope.analysis import analyse
from foliot.scope.picture import Scale
from foliot.scope.signals import Pulse, Recording
from foliot.target import provision

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    """Return the texts of a picture."""
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def drawn(kernel: Kernel | None = None, scale: Scale | None = None, note: str = "") -> str:
    found = (kernel or Kernel()).recording()
    return picture.draw(found, analyse(found, TICK), "A <title> & more", "", scale, note)


def test_the_picture_is_svg_with_the_seeds_colours(tmp_path):
    svg = drawn()
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    for colour in picture.COLOURS.values():
        assert colour in svg
    assert any("checking 400, queueing 32" in text for text in words(svg))
    picture.write_png(svg, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_each_panel_has_a_time_axis_and_says_what_a_division_is():
    said = words(drawn())
    titles = [text for text in said if text.endswith("a division")]
    assert len(titles) == 3  # overview, the one kind of tick, a switch
    assert "Overview: 3 ticks of 100\u2009000 cycles; 20\u2009000 cycles a division" in titles
    assert "120\u2009000" in said  # a label of the overview's axis
    assert said.count("0") >= 3


@pytest.mark.parametrize(
    ("length", "step"),
    [
        (1, 1),
        (8, 1),
        (15, 1),
        (16, 2),
        (39, 2),
        (40, 5),
        (80, 10),
        (1600, 200),
        (6_100_000, 500_000),
    ],
)
def test_a_division_is_1_2_or_5(length, step):
    assert screen.division(length) == step


def test_nanoseconds_are_told_as_what_reads_best():
    assert screen.amount(8_000_000, "ns") == "8 ms"
    assert screen.amount(1250, "ns") == "1.25 us"
    assert screen.amount(60, "ns") == "60 ns"
    assert screen.amount(0, "ns") == "0 ns"
    assert screen.amount(8_000_000, "insn") == "8\u2009000\u2009000 insn"


def test_half_the_tick_is_half_as_wide_on_the_scale_of_what_it_is_compared_with():
    whole = Kernel(ticks=4)
    half = Kernel(ticks=4, tick=TICK // 2, work=6_000)
    pairs = [(kernel.recording(), kernel.tick) for kernel in (whole, half)]
    analysed = [(found, analyse(found, tick)) for found, tick in pairs]
    scale = Scale.of(analysed)
    widths = []
    for found, analysis in analysed:
        svg = picture.draw(found, analysis, "", scale=scale)
        lane = next(path for path in re.findall(r'<path d="([^"]*)" fill="#7d8794"', svg))
        first, second = re.findall(r"M([\d.]+)", lane)[:2]
        widths.append(float(second) - float(first))
    assert widths[1] == pytest.approx(widths[0] / 2, abs=0.2)


def test_each_kind_of_tick_has_its_detail():
    said = words(drawn(Kernel(ticks=6, due=[4, 2, 4])))
    assert any("a tick that queues 4 threads, as 4 of 6 do" in text for text in said)
    assert any("a tick that queues 2 threads, as 2 of 6 do" in text for text in said)


def test_a_tick_in_which_thread_0_only_goes_on_is_a_kind_of_its_own():
    kernel = Kernel(ticks=6)
    kernel.goes_on = {2, 5}
    said = words(drawn(kernel))
    queues = "Detail: a tick that queues 4 threads"
    assert any(f"{queues} and begins with thread 0, as 4 of 6 do" in text for text in said)
    assert any(f"{queues}, thread 0 not first, as 2 of 6 do" in text for text in said)


def test_more_kinds_than_fit_are_counted():
    pulses = {
        "scheduler": tuple(Pulse(t, t + 400) for t in range(1000, 80_000, 10_000)),
        "queueing": tuple(
            Pulse(start + 20 * n + 1, start + 20 * n + 9)
            for place, start in enumerate(range(1000, 80_000, 10_000))
            for n in range(8 - place)
        ),
    }
    found = Recording("cycles", 0, 90_000, pulses)
    svg = picture.draw(found, analyse(found, 10_000), "")
    assert sum("Detail: " in text for text in words(svg)) == 6
    assert any("2 more kinds of tick are not drawn" in text for text in words(svg))


def test_cursors_stand_on_a_switch_and_the_definition_beside_them():
    said = words(drawn(note="Context switch: 75 cycles"))
    assert "gap 60 cycles" in said
    assert "Context switch: 75 cycles" in said


def test_runs_between_ticks_are_said_to_be_no_ticks():
    assert not any("Between ticks" in text for text in words(drawn()))
    said = words(drawn(Kernel(ticks=3, looks=[(0, 95_000, 500), (2, 80_000, 250)])))
    assert any("Between ticks the scheduler ran 2 times, for 750 cycles" in text for text in said)


def test_a_thread_that_is_nobody_of_the_case_has_a_lane_of_its_own():
    found = recording()
    assert "others" not in words(drawn())
    pulses = dict(found.pulses)
    pulses["thread_any"] = tuple(
        sorted([*pulses["thread_any"], Pulse(90_000, 91_000)], key=lambda p: p.start)
    )
    changed = replace(found, pulses=pulses)
    assert "others" in words(picture.draw(changed, analyse(changed, TICK), ""))


def test_a_capture_with_one_pin_of_threads_has_a_picture():
    four = {name: recording().pulses[name] for name in picture.COLOURS}
    found = Recording("ns", 0, recording().end, four)
    said = words(picture.draw(found, analyse(found), "desk"))
    assert "scheduler 432 ns: checking 400 ns, queueing 32 ns" in said
    assert "120 us" in said  # on the overview's axis
    assert any("3 ticks of 100 us;" in text for text in said)
    cut = words(picture.draw(found.cut(0, 250_000), analyse(found.cut(0, 250_000)), "desk"))
    assert any("2 ticks of 100 us, and part of one" in text for text in cut)
    assert "gap 60 ns" in said
    assert "others" not in said


def test_the_table_stands_beside_the_seed_with_the_seeds_switch():
    cases = [(facts(threads=16), analyse(recording(), TICK))]
    beside = table.beside_seed(cases, 75)
    assert [line[0] for line in beside] == [
        "case 0: scheduler, 4 queued", "case 0: queueing all", "context switch",
    ]  # fmt: skip
    assert beside[0][1].replace("\u2009", "") == "7250"
    assert beside[-1][1:] == ("156", "75", "0.48")
    assert len(table.rows(cases)[0]) == len(table.COLUMNS)


def test_the_share_of_switches_is_counted_as_the_seed_counts():
    whole = facts(threads=16, tick=1_000_000)
    found = table.overheads([(whole, analyse(recording(), TICK))], 75)
    assert found[1] == (
        "case 0: switching, 16 times, tick of 1\u2009000\u2009000",
        "0.250",
        "0.120",
        "0.48",
    )


def test_what_is_not_known_is_an_empty_cell_and_no_zero():
    two = {name: recording().pulses[name] for name in ("scheduler", "queueing")}
    row = table.rows([(facts(), analyse(Recording("insn", 0, recording().end, two), TICK))])[0]
    cells = dict(zip(table.COLUMNS, row, strict=True))
    for column in ("gap", "interrupt %", "gaps %", "release jitter", "completion jitter"):
        assert cells[column] == "", column


@pytest.mark.parametrize("unit", ["cycles", "insn"])
def test_the_legend_fits_a_terminal_and_calls_instructions_no_times(unit):
    lines = table.legend(unit, 75)
    assert max(len(line) for line in lines) <= 100
    assert ("no times" in " ".join(lines)) == (unit == "insn")


def test_words_of_a_png_need_a_font(monkeypatch, tmp_path):
    """Without any font the words would be left out, and nobody told."""
    assert picture.has_font()
    bare = picture.resvg_py.svg_to_bytes
    monkeypatch.setattr(
        picture.resvg_py, "svg_to_bytes", lambda **asked: bare(skip_system_fonts=True, **asked)
    )
    assert not picture.has_font()
    asked = []
    monkeypatch.setattr(provision, "install", lambda packages, _: asked.append(packages))
    with pytest.raises(FoliotError):
        scope.import_capture(tmp_path / "none.vcd", (), None, tmp_path, True)
    assert asked == [provision.FONT_PACKAGES]

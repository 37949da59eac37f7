# SPDX-License-Identifier: Apache-2.0
"""The report: what it says, how it is drawn, and how a real browser shows it."""

from __future__ import annotations

import re
import resource
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import browser
import pytest

import logs
from foliot import reference
from foliot.errors import UsageError
from foliot.model import Doubt, Reference, Run
from foliot.output import parse
from foliot.report import charts, command, content, sketch, tables
from foliot.selection import Chosen
from foliot.store import Store

NASTY = "<script>alert('x')</script>&\"quoted\""
WORDS = ["zephyr-4.3@*", "zephyr-3.3@ibex", "zephyr-3.3-userspace@ibex", "zephyr-3.3@mps2_an385",
         "chibios@mps2_an385", "l4re@n100"]  # fmt: skip


def measured(seed: int = 0, count: int = 8, **header: object) -> Run:
    """Make a run of our own, with distributions, floors and a reference."""
    ids = [f"semaphore.take.{i}" for i in range(count - 4)] + [f"fifo.get.{i}" for i in range(4)]
    records = [
        logs.row(row_id, [100 + seed + i] * 90 + [101 + i + seed + j * j for j in range(i + 1)],
                 f"Take {i} of them")
        for i, row_id in enumerate(ids)
    ]  # fmt: skip
    run = parse(logs.log(records, header={**logs.HEADER, **header}))
    return run.with_rows(
        [replace(row, floor=60.0, reference=Reference("Zephyr", 250.0)) for row in run.rows]
    )


def chosen(*runs: Run) -> list[Chosen]:
    return [Chosen(f"run-{i}", run) for i, run in enumerate(runs)]


def page(runs: list[Chosen]) -> str:
    subjects = content.subjects(runs)
    groups = content.groups(subjects)
    return command.render(subjects, groups, list(command.charts_of(groups, subjects)))


# ---- what it says ----


def test_only_what_can_be_compared_is_together():
    other_unit = measured(unit="insn")
    other_rows = parse(logs.log([logs.row("ipc.intra", [5] * 10)]))
    subjects = content.subjects(chosen(measured(), other_unit, measured(5), other_rows))
    assert [[s.key for s in group.subjects] for group in content.groups(subjects)] == [
        ["r1", "r3"], ["r2"], ["r4"],
    ]  # fmt: skip


def test_a_run_may_join_two_groups():
    a = parse(logs.log([logs.row("a", [5] * 10)]))
    b = parse(logs.log([logs.row("b", [5] * 10)]))
    both = parse(logs.log([logs.row("a", [5] * 10), logs.row("b", [6] * 10)]))
    (group,) = content.groups(content.subjects(chosen(a, b, both)))
    assert [subject.key for subject in group.subjects] == ["r1", "r2", "r3"]
    assert list(group.shared) == ["a", "b"]


def test_scores_are_geometric_means():
    runs = [parse(logs.log([logs.row("a", [v] * 9), logs.row("b", [v] * 9)])) for v in (10, 20, 40)]
    (group,) = content.groups(content.subjects(chosen(*runs)))
    assert [round(group.scores[key], 6) for key in ("r1", "r2", "r3")] == [0.5, 1.0, 2.0]
    assert group.over_best("r3") == pytest.approx(4.0)
    assert [subject.key for subject in group.ranking] == ["r1", "r2", "r3"]


def test_a_wrong_figure_is_read_or_left_out():
    right, run = measured(), measured()
    doubts = (
        Doubt("counter-wrapped", "it wrapped", "x", run.rows[0].id, invalidates=True, reading=99.5),
        Doubt("row-zero", "it is nothing", "y", run.rows[1].id, invalidates=True),
    )
    wrong = replace(run, doubts=doubts)
    (group,) = content.groups(content.subjects(chosen(right, wrong)))
    assert group.values["r2"][run.rows[0].id] == 99.5
    body = tables.matrix(group).splitlines()
    assert '<td class="a5 b5 read" title="it wrapped">99.5' in body[0]
    assert body[1].endswith("<td>?")
    assert content.wrong_rows(wrong) == {run.rows[0].id, run.rows[1].id}


def test_by_the_clock_the_order_may_be_another():
    mhz = {"clock_hz": 1_000_000, "clock_measured_hz": 1_000_000}
    slow = parse(logs.log([logs.row("a", [10] * 9)], header={**logs.HEADER, **mhz}))
    fast = parse(logs.log([logs.row("a", [20] * 9)]))
    (group,) = content.groups(content.subjects(chosen(slow, fast)))
    assert [subject.key for subject in group.ranking] == ["r1", "r2"]
    assert [subject.key for subject in group.in_ns.ranking] == ["r2", "r1"]
    (alike,) = content.groups(content.subjects(chosen(fast, fast)))
    assert alike.in_ns is None


def test_a_doubtful_row_ranks_nobody():
    good = parse(logs.log([logs.row("a", [10] * 9), logs.row("b", [10] * 9)]))
    odd = good.with_rows([good.rows[0], replace(good.rows[1], p50=9000, doubts=("row-far",))])
    (group,) = content.groups(content.subjects(chosen(good, good, odd)))
    assert group.scores["r3"] == pytest.approx(1.0)


def test_names_are_made_different():
    runs = [Chosen("same", measured()), Chosen("same", measured())]
    assert [subject.name for subject in content.subjects(runs)] == ["same", "same (2)"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (57.0, "57"), (151.5, "151.5"), (117.06, "117.1"), (268797.4, "268797")],
)
def test_figures_are_written_plainly(value, text):
    assert content.number(value) == text


# ---- how it is drawn ----


def test_bins_hold_every_sample():
    for row in measured(count=40).rows:
        if content.varies(row):
            assert sum(sketch.bins(row, 16)) == row.n
            assert len(sketch.bins(row, 16)) <= 16
            ET.fromstring(sketch.histogram(row, "cycles"))


@pytest.mark.parametrize(
    ("ratio", "colour"), [(1, 5), (1.3, 6), (0.77, 4), (100, 10), (0.001, 0), (2, 8)]
)
def test_colours_of_the_matrix(ratio, colour):
    assert tables.shade(ratio) == colour


def test_charts_are_labelled_and_scale():
    subjects = content.subjects(chosen(measured(), measured(9), measured(20)))
    drawn = list(command.charts_of(content.groups(subjects), subjects))
    assert [chart.name for chart in drawn] == ["ranking-g1", "beside-r1", "beside-r2", "beside-r3"]
    for chart in drawn:
        root = ET.fromstring(chart.standalone)
        assert chart.title in root.attrib["aria-label"]
        assert "width" not in root.attrib
        assert "var(--" not in chart.standalone
        assert set(re.findall(r"var\(--(\w+)\)", chart.svg)) <= set(charts.COLOURS)


def test_two_runs_are_compared_row_by_row():
    subjects = content.subjects(chosen(measured(), measured(-10)))
    first = next(iter(command.charts_of(content.groups(subjects), subjects)))
    assert first.title == "run-1 over run-0"
    assert "less in 8 rows of 8" in first.text


def test_charts_alone(tmp_path):
    store = Store(tmp_path / "none")
    assert command.report(["zephyr-4.3@*"], "-", tmp_path / "charts", store, quiet=True) == 0
    names = sorted(path.name for path in (tmp_path / "charts").iterdir())
    assert names == ["families-g1.svg", "ranking-g1-ns.svg", "ranking-g1.svg"]
    ET.parse(tmp_path / "charts" / "ranking-g1.svg")


# ---- the page as a file ----


class Reader(HTMLParser):
    """Gathers what a page would fetch, and the ids that its links lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("src", "href", "srcset", "data", "action", "poster", "xlink:href"):
                self.fetched.append(value)


def test_the_page_holds_everything_itself():
    text = page(
        [Chosen(word, reference.load(word)) for word in ("zephyr-4.3@rpi_pico", "zephyr-3.3@ibex")]
    )
    read = Reader(text)
    assert set(read.fetched) <= {"data:,"}
    assert not re.search(r"@import|url\((?!#|data:)", text)
    assert len(read.ids) == len(set(read.ids))
    assert {link[1:] for link in read.links if link.startswith("#")} <= set(read.ids)
    assert all(link.startswith("#") for link in read.links)


def test_nothing_that_a_run_says_becomes_part_of_the_page():
    run = parse(
        logs.log([logs.row("a.row", [1, 2, 3], NASTY)], header={**logs.HEADER, "core": NASTY})
    )
    doubt = Doubt("odd", NASTY, NASTY, "a.row", invalidates=True)
    text = page([Chosen(NASTY, replace(run, doubts=(doubt,))), Chosen("b", run), Chosen("c", run)])
    assert "<script>alert" not in text
    assert text.count("<script>") == 1


def test_fifty_runs_are_quick_and_small(tmp_path):
    """50 runs of our own, 124 rows each, every row with a distribution: the worst case."""
    runs = chosen(*(measured(i, 124) for i in range(50)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    text = page(runs)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 5
    assert len(text.encode()) < 3_000_000


def test_an_empty_store_says_what_to_do(tmp_path):
    with pytest.raises(UsageError, match="holds no runs") as error:
        command.report([], "-", None, Store(tmp_path), quiet=True)
    assert "foliot import" in error.value.advice


def test_the_command(foliot, tmp_path):
    file = tmp_path / "out.html"
    result = foliot("report", "zephyr-4.3@*", "-o", str(file), "--store", str(tmp_path), "-q")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"{file}: 8 runs")
    assert file.read_text().startswith("<!doctype html>")
    result = foliot("report", "nothing", "--store", str(tmp_path), "-q")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) <= 2


# ---- the page in a browser ----


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """A page of references and of runs of our own."""
    from foliot.selection import select

    directory = tmp_path_factory.mktemp("report")
    own = [Chosen("today", measured(count=12)), Chosen("before", measured(7, count=12))]
    made = directory / "report.html"
    made.write_text(page([*own, *select(WORDS, Store(directory))]), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def shown(file):
    """The page in a browser, which is shared by the tests."""
    if not shutil.which(browser.PROGRAM):
        pytest.skip(f"{browser.PROGRAM} is not installed")
    with browser.Browser() as made:
        made.size(1280)
        made.open(file)
        yield made


@pytest.fixture(autouse=True)
def clean(request):
    """Leave the shared page as it was opened."""
    yield
    if "shown" in request.fixturenames:
        made = request.getfixturevalue("shown")
        made.media()
        made.size(1280)
        made.open(request.getfixturevalue("file"))


def column(shown, selector: str, number: int) -> list[str]:
    """Return the texts of a column of a table's rows, in the order in which they stand."""
    return shown.run(
        f"[...document.querySelector('{selector}').tBodies[0].rows]"
        f".map(row => row.cells[{number}].textContent.trim())"
    )


def test_it_asks_nothing_of_a_network(shown, file):
    assert set(shown.requests) == {file.as_uri()}
    assert shown.errors == []


def test_search(shown):
    def visible() -> list[str]:
        return shown.run(
            "[...document.querySelectorAll('#rows tbody tr:not([hidden]) th')]"
            ".filter(th => !th.closest('details').hidden).map(th => th.textContent.trim())"
        )

    everything = len(visible())
    shown.press("/", 191)
    shown.run("document.activeElement.blur()")
    shown.keys("/")
    assert shown.run("document.activeElement.id") == "search"
    shown.keys("semaphore blocking")
    shown.run("new Promise(done => setTimeout(done, 200))")
    found = visible()
    assert 0 < len(found) < everything
    assert all("semaphore" in row and "blocking" in row for row in found)
    assert shown.run("document.getElementById('found').textContent") == (
        f"{len(found)} of {everything} rows"
    )
    shown.press("Escape", 27)
    assert len(visible()) == everything


def test_search_finds_by_what_a_row_is_about(shown):
    shown.run("document.getElementById('search').focus()")
    shown.keys("context switch")
    shown.run("new Promise(done => setTimeout(done, 200))")
    rows = "[...document.querySelectorAll('#matrix tbody tr:not([hidden]) th')].map(th => th.title)"
    assert {"Context switch via k_yield"} <= set(shown.run(rows))


def test_sorting_by_a_click_and_by_the_keyboard(shown):
    table = "#r1 table"
    shown.run("document.getElementById('r1').open = true")
    before = column(shown, table, 4)
    shown.run(f"document.querySelector('{table} thead th:nth-child(5) button').click()")
    assert column(shown, table, 4) == sorted(before, key=float)
    shown.run(f"document.querySelector('{table} thead th:nth-child(5) button').focus()")
    shown.press("Enter", 13)
    assert column(shown, table, 4) == sorted(before, key=float, reverse=True)
    header = f"document.querySelector('{table} thead th:nth-child(5)').getAttribute('aria-sort')"
    assert shown.run(header) == "descending"
    shown.run(f"document.querySelector('{table} thead th button').click()")
    names = column(shown, table, 0)
    assert names[0].startswith("fifo.")


def test_what_is_empty_is_sorted_last(shown):
    shown.run("document.querySelectorAll('#overview thead button')[7].click()")
    best = column(shown, "#overview table", 7)
    known = [text for text in best if text]
    assert known == sorted(known, key=float)
    assert best == known + [""] * (len(best) - len(known))


def test_the_colours_can_be_chosen(shown):
    ground = "getComputedStyle(document.body).backgroundColor"
    light = shown.run(ground)
    shown.media(scheme="dark")
    dark = shown.run(ground)
    assert light != dark
    click = "document.getElementById('theme').click()"
    shown.run(click)
    assert shown.run(ground) == light
    assert (
        shown.run("document.getElementById('theme').getAttribute('aria-label')") == "Colours: light"
    )
    shown.media(scheme="light")
    shown.run(click)
    assert shown.run(ground) == dark
    shown.run(click)
    assert shown.run(ground) == light


@pytest.mark.parametrize("width", [320, 375, 768, 1920])
def test_no_width_needs_scrolling_sideways(shown, width):
    shown.size(width)
    shown.run("document.getElementById('open-all').click()")
    assert shown.run("document.documentElement.scrollWidth") <= width
    small = shown.run(
        "Math.min(...[...document.querySelectorAll('figure > svg text')].map(text => "
        "parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"
    )
    assert small >= (6.5 if width < 400 else 8)


# What is hard to read: every text that is seen, against what lies behind it (WCAG's formula).
_CONTRAST = """
(() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = (c) => [0, 1, 2].map((i) => c[i] / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0.99) return c;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    const text = node.data.trim();
    if (!text || ["SCRIPT", "STYLE"].includes(e.tagName) || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const ink = numbers(e instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(e))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) poor.push(`${contrast.toFixed(2)} ${e.tagName}.${e.className} ${text}`);
  }
  return poor.slice(0, 10);
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("own", [False, True])
def test_contrast(shown, scheme, own):
    shown.media(scheme=scheme)
    shown.run("document.getElementById('open-all').click()")
    if own:
        shown.run("document.getElementById('own-speed').click()")
    assert shown.run(_CONTRAST) == []


def test_everything_has_a_name_for_those_who_listen(shown):
    """Pictures, controls, tables' regions: each is announced as something."""
    nodes = shown.call("Accessibility.getFullAXTree")["nodes"]
    named = {"image", "button", "link", "searchbox", "checkbox", "region", "navigation", "img"}
    nameless = [
        node["role"]["value"]
        for node in nodes
        if not node["ignored"]
        and node["role"]["value"] in named
        and not node.get("name", {}).get("value", "").strip()
    ]
    assert nameless == []
    roles = [node["role"]["value"] for node in nodes if not node["ignored"]]
    assert roles.count("main") == roles.count("navigation") == 1
    assert roles.count("image") + roles.count("img") >= 6
    assert shown.run("document.documentElement.lang") == "en"
    headings = shown.run("[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])")
    assert headings[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(headings))


def test_the_keyboard_reaches_everything(shown):
    shown.press("Tab", 9)
    assert shown.run("document.activeElement.className") == "skip"
    assert shown.run("document.activeElement.getBoundingClientRect().left") >= 0
    reached = set()
    for _ in range(60):
        shown.press("Tab", 9)
        reached.add(shown.run("document.activeElement.closest('section')?.id || 'nav'"))
        visible = "getComputedStyle(document.activeElement).outlineStyle"
        assert shown.run(visible) != "none"
    assert {"nav", "overview", "matrix"} <= reached


def test_links_open_what_is_folded(shown):
    shown.run("document.querySelector('#overview tbody a[href=\"#r5\"]').click()")
    shown.run("new Promise(done => setTimeout(done, 100))")
    assert shown.run("document.getElementById('r5').open") is True


def test_on_paper(shown):
    """Everything unfolded, nothing to click, in light colours, whatever the screen has."""
    shown.run("addEventListener('beforeprint', () => window.printed = document"
              ".querySelectorAll('details:not([open])').length)")  # fmt: skip
    made = shown.pdf()
    assert made.startswith(b"%PDF")
    assert shown.run("window.printed") == 0
    assert shown.run("document.querySelectorAll('details:not([open])').length") > 0
    shown.media("print", "dark")
    assert shown.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert shown.run("getComputedStyle(document.querySelector('h1')).color") == "rgb(31, 28, 22)"


def test_without_scripts_everything_is_there(shown, file):
    shown.call("Emulation.setScriptExecutionDisabled", value=True)
    shown.open(file)
    shown.call("Emulation.setScriptExecutionDisabled", value=False)
    assert shown.run("document.querySelectorAll('#rows tbody tr').length") > 400

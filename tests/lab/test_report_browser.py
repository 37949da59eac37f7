# SPDX-License-Identifier: Apache-2.0
"""The report as its readers have it: in a real browser, on a phone, on paper, by keyboard."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import browser
import layout
import pytest
from reports import WORDS, measured, page

from foliot.store.selection import Chosen
from foliot.store.sqlite import Store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """A page of references and of runs of our own."""
    from foliot.store.selection import select

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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("own", [False, True])
def test_contrast(shown, scheme, own):
    shown.media(scheme=scheme)
    shown.run("document.getElementById('open-all').click()")
    if own:
        shown.run("document.getElementById('own-speed').click()")
    assert shown.run(layout.CONTRAST) == []


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
    sections = "[...document.querySelectorAll('section[id]')]"
    with_links = f"{sections}.filter(one => one.querySelector('a[href],button,input,summary'))"
    places = shown.run(f"{with_links}.map(one => one.id)")
    assert {"overview", "boards", "matrix"} <= set(places)
    reached = set()
    for _ in range(400):
        shown.press("Tab", 9)
        reached.add(shown.run("document.activeElement.closest('section')?.id || 'nav'"))
        visible = "getComputedStyle(document.activeElement).outlineStyle"
        assert shown.run(visible) != "none"
        if {"nav", *places} <= reached:
            break
    assert {"nav", *places} <= reached


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

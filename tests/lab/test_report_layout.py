# SPDX-License-Identifier: Apache-2.0
"""The report's layout in a real browser: reports of 1 to 200 runs, on a phone, a tablet, a desk.

No picture is held against another: what is asked is what a designer would see. A page is opened
once a width; one browser shows them all.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace

import browser
import layout
import pytest
from reports import measured, page, scattering

from foliot.judge.doubts import examine_saved
from foliot.model.run import Failure
from foliot.reference import systems
from foliot.store.selection import Chosen, select
from foliot.store.sqlite import Store

pytestmark = [pytest.mark.slow, pytest.mark.needs("browser")]

LONG = "a rather long name of a run that somebody gave"


def _references(store: Store, count: int, words: Sequence[str]) -> list[Chosen]:
    return select(words, store)[:count]


def _own(count: int) -> list[Chosen]:
    return [Chosen(f"foliot-{n}", examine_saved(measured(n, 12))) for n in range(count)]


def _boards(store: Store) -> list[Chosen]:
    """Of ours on boards of long and short names, with weights, and devices of others."""
    run = measured(0, 12)
    found = []
    for name in ("ibex", "nucleo_f401re", "qemu_aarch64_a76"):
        rows = systems.load("zephyr-3.3@ibex").rows
        own = [replace(run.rows[0], id=row.id, text=row.text) for row in rows]
        header = replace(run.header, board=name, core="Cortex-M4F of a family (2026): with FPU")
        found.append(Chosen(name, replace(run, rows=tuple(own), header=header)))
    return [*found, *_references(store, 8, ["zephyr-4.3@*"])]


def _odd(store: Store) -> list[Chosen]:
    """Names of scripts that are written in squares, from right to left, without any gap."""
    run = measured(0, 12)
    header = replace(run.header, board="a_board_" + "x" * 60, core="コア" * 20)
    rows = [replace(row, id=f"{row.id}.{'sehrlang' * 6}") for row in run.rows]
    odd = replace(run, header=header, failures=(Failure("a.b", "because " * 40),))
    return [Chosen("n" * 130, odd.with_rows(rows)), Chosen("مرحبا بالعالم " * 5, run),
            Chosen("<b>&'\"", odd.with_rows(rows))]  # fmt: skip


def _magnitudes(store: Store) -> list[Chosen]:
    """Rows that grow by ten times each, beside usual ones."""
    run = measured(0, 12)
    grown = [replace(row, p50=row.p50 * 10**place) for place, row in enumerate(run.rows)]
    return [*_own(2), Chosen("grown", run.with_rows(grown))]


# Of each: how many runs, and how they are made.
PAGES: dict[str, Callable[[Store], list[Chosen]]] = {
    "one": lambda store: _own(1),
    "one of others": lambda store: _references(store, 1, ["zephyr-4.3@rpi_pico"]),
    "pair": lambda store: [*_own(1), Chosen(LONG, measured(9, 12))],
    "three": lambda store: [*_own(2), *_references(store, 1, ["zephyr-3.3@ibex"])],
    "28": lambda store: _references(store, 28, ["zephyr-4.3@*", "zephyr-3.3*@ibex", "*os@*"]),
    "200": lambda store: [
        *(Chosen(f"{LONG}/{n}", examine_saved(measured(n % 40, 9))) for n in range(160)),
        *_references(store, 40, ["*@*"]),
    ],
    "repeats": lambda store: [*scattering("before", 13), *scattering("after", 13, 1),
                              *scattering("few", 3, 2)],
    "boards": _boards,
    "odd names": _odd,
    "magnitudes": _magnitudes,
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    directory = tmp_path_factory.mktemp("pages")
    store = Store(directory)
    found = {}
    for name, make in PAGES.items():
        found[name] = directory / f"{name}.html"
        found[name].write_text(page(make(store)), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def screen():
    if not shutil.which(browser.PROGRAM):
        pytest.skip(f"{browser.PROGRAM} is not installed")
    with browser.Browser() as made:
        yield made


@pytest.mark.parametrize("width", [390, 820, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_what_a_designer_would_see(screen, files, name, width):
    screen.size(width)
    screen.open(files[name])
    screen.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")
    for folded in (True, False):
        if not folded and name != "200":
            screen.run("document.getElementById('open-all').click()")
            screen.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")
        found = {check: screen.run(getattr(layout, check))
                 for check in ("CLIPPED", "OVERLAPPING", "NARROW", "UNTOLD")}  # fmt: skip
        assert not any(found.values()), f"{name} at {width}: {found}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["repeats", "boards"])
def test_contrast(screen, files, name, scheme):
    screen.media(scheme=scheme)
    screen.size(820)
    screen.open(files[name])
    assert screen.run(layout.CONTRAST) == []
    screen.media()


def test_on_a_desk_the_list_of_runs_has_room_for_all_of_its_columns(screen, files):
    """The doubts are its last column: of 28 runs they stood beyond the edge."""
    screen.size(1440)
    for name in ("28", "200", "repeats", "boards"):
        screen.open(files[name])
        over = "(frame => frame.scrollWidth - frame.clientWidth)"
        frame = "document.querySelector('#overview .scroll')"
        assert screen.run(f"{over}({frame})") <= 1, name
        assert screen.run(f"{frame}.querySelector('th:last-child').textContent") == "doubts"


def test_hints_follow_the_window(screen, files):
    screen.size(1440)
    screen.open(files["one of others"])
    assert screen.run("document.querySelectorAll('#overview .hint:not([hidden])').length") == 0
    screen.size(390)
    screen.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    told = screen.run("document.querySelector('#overview .hint:not([hidden])').textContent")
    assert told.startswith("↔ 1 row, ")
    assert "scroll sideways" in told
    at_the_end = ("(() => { const frame = document.querySelector('#overview .scroll');"
                  "frame.scrollLeft = 9999; return new Promise(done => setTimeout(() =>"
                  " done(frame.classList.contains('more-right')), 50)); })()")  # fmt: skip
    assert screen.run("document.querySelector('#overview .scroll.more-right') !== null")
    assert screen.run(at_the_end) is False


def test_each_check_finds_what_it_is_for(screen, files):
    """A check that can't fail is none."""
    screen.size(1440)
    for check, spoil in (
        ("CLIPPED", "document.querySelector('figure > svg text').setAttribute('x', -900)"),
        ("CLIPPED", "document.querySelector('h1').style.cssText = 'width:2rem;white-space:nowrap'"),
        (
            "CLIPPED",
            "document.querySelector('table').style.cssText = 'table-layout:fixed;width:300px'",
        ),
        ("OVERLAPPING", "document.querySelector('.tiles li').style.marginRight = '-40rem'"),
        ("NARROW", "document.querySelector('.charts > figure > svg').style.width = '50%'"),
        ("UNTOLD", "document.querySelector('#matrix .hint').hidden = true"),
    ):
        screen.open(files["28"])
        screen.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")
        assert screen.run(getattr(layout, check)) == [], check
        screen.run(spoil)
        assert screen.run(getattr(layout, check)), spoil

# SPDX-License-Identifier: Apache-2.0
"""No table is wider than the terminal, nor than 100 columns; names give way, figures never."""

from __future__ import annotations

import pages
import pytest
import screen

from foliot.show.terminal import clipped

pytestmark = pytest.mark.slow


@pytest.fixture
def article(foliot, tmp_path):
    path = tmp_path / "a_rather_long_name_of_an_article_about_boards.txt"
    path.write_text(pages.article())
    assert foliot("import", path).returncode == 0
    return path.stem


@pytest.mark.parametrize("columns", [60, 80, 100, 200])
@pytest.mark.parametrize(
    "words",
    [
        ["rows"], ["boards"], ["runs"], ["runs", "--references"], ["show", "last"],
        ["compare", "ARTICLE", "--overview"], ["compare", "ARTICLE"],
        ["compare", "ARTICLE/rpi_pico", "ARTICLE/rpi_pico2"], ["history"], ["ipc"],
        ["compare", "zephyr-3.3@ibex", "ARTICLE/rpi_pico", "--in", "ns"],
        ["explain", "lifo.put.immediate.kernel", "zephyr-4.3@rpi_pico"],
        ["show", "zephyr-3.3@ibex"], ["--help"], ["compare", "--help"],
    ],
)  # fmt: skip
def test_nothing_is_wider_than_the_screen(foliot, article, words, columns):
    named = [word.replace("ARTICLE", article) for word in words]
    lines = screen.read([*foliot.words, *named], columns, foliot.environment())
    assert max(map(len, lines)) <= min(columns, 100)
    assert len(lines) > 2


def test_names_give_way_and_figures_do_not(foliot, article):
    lines = screen.read([*foliot.words, "show", f"{article}/rpi_pico"], 60, foliot.environment())
    told = " ".join(lines)
    assert "117592" in told
    assert "151.5" in told
    assert "…" not in told


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [("abcdefghij", 10, "abcdefghij"), ("abcdefghijk", 8, "abcd..jk"), ("abc", 2, "..")],
)
def test_a_name_loses_its_middle(text, width, shown):
    assert clipped(text, width) == shown

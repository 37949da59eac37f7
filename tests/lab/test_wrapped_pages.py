# SPDX-License-Identifier: Apache-2.0
"""What mail, editors, containers and terminals put around every line of a page.

The pages, and what is true of them, are the fuzzer's (corrupted.py); what happens to them here
happens to all lines alike. Where a page is taken, each row is right; where it is not, that is
told.
"""

from __future__ import annotations

import html
import json
import quopri
import random
import re
import textwrap
from collections import Counter

import pytest
from corrupted import page
from judge_reading import complaints, read

from foliot.importers.clean import Cleaner


def all_lines(change):
    return lambda text: "\n".join(change(line, n) for n, line in enumerate(text.split("\n"), 1))


def rows(change):
    return all_lines(lambda line, n: change(line, n) if " cycles ," in line else line)


def thousands(mark):
    def grouped(found):
        return f"{int(found[1]):,}{found[2]}".replace(",", mark)

    return rows(lambda line, _: re.sub(r"(\d+)( cycles| ns)", grouped, line))


RIGHT = {
    "a reply": all_lines(lambda line, _: f"> {line}"),
    "a reply to a reply": all_lines(lambda line, _: f"> > {line}"),
    "a list": rows(lambda line, _: f"- {line}"),
    "a table": rows(lambda line, _: f"| {line} |"),
    "a diff": rows(lambda line, _: f"+{line}"),
    "an editor's numbers": all_lines(lambda line, n: f"{n:5}\t{line}"),
    "grep -n": all_lines(lambda line, n: f"{n}: {line}"),
    "CI": all_lines(lambda line, n: f"2024-01-02T03:04:05.{n:07}Z {line}"),
    "compose": rows(lambda line, _: f"latency-1  | {line}"),
    "Zephyr's log": rows(lambda line, n: f"[00:00:0{n % 10}.123,456] <inf> latency: {line}"),
    "a shell of Zephyr's": rows(lambda line, _: f"rtt:~$ {line}"),
    "pre": lambda text: f"<pre>\n{text}</pre>",
    "span": rows(lambda line, _: f'<span class="line">{html.escape(line)}</span>'),
    "cells": rows(lambda line, _: f"<tr><td>{html.escape(line)}</td></tr>"),
    "thousands": thousands(","),
    "narrow spaces between thousands": thousands("\u202f"),
    "thin spaces between thousands": thousands("\u2009"),
    "ligatures of a PDF": rows(
        lambda line, _: line.replace("fi", "\ufb01").replace("fl", "\ufb02")
    ),
    "a web page": lambda text: (
        f"<!DOCTYPE html>\n<html><body><pre>{html.escape(text)}</pre></body></html>"
    ),
    "a web page's table": lambda text: "<html><body>" + "".join(
        f"<table><tr><td>{html.escape(line)}</td></tr></table>" if " cycles ," in line
        else f"<p>{html.escape(line)}</p>" for line in text.split("\n")
    ),
    "backspaces": rows(lambda line, _: f"{line[:10]}xy\b\b{line[10:]}"),
    "soft hyphens": all_lines(lambda line, _: f"{line[:8]}\u00ad{line[8:]}"),
    "from right to left": rows(lambda line, _: f"\u200f{line}"),
    "a JSON string": lambda text: json.dumps({"log": text}),
    "JSON lines": all_lines(
        lambda line, _: json.dumps({"log": f"{line}\n", "stream": "stdout"}, ensure_ascii=False)
    ),
    "CSV": rows(lambda line, _: f'"{line}"'),
    "60 columns": rows(lambda line, _: re.sub("(.{60})", r"\1\n", line).rstrip("\n")),
    "words that are wrapped": rows(lambda line, _: "\n".join(textwrap.wrap(line, 70))),
    "no spaces": rows(lambda line, _: line.replace(" : ", ":").replace(" , ", ",")),
    "one space": rows(lambda line, _: " ".join(line.split())),
    "no colon at the end": rows(lambda line, _: line.rstrip(": ")),
    "bold": rows(lambda line, _: f"**{line}**"),
    "a cursor": rows(lambda line, _: f"\x1b[2K\x1b[1G{line}"),
    "a window's title": rows(lambda line, _: f"\x1b]0;minicom\x07{line}"),
    "tight dashes": rows(lambda line, _: line.replace(" - ", "\u2014")),
    "twice": lambda text: text + text,
}  # fmt: skip
TOLD = {
    "points between thousands": thousands("."),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()).decode(),
    "72 columns, the rest lost": rows(lambda line, _: line[:72]),
    "another word": rows(lambda line, _: line.replace("cycles", "cyc")),
    "semicolons": rows(lambda line, _: line.replace(" , ", ";")),
    "escaped for Markdown": all_lines(lambda line, _: line.replace("_", "\\_")),
}


def judged(change, seed):
    made = page(random.Random(seed))
    text = "\n".join(line.text for line in made.lines) + "\n"
    made.content = change(text).encode()
    for line in made.lines:
        line.harmed = True
    count: Counter[str] = Counter()
    return complaints(made, count), count, made


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_it_is_taken_away_and_each_row_is_right(name):
    for seed in range(4):
        found, count, made = judged(RIGHT[name], seed)
        assert found == [], f"seed {seed}"
        assert count["right"] == sum(len(board.rows) for board in made.boards)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_it_is_reported_where_rows_are_lost_by_it(name):
    for seed in range(4):
        found, _, made = judged(TOLD[name], seed)
        runs, reader = read(made)
        assert [one for one in found if "WRONG" in one or "LOST" in one] == [], f"seed {seed}"
        assert not runs or reader.refused or any(run.doubts for run in runs)


@pytest.mark.parametrize(
    "line", [b"2024-01-02T03:04:05,123,456\n", b"000012 000345\n", b"1: 5\n", b"17 3\n"]
)
def test_figures_at_the_begin_of_a_line_are_no_numbers_of_lines_and_no_dates(line):
    cleaner = Cleaner()
    assert cleaner.clean(line * 50) == line * 50
    assert not cleaner.counts


def test_ids_that_are_all_broken_alike_are_known_by_their_texts():
    _, _, made = judged(rows(lambda line, _: f"x{line}"), 1)
    (run,), _ = read(made)
    (board,) = made.boards
    told = {doubt.row: doubt.text for doubt in run.doubts if doubt.name == "id-broken"}
    assert set(told) == {f"x{row_id}" for row_id in board.rows}
    assert told["xheap.malloc.immediate"].endswith("its text is that of heap.malloc.immediate")

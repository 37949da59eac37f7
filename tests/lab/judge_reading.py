# SPDX-License-Identifier: Apache-2.0
"""Holds what was read of a generated page against what is true of it.

Each row of the page is right, refused, or doubted, and the count of those that are neither
there nor told to be missing is nothing. What the importer thinks is never asked for what is
true: that is the generator's.
"""

from __future__ import annotations

import io
from collections import Counter

from corrupted import CLOCKS, Board, Page

from foliot.importers.document import Reader
from foliot.judge.doubts import examine_saved
from foliot.model.errors import LogError
from foliot.model.names import slug
from foliot.model.run import Row, Run

# Doubts that say of a whole run that its rows may be mixed.
OF_ALL_ROWS = {"run-torn", "clock-none", "clock-unclear", "clock-impossible", "rows-scattered"}


def read(page: Page) -> tuple[list[Run], Reader]:
    """Read a page; none of its runs where it is refused as a whole."""
    reader = Reader("page")
    try:
        return [examine_saved(run) for run in reader.read(io.BytesIO(page.content))], reader
    except LogError as error:
        assert error.message
        return [], reader


def is_right(row: Row, board: Board) -> bool:
    """Whether a row's figures are the true ones, within the truncation of both."""
    if row.id not in board.rows or row.ns is None:
        return False
    cycles, ns = board.rows[row.id]
    hz = CLOCKS[board.clock]
    return (row.p50 == cycles and abs(row.ns - ns) <= 1e9 / hz + 1) or (
        row.ns == ns and abs(row.p50 - cycles) <= hz / 1e9 + 1
    )


def complaints(page: Page, count: Counter[str]) -> list[str]:
    """Return what is wrong with how a page was read; count rows as right, doubted, refused."""
    runs, reader = read(page)
    boards = {slug(board.name): board for board in page.boards}
    reported_before = count["told"]
    right: set[tuple[str, str]] = set()
    found = [one for run in runs for one in _judge_run(run, boards, right, count)]
    for name, board in boards.items():
        of_board = [run for run in runs if run.header.board == name]
        told = {row_id for run in of_board for row_id in _reported_of(run, board)}
        elsewhere = _mixed(runs, board)
        absent = not runs or (not of_board and _is_named(reader, board))
        for row_id in board.rows:
            key = (board.name, row_id)
            where = _where(key, right, told, elsewhere, absent)
            count[where] += 1
            if where == LOST:
                found.append(f"LOST {key}, {len(reader.refused)} refused")
            if key not in page.harmed():
                count["undamaged"] += 1
                count["undamaged and right"] += key in right
    return found + _uncounted(page, runs, reader, count["told"] - reported_before)


def _judge_run(
    run: Run, boards: dict[str, Board], right: set[tuple[str, str]], count: Counter[str]
) -> list[str]:
    """Say which rows of a run are wrong without a doubt; note in `right` those that are right."""
    board = boards.get(run.header.board)
    found = (
        []
        if board or _is_doubted(run)
        else [f"TITLE '{run.origin.title}' is none of {list(boards)}"]
    )
    for row in run.rows:
        if board and is_right(row, board):
            right.add((board.name, row.id))
            count["doubted though right"] += bool(row.doubts)
        elif row.doubts or _is_doubted(run):
            count["doubted"] += 1
        else:
            found.append(f"WRONG {run.header.board} {row.id} {row.p50} {row.ns}")
    return found


LOST = "lost"


def _where(
    key: tuple[str, str],
    right: set[tuple[str, str]],
    told: set[str],
    elsewhere: set[str],
    absent: bool,
) -> str:
    """Say what came of a true row."""
    if key in right:
        return "right"
    if key[1] in told:
        return "told"
    if key[1] in elsewhere:
        return "doubted, in a run of another board"
    return "of a board that is told to be missing" if absent else LOST


def _is_doubted(run: Run) -> bool:
    return bool({doubt.name for doubt in run.doubts} & OF_ALL_ROWS)


def _reported_of(run: Run, board: Board) -> set[str]:
    """Return the rows of a board of which something is said: missing, broken, or all of them."""
    if _is_doubted(run) or any(doubt.name == "rows-few" for doubt in run.doubts):
        return set(board.rows)
    told = {doubt.row for doubt in run.doubts if doubt.row}
    return {row_id for row_id in board.rows if row_id in told}


def _mixed(runs: list[Run], board: Board) -> set[str]:
    """Return the rows of a board that stand in a run of another, which is doubted as a whole."""
    found: set[str] = set()
    for run in runs:
        rows = {row.id for row in run.rows if is_right(row, board)} if _is_doubted(run) else set()
        few = any(doubt.name == "rows-few" for doubt in run.doubts)
        found |= set(board.rows) if rows and few else rows  # it says that most are missing
    return found


def _is_named(reader: Reader, board: Board) -> bool:
    return not reader.lines or any(board.name in note for note in reader.notes)


def _uncounted(page: Page, runs: list[Run], reader: Reader, told: int) -> list[str]:
    """Hold the lines that still have figures against those taken, refused, or told missing."""
    refused = len(reader.refused) + sum(one.more for one in reader.refused)
    lines = sum(1 for line in page.lines if line.row and _has_figures(line.text))
    taken = sum(len(run.rows) + len(run.failures) for run in runs)
    if taken + reader.repeated + refused + told < lines:
        counts = f"{taken} taken, {reader.repeated} again, {refused} refused, {told} told"
        return [f"COUNT {lines} lines with figures, {counts}"]
    return []


def _has_figures(text: str) -> bool:
    head, mark, tail = text.partition(" cycles ,")
    return bool(mark) and head[-1:].isdigit() and " ns" in tail and tail.strip()[:1].isdigit()

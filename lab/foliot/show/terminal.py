# SPDX-License-Identifier: Apache-2.0
"""What the user sees while something runs.

On a terminal: one live line that follows the work, and is gone when the work is done. In
a pipe, a file or CI: a plain line a step. Progress goes to stderr, so that stdout holds
results only. rich is imported on first use: `foliot --help` needs none of it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100
_NARROWEST = 40  # on less, lines are broken by the terminal


def console(stream: TextIO | None = None) -> Console:
    """Return a rich console for results: coloured on a terminal only, 100 columns at most.

    In a pipe the width is always 100, so that what is written is the same everywhere.
    """
    from rich.console import Console

    stream = stream or sys.stdout
    width = result_width(stream)
    plain = not stream.isatty() or "NO_COLOR" in os.environ
    return Console(
        file=stream, width=width, highlight=False, markup=False, emoji=False,
        no_color=plain, force_terminal=stream.isatty(), soft_wrap=False,
    )  # fmt: skip


def result_width(stream: TextIO | None = None) -> int:
    """Return how wide results may be: as the terminal, at most 100; in a pipe always 100."""
    stream = stream or sys.stdout
    if not stream.isatty():
        return WIDTH
    told = os.environ.get("COLUMNS", "")
    columns = int(told) if told.isdecimal() else 0
    with suppress(OSError, ValueError):  # a terminal that is none knows no size
        columns = columns or os.get_terminal_size(stream.fileno()).columns
    return max(_NARROWEST, min(WIDTH, columns or WIDTH))


def clipped(text: str, width: int) -> str:
    """Return a text, without its middle where it is too long for `width` columns."""
    if len(text) <= width:
        return text
    end = max(0, (width - 2) // 3)
    return text[: max(0, width - 2 - end)] + ".." + text[len(text) - end :]


class Task:
    """One step of work that the user waits for; made by `Progress.task`."""

    def __init__(self, title: str) -> None:
        """Begin a step of that title."""
        self.title = title
        self.detail = ""
        self.done = 0
        self.total: int | None = None

    def update(
        self, detail: str = "", done: int | None = None, total: int | None = None,
        figure: float | None = None,
    ) -> None:  # fmt: skip
        """Say how far it is; `detail` is a word about what happens right now.

        `figure` is the median of the row that `detail` names, where there is one: who follows a
        bench from elsewhere sees it (remote/live.py).
        """
        self.detail = detail
        self.done = self.done if done is None else done
        self.total = self.total if total is None else total


class _LiveTask(Task):
    def __init__(self, title: str, bar: Any, number: Any) -> None:
        super().__init__(title)
        self._bar = bar
        self._number = number

    def update(
        self, detail: str = "", done: int | None = None, total: int | None = None,
        figure: float | None = None,
    ) -> None:  # fmt: skip
        super().update(detail, done, total)
        self._bar.update(
            self._number, total=self.total, completed=self.done, detail=self.detail[:50]
        )


class Progress:
    """Shows steps of work; `quiet` shows none."""

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        """Show on `stream` (stderr where none is given)."""
        self.quiet = quiet
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty() and os.environ.get("TERM") != "dumb" and not quiet

    def say(self, line: str) -> None:
        """Print one line, beside any live display."""
        if not self.quiet:
            print(line, file=self.stream, flush=True)

    def announce(self, line: str) -> None:
        """Print one line even when quiet: what is about to change this machine."""
        print(line, file=self.stream, flush=True)

    @contextmanager
    def task(self, title: str) -> Iterator[Task]:
        """Show one step while the block runs, and how long it took when it is over."""
        began = time.monotonic()
        if not self.live:
            self.say(f"{title}...")
            yield Task(title)
            return
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        with Progress(
            SpinnerColumn(), TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24), TimeElapsedColumn(),
            TextColumn("{task.fields[detail]}", markup=False),
            console=console(self.stream), transient=True,
        ) as bar:  # fmt: skip
            yield _LiveTask(title, bar, bar.add_task(title, total=None, detail=""))
        self.say(f"{title}: {time.monotonic() - began:.1f} s")

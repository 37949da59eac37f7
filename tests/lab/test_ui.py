# SPDX-License-Identifier: Apache-2.0
"""Progress: a line that lives on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import io

import pytest

from foliot.show.terminal import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def work(stream, quiet=False):
    progress = Progress(quiet, stream)
    with progress.task("Building it") as task:
        task.update("sem.c", 1, 2)
        task.update("mutex.c", 2, 2)
    return stream.getvalue()


def test_a_plain_line_in_a_pipe():
    assert work(io.StringIO()) == "Building it...\n"


def test_nothing_when_quiet():
    assert work(io.StringIO(), quiet=True) == ""
    assert work(Terminal(), quiet=True) == ""


def test_live_on_a_terminal_and_then_one_line(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    text = work(Terminal())
    assert "\x1b" in text
    assert "mutex.c" in text
    assert text.splitlines()[-1].endswith(" s")


def test_a_terminal_that_can_do_nothing(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert work(Terminal()) == "Building it...\n"


def test_a_failure_leaves_the_terminal_in_order(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = Terminal()
    with pytest.raises(ValueError, match="broken"), Progress(stream=stream).task("Building it"):
        raise ValueError("broken")
    assert stream.getvalue().count("\x1b[?25l") == stream.getvalue().count("\x1b[?25h")

# SPDX-License-Identifier: Apache-2.0
"""Telling a server how far a bench is, while it runs: best effort, beside the measurement.

A thread of its own sends what is new, twice a second at most. A server that is slow, gone or says
no costs the bench nothing: what counts is pushed when it is done.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from foliot.model.names import plain
from foliot.remote.client import Client, patiently
from foliot.remote.remotes import Remote
from foliot.show.terminal import Progress, Task

STEP_S = 0.5
_ALIVE_S = 20.0
ANSWER_S = 5.0
_MOST_ROWS = 500  # in one word
_MOST_LETTERS = 100


class Teller:
    """Says what a bench does; use it in a `with` block."""

    def __init__(self, remote: Remote, board: str, suite: str) -> None:
        """Tell `remote` of a bench of `suite` on `board`."""
        self._client = Client(remote, patience_s=0, answer_s=ANSWER_S)
        self._name = secrets.token_hex(16)
        self._what = {"board": _short(board), "suite": _short(suite)}
        self._state, self._done, self._total = "", 0, 0
        self._rows: list[tuple[str, float]] = []
        self._lock = threading.Lock()
        self._new, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._tell_all, daemon=True)

    def __enter__(self) -> Teller:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Say that it is over, and how."""
        self.say("done" if error is None else "failed")
        self._over.set()
        self._new.set()
        self._thread.join(timeout=3 * ANSWER_S)

    def say(self, state: str, done: int = 0, total: int = 0) -> None:
        """Tell what is done now, and how far that is."""
        with self._lock:
            self._state, self._done, self._total = _short(state), done, total
        self._new.set()

    def row(self, name: str, figure: float) -> None:
        """Tell a row's figure."""
        with self._lock:
            self._rows.append((_short(name), float(figure)))
        self._new.set()

    def _tell_all(self) -> None:
        while not self._over.is_set():
            self._new.wait(_ALIVE_S)
            self._new.clear()
            patiently(lambda: self._tell(ended=False))
            self._over.wait(STEP_S)
        patiently(lambda: self._tell(ended=True))

    def _tell(self, ended: bool) -> None:
        with self._lock:
            rows = self._rows[:_MOST_ROWS]
            told = {**self._what, "state": self._state, "done": self._done, "total": self._total,
                    "rows": rows, "ended": ended}  # fmt: skip
        self._client.post_json(f"live/{self._name}", told)
        with self._lock:
            del self._rows[: len(rows)]
            if self._rows:
                self._new.set()


def _short(text: str) -> str:
    return plain(text)[:_MOST_LETTERS]


class _Told(Task):
    """A step that is shown here and told there."""

    def __init__(self, shown: Task, teller: Teller) -> None:
        super().__init__(shown.title)
        self._shown, self._teller = shown, teller

    def update(
        self, detail: str = "", done: int | None = None, total: int | None = None,
        figure: float | None = None,
    ) -> None:  # fmt: skip
        super().update(detail, done, total)
        self._shown.update(detail, done, total)
        self._teller.say(self.title, self.done, self.total or 0)
        if figure is not None:
            self._teller.row(detail, figure)


class ToldProgress(Progress):
    """Shows steps of work here, and tells a server of them."""

    def __init__(self, teller: Teller, quiet: bool = False) -> None:
        """Show as `Progress` does."""
        super().__init__(quiet)
        self._teller = teller

    @contextmanager
    def task(self, title: str) -> Iterator[Task]:
        """Show and tell one step."""
        with super().task(title) as shown:
            self._teller.say(title)
            yield _Told(shown, self._teller)

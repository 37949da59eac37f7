# SPDX-License-Identifier: Apache-2.0
"""Jobs on this machine, so many at a time; and what every executor does here.

What needs this repository and a compiler is done here whatever runs the jobs, each in a process:
a configuration is resolved by environment variables, which threads would share.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self

from foliot.campaign.jobs import Job, Result, pack
from foliot.campaign.work import perform
from foliot.model.errors import FoliotError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Tag = tuple[str, Any]


class Here:
    """Runs functions and jobs on this machine's cores; what is done is asked for one by one."""

    def __init__(self, at_once: int | None = None) -> None:
        """Begin nothing yet: the processes are started by the first thing to do."""
        self.at_once = at_once or os.cpu_count() or 1
        self._done: SimpleQueue[tuple[Tag, Callable[[], Any]]] = SimpleQueue()
        self._pool: ProcessPoolExecutor | None = None
        self._packed: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go what has not begun, wait for the rest."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def told(self) -> str:
        """Say where jobs run."""
        return f"{self.at_once} at a time"

    def here(self, function: Callable[..., Any], tag: Tag, *arguments: Any) -> None:
        """Have a function called in a process of this machine."""
        from concurrent.futures import ProcessPoolExecutor  # bench of one image has no use for it

        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.at_once)
        future = self._pool.submit(function, *arguments)
        future.add_done_callback(lambda done: self._done.put((tag, partial(_result, done))))

    def anywhere(self, job: Job, tag: Tag) -> None:
        """Have a job run."""
        contents = {content: self._content(content, path) for content, path in job.packed().items()}
        self.here(perform, tag, job.spec, contents)

    def wait(self) -> tuple[Tag, Callable[[], Any]]:
        """Return the next thing that is done: its tag, and what returns or raises its result."""
        return self._done.get()

    def _content(self, content: str, path: Path) -> bytes:
        if content not in self._packed:
            self._packed[content] = pack(path)
        return self._packed[content]


def as_result(told: Any) -> Result:
    """Return what work.perform() told as a result."""
    status, output = told
    return Result(int(status), bytes(output))


class Gone(FoliotError):
    """A cluster is not there any more, and with it all that it still had to do."""


def _result(done: Future[Any]) -> Any:
    from concurrent.futures import CancelledError
    from concurrent.futures.process import BrokenProcessPool

    try:
        return done.result()
    except (BrokenProcessPool, CancelledError):
        raise FoliotError(
            "a process of this campaign was killed", "the same command goes on from here"
        ) from None

# SPDX-License-Identifier: Apache-2.0
"""Benches that run now: what their senders said last, in memory, for as long as they go on.

Nothing here is a result: the run that a bench records is pushed as any other. Who says nothing for
SILENT_S is forgotten. All of it belongs to the event loop; nothing else touches it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

MOST_BENCHES = 50  # of a project
MOST_ROWS = 2000  # of a bench
SILENT_S = 120.0
ENDED_S = 300.0  # how long one that has ended is still shown
_STEP_S = 0.25
_ALIVE_S = 15.0


@dataclass(slots=True)
class Bench:
    """One bench: `done` of `total` rows (0: nobody knows), `rows` their names and figures."""

    person: str
    board: str = ""
    suite: str = ""
    unit: str = ""
    state: str = ""
    done: int = 0
    total: int = 0
    rows: dict[str, float] = field(default_factory=dict)
    ended: bool = False
    heard: float = 0.0


class Live:
    """The benches of all projects."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with none."""
        self._clock = clock
        self._benches: dict[int, dict[str, Bench]] = {}
        self._changes = 0
        self._changed = asyncio.Condition()

    def bench(self, project: int, person: str, name: str) -> Bench | None:
        """Return the bench of that name to be changed, new where it is; None where it may not be.

        Another's bench is nobody else's to change, and no project has more than MOST_BENCHES.
        """
        benches = self._benches.setdefault(project, {})
        self._forget(benches)
        found = benches.get(name)
        if found is None:
            if len(benches) >= MOST_BENCHES:
                return None
            found = benches[name] = Bench(person)
        if found.person != person:
            return None
        found.heard = self._clock()
        return found

    def shown(self, project: int) -> list[dict[str, object]]:
        """Return a project's benches for JSON, the newest last."""
        benches = self._benches.get(project, {})
        self._forget(benches)
        return [
            {"name": name, "person": one.person, "board": one.board, "suite": one.suite,
             "unit": one.unit, "state": one.state, "done": one.done, "total": one.total,
             "rows": list(one.rows.items()), "ended": one.ended}
            for name, one in benches.items()
        ]  # fmt: skip

    async def tell(self) -> None:
        """Wake those who watch."""
        async with self._changed:
            self._changes += 1
            self._changed.notify_all()

    async def changes(self) -> AsyncIterator[bool]:
        """Yield now, after each change, at most every _STEP_S, and, False, every _ALIVE_S."""
        seen = self._changes
        yield True
        while True:
            try:
                async with asyncio.timeout(_ALIVE_S), self._changed:
                    await self._changed.wait_for(lambda: self._changes != seen)  # noqa: B023
            except TimeoutError:
                yield False
                continue
            seen = self._changes
            yield True
            await asyncio.sleep(_STEP_S)

    def _forget(self, benches: dict[str, Bench]) -> None:
        now = self._clock()
        for name, one in list(benches.items()):
            if now - one.heard > (ENDED_S if one.ended else SILENT_S):
                del benches[name]

# SPDX-License-Identifier: Apache-2.0
"""A campaign from its beginning to its end: things are prepared here, their jobs are run.

What it comes to depends neither on how many workers there are nor on the order in which they end.
A job that several things need is run once. What has come is kept until the whole campaign is over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from foliot.campaign import saved
from foliot.campaign.here import Gone, Here, as_result
from foliot.campaign.jobs import Job, Result
from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress


class HasJobs(Protocol):
    """What is prepared: its jobs are run wherever there is room."""

    @property
    def jobs(self) -> Sequence[Job]:
        """What has to be run for it."""


Item = TypeVar("Item")
Prepared = TypeVar("Prepared", bound=HasJobs)


@dataclass(frozen=True, slots=True)
class Done(Generic[Prepared]):
    """One thing of a campaign: its number, and the results of its jobs; or what went wrong.

    With an `error` and `prepared` it could not be run: on those machines, or at this time.
    """

    number: int
    prepared: Prepared | None = None
    results: tuple[Result, ...] = ()
    error: FoliotError | None = None


def executor(at_once: int | None, scheduler: str | None, progress: Progress) -> Here:
    """Return what runs jobs: on a cluster where a scheduler is named, else on this machine."""
    if scheduler is None:
        return Here(at_once)
    from foliot.campaign.cluster import Cluster  # who has no cluster need not wait for it

    return Cluster(scheduler, at_once, progress)


def run(
    items: Sequence[Item], prepare: Callable[[Item], Prepared], executor: Here,
    over: list[Job] | None = None,
) -> Iterator[Done[Prepared]]:  # fmt: skip
    """Prepare each and run its jobs; yield each when it is done.

    What goes wrong with one is told of it, and the others go on. FoliotError where nothing can.
    Where more follows in the same campaign its jobs are added to `over`, and what they came to is
    kept until the caller lets them go.
    """
    saved.forget_old()
    campaign: _Campaign[Prepared] = _Campaign(executor)
    for number, item in enumerate(items):
        executor.here(prepare, ("prepared", number), item)
    left = len(items)
    while left:
        for done in campaign.next():
            left -= 1
            yield done
    if over is None:
        saved.forget(campaign.jobs.values())
    else:
        over += campaign.jobs.values()


@dataclass
class _Campaign(Generic[Prepared]):
    executor: Here
    jobs: dict[str, Job] = field(default_factory=dict)
    results: dict[str, Result | FoliotError] = field(default_factory=dict)
    prepared: dict[int, Prepared] = field(default_factory=dict)
    waiting: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def next(self) -> list[Done[Prepared]]:
        """Wait for what is done next; return what is whole by it."""
        (kind, which), get = self.executor.wait()
        try:
            value: Any = get()
        except Gone:
            raise
        except FoliotError as error:
            if kind == "prepared":
                return [Done(which, error=error)]
            value = error
        if kind == "prepared":
            self.prepared[which] = value
            self._begin(value.jobs, which)
            return self._whole([which])
        self._came(which, value)
        return self._whole(self.waiting.pop(which))

    def _begin(self, jobs: Sequence[Job], number: int) -> None:
        for job in jobs:
            if job.key not in self.jobs:
                self.jobs[job.key] = job
                known = saved.find(job)
                if known is not None:
                    self.results[job.key] = known
                else:
                    self.executor.anywhere(job, ("ran", job.key))
            if job.key not in self.results:
                self.waiting[job.key].append(number)

    def _came(self, key: str, value: Any) -> None:
        result = value if isinstance(value, FoliotError) else as_result(value)
        self.results[key] = result
        if isinstance(result, Result) and result.final:
            saved.keep(self.jobs[key], result)

    def _whole(self, numbers: Sequence[int]) -> list[Done[Prepared]]:
        return [
            self._done(number) for number in dict.fromkeys(numbers)
            if all(job.key in self.results for job in self.prepared[number].jobs)
        ]  # fmt: skip

    def _done(self, number: int) -> Done[Prepared]:
        prepared = self.prepared[number]
        results = [self.results[job.key] for job in prepared.jobs]
        for job, result in zip(prepared.jobs, results, strict=True):
            if isinstance(result, FoliotError):
                return Done(number, prepared, error=result)
            if not result.final:
                said = result.output.decode("utf-8", "replace").strip().splitlines()
                why = said[-1] if said else "it took too long"
                return Done(number, prepared, error=FoliotError(f"{job.name}: {why}"))
        return Done(number, prepared, tuple(one for one in results if isinstance(one, Result)))

# SPDX-License-Identifier: Apache-2.0
"""Jobs on the workers of a Dask scheduler.

A job goes there as data: the function that runs it (work.py) by value, its files by content, each
once. So a worker is any machine that has Python and distributed, of the versions that this side
has, and what runs an image: QEMU for its boards; a simulator is sent. A worker that dies is
replaced by another; a scheduler that dies ends the campaign, and the same command goes on with it.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import warnings
from collections.abc import Mapping
from concurrent.futures import CancelledError
from functools import partial
from typing import Any

from foliot.campaign import work
from foliot.campaign.here import Gone, Here, Tag
from foliot.campaign.jobs import Job, pack
from foliot.model.errors import FoliotError, UsageError
from foliot.model.names import counted
from foliot.show.terminal import Progress
from foliot.target import provision

_ANSWER_S = 10
_TRIES = 3  # where a worker died of a job, or beside it
_SCHEMES = ("tcp://", "tls://", "ws://", "wss://")


class Cluster(Here):
    """Runs jobs on a cluster, and what needs this repository still here."""

    def __init__(self, address: str, at_once: int | None, progress: Progress) -> None:
        """Join the cluster; UsageError or FoliotError where nobody answers at that address."""
        super().__init__(at_once)
        if not address.startswith(_SCHEMES):
            raise UsageError(f"--scheduler takes tcp://HOST:PORT, not '{address}'")
        provision.python_packages(provision.CLUSTER_REQUIREMENTS, progress, "clusters")
        importlib.invalidate_caches()
        import cloudpickle
        from distributed import Client

        cloudpickle.register_pickle_by_value(work)
        self._perform = _by_value()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", module="distributed")  # of large files
        self.address = address
        self._files: dict[str, Any] = {}
        self._jobs: list[Any] = []  # a result that nobody holds is forgotten there
        try:
            self._client = Client(address, timeout=_ANSWER_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise FoliotError(
                f"no scheduler answers at {address}", "`dask scheduler` starts one", [str(error)]
            ) from None

    def __exit__(self, *error: object) -> None:
        """Leave: what has not begun there is forgotten there."""
        self._jobs.clear()
        self._client.close(timeout=_ANSWER_S)
        super().__exit__(*error)

    def told(self) -> str:
        """Say where jobs run, and by how many as of now."""
        workers = counted(len(self._client.nthreads()), "worker")
        return f"on {workers} at {self.address}"

    def anywhere(self, job: Job, tag: Tag) -> None:
        """Have a job run on a worker."""
        for content, path in job.packed().items():
            if content not in self._files:
                # A task, and no data that is put there: it can be had again when a worker dies.
                self._files[content] = self._client.submit(
                    bytes, pack(path), key=f"foliot-file-{content}", retries=_TRIES
                )
        wanted = {content: self._files[content] for content in job.packed()}
        future = self._client.submit(
            self._perform, job.spec, wanted, key=f"foliot-job-{job.key}", retries=_TRIES
        )
        self._jobs.append(future)
        future.add_done_callback(
            lambda done: self._done.put((tag, partial(self._result, job, done)))
        )

    def _result(self, job: Job, done: Any) -> Any:
        if done.status == "error":
            raise FoliotError(f"{job.name}: no worker could do it: {done.exception()}")
        if done.status in ("finished", "lost"):  # lost: its worker died, another one does it again
            with contextlib.suppress(CancelledError):
                return done.result()
        raise Gone(
            f"the scheduler at {self.address} is gone",
            "what was done is kept: the same command goes on from here",
        )


def _by_value() -> Any:
    """Return work.perform() as a function of a function: Dask can't send that by its name."""
    perform = work.perform

    def run(spec: str, contents: Mapping[str, bytes]) -> tuple[int, bytes]:
        return perform(spec, contents)

    return run

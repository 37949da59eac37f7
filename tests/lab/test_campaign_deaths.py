# SPDX-License-Identifier: Apache-2.0
"""Each campaign of the repository's own, on a cluster whose worker dies, and then its scheduler.

The same command goes on afterwards, and comes to what it comes to on this machine alone.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from cluster import Dask, until

from foliot.target import paths
from support.command import ROOT

PROGRAMS = "/usr/bin:/bin"  # QEMU, and no compiler that is asked for
LONGEST_S = 1800


@pytest.fixture
def dask(tmp_path_factory):
    made = Dask(tmp_path_factory.mktemp("dask"), PROGRAMS)
    yield made
    made.end()


def kept() -> set[str]:
    """Return the results that unfinished campaigns have here."""
    names = (path.name for path in (paths.BUILD / "campaign").glob("*"))
    return {name for name in names if len(name) == 64}


def works(worker: subprocess.Popen[bytes]) -> bool:
    """Tell whether a worker runs something."""
    tasks = Path(f"/proc/{worker.pid}/task").glob("*/children")
    return any(task.read_text().strip() for task in tasks)


def dies(dask: Dask, scheduler, worker, is_over) -> bool:
    """Kill the worker that runs something, then the scheduler once a result has come."""
    known = kept()
    until(lambda: works(worker) or is_over(), dask, LONGEST_S)
    worker.kill()
    dask.worker()
    until(lambda: kept() - known or is_over(), dask, LONGEST_S)
    scheduler.kill()
    return not is_over()


@pytest.mark.long
@pytest.mark.needs("cluster", "fuzzer")
@pytest.mark.board("ibex", "qemu_riscv32", "mps2_an385")
@pytest.mark.parametrize(("name", "every"), [
    ("attack", 250), ("everywhere", 12), ("fuzz", 64), ("ipc", 30), ("taint", 30),
])  # fmt: skip
def test_a_campaign_whose_worker_and_scheduler_die_goes_on(foliot, dask, name, every):
    words = ["campaign", name, "--every", str(every), "--json", "-", "--no-record", "--quiet"]
    alone = foliot(*words, "--jobs", "1", limit_s=LONGEST_S)
    assert alone.returncode == 0, alone.stderr
    scheduler, worker, before = dask.scheduler(), dask.worker(), kept()
    first = subprocess.Popen([*foliot.words, *words, "--scheduler", dask.address],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                             env=foliot.environment())  # fmt: skip
    try:
        assert dies(dask, scheduler, worker, lambda: first.poll() is not None), first.stderr.read()
        _, said = first.communicate(timeout=LONGEST_S)
    finally:
        first.kill()
    assert first.returncode == 1
    assert "is gone" in said
    assert "goes on from here" in said
    came = kept() - before
    assert came
    dask.scheduler()
    dask.worker()
    again = foliot(*words, "--scheduler", dask.address, limit_s=LONGEST_S)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == json.loads(alone.stdout)
    assert not came & kept()  # they were its own: none was run again

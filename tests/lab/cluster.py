# SPDX-License-Identifier: Apache-2.0
"""Dask's scheduler and workers, as processes that a test starts, and kills."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

LIMIT_S = 120  # of what takes a second, on a machine on which others work, too


class Dask:
    """A scheduler and its workers, as processes, which find no programs but those on `path`."""

    def __init__(self, place: Path, path: str = "/nowhere") -> None:
        self.place, self.path = place, path
        self.running: list[subprocess.Popen] = []
        self.address = ""
        self.log = (place / "dask.log").open("wb")

    def start(self, *words: str) -> subprocess.Popen:
        command = [sys.executable, "-P", "-m", "dask", *words]
        child = subprocess.Popen(command, env={"PATH": self.path, "HOME": str(self.place)}, cwd="/",
                                 stdout=self.log, stderr=self.log)  # fmt: skip
        self.running.append(child)
        return child

    def scheduler(self) -> subprocess.Popen:
        file = self.place / "scheduler.json"
        file.unlink(missing_ok=True)
        started = self.start("scheduler", "--host", "127.0.0.1", "--port", "0",
                             "--no-dashboard", "--scheduler-file", str(file))  # fmt: skip
        until(lambda: file.exists() and '"address"' in file.read_text(), self)
        self.address = file.read_text().split('"address": "')[1].split('"')[0]
        return started

    def worker(self) -> subprocess.Popen:
        return self.start("worker", self.address, "--no-nanny", "--nthreads", "1",
                          "--no-dashboard", "--local-directory", str(self.place))  # fmt: skip

    def end(self) -> None:
        for child in self.running:
            child.kill()
            child.wait()
        self.log.close()


def until(is_so, dask=None, limit_s=LIMIT_S):
    for _ in range(limit_s * 10):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError(dask and (dask.place / "dask.log").read_text()[-2000:])

# SPDX-License-Identifier: Apache-2.0
"""Records a run in a store, again and again, and each time another of its writes is the last one.

    LD_PRELOAD=store_fire.so python store_fire.py DIRECTORY HOW [backwards]

`backwards` records the run before its log, which has to be found.

A program by itself, since what comes between it and the disk (store_fire.c) is loaded with it. Each
recording is a child of one process that has read everything already. Prints a JSON object: how many
places there were, and what was wrong.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import json
import os
import shutil
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

from foliot.model.errors import FoliotError
from foliot.reference import systems
from foliot.store.sqlite import Store
from foliot.store.writer import Recording, keep_log, record

HOW = {"kill": 1, "kill-half": 2, "full": 3}
DONE, REFUSED, WRONG, UNHARMED = 0, 3, 4, 5
_MOST = 1000
LOG = b"a log\n" * 5000  # several pages
fire = ctypes.CDLL(None)
fire.fire_arm.argtypes = (ctypes.c_char_p, ctypes.c_long, ctypes.c_int)
run = systems.load("zephyr-4.3@rpi_pico")


def backwards(store: Store, *_: object) -> None:
    """Record it the wrong way round."""
    with Recording(store, "import", "x") as recording:
        recording.add(run, "new")
        digest = hashlib.sha256(LOG).hexdigest()
        recording._insert((recording.document, "now", "import", "x", digest, len(LOG)))
        keep_log(store, io.BytesIO(LOG))


recorded = backwards if sys.argv[3:] == ["backwards"] else record


def child(store: Store, nth: int, how: int) -> int:
    """Record one; return how it ended: an exit status, or less than 0: killed."""
    pid = os.fork()
    if pid == 0:
        status = WRONG
        try:
            fire.fire_arm(os.fsencode(store.directory), nth, how)
            recorded(store, run, io.BytesIO(LOG), "import", "x", "new")
            status = UNHARMED if fire.fire_count() < nth else DONE
        except FoliotError as error:
            status = REFUSED if "\n" not in error.message and error.advice else WRONG
        finally:
            os._exit(status)
    _, found = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(found)


def wrong(store: Store, older: list[str], ended: int) -> str:
    """Say what the store has lost, or has too much of; and record one more."""
    found = store.runs()
    names = [one.name for one in found]
    if names not in (older, [*older, "new"]):
        return f"holds {names}"
    if (ended in (DONE, UNHARMED)) != (names != older) and ended >= 0:
        return f"ended with {ended}, and holds {names}"
    for one in found:
        log = store.log_path(one.log_sha256)
        text = log.read_bytes() if log.exists() else b""
        if hashlib.sha256(text).hexdigest() != one.log_sha256:
            return f"the log of {one.name} is another one"
        if len(store.load(one).rows) != len(run.rows):
            return f"{one.name} is not whole"
    record(store, run, io.BytesIO(b"after"), "import", "x", "after")
    if [one.name for one in store.runs()] != [*names, "after"]:
        return "records nothing any more"
    with sqlite3.connect(store.path) as database:
        checked = database.execute("PRAGMA integrity_check").fetchone()
    return "" if checked == ("ok",) else str(checked)


def sweep(directory: Path, how: int, begun: bool) -> tuple[int, list[str]]:
    """Try each write of a recording, in a store that has runs, or in none; return how many."""
    before, found = directory / "before", []
    older = ["older"] if begun else []
    if begun:
        record(Store(before), run, io.BytesIO(b"older"), "import", "x", "older")
    for nth in range(1, _MOST):
        store = Store(directory / "tried")
        shutil.rmtree(store.directory, ignore_errors=True)
        if begun:
            shutil.copytree(before, store.directory)
        ended = child(store, nth, how)
        said = "broke off" if ended == WRONG else wrong(store, older, ended)
        found += [f"write {nth}: {said}"] * bool(said)
        if ended == UNHARMED:
            return nth - 1, found
    return _MOST, ["there is no end of its writes"]


if __name__ == "__main__":
    place, meant = Path(sys.argv[1]).resolve(), HOW[sys.argv[2]]
    of_new = sweep(place / "new", meant, begun=False)
    of_old = sweep(place / "old", meant, begun=True)
    print(json.dumps({"places": of_new[0] + of_old[0], "wrong": of_new[1] + of_old[1]}))

# SPDX-License-Identifier: Apache-2.0
"""The fuzzer, run wide: each trial begins with the inputs that are kept, and a seed of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from foliot.campaign.jobs import PYTHON, Job, Result
from foliot.project.campaigns import Trial, Verdict
from foliot.show.terminal import Progress
from foliot.target import boards, build, provision

TITLE = "new inputs for the system calls' boundary, by libFuzzer, from many seeds"
SAMPLE = 16
SEEDS, RUNS = 256, 20_000
HERE = Path(__file__).parent
CONF = ("libfuzzer",)
LIMIT_S = 3600
DONE = re.compile(r"^Done (\d+) runs in ", re.MULTILINE)
# What was found is printed, to be seen again by whoever reads the result.
FUZZ = """
import pathlib, subprocess, sys
sys.path.insert(0, ".")
import corpus
corpus.unpack(pathlib.Path("kept"))
pathlib.Path("new").mkdir()
words = ["./fuzzer", "new", "kept", *sys.argv[1:], "-max_len=512", "-timeout=60"]
done = subprocess.run(words)
for found in sorted(pathlib.Path(".").glob("*-*")):
    print(f"input {found.name}: {found.read_bytes().hex()}")
sys.exit(done.returncode != 0)
"""


def items() -> list[int]:
    """Return the seeds; the fuzzer is built."""
    quiet = Progress(quiet=True)
    provision.prepare(boards.load("host"), quiet, to_run=False)
    provision.install(provision.FUZZER_PACKAGES, quiet)
    _built()
    return list(range(1, SEEDS + 1))


def named(seed: int) -> str:
    """Return a seed's name."""
    return f"seed {seed}"


def prepare(seed: int) -> Trial:
    """Return the job of a seed."""
    files = {"fuzzer": _built(), "corpus.py": HERE / "corpus.py", "corpus.txt": HERE / "corpus.txt"}
    words = (PYTHON, "-c", FUZZ, f"-seed={seed}", f"-runs={RUNS}")
    return Trial((Job(named(seed), words, files, LIMIT_S),))


def judged(seed: int, trial: Trial, results: Sequence[Result]) -> Verdict:
    """Say whether anybody got in, and by what input."""
    said = results[0].output.decode("utf-8", "replace")
    done = DONE.search(said)
    if results[0].status == 0 and done:
        return Verdict(named(seed), True, "", {"inputs": int(done[1])})
    told = [line for line in said.splitlines() if re.search("^input |HOLE: |ERROR: |error: ", line)]
    return Verdict(named(seed), False, "; ".join(told[:4]) or said[-300:])


@cache
def _built() -> Path:
    return build.build(HERE, boards.load("host"), Progress(quiet=True), CONF).image

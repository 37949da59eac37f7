# SPDX-License-Identifier: Apache-2.0
"""The kernel beside its model by commands that a fuzzer found (fuzz.c): kept ones, and new ones.

Those that are kept take every branch that libFuzzer ever reached here, under GCC's sanitizers and
in each configuration of its own; new ones are made with --long, other ones each time.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from corpus import inputs, unpack

from support.command import ROOT

pytestmark = [pytest.mark.board("host"), pytest.mark.slow]
INPUTS = ROOT / "tests/host/inputs.txt"
BUILD = ROOT / "build/firmware/host"
LONG_S = 600


def build(foliot, conf: str) -> Path:
    done = foliot("build", "tests/host", "--board", "host", "--conf", conf, "--quiet")
    assert done.returncode == 0, done.stderr
    return BUILD / ("tests-host" if conf == "default" else f"tests-host-{conf}") / "firmware.elf"


@pytest.mark.parametrize(
    "conf", ["default", *(pytest.param(one, marks=pytest.mark.long)
                          for one in ("robust", "wide", "features", "metairq"))],
)  # fmt: skip
def test_kernel_and_model_agree_about_each_input_that_is_kept(foliot, conf):
    done = foliot.program(build(foliot, conf), "inputs", INPUTS, "0", "0", limit_s=300)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert done.stdout.splitlines()[-1] == f"PASS inputs, {len(inputs(INPUTS))}"


def test_an_input_is_replayed_exactly_and_alone(foliot, tmp_path):
    """What came in front of it changes nothing; no file, and no input, is no success."""
    program, longest = build(foliot, "default"), INPUTS.read_text("ascii").splitlines()[-2:]
    for name, lines in (("both", longest), ("one", longest[1:]), ("none", [])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "ascii")
    both, again, one = (
        foliot.program(program, "inputs", tmp_path / name, "0", "0", "trace").stdout
        for name in ("both", "both", "one")
    )
    assert both == again
    assert both.count("--- step 0") == 2
    alone = one.removesuffix("PASS inputs, 1\n")
    assert alone.count("--- step ") > 3
    assert both.removesuffix("PASS inputs, 2\n").endswith(alone)
    for name in ("none", "missing"):
        assert foliot.program(program, "inputs", tmp_path / name, "0", "0").returncode == 2


@pytest.mark.long
@pytest.mark.needs("fuzzer")
def test_kernel_and_model_agree_about_new_inputs_for_ten_minutes(foliot, tmp_path):
    program = build(foliot, "libfuzzer")
    unpack(tmp_path / "kept", INPUTS)
    (tmp_path / "new").mkdir()
    done = subprocess.run(
        [program, tmp_path / "new", tmp_path / "kept", "-max_len=512", "-timeout=60",
         f"-max_total_time={LONG_S}"],
        cwd=tmp_path, text=True, errors="replace", capture_output=True, check=False,
        timeout=2 * LONG_S, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    found = [f"{path.name}: {path.read_bytes().hex()}" for path in tmp_path.glob("*-*")]
    assert done.returncode == 0, f"{found}\n{done.stderr[-4000:]}"
    runs = re.search(r"^Done (\d+) runs in ", done.stderr, re.MULTILINE)
    assert runs
    assert int(runs[1]) > 10_000

# SPDX-License-Identifier: Apache-2.0
"""The simulator and small assembly programs to run on it.

FOLIOT_SIM names a simulator that exists (`foliot test` builds it first and says where);
without it one is built once into build/sim/ibex, for pytest started by hand.
"""

import fcntl
import importlib
import json
import os
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "sim" / "programs"
LIMIT_S = 60
GCC = (
    "riscv64-unknown-elf-gcc", "-march=rv32imc_zicsr", "-mabi=ilp32", "-nostdlib", "-g",
    "-Wl,-n", "-Wl,--no-warn-rwx-segments", "-T", str(PROGRAMS / "link.ld"),
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One run of the simulator, ended."""

    status: int
    stdout: str
    stderr: str
    user_s: float

    @property
    def stop(self):
        """The @sim line."""
        (line,) = self.stderr.splitlines()
        assert line.startswith("@sim "), line
        return json.loads(line.removeprefix("@sim "))

    @property
    def numbers(self):
        """The hexadecimal numbers on the console, a list for each line."""
        return [[int(word, 16) for word in line.split()] for line in self.stdout.splitlines()]


@pytest.fixture(scope="session")
def core_data():
    """Where the wheel keeps Ibex's RTL."""
    try:
        return Path(importlib.import_module("pythondata_cpu_ibex").data_location)
    except ImportError:
        pytest.fail("the Python package pythondata-cpu-ibex is missing: start ./foliot once")


@pytest.fixture(scope="session")
def simulator(request):
    """The simulator's path."""
    if "FOLIOT_SIM" in os.environ:
        return os.environ["FOLIOT_SIM"]
    data = request.getfixturevalue("core_data")
    out = ROOT / "build" / "sim" / "ibex"
    subprocess.run(
        ["make", "-s", "-C", ROOT / "sim", "CORE=ibex", f"CORE_DATA={data}", f"OUT={out}"],
        check=True,
        timeout=600,
    )
    return str(out / "sim")


@pytest.fixture(scope="session")
def iss():
    """The instruction-set simulator's path; it is built in seconds, and needs no RTL."""
    out = ROOT / "build" / "sim" / "iss"
    out.mkdir(parents=True, exist_ok=True)
    with (out / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run beside each other
        command = ["make", "-s", "-C", ROOT / "sim" / "iss", f"OUT={out}"]
        subprocess.run(command, check=True, timeout=600)
    return str(out / "iss")


@pytest.fixture
def build(tmp_path):
    """Assemble programs/NAME.S into an ELF, with macros as keywords."""

    def build(name, **macros):
        elf = tmp_path / ("-".join([name, *(str(v) for v in macros.values())])[:60] + ".elf")
        defines = [f"-D{key}={value}" for key, value in macros.items()]
        sources = [PROGRAMS / "runtime.S", PROGRAMS / f"{name}.S"]
        subprocess.run([*GCC, *defines, *sources, "-o", elf], check=True, timeout=LIMIT_S)
        return elf

    return build


@pytest.fixture
def sim(simulator):
    """Run an ELF and options, or any command line, to the end."""

    def sim(*arguments, limit="2000000"):
        words = [str(word) for word in arguments]
        if words and not words[0].startswith("-"):
            words = ["--elf", words[0], "--max-cycles", limit, *words[1:]]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(
            [simulator, *words], capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        user_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        return Run(done.returncode, done.stdout, done.stderr, user_s)

    return sim


@pytest.fixture
def passes(sim, build):
    """Build and run a program with options, and require status 0."""

    def passes(name, *options, **macros):
        run = sim(build(name, **macros), *options)
        assert run.status == 0, run
        return run

    return passes

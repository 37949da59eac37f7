# SPDX-License-Identifier: Apache-2.0
"""The instruction-set simulator, held against the RTL and QEMU.

What tests/sim asks of the simulated SoC it is asked, too, but for what clocks tell; random
programs end alike on all three, and go instruction by instruction as on the RTL; images of the
board `ibex` run on it.
"""

from __future__ import annotations

import json
import os
import subprocess

import pytest
import test_sim_bus as bus
import test_sim_interrupts as interrupts
import test_sim_uart2 as uart2
import test_sim_user as user
from random_program import EVERYWHERE, IBEX, program

from support.command import ROOT
from support.simulator import GCC, LIMIT_S, PROGRAMS

LENGTH = 3000
WRONG_USE, LIMIT_REACHED, LOCKED_UP = 2, 3, 4
FAST_ENOUGH_HZ = 20_000_000
QEMU = ("qemu-system-riscv32", "-M", "virt", "-cpu", "rv32", "-bios", "none", "-nographic",
        "-monitor", "none", "-serial", "stdio", "-kernel")  # fmt: skip


@pytest.fixture
def simulator(iss):
    """In this file: what the fixtures `sim` and `passes` run."""
    return iss


access = bus.access
test_absent_addresses = bus.test_absent_addresses_are_bus_errors
test_devices_cannot_be_executed = bus.test_devices_cannot_be_executed
test_ram = bus.test_ram
test_ram_size = bus.test_ram_size
test_raised_by_software = interrupts.test_raised_by_software
test_uart2 = uart2.test_uart2
test_denials = user.test_denials


@pytest.fixture
def random_elf(tmp_path):
    """Build a random program, with macros."""

    def random_elf(seed, control, *macros):
        source, elf = tmp_path / f"{seed}.S", tmp_path / f"{seed}{''.join(macros)}.elf"
        source.write_text(program(seed, LENGTH, control), encoding="utf-8")
        words = [*GCC, "-I", PROGRAMS, *(f"-D{macro}" for macro in macros)]
        subprocess.run([*words, PROGRAMS / "runtime.S", source, "-o", elf],
                       check=True, timeout=LIMIT_S)  # fmt: skip
        return elf

    return random_elf


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=LIMIT_S, check=False)  # fmt: skip
    assert done.returncode == 0, done
    return done.stdout


@pytest.fixture
def rtl(request):
    """The RTL's simulator, which this file's `simulator` is not."""
    del request
    return str(ROOT / "build" / "sim" / "ibex" / "sim")


def steps(path):
    """Of a trace what clocks do not change: marker, pc, encoding, event."""
    words = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return [(marker, pc, code, event) for marker, _, pc, code, _, _, event in words]


SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 200))]


@pytest.mark.board("ibex")
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_do_the_same_as_on_the_rtl(iss, rtl, random_elf, tmp_path, seed):
    elf = random_elf(seed, IBEX, "WITH_TVAL", "MARK")
    traces = tmp_path / "iss.trace", tmp_path / "rtl.trace"
    ours = run(iss, "--elf", elf, "--trace", traces[0], "--max-cycles", 10**7)
    assert ours == run(rtl, "--elf", elf, "--trace", traces[1], "--max-cycles", 10**7)
    assert steps(traces[0]) == steps(traces[1])
    assert len(steps(traces[0])) > LENGTH // 2  # branches leave out the others


@pytest.mark.board("qemu_riscv32", "ibex")
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_end_as_in_qemu(iss, random_elf, seed):
    elf = random_elf(seed, EVERYWHERE)
    ours = run(iss, "--elf", elf, "--max-cycles", 10**7)
    assert ours.splitlines() == run(*QEMU, elf).splitlines()


@pytest.mark.board("ibex")
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_random_regions_are_refused_as_on_the_rtl(iss, rtl, build, seed):
    """With user mode's rights and machine mode's, by random registers of the PMP."""
    elf = build("regions", SEED=seed * 7919 + 1)
    ours = run(iss, "--elf", elf, "--max-cycles", 10**7)
    assert ours == run(rtl, "--elf", elf, "--max-cycles", 10**7)
    refused, done = (sum(int(line, 16) for line in ours.splitlines()[n::3]) for n in (0, 1))
    assert min(refused, done) > ROUNDS
    assert len(ours.splitlines()) == 3


ROUNDS = 400
IMAGES = [
    ("tests/user", "fast"), ("tests/kernel", "fast"),
    *(pytest.param(app, conf, marks=pytest.mark.long) for app, conf in (
        ("tests/ipc", "user"),  # which test_taint.py runs on the simulator of instructions
        ("tests/user", "stackguard,fast"), ("tests/user", "canaries-all,stackguard,fast"),
        ("tests/user", "features"), ("tests/kernel", "default"), ("tests/kernel", "features"),
        ("tests/kernel", "user"), ("tests/ipc", "default"), ("tests/ipc", "robust"))),
]  # fmt: skip


def results_of(console):
    return [line for line in console.splitlines() if line.startswith(("PASS", "FAIL", "PROJECT"))]


@pytest.mark.board("ibex")
@pytest.mark.slow
@pytest.mark.parametrize(("app", "conf"), IMAGES)
def test_images_pass_the_same_tests_as_on_the_rtl(foliot, iss, app, conf):
    """The very image that the RTL runs; times differ, and so does what else it prints."""
    built = foliot("build", app, "--board", "ibex", "--conf", conf).stdout
    elf = ROOT / next(line for line in built.splitlines() if line.endswith(".elf"))
    ours = results_of(run(iss, "--elf", elf, "--max-cycles", 10**9))
    assert ours[-1] == "PROJECT EXECUTION SUCCESSFUL"
    assert ours == results_of(foliot.run(app, "ibex", conf, limit_s=900).stdout)


def run_at_limit(iss, elf, *options):
    command = [iss, "--elf", str(elf), "--max-cycles", "1000000", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)


@pytest.mark.slow
def test_it_is_fast(iss, build):
    elf = build("spin")
    before = os.times().children_user
    done = subprocess.run([iss, "--elf", elf, "--max-cycles", str(5 * FAST_ENOUGH_HZ)], check=False,
                          capture_output=True)  # fmt: skip
    assert done.returncode == LIMIT_REACHED
    assert os.times().children_user - before < 5


def test_an_interrupt_comes_in_at_each_instruction_of_a_window(iss, build):
    elf = build("sweep")
    done = run_at_limit(iss, elf, "--sweep")
    sweep, stop = (json.loads(line.removeprefix("@sim ")) for line in done.stderr.splitlines())
    weak = 8
    # The closing store is in the window; behind the masking four are not tried, they come to one.
    assert (sweep["instructions"], sweep["tried"], sweep["failed"]) == (20, 15, 1)
    (failure,) = sweep["failures"]
    assert (failure["n"], failure["marker"], failure["status"]) == (weak, 5, 1)
    assert failure["last"] == "00000011", "a child's console is its own"
    assert (stop["reason"], done.returncode) == ("finisher", 1)
    assert done.stdout == "00000011\n"
    alone = [run_at_limit(iss, elf, "--interrupt-at", str(n)).returncode for n in range(20)]
    assert alone == [n == weak for n in range(20)]


@pytest.mark.parametrize(
    ("options", "tried"),
    [(("--sweep-step", "5"), 3), (("--sweep-step", "9", "--sweep-first", "8"), 2),
     (("--window", "5"), 15), (("--interrupt", "11"), 15)],
)  # fmt: skip
def test_a_sweep_has_options(iss, build, options, tried):
    done = run_at_limit(iss, build("sweep"), "--sweep", *options)
    assert json.loads(done.stderr.splitlines()[0].removeprefix("@sim "))["tried"] == tried


def test_what_runs_while_no_interrupt_can_come_is_written(iss, build, tmp_path):
    """Four instructions and the one that opens them again; not what came before the first time."""
    done = run_at_limit(iss, build("sweep"), "--masked", str(tmp_path / "masked"))
    assert done.returncode == 0
    (line,) = (tmp_path / "masked").read_text().splitlines()
    found = json.loads(line)
    first = found["pcs"][0]
    assert (found["instructions"], found["marker"]) == (5, 5)
    assert found["pcs"] == [first + 2 * n for n in range(5)]


@pytest.mark.parametrize(
    ("options", "said"),
    [((), "which program"), (("--elf", "nowhere"), "nowhere: No such file"),
     (("--elf", "x", "--sweep", "--interrupt", "7"), "takes 3, 11 or 16 to 30"),
     (("--elf", "x", "--sweep", "--interrupt-at", "3"), "not both"),
     (("--elf", "x", "--window", "3"), "are for --sweep"),
     (("--elf", "x", "--sweep", "--trace", "y"), "not of a --sweep"),
     (("--elf", "x", "--sweep", "--masked", "y"), "without --sweep"),
     (("--elf", "x", "--max-cycles", "no"), "takes a number"),
     (("--wrong",), "unknown option '--wrong'"), (("--elf",), "--elf needs a value"),
     (("--elf", "x", "y"), "unexpected argument 'y'")],
)  # fmt: skip
def test_wrong_calls_are_one_line(iss, options, said):
    done = subprocess.run([iss, *options], capture_output=True, text=True, check=False)
    assert done.returncode == WRONG_USE
    (line,) = done.stderr.splitlines()
    assert line.startswith("iss: ") and said in line


def test_a_sleep_that_nothing_ends_and_a_lock_up_are_reported(iss, build):
    elf = build("lockup")
    assert run_at_limit(iss, elf).returncode == LOCKED_UP
    assert run_at_limit(iss, build("forever")).returncode == LIMIT_REACHED

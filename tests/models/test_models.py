# SPDX-License-Identifier: Apache-2.0
"""Models in Spin of what interleaves, and the kernel on the host beside them.

Of each model all runs are gone through, within its bounds: no assertion fails, and each run ends
with nobody waiting. It is held to the code in three ways. Each transition is named in the kernel's
sources (`Model: mutex.lock_wait`). Traces of the model, which together have all its transitions,
are done by the kernel command by command, the states compared. And what the kernel does at random
the model follows.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from support.command import ROOT
from support.seeded import Copy, copy_tree, errors, stands_once

HERE = Path(__file__).parent
ERRORS_OF_KERNEL = errors(HERE / "errors.txt")
PROGRAM = Path("build/firmware/host/tests-models/firmware.elf")
MODELS = ("mutex", "ipc", "work", "pipe", "condvar", "steps", "mutex_steps")
SHARED = ("threads", "locks")  # what several include
SEEDS = range(1, 7)
ERRORS = 97  # at least
MORE_SEEDS = range(1, 25)
COMMANDS = 300  # of the kernel's random ones
CALLS = "-DCALLS=60"  # of a trace
NAMED = re.compile(r"Model: ([\w., ]+)")
TOOK = re.compile(r"# (\w+\.\w+)")

pytestmark = [pytest.mark.board("host"), pytest.mark.needs("models")]


def said(text: str) -> list[str]:
    """Return the commands and the states behind them."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()[:1] in {"@", "="}]


def written(place: Path, source: str) -> Path:
    """Write a model, and what it includes."""
    file = place / "model.pml"
    file.write_text(source, encoding="utf-8")
    for name in SHARED:
        (place / f"{name}.pml").write_text(source_of(name), encoding="utf-8")
    return file


def spin(file: Path, *words: str) -> str:
    """Run a model once, as its choices fall."""
    done = subprocess.run(
        ["spin", "-T", *words, file.name], cwd=file.parent, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    return done.stdout


def holds(place: Path, source: str, *defined: str) -> tuple[bool, int]:
    """Go through all runs of a model; say whether it holds, and how many states it has."""
    written(place, source)
    small = ["-DCOLLAPSE"] if "-DLONG" in defined else []  # slower, where there is room
    for words in (
        ["spin", "-a", *defined, "model.pml"],
        ["gcc", "-w", "-O1", "-DSAFETY", *small, "-DMEMLIM=3000", "-o", "pan", "pan.c"],
    ):
        subprocess.run(words, cwd=place, check=True, capture_output=True, timeout=120)
    done = subprocess.run(
        ["./pan", "-m200000"], cwd=place, capture_output=True, text=True, check=False, timeout=3000
    )
    wrong = re.search(r"errors: (\d+)", done.stdout)
    states = re.search(r"(\d+) states, stored", done.stdout)
    assert wrong, done.stdout[-500:]
    assert states
    assert "max search depth too small" not in done.stdout
    assert "out of memory" not in done.stdout
    return wrong[1] == "0", int(states[1])


def source_of(model: str) -> str:
    return (HERE / f"{model}.pml").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "states"),
    [
        ("mutex", 200_000),
        ("ipc", 800_000),
        ("work", 250_000),
        ("pipe", 70_000),
        ("condvar", 130_000),
        ("steps", 240_000),
        ("mutex_steps", 480_000),
    ],
)
def test_in_all_runs_of_a_model_nothing_is_wrong_and_each_ends(tmp_path, model, states):
    does_hold, found = holds(tmp_path, source_of(model))
    assert does_hold
    assert found >= states


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
def test_nor_within_wider_bounds(tmp_path, model):
    does_hold, found = holds(tmp_path, source_of(model), "-DLONG")
    assert does_hold
    assert found > 250_000


def goes_on(place: Path, source: str, thread: int, *words: str) -> tuple[bool, int]:
    """Say whether whoever waits goes on, where calls never end, and how many states there are."""
    written(place, source)
    for command in (
        ["spin", "-a", "-DUNENDING", f"-DWHO={thread}", "model.pml"],
        ["gcc", "-w", "-O1", "-DCOLLAPSE", "-DNOREDUCE", "-DNFAIR=3", "-DMEMLIM=3000", "-o", "pan",
         "pan.c"],
    ):  # fmt: skip
        subprocess.run(command, cwd=place, check=True, capture_output=True, timeout=120)
    done = subprocess.run(
        ["./pan", "-a", "-A", "-m4000000", "-N", "everyone_goes_on", *words], cwd=place,
        capture_output=True, text=True, check=False, timeout=3000,
    )  # fmt: skip
    wrong = re.search(r"errors: (\d+)", done.stdout)
    states = re.search(r"(\d+) states, stored", done.stdout)
    assert wrong, done.stdout[-500:]
    assert states
    assert "max search depth too small" not in done.stdout
    return wrong[1] == "0", int(states[1])


@pytest.mark.long
@pytest.mark.parametrize("thread", [0, 2])
def test_whoever_waits_for_work_goes_on_where_calls_never_end(tmp_path, thread):
    does_hold, states = goes_on(tmp_path, source_of("work"), thread, "-f")
    assert does_hold
    assert states > 400_000
    # A handler that need not end, since nothing is fair: it is no matter of course.
    assert not goes_on(tmp_path, source_of("work"), thread)[0]


INCLUDED = re.compile(r'^#include "(\w+)\.pml"$', re.MULTILINE)
# Of each model something that is left out: what it says is no matter of course.
LESS = (
    ("mutex", "	wake(t, EAGAIN);\n	inherit(owner[m_]);", "	wake(t, EAGAIN);"),
    ("mutex", "			hand_over(m, 0);\n			inherit(t)", "			hand_over(m, 0)"),
    ("mutex", "			hand_over(q_, EOWNERDEAD)", "			skip"),
    ("ipc", "		lend(r, prio[t]);\n", ""),
    ("ipc", "		wake(s_, EOWNERDEAD)", "		skip"),
    ("ipc", "		inherit(s_)", "		skip"),
    ("work", "		tell_waiters(q_, 1, 255)", "		skip"),
    ("work", "		tell_waiters(item, 0, ((f_ & IS_RUNNING) != 0 -> 1 : 0))", "		skip"),
    ("work", "	flags[item] = flags[item] & (255 - IS_QUEUED);\n	COUNT", "	COUNT"),
    ("work", "		undelay(item);\n		put(item, g_);", "		undelay(item);"),
    ("work", "	put(item, g_);\n	g_ = 0\n}", "	skip\n}"),
    ("pipe", "		v_ = 0; n_ = 0;\n		wake_writers()", "		v_ = 0; n_ = 0"),
    ("pipe", "is_closed = true; end_waits(EPIPE)", "is_closed = true"),
    ("steps", "	:: window[t] == ARMED && tokens > 0 ->", "	:: false ->"),
    ("steps", " && tokens == 0 && timed[t] ->", " && tokens == 0 ->"),
    ("steps", "		timed[t] = false;\n		window[t] = 0;\n", "		window[t] = 0;\n"),
    ("mutex_steps", "	:: owner[m_] >= NOBODY ->", "	:: false ->"),
    ("mutex_steps", "NOBODY && (!finite[t] || timed[t]) ->", "NOBODY ->"),
    ("mutex_steps", "		timed[t] = false;\n		own(m_, t);", "		own(m_, t);"),
    ("mutex_steps", "			lend(owner[m_], prio[line[m_ * THREADS]])", "			skip"),
    ("mutex_steps", "		inherit(t);\n		be_in(t, FALLEN)", "		be_in(t, FALLEN)"),
    ("mutex_steps", "		inherit(owner[m_]);\n		m_ = 0", "		m_ = 0"),
    ("mutex_steps", "	timed[t] = false;\n	window[t] = 0;\n", "	window[t] = 0;\n"),
    ("mutex_steps", "		hop[t] = (owner[v_] < NOBODY -> owner[v_] : NOBODY);\n", ""),
    ("mutex_steps", "owner[wanted[t]] != was[t] || prio[was[t]] > prio[t] ->", "false ->"),
    ("mutex_steps", "	inherit(was[t]);\n	leave_row(t);", "	leave_row(t);"),
    ("mutex_steps", "			o_ = was[t]\n", "			skip\n"),
    ("condvar", "		over(x_, 0);\n", ""),
    ("condvar", "		lend(owner[M], prio[line[M * THREADS]])", "		skip"),
    ("condvar", "refuse\\n\");\n		over(t, EAGAIN)", "refuse\\n\")"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("model", "old", "new"),
    [pytest.param(*one, marks=[] if n == 0 else [pytest.mark.long]) for n, one in enumerate(LESS)],
)
def test_a_model_without_it_is_found_wrong(tmp_path, model, old, new):
    source = INCLUDED.sub(lambda found: source_of(found[1]), source_of(model))
    assert source.count(old) == 1, old
    calls = ["-DCALLS=4"] if model == "work" else []  # two items, one waited for and cancelled
    assert not holds(tmp_path, source.replace(old, new), *calls)[0]


# ---- held to the code ----


def transitions(model: str) -> set[str]:
    """Return the names of what a model does: its own, and what it includes."""
    source = source_of(model)
    shared = [name for name in SHARED if f'"{name}.pml"' in source]
    return set(TOOK.findall(source + "".join(map(source_of, shared))))


def test_each_transition_is_named_in_the_sources_and_each_name_there_is_a_transition():
    named: set[str] = set()
    for file in sorted((ROOT / "kernel").rglob("*.[ch]")):
        for found in NAMED.findall(file.read_text(encoding="utf-8")):
            named.update(one.strip(" .") for one in found.split(","))
    models = set().union(*(transitions(model) for model in MODELS))
    assert sorted(named) == sorted(models)
    assert len(models) > 50


@pytest.fixture(scope="module", autouse=True)
def program(foliot):
    done = foliot("build", "tests/models", "--board", "host", "--quiet")
    assert done.returncode == 0, done.stderr
    return ROOT / PROGRAM


def kernel(program: Path, *words: str | Path, limit_s: float = 60) -> list[str]:
    """Return what the kernel does; what it printed until then where it ends in the middle."""
    try:
        done = subprocess.run(
            [program, *words], capture_output=True, text=True, check=False, timeout=limit_s
        )
    except subprocess.TimeoutExpired:
        return ["= it does not end"]
    return [*said(done.stdout), *([] if done.returncode == 0 else ["= it ends with an error"])]


def difference(expected: list[str], found: list[str]) -> str:
    """Say where the kernel and a model part, with the commands before."""
    for number, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            before = "\n".join(expected[max(0, number - 7) : number])
            return f"{before}\nexpected {one}\nfound    {other}"
    return "" if len(expected) == len(found) else f"{len(expected)} and {len(found)} lines"


def trace(place: Path, model: str, seed: int) -> str:
    """Return a trace of a model, with the names of its transitions."""
    half = ["-DROWS"] if seed % 2 == 0 else []  # of mutexes' owners, which are rare else
    return spin(written(place, source_of(model)), f"-n{seed}", "-DTRACES", CALLS, *half)


def parts(program: Path, tmp_path: Path, model: str, text: str) -> str:
    """Say where the kernel does not what a trace has."""
    expected = said(text)
    assert len(expected) > 50, text[-500:]
    file = tmp_path / "trace"
    file.write_text("\n".join(expected) + "\n", encoding="utf-8")
    return difference(expected, kernel(program, model, "script", file, limit_s=20))


@pytest.mark.parametrize("model", MODELS)
def test_the_kernel_does_what_traces_with_all_transitions_have(program, tmp_path, model):
    took: set[str] = set()
    for seed in SEEDS:
        text = trace(tmp_path, model, seed)
        took.update(TOOK.findall(text))
        assert parts(program, tmp_path, model, text) == ""
    shared = {name for name in transitions(model) if name.startswith("threads.")}
    if model in {"work", "pipe", "steps"}:  # nobody inherits there, nor does a start do anything
        shared &= {"threads.wait_q_add", "threads.wait_q_remove"}
    if model == "mutex_steps":  # rows are gone along in its own steps
        shared -= {"threads.inherit_ahead"}
    own = {one for one in transitions(model) if one.startswith((f"{model}.", "mutex."))}
    if model == "condvar":  # its mutex is taken there where somebody waits at the condition
        own = {one for one in own if one.startswith("condvar.")}
    assert own | shared <= took


def followed(place: Path, model: str, lines: list[str]) -> list[str]:
    """Have a model do those commands; return what it says."""
    commands = "; ".join(
        f"todo ! {', '.join(line.split()[1:])}" for line in lines if line[0] == "@"
    )
    script = f"#define SCRIPT\n{source_of(model)}\ninit {{ atomic {{ begin() }}; {commands} }}\n"
    return said(spin(written(place, script)))


@pytest.mark.parametrize("model", MODELS)
def test_the_model_follows_what_the_kernel_does_at_random(program, tmp_path, model):
    for seed in (1, 2):
        lines = kernel(program, model, "random", str(seed), str(COMMANDS))
        assert len(lines) == 2 * COMMANDS
        assert difference(lines, followed(tmp_path, model, lines)) == ""


def test_a_state_that_is_another_is_noticed(program):
    lines = kernel(program, "mutex", "random", "3", "20")
    assert difference(lines, [*lines[:-1], lines[-1].replace("= ", "= 1 ")]) != ""
    assert difference(lines, lines[:-1]) != ""


# ---- errors in the kernel ----


def test_each_error_has_its_place():
    found = ERRORS_OF_KERNEL
    assert len(found) >= ERRORS
    for model, file, old, new in found:
        assert model in MODELS
        assert old != new
        assert stands_once(file, old), f"{file}: {old}"


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    return copy_tree(tmp_path_factory.mktemp("seeded") / "tree", "tests/models")


def is_noticed(program: Path, tmp_path: Path, model: str) -> bool:
    """Say whether a kernel does something else than the model, in its traces or in its own."""
    for seed in MORE_SEEDS:
        if parts(program, tmp_path, model, trace(tmp_path, model, seed)):
            return True
        lines = kernel(program, model, "random", str(seed), str(COMMANDS), limit_s=20)
        if difference(lines, followed(tmp_path, model, lines)):
            return True
    return False


@pytest.mark.long
def test_an_error_in_the_kernels_logic_is_noticed(copy, tmp_path):
    missed = []
    for model, file, old, new in ERRORS_OF_KERNEL:
        source = copy.root / file
        was = source.read_text(encoding="utf-8")
        assert was.count(old) == 1, f"{file}: {old}"
        source.write_text(was.replace(old, new), encoding="utf-8")
        try:
            done = copy.foliot("build", "tests/models", "--board", "host", "--quiet")
            assert done.returncode == 0, f"{old}: {done.stderr}"
            if not is_noticed(copy.root / PROGRAM, tmp_path, model):
                missed.append(f"{file}: {old.strip()}")
        finally:
            source.write_text(was, encoding="utf-8")
    assert not missed, "\n".join(missed)


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_noticed_where_there_is_none(program, tmp_path, model):
    assert not is_noticed(program, tmp_path, model)

# SPDX-License-Identifier: Apache-2.0
"""The fuzzer of the system calls' boundary: nobody gets in, by inputs that are kept or by new ones.

The kept inputs run in the usual tests, under GCC's sanitizers, and need nothing but the host's
compiler, so that what passed here passes for whoever runs them next. New ones are made by libFuzzer
with --long: a few thousand, the same each time, and others each time for a quarter of an hour.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from corpus import CORPUS, inputs, unpack

from support.command import ROOT
from support.seeded import Copy, copy_tree

APP = ROOT / "tests" / "user" / "fuzz"
BUILD = ROOT / "build" / "firmware" / "host"
REPLAY = BUILD / "tests-user-fuzz" / "firmware.elf"
FUZZER = BUILD / "tests-user-fuzz-libfuzzer" / "firmware.elf"
CALLS = re.compile(r"(\d+) calls, of which (\d+) came back, of (\d+) kinds out of (\d+)")
DONE = re.compile(r"^Done (\d+) runs in (\d+) second", re.MULTILINE)
# Those that end their caller always.
NEVER_BACK = 1
SHORT_RUNS, LONG_S = 5_000, 900


def build(foliot, conf: str) -> None:
    done = foliot("build", APP, "--board", "host", "--conf", conf, "--quiet")
    assert done.returncode == 0, done.stderr


def fuzz(foliot, where: Path, *until: str) -> int:
    """Make new inputs until libFuzzer's options say so; return how many."""
    build(foliot, "libfuzzer")
    new, kept = where / "new", where / "kept"
    new.mkdir()
    unpack(kept)
    done = foliot.program(
        FUZZER, new, kept, *until, "-max_len=512", "-timeout=20", f"-artifact_prefix={where}/",
        limit_s=LONG_S + 300,
    )  # fmt: skip
    said = done.stderr[-4000:]
    for found in sorted(where.glob("*-*")):  # to be seen again, by whoever reads this
        said += f"\n{found.name}: {found.read_bytes().hex()}"
    assert done.returncode == 0, said
    match = DONE.search(done.stderr)
    assert match, said
    return int(match[1])


@pytest.mark.slow
@pytest.mark.board("host")
def test_no_input_that_is_kept_gets_in(foliot):
    build(foliot, "default")
    done = foliot.program(REPLAY, CORPUS, limit_s=300)
    assert done.returncode == 0, done.stderr[-4000:]
    kept = len(inputs())
    assert f"{kept} inputs, and nobody got in" in done.stderr
    match = CALLS.search(done.stderr)
    assert match
    made, back, kinds, of = map(int, match.groups())
    assert made > kept
    assert back * 3 > made  # past validation
    # What an input comes to depends on where the linker puts things: a rare call may get lost.
    assert kinds >= (of - NEVER_BACK) * 0.95


def calls(trace: str) -> list[str]:
    """Return what happened in the last input of a trace."""
    lines = trace.splitlines()
    end = next(i for i, line in enumerate(lines) if "inputs, and nobody got in" in line)
    return lines[1:end]


@pytest.mark.slow
@pytest.mark.board("host")
def test_an_input_is_replayed_exactly(foliot, tmp_path):
    build(foliot, "default")
    longest = [tmp_path / str(number) for number in range(3)]
    for path, data in zip(longest, inputs()[-3:], strict=True):
        path.write_bytes(data)
    first, second = (foliot.program(REPLAY, "trace", *longest).stderr for _ in range(2))
    assert first.count("[") > len(longest)
    assert first == second
    # One after the other each begins anew: alone it does what it did behind others.
    alone = foliot.program(REPLAY, "trace", longest[-1]).stderr
    assert calls(alone) == calls(first[first.rindex(str(longest[-1])) :])


@pytest.mark.slow
@pytest.mark.board("host")
def test_the_order_of_inputs_changes_nothing(foliot, tmp_path):
    build(foliot, "default")
    backwards = tmp_path / "backwards.txt"
    backwards.write_text("".join(f"{data.hex()}\n" for data in reversed(inputs())), "ascii")
    first, second = (
        CALLS.search(foliot.program(REPLAY, path, limit_s=300).stderr)
        for path in (CORPUS, backwards)
    )
    assert first
    assert second
    assert first.groups() == second.groups()


@pytest.mark.board("host")
def test_the_kept_inputs_are_each_kept_once_and_come_out_as_they_went_in(tmp_path):
    unpack(tmp_path)
    unpacked = {path.read_bytes() for path in tmp_path.iterdir()}
    assert len(unpacked) == len(inputs())
    assert unpacked == set(inputs())


@pytest.mark.long
@pytest.mark.board("host")
@pytest.mark.needs("fuzzer")
def test_no_new_input_of_a_few_thousand_gets_in(foliot, tmp_path):
    assert fuzz(foliot, tmp_path, "-seed=1", f"-runs={SHORT_RUNS}") >= SHORT_RUNS


@pytest.mark.long
@pytest.mark.board("host")
@pytest.mark.needs("fuzzer")
def test_no_new_input_gets_in_within_a_quarter_of_an_hour(foliot, tmp_path):
    assert fuzz(foliot, tmp_path, f"-max_total_time={LONG_S}") > 10_000


# ---- seeded holes: with a check taken out, an input that is kept gets in ----

HOLES = {
    "rights": ("object_table.h", "return likely(object_is_own(thread, entry)) ||",
               "return true ||"),
    "table": ("object_table.h", "return likely(entry->object == object) ? entry : NULL;",
              "return entry;"),
    "ends": ("user_range.h", "return offset <= size && bytes <= size - offset;",
             "return offset <= size;"),
    "written": ("user_pointer.c", "uint32_t needed = write ? K_MEM_PARTITION_WRITE_ :",
                "uint32_t needed = write ? K_MEM_PARTITION_READ_ :"),
    "priority": ("verify.h", "return prio >= k_cpu.current->base_prio &&", "return"),
    "options": ("verify_create.c", "if ((kept.options & ~(uint32_t)K_INHERIT_PERMS) != K_USER ||",
                "if ("),
    "name": ("verify_thread.c", "if (bytes > size) {\n\t\treturn -ENOSPC;",
             "if (bytes > size) {\n\t\treturn k_thread_name_copy(thread, NULL, 0);"),
    "passing on": ("object_rights.c",
                   "return entry != NULL && object_is_granted(k_cpu.current, entry) ? entry : NULL",
                   "return entry"),
    "stack": ("verify_create.c", "return size <= entry->size && size >=", "return size >="),
    "quick right": ("object_table.h",
                    "return likely(bit_is_set(*word, index));",
                    "(void)word;\n\t\treturn true;"),
    # Asks the thread's block, which may be freed by now: seen by its poison, or by what fills it.
    "owner": ("mutex.h", "return generation_thread(mutex->generation);",
              "return mutex->owner->generation == mutex->generation ? mutex->owner : NULL;"),
}  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Copy what a build of the replaying program needs."""
    return copy_tree(tmp_path_factory.mktemp("tree"), "tests/user/fuzz")


def found(root: Path, file: str) -> Path:
    """Return where in the kernel's rooms a file of that name lies; there is one."""
    (path,) = root.glob(f"kernel/*/{file}")
    return path


def test_each_hole_that_is_named_has_its_check_in_the_sources():
    """Where a line changes, its hole would be gone, and only a campaign would miss it."""
    for file, old, _ in HOLES.values():
        text = found(ROOT, file).read_text(encoding="utf-8")
        assert old in text, f"{file} has no more: {old}"


def gets_in(copy: Copy, name: str) -> None:
    """Make the hole, replay, close it again."""
    file, old, new = HOLES[name]
    path = found(copy.root, file)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new), encoding="utf-8")
    try:
        built = copy.foliot("build", "tests/user/fuzz", "--board", "host", "--quiet")
        assert built.returncode == 0, built.stderr
    finally:
        path.write_text(text, encoding="utf-8")
    firmware = copy.root / REPLAY.relative_to(ROOT)
    done = subprocess.run(
        [firmware, CORPUS], text=True, check=False, capture_output=True, timeout=300
    )
    assert done.returncode != 0, done.stderr[-1000:]
    assert re.search("HOLE: |runtime error: |==ERROR: ", done.stderr), done.stderr[-1000:]


@pytest.mark.board("host")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) for name in HOLES],
)  # fmt: skip
def test_each_check_that_is_taken_out_lets_a_kept_input_in(copy, name):
    gets_in(copy, name)

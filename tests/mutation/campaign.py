# SPDX-License-Identifier: Apache-2.0
"""Mutation: the kernel, a port or the judgement is broken in one place, and somebody notices.

Mutants are mutants.py's, a trial each; who looks at one, and in what order, is the table LOOKS. The
first are programs of the host, which are cheap; who notices nothing is followed by the next one.
What no image differs by is no mutant: it is not built anywhere, or is the same code. Who survives
all has to stand in survivors.txt, with the reason why it changes nothing that anybody was promised.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mutants import BOARDS, Mutant, reasons, sampled

from foliot.campaign import saved
from foliot.campaign.here import as_result
from foliot.campaign.jobs import PYTHON, Job, Result, pack
from foliot.campaign.work import perform
from foliot.model.errors import FoliotError
from foliot.project.campaigns import Again, Trial, Verdict
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision
from support import wide
from support.command import ROOT
from support.seeded import Copy, copy_tree

TITLE = "kernel, ports and judgement broken in one place each: the tests have to notice"
SAMPLE = 10
HERE = Path(__file__).parent
PASSED = "PROJECT EXECUTION SUCCESSFUL"
APPS = ("host", "check", "kernel", "ipc", "user")
OBJECTS = (
    "all", "thread", "sem", "mutex", "queue", "stack", "event", "heap", "timer", "msgq", "slab",
    "ipc", "pipe", "work", "poll", "mbox", "futex",
)  # fmt: skip
MODEL = [
    *((how, what, str(seed), "1500") for seed in (1, 2) for what in OBJECTS
      for how in ("model", "storm")),
    ("storm", "restart", "1", "1500"), ("wheel", "any", "3", "3000"),
    ("traversals", "any", "2", "1"), ("pollers", "any", "1", "1"), ("places", "msgq", "5", "1"),
    ("places", "msgq", "200", "1"),
]  # fmt: skip
FEW = [words for words in MODEL if words[0] in ("model", "storm") and words[2] == "1"]
# A test that notices a defect of these in a run of every day, and needs no board.
JUDGE_TESTS = (
    "doubts", "decode", "gate", "repeated", "numbers_as_written", "pages_by_hand",
    "pages_put_right", "wrapped_pages", "report_repeats", "map", "table", "round_trip",
    "markup_tables", "table_forms", "tables_of_anybody", "narrow_screens", "corrupted_pages",
)  # fmt: skip
LONG_TESTS = "not in_ten_thousand_pages"

Item = tuple[int, int]  # a mutant, and which of those who look
Look = tuple[str, str, str]  # an application of tests/, a board, configurations
LOOKS: dict[str, tuple[Look, ...]] = {
    "kernel": (
        ("host", "host", "default"), ("kernel", "host", "checked"), ("ipc", "host", "user"),
        ("user/fuzz", "host", "default"), ("host", "host", "features,robust"),
        ("host", "host", "deadline,metairq"), ("host", "host", "slicing"),
        ("user", "qemu_riscv32", "checked"), ("user/attack", "qemu_riscv32", "pages"),
        ("kernel", "mps2_an385", "checked"),
    ),
    **{port: (("kernel", board, "checked"), ("user", board, "checked"), ("ipc", board, "user"),
              ("user/attack", board, "coarse,few" if port == "cortex_m" else "pages"))
       for port, board in BOARDS.items()},
}  # fmt: skip
LIMITS_S = {"mps2_an385": 60.0}  # simulated
MUTANTS: list[Mutant] = sampled()


def items() -> list[Item]:
    """Return all mutants, each to be looked at by the first of those who look."""
    for board in {"host", *BOARDS.values()}:
        provision.prepare(boards.load(board), Progress(quiet=True))
    return [(number, 0) for number in range(len(MUTANTS))]


def named(item: Item) -> str:
    """Return a mutant's name."""
    return str(MUTANTS[item[0]])


def prepare(item: Item) -> Trial:
    """Make the mutant; build it, for one of those who look."""
    mutant = MUTANTS[item[0]]
    known = _journal().get(_key(mutant))
    if known:
        return Trial((), ("known", known))
    if mutant.part == "judgement":
        return Trial((_judgement(mutant),), ("judged", ""))
    look = _looks(mutant)[item[1]]
    passed = _journal().get(_passed(mutant, look))
    if passed:
        return Trial((), ("passed", passed))
    copy = wide.own_copy("mutation", _copy)
    same = _built(copy, look)
    try:
        elf = wide.built(copy, _app(look), look[1], look[2], {mutant.file: mutant.text})
    except FoliotError as error:
        return Trial((), ("unbuilt", " ".join(error.lines)))
    if _content(elf) == same:
        return Trial((), ("same", ""))
    job = _job(look, elf)
    if saved.find(job) is None and look[1] == "host":
        saved.keep(job, here(job))  # in its turn, so that who is cut off has results
    return Trial((job,), ("built", str(elf)))


def here(job: Job) -> Result:
    """Run a job at once, in this process."""
    contents = {content: pack(path) for content, path in job.packed().items()}
    return as_result(perform(job.spec, contents))


def judged(item: Item, trial: Trial, results: Sequence[Result]) -> Verdict | Again:
    """Say who noticed it, or who looks next."""
    mutant = MUTANTS[item[0]]
    how, told = trial.facts
    if how == "known":
        return _verdict(mutant, told)
    if mutant.part == "judgement":
        said = results[0].output.decode("utf-8", "replace").strip()
        return _verdict(mutant, said if results[0].status else "")
    look = _looks(mutant)[item[1]]
    if how == "unbuilt":
        return _unbuilt(mutant, told)
    said = _noticed(look, results[0], Path(told)) if how == "built" else ""
    if said:
        return _verdict(mutant, f"tests/{look[0]} on {look[1]}, {look[2]}: {said}")
    return _passed_by(item, how, told)


def _unbuilt(mutant: Mutant, told: str) -> Verdict:
    """Say of one that does not build: it is none, or an assertion of the build notices it."""
    if re.search("static assertion|BUILD_ASSERT", told):
        return _verdict(mutant, "the build: an assertion")
    return Verdict(str(mutant), True, "it does not build", {"not built": 1})


def _passed_by(item: Item, how: str, told: str) -> Verdict | Again:
    """Say who looks next at what one of them has not noticed."""
    mutant = MUTANTS[item[0]]
    looks = _looks(mutant)
    if how != "passed":
        _note(_passed(mutant, looks[item[1]]), how)
    if "built" in (how, told):
        _differed(mutant).touch()
    if item[1] + 1 < len(looks):
        return Again((item[0], item[1] + 1))
    if not _differed(mutant).exists():
        return Verdict(str(mutant), True, "no image differs", {"no change": 1})
    return _verdict(mutant, "")


def _verdict(mutant: Mutant, noticed: str) -> Verdict:
    part = mutant.part
    if noticed:
        _note(_key(mutant), noticed)
        counts = {"noticed": 1, f"of {part}": 1}
        return Verdict(str(mutant), True, noticed, counts)
    why = reasons().get(str(mutant), "")
    kind = "survived"
    if why.startswith("no change:"):
        kind = "equivalent"
    counts = {kind: 1, f"of {part}": 1}
    if mutant.is_permission:
        counts[f"{kind}, of permissions"] = 1
    said = why or f"nobody noticed anything ({mutant.file})"
    return Verdict(str(mutant), bool(why), said, counts)


def _looks(mutant: Mutant) -> tuple[Look, ...]:
    return LOOKS[mutant.port or "kernel"]


def _app(look: Look) -> str:
    return f"tests/{look[0]}"


def _copy(root: Path) -> Copy:
    return copy_tree(root, *(f"tests/{app}" for app in APPS))


# A campaign that was cut off goes on behind what stands here. Who was noticed once is noticed by
# tests that were added, too, as long as its function is the same; who passed a look did so as long
# as nothing of the kernel, the ports and the tests has changed.
_JOURNAL = paths.BUILD / "mutation" / "journal.jsonl"


def _key(mutant: Mutant) -> str:
    return hashlib.sha256(f"{mutant}\n{mutant.broken}".encode()).hexdigest()[:24]


def _passed(mutant: Mutant, look: Look) -> str:
    return f"{_key(mutant)} {' '.join(look)} {_tree()}"


@cache
def _tree() -> str:
    rooms = ("kernel", "arch", "include", "lib", *(f"tests/{app}" for app in APPS))
    files = sorted(path for room in rooms for path in (ROOT / room).rglob("*.[chS]"))
    texts = b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)
    return hashlib.sha256(texts).hexdigest()[:12]


@cache
def _journal() -> dict[str, str]:
    if not _JOURNAL.is_file():
        return {}
    lines = _JOURNAL.read_text(encoding="utf-8").splitlines()
    return dict(json.loads(line) for line in lines if line.endswith("]"))


def _note(key: str, what: str) -> None:
    if key not in _journal():
        _JOURNAL.parent.mkdir(parents=True, exist_ok=True)
        with _JOURNAL.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps([key, what]) + "\n")


_images: dict[Look, str] = {}


def _built(copy: Copy, look: Look) -> str:
    """Return what is in the image of a tree in which nothing is broken."""
    if look not in _images:
        _images[look] = _content(wide.built(copy, _app(look), look[1], look[2], {}))
    return _images[look]


def _content(elf: Path) -> str:
    return hashlib.sha256(elf.read_bytes()).hexdigest()


def _differed(mutant: Mutant) -> Path:
    """Return the mark of a mutant of which some image differed."""
    from foliot.project.campaigns import Scratch

    return Scratch.place / f"differs.{hashlib.sha256(str(mutant).encode()).hexdigest()[:24]}"


def _job(look: Look, elf: Path) -> Job:
    app, board, conf = look
    if board != "host":
        return wide.run_on(board, elf, LIMITS_S.get(board, 4.0))
    files = {"tried.py": HERE / "tried.py", "firmware.elf": elf}
    runs: list[tuple[list[str], str]] = [(["./firmware.elf"], PASSED)]
    if app == "host":
        runs = [(["./firmware.elf", *words], "PASS") for words in _of_host(conf)]
    elif app == "user/fuzz":
        files["corpus.txt"] = ROOT / "tests/user/fuzz/corpus.txt"
        runs = [(["./firmware.elf", "corpus.txt"], "nobody got in")]
    return Job(f"{app} {conf}", (PYTHON, "tried.py", json.dumps(runs)), files, 600.0)


def _of_host(conf: str) -> list[tuple[str, str, str, str]]:
    if conf == "default":
        return MODEL
    return [words for words in FEW if conf != "slicing" or words[0] == "storm"] + [MODEL[-5]]


def _noticed(look: Look, result: Result, elf: Path) -> str:
    if look[1] == "host":
        said = result.output.decode("utf-8", "replace").strip()
        return said if result.status else ""
    text, died = wide.said_by(result, elf)
    if look[0] == "user/attack":
        return "a hole" if "ATTACK FOUND A HOLE" in text or "ATTACK HELD" not in text else ""
    if PASSED in text:
        return ""
    failed = re.search(r"^FAIL .*", text, re.MULTILINE)
    return (failed[0] if failed else "it died" if died else "it did not come to its end")[:100]


def _judgement(mutant: Mutant) -> Job:
    """Run the tests of the judgement here, in a copy with the mutant; the job that says so."""
    content = hashlib.sha256(mutant.text.encode()).hexdigest()
    job = Job(str(mutant), ("pytest", mutant.file, content, _judges()), {})
    if saved.find(job) is None:
        copy = wide.own_copy("judgement", _whole_copy)
        path = copy.root / mutant.file
        before = path.read_text(encoding="utf-8")
        path.write_text(mutant.text, encoding="utf-8")
        try:
            saved.keep(job, _pytest(copy))
        finally:
            path.write_text(before, encoding="utf-8")
    return job


@cache
def _judges() -> str:
    texts = b"".join((ROOT / f"tests/lab/test_{name}.py").read_bytes() for name in JUDGE_TESTS)
    return hashlib.sha256(texts).hexdigest()


def _pytest(copy: Copy) -> Result:
    tests = [f"tests/lab/test_{name}.py" for name in JUDGE_TESTS]
    words = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "--quick", "-p", "no:cacheprovider",
             "-c", "lab/pyproject.toml", "--rootdir", ".", "-k", LONG_TESTS, *tests]  # fmt: skip
    try:
        done = subprocess.run(
            words, cwd=copy.root, capture_output=True, text=True, check=False, timeout=600,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(copy.root / "lab")},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Result(1, b"it hung")
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return Result(done.returncode, (failed[1] if failed else done.stdout[-300:]).encode())


def _whole_copy(root: Path) -> Copy:
    left_out = shutil.ignore_patterns("build", ".*", "__pycache__", "*.pyc", "node_modules")
    shutil.copytree(ROOT, root, ignore=left_out)
    return Copy(root)

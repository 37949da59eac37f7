# SPDX-License-Identifier: Apache-2.0
"""The commit that changed a row: in real histories, of images that are made and run in no time.

What a commit's image would print stands in its file `suites/latency/figure`; that a real commit is
built, run and explained is the last test's.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from desk import Board

import logs
from foliot.bisect import sides, tries
from foliot.campaign import hear
from foliot.campaign.jobs import ELSEWHERE, Job
from foliot.commands import bisect
from foliot.image.content import content
from foliot.log.reader import parse
from foliot.measure import session
from foliot.model.errors import FoliotError, UsageError
from foliot.store import results
from foliot.store.sqlite import Store
from foliot.store.writer import Recording
from foliot.target import paths, provision

ROOT = Path(__file__).resolve().parents[2]
ROW = "heap.malloc.immediate"
BROKEN = "does not compile"


def log_of(value, board):
    header = {**logs.HEADER, "board": board, "unit": "insn" if board == "mps2_an385" else "cycles"}
    return logs.log([logs.row(ROW, [value] * 200)], header)


class History:
    """A repository of commits that each give the row a figure; what was built and run of them."""

    def __init__(self, root):
        self.root, self.built, self.ran = root, [], 0
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *words):
        who = ("-c", "user.name=Who", "-c", "user.email=w@w", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", "-C", self.root, *who, *words], check=True, timeout=60,
                              capture_output=True, text=True)  # fmt: skip
        return done.stdout.strip()

    def commit(self, figure=None, **files):
        """Commit a figure, or other files; return the commit's name."""
        written = {"suites/latency/figure": str(figure)} if figure is not None else {}
        for name, text in {
            **written,
            "suites/latency/CMakeLists.txt": "",
            "suites/latency/prj.conf": "",
            **files,
        }.items():
            path = self.root / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all", "--", ".", ":!build")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", f"makes it {figure}")
        return self.git("rev-parse", "HEAD")

    def image(self, commit, tree, board, app, options, progress):
        """Build a commit: its image is its figure, whatever else is in it."""
        self.built.append(commit)
        figure = self.git("show", f"{commit}:suites/latency/figure")
        if figure == BROKEN:
            raise FoliotError(f"{commit[:12]} can't be built for {board.name}", lines=["error: x"])
        (tree / "generated").mkdir(parents=True)
        (tree / "firmware.elf").write_text(f"{figure}\n")
        (tree / "firmware.map").write_text("")
        (tree / "generated" / "build_info.h").write_text(f'#define FOLIOT_COMMIT "{commit}"\n')
        return tree / "firmware.elf"

    def measured(self, request, progress):
        self.ran += 1
        log = log_of(int(request.elf.read_text()), request.board)
        return session.Measured(parse(log), log.encode(), None), []


@pytest.fixture
def past(tmp_path, monkeypatch):
    (tmp_path / "repository").mkdir()
    made = History(tmp_path / "repository")
    monkeypatch.setattr(paths, "ROOT", made.root)
    monkeypatch.setattr(paths, "SUITES", made.root / "suites")
    monkeypatch.setattr(paths, "BISECT", made.root / "build" / "bisect")
    monkeypatch.setattr(tries.builds, "built", made.image)
    monkeypatch.setattr(tries, "content", lambda elf, commit: elf.read_text())
    monkeypatch.setattr(provision, "prepare", lambda *words, **more: None)
    monkeypatch.setattr(provision, "identity", lambda board: b"")
    monkeypatch.setattr(session, "measure_patiently", made.measured)
    monkeypatch.setattr(bisect, "_explain", lambda *words: None)
    return made


def found(good="", bad="", board="mps2_an385", **more):
    bisect.command(**{
        "row": ROW, "good": good, "bad": bad, "board": board, "suite": "latency", "conf": None,
        "port": None, "baud": 115200, "reset": "", "repeat": 10, "json": None, "store": None,
        "jobs": None, "scheduler": None, "quiet": True, **more,
    })  # fmt: skip


def test_one_of_many_is_named_and_few_are_run(past, capsys, tmp_path):
    names = [past.commit(57 if number < 41 else 60, note=str(number)) for number in range(64)]
    found(names[0], names[63], json=str(tmp_path / "found.json"))
    told = capsys.readouterr().out
    assert told.startswith(f"{ROW}: 57 -> 60 insn, by\n  {names[41][:12]} ")
    made = json.loads((tmp_path / "found.json").read_text())
    (kept,) = results.past(Store(), "bisect")
    assert kept.found == made
    assert made["first_bad"] == [names[41]]
    assert len(made["tried"]) <= 2 + 6
    assert past.ran == 2  # of two figures there are two images, whatever else is in them


def test_what_an_image_is_not_made_of_is_not_built(past):
    names = [past.commit(5)]
    names += [past.commit(**{"docs__page.md": str(number)}) for number in range(10)]
    names += [past.commit(9)]
    names += [past.commit(**{"tests__x.py": str(number), "README.md": str(number)})
              for number in range(10)]  # fmt: skip
    found(names[0], names[-1])
    assert len(past.built) == 2


def test_faster_is_found_as_slower_is(past, capsys):
    names = [past.commit(figure, note=str(number)) for number, figure in enumerate([9, 9, 9, 4, 4])]
    found(names[0])
    assert f"{ROW}: 9 -> 4 insn, by\n  {names[3][:12]} " in capsys.readouterr().out


def test_where_it_changed_more_than_once_the_rest_is_reported(past, capsys):
    names = [past.commit(figure, note=str(number))
             for number, figure in enumerate([10, 11, 11, 30, 30, 32])]  # fmt: skip
    found(names[0], names[5])
    told = " ".join(capsys.readouterr().out.split())
    assert f"11 -> 30 insn, by {names[3][:12]}" in told
    assert f"before that too, 10 -> 11: foliot bisect {ROW} {names[0][:12]} {names[2][:12]}" in told
    assert f"after that too, 30 -> 32: foliot bisect {ROW} {names[3][:12]} {names[5][:12]}" in told


def test_what_does_not_build_is_gone_round(past, capsys):
    figures = [5, 5, 5, BROKEN, BROKEN, 5, 5, 8, 8]
    names = [past.commit(figure, note=str(number)) for number, figure in enumerate(figures)]
    found(names[0], names[8], quiet=False)
    done = capsys.readouterr()
    assert f"by\n  {names[7][:12]} " in done.out
    assert "skipped: it can't be built for mps2_an385: error: x" in done.err


def test_where_only_such_are_left_they_are_named_with_the_bad_one(past, capsys):
    figures = [5, 5, BROKEN, BROKEN, 8, 8]
    names = [past.commit(figure, note=str(number)) for number, figure in enumerate(figures)]
    found(names[0], names[5])
    told = capsys.readouterr().out
    assert told.startswith(f"One of these changed {ROW}")
    shown = [
        line.split()[0] for line in told.splitlines() if line.startswith("  ") and "*" not in line
    ]
    assert shown == [names[4][:12], names[3][:12], names[2][:12]]
    assert told.count("* it can't be built") == 2


def test_merges_count_as_they_do_for_git(past, capsys):
    first = past.commit(5)
    past.git("switch", "--quiet", "--create", "side")
    side = [past.commit(5, side=str(number)) for number in range(3)]
    slow = past.commit(9, side="slow")
    past.git("switch", "--quiet", "main")
    for number in range(3):
        past.commit(5, main=str(number))
    past.git("merge", "--quiet", "--no-edit", "side")
    last = past.commit(9, main="after")
    found(first, last)
    assert f"by\n  {slow[:12]} " in capsys.readouterr().out
    assert side[-1] in past.git("rev-list", slow)


def test_ctrl_c_keeps_what_was_found_and_the_same_command_goes_on(past, monkeypatch, capsys):
    names = [past.commit(57 if number < 20 else 60 + number, note=str(number))
             for number in range(32)]  # fmt: skip
    # The fifth run comes or not, by the way git halves an even number; the fourth always does:
    # both ends, the bad side's half and the culprit differ.
    real, allowed = past.measured, [3]

    def interrupted(request, progress):
        if past.ran == allowed[0]:
            raise KeyboardInterrupt
        return real(request, progress)

    monkeypatch.setattr(session, "measure_patiently", interrupted)
    with pytest.raises(KeyboardInterrupt):
        found(names[0], names[31])
    assert "So far: it lies behind " in capsys.readouterr().out
    built, ran = len(past.built), past.ran
    allowed[0] = 1000
    found(names[0], names[31])
    assert f"by\n  {names[20][:12]} " in capsys.readouterr().out
    assert not set(past.built[:built]) & set(past.built[built:])
    total = past.ran
    found(names[0], names[31])
    assert (past.ran, len(past.built)) == (total, len(set(past.built)))
    assert ran == 3


def test_an_interrupted_build_leaves_nothing_that_counts(past, monkeypatch):
    names = [past.commit(5), past.commit(9)]

    def half(commit, tree, *more):
        past.image(commit, tree, *more)
        raise KeyboardInterrupt

    monkeypatch.setattr(tries.builds, "built", half)
    with pytest.raises(KeyboardInterrupt):
        found(*names)
    assert not list((paths.BISECT / "trees").iterdir())
    assert not [path for path in (paths.BISECT / "images").iterdir() if path.is_dir()]


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ([5, 6, 5], "is the same in"),
        ([BROKEN, 6, 7], "the good commit can't be tried: it can't be built"),
        ([5, 6, BROKEN], "the bad commit can't be tried: it can't be built"),
    ],
)
def test_ends_that_are_none(past, figures, said):
    names = [past.commit(figure, note=str(number)) for number, figure in enumerate(figures)]
    with pytest.raises(FoliotError, match=said):
        found(names[0], names[2])


def test_ends_in_the_wrong_order_and_on_other_branches(past):
    names = [past.commit(5, note="a"), past.commit(6, note="b")]
    past.git("switch", "--quiet", "--create", "side", names[0])
    other = past.commit(7, note="c")
    with pytest.raises(UsageError, match="not the other way round"):
        found(names[1], names[0])
    with pytest.raises(UsageError, match="did not come of") as error:
        found(names[1], other)
    assert names[0][:12] in error.value.advice
    with pytest.raises(UsageError, match="the same commit"):
        found(names[1], names[1])
    for word in ("nothing", "--all", "-n", "main:suites", ""):
        with pytest.raises(UsageError, match=r"is no commit|no two commits on record"):
            found(word)


def record(store, past, commit, value, dirty=0):
    header = {**logs.HEADER, "board": "mps2_an385", "unit": "insn", "kernel_commit": commit[:12],
              "dirty": dirty}  # fmt: skip
    with Recording(store, "bench", "x") as recording:
        recording.add(parse(logs.log([logs.row(ROW, [value] * 200)], header)), "")
        recording.keep(io.BytesIO(commit.encode() + bytes([value])))


def test_without_commits_it_is_the_last_change_on_record(past, own_store, capsys):
    names = [past.commit(figure, note=str(number))
             for number, figure in enumerate([4, 4, 7, 7, 7, 9, 9, 9])]  # fmt: skip
    store = Store(own_store)
    with pytest.raises(UsageError, match="no two commits on record differ"):
        found()
    for number, value, dirty in ((0, 4, 0), (3, 7, 0), (4, 77, 1), (6, 9, 0), (7, 9, 0)):
        record(store, past, names[number], value, dirty)
    found()
    assert f"7 -> 9 insn, by\n  {names[5][:12]} " in capsys.readouterr().out


def test_a_row_that_a_commit_has_not_and_a_footprint(past, monkeypatch, capsys):
    names = [past.commit(number, note=str(number)) for number in (5, 6, 7)]
    monkeypatch.setattr(tries, "footprint", lambda elf, kept: SimpleNamespace(
        weights=lambda: {"footprint.text": 1000 + 10 * (int(elf.read_text()) > 6)}))  # fmt: skip
    found(names[0], names[2], row="footprint.text")
    assert "footprint.text: 1000 -> 1010 bytes, by" in capsys.readouterr().out
    assert past.ran == 0
    with pytest.raises(FoliotError, match=r"has no row heap\.free\.immediate"):
        found(names[0], names[2], row="heap.free.immediate")


# ---- several at a time ----

TOLD = """
import base64, json, pathlib
place, = pathlib.Path(".").glob("*.log")
with open({mark!r}, "a") as file:
    file.write("x")
outcome = {{"reason": "pass", "status": 0, "wall_s": 1, "units": 1}}
print(json.dumps({{"lines": base64.b64encode(place.read_bytes()).decode(), "outcome": outcome}}))
"""


@pytest.fixture
def wide(past, monkeypatch, tmp_path):
    """Have an image run by a job, which prints its log and leaves a mark."""
    monkeypatch.setattr(paths, "BUILD", past.root / "build")
    past.mark = tmp_path / "ran"

    def job(board, elf, *more):
        log = elf.with_name("said.log")
        log.write_text(log_of(int(elf.read_text()), board.name))
        words = ("{python}", "-c", TOLD.format(mark=str(past.mark)))
        return Job("x", words, {log.name: log})

    monkeypatch.setattr(hear, "job", job)
    monkeypatch.setattr(session, "measure_patiently", None)  # what was run ahead is not run again
    return past


HISTORIES = {
    "one change": [57] * 41 + [60] * 22,
    "back and forth": [5, 5, 9, 9, 5, 5, 5, 9, 5, 9, 9, 5, 9],
    "some do not build": [5, 5, 5, BROKEN, BROKEN, 5, 5, BROKEN, 8, 8],
    "only such are left": [5, 5, BROKEN, BROKEN, 8, 8],
}


@pytest.mark.parametrize("history", HISTORIES)
def test_it_is_the_same_commit_however_many_are_tried_at_a_time(
    wide, history, capsys, tmp_path, monkeypatch
):
    names = [wide.commit(figure, note=str(number))
             for number, figure in enumerate(HISTORIES[history])]  # fmt: skip
    told = []
    for jobs in (None, 1, 3, 8):
        monkeypatch.setattr(session, "measure_patiently", None if jobs else wide.measured)
        monkeypatch.setattr(paths, "BISECT", tmp_path / f"bisect-{jobs}")
        found(names[0], names[-1], jobs=jobs, json=str(tmp_path / "found.json"))
        made = json.loads((tmp_path / "found.json").read_text())
        told.append([capsys.readouterr().out.splitlines()[:2], made["first_bad"], made["tried"],
                     made["skipped"]])  # fmt: skip
    assert told[1:] == [told[0]] * 3


def test_what_was_tried_ahead_is_kept_and_not_tried_again(wide, capsys):
    names = [wide.commit(figure, note=str(number)) for number, figure in enumerate(range(16))]
    found(names[0], names[15], jobs=4)
    ran = len(wide.mark.read_text())
    assert ran > 4
    found(names[0], names[15], jobs=4)
    found(names[0], names[15], jobs=1)
    assert len(wide.mark.read_text()) == ran
    assert list((paths.BUILD / "campaign").iterdir()) == []


def test_a_machine_that_cannot_run_it_is_no_commits_fault(wide, monkeypatch):
    names = [wide.commit(figure, note=str(figure)) for figure in (5, 6, 7)]
    words = ("/bin/sh", "-c", f"echo another emulator; exit {ELSEWHERE}")
    monkeypatch.setattr(hear, "job", lambda *asked: Job("firmware", words, {}))
    with pytest.raises(FoliotError, match="firmware: another emulator"):
        found(names[0], names[2], jobs=2)


def test_a_board_at_a_port_is_one(past):
    names = [past.commit(5), past.commit(6)]
    with pytest.raises(UsageError, match="--port is one board"):
        found(*names, board="rpi_pico", port="/dev/null", reset="flash {elf}", jobs=2)


class Desk:
    """A board whose image is what was flashed last; its figures scatter by two per cent."""

    def __init__(self, directory):
        self.flashed = directory / "reset"
        self.generator, self.ended, self.runs = random.Random(7), threading.Event(), 0
        self.board = Board(self.play, directory)
        self.port = self.board.port.name
        self.reset = f"cp {tries.ELF} {self.flashed}"

    def play(self, board):
        while not self.ended.is_set():
            text = self.flashed.read_text() if self.flashed.exists() else ""
            if not text.endswith("\n"):  # nothing yet, or half of it
                self.ended.wait(0.01)
                continue
            self.flashed.unlink()
            self.runs += 1
            figure = round(int(text) * self.generator.gauss(1, 0.02))
            board.send(log_of(figure, "rpi_pico").encode())

    def close(self):
        self.ended.set()
        self.board.close()


def for_real(request, progress):
    return session.measure(request, progress), []


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    yield made
    made.close()


def test_on_silicon_as_many_runs_as_it_takes(past, desk, monkeypatch, capsys):
    """Ten at the ends; between them four show a change of a tenth, and are enough."""
    monkeypatch.setattr(session, "measure_patiently", for_real)
    levels = [1000, 1000, 1000, 1000, 1000, 1100, 1100, 1100]
    names = [past.commit(level, note=str(number)) for number, level in enumerate(levels)]
    found(names[0], names[7], board="rpi_pico", port=desk.port, reset=desk.reset)
    assert f"by\n  {names[5][:12]} " in capsys.readouterr().out
    assert 20 <= desk.runs <= 20 + 3 * 10
    before = desk.runs
    found(names[0], names[7], board="rpi_pico", port=desk.port, reset=desk.reset)
    assert desk.runs == before


def test_on_silicon_what_scatters_is_not_taken_for_a_change(past, desk, monkeypatch):
    monkeypatch.setattr(session, "measure_patiently", for_real)
    names = [past.commit(1000 + number, note=str(number)) for number in range(3)]
    with pytest.raises(FoliotError, match="the same, as far as 10 runs can show"):
        found(names[0], names[2], board="rpi_pico", port=desk.port, reset=desk.reset)


def test_a_board_that_nobody_can_flash_and_one_that_can_t_be_reset(past):
    names = [past.commit(5), past.commit(6)]
    with pytest.raises(UsageError, match="--port needs --reset"):
        found(*names, board="rpi_pico", port="/dev/null", reset="true")
    with pytest.raises(UsageError, match="name GOOD and BAD"):
        found(board="rpi_pico", port="/dev/null", reset="flash {elf}")


@pytest.mark.parametrize(
    ("good", "bad", "figures", "side"),
    [
        ([5], [9], [5], "good"), ([5], [9], [9], "bad"), ([5], [9], [7], "good"),
        ([5], [9], [8], "bad"), ([9], [5], [6], "bad"), ([5], [9], [100], "bad"),
        ([1, 2, 3, 4, 5], [11, 12, 13, 14, 15], [2, 3, 4, 5], "good"),
        ([1, 2, 3, 4, 5], [11, 12, 13, 14, 15], [12, 13, 14, 15], "bad"),
        ([1, 2, 3, 4, 5], [11, 12, 13, 14, 15], [9, 9, 9, 9], "bad"),
        ([1, 2, 3, 4, 5], [3, 4, 5, 6, 7], [3, 4, 4, 5], ""),
    ],
)  # fmt: skip
def test_sides(good, bad, figures, side):
    assert sides.Sides(good, bad).of(figures) == side


CODE = """
const char *told(void);
const char *told(void) {{ return "commit {commit}"; }} /* {comment} */
int main(void) {{ return {value} + !told(); }}
"""


def compiled(place, **what):
    place.mkdir()
    (place / "x.c").write_text(CODE.format(**what))
    command = ["gcc", "-g", "-O1", "-Wl,--build-id", "x.c", "-o", "x"]
    subprocess.run(command, cwd=place, check=True, timeout=60)
    return place / "x"


@pytest.mark.needs("compiler")
def test_an_image_is_what_runs(tmp_path):
    facts = {
        "a": {"commit": "0123456789ab", "comment": "one", "value": 0},
        "b": {"commit": "ffff56789abc", "comment": "two", "value": 0},
        "c": {"commit": "0123456789ab", "comment": "one", "value": 1},
    }
    told = {name: content(compiled(tmp_path / name, **what), what["commit"])
            for name, what in facts.items()}  # fmt: skip
    assert told["a"] == told["b"] != told["c"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["heap.mallok"], "unknown row 'heap.mallok'"),
        ([ROW, "HEAD~1", "--suite", "/tmp"], "is no application"),
        ([ROW, "HEAD~1", "--board", "rpi_pico"], "rpi_pico"),
        ([ROW, "HEAD", "HEAD"], "the same commit"),
        ([ROW, "HEAD~1", "HEAD", "--json", "/nowhere/x"], "/nowhere/x can't be written"),
        ([ROW, "HEAD~1", "HEAD", "--repeat", "2"], "--repeat"),
        ([ROW, "HEAD~1", "HEAD", "--conf", "nothing"], "nothing"),
    ],
)
def test_wrong_use(foliot, words, said):
    done = foliot("bisect", *words)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.long
@pytest.mark.board("mps2_an385")
def test_a_real_history(foliot, tmp_path):
    """A clone whose semaphore gets a look that costs, between a comment and a line of the docs."""
    place = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, place], check=True, timeout=120)
    past = History.__new__(History)
    past.root = place
    for name in past.git("-C", str(ROOT), "ls-files", "-mo", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
    past.git("add", "--all")
    past.git("commit", "--quiet", "--allow-empty", "-m", "as it stands")
    file = place / "kernel" / "objects" / "sem.c"
    text = file.read_text()
    slow = text.replace("if (likely(sem->count != sem->limit)) {",
                        "if (likely(sem->count != sem->limit && sem->limit != 0)) {")  # fmt: skip
    assert slow != text
    history = {
        "comment": f"{text}/* nothing */\n", "broken": f"{text}no C\n", "whole": text,
        "slow": slow, "same": f"{slow}/* nothing */\n",
    }  # fmt: skip
    for name, code in history.items():
        file.write_text(code)
        past.git("commit", "--quiet", "--all", "--no-verify", "-m", name)
    words = [*foliot.words, "bisect", "semaphore.give.immediate.kernel", "HEAD~5", "HEAD",
             "--board", "mps2_an385"]  # fmt: skip
    done = subprocess.run(
        words, cwd=place, capture_output=True, text=True, check=False, timeout=900,
        env=foliot.environment(PYTHONPATH=str(place / "lab")),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Who: slow" in done.stdout
    assert "2 runs" in done.stdout
    assert "+       1" in done.stdout
    assert "sem.c" in done.stdout

# SPDX-License-Identifier: Apache-2.0
"""Checkouts as people treat them: copied, moved, half deleted, interrupted, and two at once."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import logs
from foliot import cli
from foliot.bisect import commits
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import boards, build, editors, made_for, moved, paths, provision
from support.seeded import copy_tree

HEADER = {**logs.HEADER, "board": "fake", "suite": "one"}


def log_of(value: int) -> str:
    return logs.log([logs.row("a.b", [value] * 9)], HEADER)


class Said(Progress):
    """Keeps the lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)


def made(tree) -> tuple[build.Firmware, str]:
    """Build the suite; return it, and what was said beside that it was built."""
    said = Said()
    firmware = build.build(tree.root / "suites" / "one", boards.load("fake"), said)
    return firmware, "\n".join(line for line in said.lines if not line.startswith("Building"))


def printed(firmware: build.Firmware) -> str:
    return subprocess.run([firmware.image], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def built(tree):
    tree.suite("one", log_of(50))
    firmware, said = made(tree)
    assert said == ""
    return tree, firmware


def go_to(root: Path, monkeypatch) -> None:
    """Be the lab of another place."""
    for name, place in (
        ("ROOT", ""), ("BUILD", "build"), ("BOARDS", "boards"), ("SUITES", "suites"),
        ("FRAGMENTS", "conf"),
    ):  # fmt: skip
        monkeypatch.setattr(paths, name, root / place)


@pytest.mark.slow
def test_a_copied_checkout_builds_its_own_sources_and_leaves_the_originals_alone(
    built, monkeypatch, tmp_path_factory
):
    tree, _ = built
    copy = tmp_path_factory.mktemp("copy") / "c2"
    shutil.copytree(tree.root, copy, symlinks=True)
    before = {path: path.stat().st_mtime_ns for path in tree.root.rglob("*") if path.is_file()}
    go_to(copy, monkeypatch)
    tree.root = copy
    tree.suite("one", log_of(77))
    again, said = made(tree)
    assert said == f"{paths.shown(again.directory)} was copied or moved: it is made anew"
    assert printed(again) == log_of(77) + "\n" * (not log_of(77).endswith("\n"))
    assert again.elf.is_relative_to(copy)
    known = editors._read(copy / editors.NAME)
    assert known
    assert all(entry["directory"].startswith(str(copy)) for entry in known)
    after = {path: path.stat().st_mtime_ns for path in before}
    assert after == before
    assert made(tree)[1] == ""


@pytest.mark.slow
def test_a_moved_checkout_builds(built, monkeypatch, tmp_path_factory):
    tree, _ = built
    place = tmp_path_factory.mktemp("moved") / "with a space"
    tree.root.rename(place)
    go_to(place, monkeypatch)
    tree.root = place
    firmware, said = made(tree)
    assert "was copied or moved: it is made anew" in said
    assert printed(firmware)


DAMAGE = {
    "rules": lambda where: (where / "CMakeFiles" / "rules.ninja").unlink(),
    "CMake's own": lambda where: shutil.rmtree(where / "CMakeFiles"),
    "cache": lambda where: (where / "CMakeCache.txt").unlink(),
    "the note": lambda where: (where / made_for.NAME).unlink(),
    "a note of nothing": lambda where: (where / made_for.NAME).write_text("[]"),
    "half a note": lambda where: (where / made_for.NAME).write_text('{"sources": "'),
    "for editors": lambda where: (where / editors.NAME).unlink(),
    "half of the rules": lambda where: os.truncate(where / "build.ninja", 700),
    "all but the build's name": lambda where: [
        path.unlink() if path.is_file() else shutil.rmtree(path)
        for path in where.iterdir() if path.name != "CMakeCache.txt"
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGE)
def test_what_can_t_be_built_in_is_made_anew_with_a_line(built, what):
    tree, firmware = built
    DAMAGE[what](firmware.directory)
    again, said = made(tree)
    assert said.count("\n") == 0
    assert said.endswith("it is made anew"), said
    assert printed(again)
    assert made(tree)[1] == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "gone", ["objects", "archives", "generated", "image", ".ninja_log", ".ninja_deps", "kept"]
)
def test_what_ninja_makes_again_is_made_again_without_a_word(built, gone):
    tree, firmware = built
    suffixes = {"objects": ".obj", "archives": ".a", "image": ".elf"}
    for path in list(firmware.directory.rglob("*")):
        if path.is_file() and (path.suffix == suffixes.get(gone) or path.name == gone):
            path.unlink()
    if gone in ("generated", "kept"):
        shutil.rmtree(firmware.directory / gone)
    again, said = made(tree)
    assert said == ""
    assert printed(again)


@pytest.mark.slow
def test_another_toolchain_makes_it_anew(built, monkeypatch, tmp_path_factory):
    """Ninja watches no compiler: half of the objects would be another one's."""
    tree, _ = built
    tools = tmp_path_factory.mktemp("tools")
    for name in ("gcc", "g++", "ld", "as"):
        (tools / name).write_text(f'#!/bin/sh\nexec {shutil.which(name)} "$@"\n')
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    assert "was made by other tools: it is made anew" in made(tree)[1]
    assert made(tree)[1] == ""
    (tools / "gcc").write_text((tools / "gcc").read_text() + "# a newer version\n")
    firmware, said = made(tree)
    assert "was made by other tools: it is made anew" in said
    assert printed(firmware)


@pytest.mark.slow
def test_sources_that_are_wrong_are_no_reason_to_begin_anew(built):
    tree, _ = built
    tree.write("suites/one/main.c", "int main(void) { return nothing; }\n")
    with pytest.raises(FoliotError, match="does not compile"):
        made(tree)
    tree.suite("one", log_of(51))
    assert made(tree)[1] == ""


@pytest.mark.slow
def test_cmake_that_was_interrupted_leaves_nothing_that_counts(built, monkeypatch):
    tree, firmware = built
    shutil.rmtree(firmware.directory)
    ours = build.process.run

    def interrupted(command, what, *more, **how):
        ours(command, what, *more, **how)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(build.process, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            made(tree)
    again, said = made(tree)
    assert "was not made to its end, or lacks files: it is made anew" in said
    assert printed(again)


@pytest.mark.slow
def test_an_image_stays_as_it_was_for_who_runs_it(built):
    """The second foliot builds the next image while the first one's begins to be read."""
    tree, first = built
    tree.suite("one", log_of(99))
    second, _ = made(tree)
    assert printed(first) != printed(second)
    assert second.elf.read_bytes() == second.image.read_bytes()
    for value in range(100, 106):
        tree.suite("one", log_of(value))
        made(tree)
    assert len(list((first.directory / paths.KEPT).iterdir())) == build._MOST_KEPT


@pytest.mark.slow
def test_the_second_of_two_waits_and_says_so(built):
    tree, firmware = built
    said = Said()
    with paths.locked(firmware.directory):
        other = threading.Thread(
            target=build.build, args=(tree.root / "suites/one", boards.load("fake"), said)
        )
        other.start()
        deadline = time.monotonic() + 20
        while not said.lines and time.monotonic() < deadline:
            time.sleep(0.05)
    other.join(60)
    assert said.lines[0] == "waiting for another foliot that builds the same image"
    assert not other.is_alive()


@pytest.mark.slow
@pytest.mark.board("host")
def test_two_commands_at_once_on_one_image_that_nobody_has_built(foliot, tmp_path):
    app = tmp_path / "both"
    shutil.copytree(paths.ROOT / "samples" / "hello", app)
    command = [*foliot.words, "run", str(app), "--board", "host"]
    children = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         env=foliot.environment())
        for _ in range(2)
    ]  # fmt: skip
    ended = [child.communicate(timeout=200) for child in children]
    assert [child.returncode for child in children] == [0, 0], ended
    assert ended[0][0] == ended[1][0]


# ---- checkouts of somebody else's, and with little of their history ----


def test_an_editors_file_is_left_alone_where_it_is_somebody_elses(tmp_path, monkeypatch):
    go_to(tmp_path, monkeypatch)
    monkeypatch.setattr(editors.os, "access", lambda place, how: place != tmp_path)
    editors.remember(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["build/apt.lock", "include/foliot/foo.h"])
def test_who_may_not_write_learns_what_to_do(name):
    def told(number: int, place: Path) -> str:
        lines, status = cli._explained(OSError(number, os.strerror(number), str(place)))
        assert status == 1
        return "\n".join(lines)

    for number in (errno.EACCES, errno.EROFS):
        assert "FOLIOT_BUILD=DIR" in told(number, paths.ROOT / name)
        assert "FOLIOT_BUILD" not in told(number, Path("/etc/passwd"))
    assert "FOLIOT_BUILD" not in told(errno.ENOSPC, paths.ROOT / name)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Three commits in a directory that git takes for somebody else's."""
    root = tmp_path / "re (1) &"
    (root / "tests").mkdir(parents=True)
    words = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*words, "init", "-q"], check=True)
    for number in range(3):
        subprocess.run([*words, "commit", "-q", "--allow-empty", "-m", str(number)], check=True)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    return root


def test_the_commit_is_known_whoever_owns_the_checkout(repository, tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "ROOT", repository)
    commit = commits.full("HEAD")
    facts = {"FOLIOT_ROOT": repository, "FOLIOT_APP": repository / "tests"}
    text = "".join(f"set({name} [==[{value}]==])\n" for name, value in facts.items())
    (tmp_path / "facts.cmake").write_text(text)
    (tmp_path / "config.cmake").touch()
    script = Path(__file__).parents[2] / "cmake" / "build_info.cmake"
    words = [f"-DFOLIOT_FACTS={tmp_path}/facts.cmake", f"-DFOLIOT_GENERATED={tmp_path}"]
    subprocess.run(["cmake", *words, "-P", script], check=True, capture_output=True)
    assert f'"{commit[:12]}"' in (tmp_path / "build_info.h").read_text()


def test_a_shallow_clone_says_what_it_lacks(repository, tmp_path, monkeypatch):
    clone = tmp_path / "clone"
    words = ["git", "clone", "-q", "--depth", "1", f"file://{repository}", str(clone)]
    owner = {key: value for key, value in os.environ.items() if not key.startswith("GIT_TEST")}
    subprocess.run(words, check=True, capture_output=True, env=owner)
    monkeypatch.setattr(paths, "ROOT", clone)
    with pytest.raises(UsageError, match="no commit of this repository") as said:
        commits.full("HEAD~2")
    assert "git fetch --unshallow" in said.value.advice
    monkeypatch.setattr(paths, "ROOT", repository)
    with pytest.raises(UsageError, match="no commit of this repository") as said:
        commits.full("HEAD~9")
    assert not said.value.advice


# ---- the Python environment ----


@pytest.mark.long
@pytest.mark.board("host")
@pytest.mark.board("qemu_x86_64")
def test_a_checkout_lies_wherever_people_put_it(tmp_path, monkeypatch):
    """And what is made goes where that is said: one that is shared may not be ours to write."""
    copy = copy_tree(tmp_path / "a b" / "é's (2)", "samples/user", "tests/user/fuzz")
    made = copy.root / "build"
    for board, app in (("host", "tests/user/fuzz"), ("qemu_x86_64", "samples/user")):
        done = copy.foliot("build", app, "--board", board, "--quiet")
        assert done.returncode == 0, done.stderr
        assert [place.name for place in (made / "firmware").iterdir()] == [board]
        made = tmp_path / "mine & (é)"
        monkeypatch.setenv(paths.ENVIRONMENT, str(made))


@pytest.mark.board("ibex")
def test_a_simulator_is_built_of_copies_where_make_could_not_read_the_names(monkeypatch, tmp_path):
    """By a make that is ours: one that builds takes a minute."""
    out = tmp_path / "a b" / "out"
    make = tmp_path / "make"
    make.write_text(
        f"#!{sys.executable}\nimport sys, pathlib\n"
        "assert not [word for word in sys.argv if ' ' in word], sys.argv\n"
        "said = dict(word.split('=', 1) for word in sys.argv if '=' in word)\n"
        "assert (pathlib.Path(said['CORE_DATA']) / 'rtl' / 'ibex_pkg.sv').is_file()\n"
        "assert (pathlib.Path(sys.argv[2]) / 'cores' / 'ibex' / 'core.mk').is_file()\n"
        "out = pathlib.Path(said['OUT'])\n"
        "out.mkdir()\n(out / 'sim').write_text('built')\n"
    )
    make.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    rtl = provision._rtl(boards.load("ibex"), Progress(quiet=True))
    provision._make_simulator("ibex", rtl, out, lambda line: None)
    assert (out / "sim").read_text() == "built"


def environment(place: Path) -> Path:
    """Make what an environment has: a script with its place, and a program without text."""
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "tool").write_text(f"#!{place}/bin/python\nprint()\n")
    (place / "bin" / "program").write_bytes(b"\x7fELF\0" + bytes(place))
    (place / "bin" / "python").symlink_to(sys.executable)
    (place / "pyvenv.cfg").write_text(f"home = /usr/bin\ncommand = python -m venv {place}\n")
    return place


def test_scripts_of_a_moved_environment_name_its_new_place(tmp_path):
    old = environment(tmp_path / "old-place")
    new = old.rename(tmp_path / "new")
    moved.mend(new, str(old))
    assert (new / "bin" / "tool").read_text().startswith(f"#!{new}/bin/python\n")
    assert f"venv {new}\n" in (new / "pyvenv.cfg").read_text()
    assert (new / "bin" / "program").read_bytes() == b"\x7fELF\0" + bytes(old)


@pytest.mark.parametrize("before", ["", "-", "relative/place"])
def test_a_stamp_that_names_no_place_changes_nothing(tmp_path, before):
    """Such as those that were written before stamps had one: `-` would stand everywhere."""
    place = environment(tmp_path / "a-b")
    text = (place / "bin" / "tool").read_text()
    with pytest.raises(SystemExit):
        moved.mend(place, before)
    assert (place / "bin" / "tool").read_text() == text

# SPDX-License-Identifier: Apache-2.0
"""`foliot new`: what comes out builds, passes and is in the style, at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foliot.model.errors import UsageError
from foliot.project import new
from foliot.target import boards, paths, suites

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("CMakeLists.txt", "Kconfig", "arch", "boards", "cmake", "conf", "data", "drivers",
         "include", "kernel", "lab", "lib", "samples", "suites", "tests/kernel",
         "tests/check", "sim")  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A copy of the project, to which things are added; made once, each test adds its own."""
    root = tmp_path_factory.mktemp("project")
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, root / part)
    return root


@pytest.fixture
def project(whole, monkeypatch):
    monkeypatch.setattr(paths, "ROOT", whole)
    monkeypatch.setattr(paths, "BOARDS", whole / "boards")
    monkeypatch.setattr(paths, "SUITES", whole / "suites")
    monkeypatch.chdir(whole)
    return whole


def foliot(project: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "foliot", *words, "-q"], cwd=project, timeout=600,
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(project / "lab"), "FOLIOT_STORE": str(project / "s")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_a_new_object_builds_passes_its_tests_and_has_rows(project):
    said = new.new("object", "latch_2")
    assert "kernel/objects/latch_2.c" in said
    printed = foliot(project, "run", "tests/kernel", "--board", "host")
    assert printed.count("PASS latch_2_") == 4
    assert "FAIL" not in printed
    assert "latch_2" in suites.names()
    measured = foliot(project, "bench", "--suite", "latch_2", "--board", "qemu_riscv32")
    assert "latch_2.set.immediate.kernel" in measured
    with pytest.raises(UsageError, match="there already"):
        new.new("object", "latch_2")


@pytest.mark.slow
@pytest.mark.needs("prover")
def test_a_new_object_has_a_contract_that_holds(project):
    new.new("object", "latch_3")
    file = "kernel/objects/latch_3.c"
    assert "1 of 1 functions proved: 2 goals of contracts" in foliot(project, "prove", file)


@pytest.mark.parametrize("name", ["x", "a_longer_name"])
def test_a_new_object_is_in_the_style(project, name):
    if not shutil.which("clang-format-19"):
        pytest.skip("clang-format-19 is missing")
    new.new("object", name)
    shutil.copy(ROOT / ".clang-format", project)
    made = [path for path in project.rglob(f"{name}.[ch]") if "templates" not in path.parts]
    made += [project / "suites" / name / "main.c", project / "include" / "foliot" / "kernel.h"]
    assert len(made) == 5
    done = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *made], check=False,
                          capture_output=True, text=True)  # fmt: skip
    assert done.stderr == ""


@pytest.mark.slow
def test_a_new_board_and_a_new_application_run(project, tmp_path):
    new.new("board", "toy")
    assert boards.load("toy").reference == {}
    new.new("app", str(tmp_path / "mine"))
    assert "Hello number 5" in foliot(project, "run", str(tmp_path / "mine"), "--board", "toy")


@pytest.mark.parametrize("room", sorted(new.DRIVERS))
def test_a_new_driver_of_each_class_has_what_its_model_has(project, room):
    new.new("driver", f"{room}/mine")
    text = (project / "drivers" / room / "mine.c").read_text()
    model = (project / "drivers" / room / new.DRIVERS[room]).read_text()
    assert "Which device it drives" in text
    assert text.split("*/\n")[-1] == model.split("*/\n")[-1]


@pytest.mark.slow
def test_a_new_driver_builds_where_a_board_names_it(project):
    new.new("driver", "uart/other")
    new.new("board", "toy_2")
    facts = project / "boards" / "toy_2" / "board.cmake"
    facts.write_text(facts.read_text().replace("uart/ns16550.c", "uart/other.c"))
    assert "Hello number 5" in foliot(project, "run", "samples/hello", "--board", "toy_2")


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("room", "x", "kind"),
        ("object", "Latch", "no name"),
        ("object", "../latch", "no name"),
        ("object", "", "no name"),
        ("object", "sem", "there already"),
        ("board", "ibex", "there already"),
        ("board", "2nd", "no name"),
        ("driver", "pl011", "CLASS/NAME"),
        ("driver", "radio/mine", "class of drivers"),
        ("driver", "uart/Mine", "no name"),
        ("driver", "uart/ns16550", "there already"),
        ("app", "samples/hello", "there already"),
    ],
)
def test_what_can_not_be_is_refused_and_nothing_is_written(project, kind, name, said):
    before = sorted(project.rglob("*"))
    with pytest.raises(UsageError, match=said):
        new.new(kind, name)
    assert sorted(project.rglob("*")) == before

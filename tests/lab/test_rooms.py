# SPDX-License-Identifier: Apache-2.0
"""The lab's rooms: each imports from lower ones only, and nothing goes in a circle."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from rooms import circles, imported, room_of, upward

from foliot import cli

LAB = Path(__file__).resolve().parents[2] / "lab" / "foliot"

# From low to high. The empty one is what stands at the top: cli.py and __main__.py.
ROOMS = (
    "model", "show", "image", "target", "campaign", "farm", "reference", "log", "importers",
    "judge", "measure", "store", "remote", "compare", "exporters", "explain", "bound", "sweep",
    "bisect", "report", "scope", "trace", "watch", "prove", "server", "project", "commands", "",
)  # fmt: skip


@pytest.fixture(scope="module")
def needs() -> dict[str, set[str]]:
    found = imported(LAB)
    assert len(found) > 80
    assert "model/run" in found["judge/doubts"]
    return found


def test_every_room_imports_from_lower_ones_only(needs):
    assert upward(needs, ROOMS) == []


def test_no_file_imports_itself_by_way_of_others(needs):
    assert circles(needs) == []


def test_nobody_imports_from_the_commands_but_commands(needs):
    importers = {file for file, others in needs.items() for other in others
                 if room_of(other) == "commands"}  # fmt: skip
    assert {room_of(file) for file in importers} == {"commands"}
    others = {other for file in importers for other in needs[file] if room_of(other) == "commands"}
    assert others == {"commands/options", "commands/offers"}


def test_the_model_imports_no_other_room(needs):
    found = {room_of(other) for file, others in needs.items() if room_of(file) == "model"
             for other in others}  # fmt: skip
    assert found == {"model"}


def test_every_room_of_the_table_is_there_and_none_is_missing():
    there = {path.parent.relative_to(LAB).as_posix() for path in LAB.rglob("*.py")}
    assert there == {room or "." for room in ROOMS}


def test_each_command_is_one_file_with_the_help_that_is_listed():
    files = {path.stem for path in (LAB / "commands").glob("*.py")} - {
        "__init__",
        "options",
        "offers",
    }
    assert files == {name.replace("import", "import_").replace("-", "_") for name in cli.COMMANDS}
    for name, told in cli.COMMANDS.items():
        assert (cli.command(name).__doc__ or "").strip().partition("\n")[0] == told


def test_what_points_up_or_into_no_room_is_named():
    needs = {"a/x": {"b/y"}, "b/y": {"c/z"}, "c/z": set()}
    assert upward(needs, ("a", "b")) == [
        "a/x needs b/y, which is above it", "b/y needs c/z: no such room in the table"
    ]  # fmt: skip
    assert upward(needs, ("c", "b", "a")) == []


def test_circles_are_found_of_two_of_three_and_of_one():
    assert circles({"a/x": {"b/y"}, "b/y": {"a/x"}, "c/z": {"a/x"}}) == [["a/x", "b/y"]]
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"d"}}) == [["a", "b", "c"], ["d"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_imports_within_functions_and_of_names_count(tmp_path):
    package = tmp_path / "lab"
    for name, text in {
        "low/__init__.py": "WORD = 1\n",
        "low/one.py": "import os\n",
        "high/two.py": "from lab.low import one, WORD\n",
        "high/three.py": "def f():\n    import lab.low.one\n    from lab.high.two import x\n",
    }.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert imported(package) == {
        "low/__init__": set(),
        "low/one": set(),
        "high/two": {"low/one", "low/__init__"},
        "high/three": {"low/one", "high/two"},
    }


def test_no_private_name_of_a_library_is_used():
    """Such a name may be gone in the next release."""
    for path in LAB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module != "__future__":
                names = [*str(node.module).split("."), *(alias.name for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [part for alias in node.names for part in alias.name.split(".")]
            private = [name for name in names if re.match("_(?!_)", name)]
            assert not private, f"{path}: {private}"

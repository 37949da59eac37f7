# SPDX-License-Identifier: Apache-2.0
"""docs/compatibility.md holds the names of Zephyr's kernel API, and says what the headers do."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

from foliot.project import compatibility

ROOT = Path(__file__).resolve().parents[2]
DATA = tomllib.loads((ROOT / "data" / "zephyr" / "api.toml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
ENTRIES = [entry for _, group in compatibility.groups() for entry in group]
ROW = re.compile(r"^\| `(\w+)` \| (there|different|not there) \| (.*) \|$", re.MULTILINE)


def test_the_page_says_what_the_headers_do():
    assert "\n".join(compatibility.lines()) in PAGE, "write it anew: ./foliot docs"
    rows = {name: state for name, state, _ in ROW.findall(PAGE)}
    assert len(rows) > 700
    assert rows == {entry.name: entry.state for entry in ENTRIES}


def test_what_is_different_or_not_there_has_its_reason():
    assert [entry.name for entry in ENTRIES if entry.state != "there" and not entry.note] == []


def test_no_reason_is_given_for_a_name_that_no_group_has():
    names = {entry.name for entry in ENTRIES}
    given = [*DATA["different"], *DATA["noted"], *DATA["absent"]]
    assert [one for one in given if not any(fnmatchcase(name, one) for name in names)] == []


def test_a_name_is_in_one_group_only_or_said_twice_alike():
    assert len({(e.name, e.state) for e in ENTRIES}) == len({e.name for e in ENTRIES})


def test_a_word_in_a_comment_is_no_declaration(tmp_path, monkeypatch):
    (tmp_path / "include/foliot").mkdir(parents=True)
    (tmp_path / "include/foliot/x.h").write_text("/* k_poll() is not there */\nint k_x(void);\n")
    monkeypatch.setattr(compatibility.paths, "ROOT", tmp_path)
    assert compatibility.declared() == {"int", "k_x", "void"}

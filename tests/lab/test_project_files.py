# SPDX-License-Identifier: Apache-2.0
"""What editors, hooks, CI servers and readers of a changelog look at says what is so."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from foliot import __version__
from foliot.project import style
from foliot.target import editors, paths

ROOT = Path(__file__).resolve().parents[2]
TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.splitlines()


def entry(directory: Path, source: Path, flag: str) -> dict[str, str]:
    return {"directory": str(directory), "file": str(source), "command": f"cc {flag} {source}"}


def built(directory: Path, *entries: dict[str, str]) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / editors.NAME).write_text(json.dumps(entries))
    return directory


def commands(tree) -> dict[str, str]:
    found = json.loads((tree.root / editors.NAME).read_text())
    return {Path(item["file"]).name: item["command"].split()[1] for item in found}


def test_editors_see_every_application_and_the_kernel_as_it_was_built_last(tree):
    kernel, one, two = (tree.write(f"{name}.c", "") for name in ("kernel", "one", "two"))
    first, second = tree.root / "build" / "a", tree.root / "build" / "b"
    editors.remember(built(first, entry(first, kernel, "-Da"), entry(first, one, "-Da")))
    editors.remember(built(second, entry(second, kernel, "-Db"), entry(second, two, "-Db")))
    assert commands(tree) == {"kernel.c": "-Db", "one.c": "-Da", "two.c": "-Db"}


def test_editors_are_not_told_of_files_that_are_gone(tree):
    gone = tree.write("gone.c", "")
    first, second = tree.root / "build" / "a", tree.root / "build" / "b"
    editors.remember(built(first, entry(first, gone, "-Da")))
    gone.unlink()
    editors.remember(built(second, entry(second, tree.write("here.c", ""), "-Db")))
    assert commands(tree) == {"here.c": "-Db"}


@pytest.mark.parametrize("content", ["", "{", "[{"])
def test_a_database_that_was_written_by_half_is_made_anew(tree, content):
    tree.write(editors.NAME, content)
    directory = built(tree.root / "a", entry(tree.root, tree.write("here.c", ""), "-Da"))
    editors.remember(directory)
    assert commands(tree) == {"here.c": "-Da"}


def test_what_is_made_for_editors_is_ignored_by_git():
    assert paths.ROOT == ROOT
    done = subprocess.run(["git", "check-ignore", "-q", editors.NAME], cwd=ROOT, check=False)
    assert done.returncode == 0


def test_each_hook_calls_a_tool_that_the_tests_call():
    text = (ROOT / ".pre-commit-config.yaml").read_text()
    entries = [shlex.split(line) for line in re.findall(r"^ +entry: (.*)$", text, re.MULTILINE)]
    assert text.count("- repo:") == text.count("- repo: local") == 1
    assert len(entries) == text.count("- id:") == text.count("language: system") == 5
    called = {words[2] if words[0].endswith("python") else words[0] for words in entries}
    assert called == {"ruff", "mypy", style.FORMATTER, "git"}
    for words in entries:
        assert words[0] == ".venv/bin/python" or shutil.which(words[0]), words[0]
        for word in words[1:]:
            if "/" in word:
                assert (ROOT / word).exists(), word


def test_the_workflow_runs_the_ci_script_on_the_debian_of_the_readme():
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert "- run: .ci/run\n" in text
    assert "container: debian:12\n" in text
    assert "On Debian 12" in (ROOT / "README.md").read_text()


def test_the_changelog_has_the_version_that_the_command_prints(foliot):
    text = (ROOT / "CHANGELOG.md").read_text()
    versions = re.findall(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", text, re.MULTILINE)
    assert versions[0] == __version__
    said = foliot("--version")
    assert said.stdout == f"foliot {__version__}\n"


@pytest.mark.parametrize("suffix", [".c", ".h", ".S", ".py", ".md", ".cmake", ".toml", ".conf"])
def test_files_are_as_editorconfig_says(suffix):
    wrong = []
    for name in TRACKED:
        path = ROOT / name
        if not name.endswith(suffix) or "golden" in name or not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8")
        if "\r" in text or re.search(r"[ \t]+$", text, re.MULTILINE):
            wrong.append(name)
        if text and not text.endswith("\n"):
            wrong.append(name)
    assert wrong == []


# What clang-format leaves as it is: strings, lists of registers, macros that are aligned.
WRAPPED = ("arch", "boards", "drivers", "include", "kernel", "lib", "samples")
COLUMNS = 100


def test_comments_end_where_code_does():
    """The formatter leaves them as they are."""
    beyond = [
        f"{name}:{number}"
        for name in TRACKED
        if name.split("/")[0] in WRAPPED and name.endswith((".c", ".h", ".S", ".inc", ".ld"))
        for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), 1)
        if len(line.expandtabs(8)) > COLUMNS and re.match(r"\s*(/?\*|@|.*/\*)", line)
    ]
    assert beyond == []

# SPDX-License-Identifier: Apache-2.0
"""What all tests share: how they are chosen, and where they keep away from their user.

The fixtures stand in tests/support/, a file a subject. Markers say what a test needs, so
that `foliot test` sets up just that: see tests/README.md.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
# Helpers are imported by their plain names, from wherever pytest is started.
sys.path[:0] = [str(HERE), str(HERE / "lab"), str(HERE / "sim"), str(HERE / "host"),
                str(HERE / "user" / "fuzz"), str(HERE / "user" / "attack"),
                str(HERE / "user" / "secrets_in_time"),
                str(HERE.parent / "lab")]  # fmt: skip

pytest_plugins = ["support.command", "support.project", "support.simulator", "support.team_server",
                  "support.times"]  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("foliot")
    group.addoption("--board", action="append", default=[], help="only tests that run on BOARD")
    group.addoption("--quick", action="store_true", help="no board but host, nothing marked slow")
    group.addoption("--longest-first", action="store_true", help="files that take long in front")
    group.addoption("--needs-file", help="write what the chosen tests need, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    from hypothesis import settings

    # The same examples in every run: what a new one finds belongs into a test of its own.
    settings.register_profile("foliot", derandomize=True, deadline=None)
    settings.load_profile("foliot")
    # A shell's job in the background ignores Ctrl-C, and what it starts does so, too.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# What a fixture stands on, so that its users need not say it again.
_BOARDS = {"simulator": "ibex", "core_data": "ibex"}
_TOOLS = {"tree": "compiler", "shown": "browser", "team_server": "team"}


def boards_of(item: pytest.Item) -> set[str]:
    """Return the boards that a test runs on: those of its markers, or its parameter `board`."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    boards: set[str] = set()
    for marker in item.iter_markers("board"):
        if not marker.args and "board" not in parameters:
            raise pytest.UsageError(f"{item.nodeid} is marked `board` without a board's name")
        boards |= set(marker.args) or {str(parameters["board"])}
    return boards | {board for name, board in _BOARDS.items() if name in _fixtures(item)}


def tools_of(item: pytest.Item) -> set[str]:
    """Return what else a test needs: "compiler" (the host's, and CMake), "browser", "fuzzer" ..."""
    tools = {name for marker in item.iter_markers("needs") for name in marker.args}
    return tools | {tool for name, tool in _TOOLS.items() if name in _fixtures(item)}


def _fixtures(item: pytest.Item) -> list[str]:
    return getattr(item, "fixturenames", [])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted, quick = set(config.getoption("--board")), config.getoption("--quick")

    def chosen(item: pytest.Item) -> bool:
        boards = boards_of(item)
        slow = bool(boards - {"host"}) or any(item.iter_markers("slow"))
        return (not wanted or bool(boards & wanted)) and not (quick and slow)

    left = [item for item in items if not chosen(item)]
    if left:
        items[:] = [item for item in items if chosen(item)]
        config.hook.pytest_deselected(items=left)
    if config.getoption("--longest-first"):
        longest_first(items)


# Where most tests are short; each one elsewhere that has a board builds an image of its own.
_SHORT = ("lab", "sim")


def longest_first(items: list[pytest.Item]) -> None:
    """Put the files in front whose tests take long, so that none is alone at the end.

    Each worker takes a file at a time, so that what its tests build is built once, and no other
    worker waits for it. Known of a test is what it needs, not what it will take: a board's firmware
    is most of it.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)

    def rank(path: Path) -> tuple[bool, int]:
        heavy = sum(bool(boards_of(one)) or any(one.iter_markers("slow")) for one in files[path])
        return heavy > 0 and path.relative_to(HERE).parts[0] not in _SHORT, heavy

    items[:] = [item for path in sorted(files, key=rank, reverse=True) for item in files[path]]


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    place = session.config.getoption("--needs-file")
    if place:
        found = {
            "tests": len(session.items),
            "boards": sorted({board for item in session.items for board in boards_of(item)}),
            "tools": sorted({tool for item in session.items for tool in tools_of(item)}),
        }
        Path(place).write_text(json.dumps(found), encoding="utf-8")


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep every test, and what it starts, away from the user's record of runs."""
    place = tmp_path_factory.mktemp("store")
    monkeypatch.setenv("FOLIOT_STORE", str(place))
    return place

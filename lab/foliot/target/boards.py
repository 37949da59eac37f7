# SPDX-License-Identifier: Apache-2.0
"""The boards, as boards/NAME/board.toml describes them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foliot.model.errors import FoliotError, UsageError, unknown
from foliot.target import paths

KINDS = ("verilator", "qemu", "process")


@dataclass(frozen=True, slots=True)
class Board:
    """What the lab needs to know of one board.

    `packages` maps a Debian package to a command of it that has to be there. `run` says
    how an image is run: its `kind`, and what that kind needs. `reference` names the
    figures of data/reference/ that stand beside ours in the bench table.
    """

    name: str
    description: str
    arch: str
    core: str
    unit: str
    clock_hz: int
    memory: str
    packages: Mapping[str, str]
    run: Mapping[str, Any]
    reference: Mapping[str, Any] = field(default_factory=dict)
    default: bool = False

    @property
    def kind(self) -> str:
        """How an image is run: verilator, qemu or process."""
        return str(self.run["kind"])

    @property
    def directory(self) -> Path:
        """The board's directory."""
        return paths.BOARDS / self.name


def names() -> list[str]:
    """Return the names of all boards, the default first."""
    found = sorted(path.parent.name for path in paths.BOARDS.glob("*/board.toml"))
    return sorted(found, key=lambda name: not load(name).default)


def default() -> str:
    """Return the name of the board that is meant where none is named."""
    return names()[0]


def load(name: str) -> Board:
    """Read one board; UsageError names the valid ones, FoliotError what its file lacks."""
    path = paths.BOARDS / name / "board.toml"
    if "/" in name or not path.is_file():
        valid = sorted(path.parent.name for path in paths.BOARDS.glob("*/board.toml"))
        raise unknown("board", name, valid)
    try:
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
        board = Board(name=name, **facts)
        kind = board.kind
    except (tomllib.TOMLDecodeError, TypeError, KeyError) as error:
        raise FoliotError(f"{paths.shown(path)}: {error}") from None
    if kind not in KINDS:
        raise FoliotError(f"{paths.shown(path)}: kind '{kind}' is none of {', '.join(KINDS)}")
    return board


def check_measures(board: Board) -> None:
    """Raise UsageError for a board on which nothing can be measured, and say why and where."""
    if board.kind == "process":
        raise UsageError(
            f"{board.name} can't measure: its clock stands still while code runs, and goes on "
            "when it is read",
            f"take {default()} or mps2_an385; `foliot run DIR --board {board.name}` runs a program",
        )

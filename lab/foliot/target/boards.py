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

KINDS = ("verilator", "qemu", "process", "device")
TRIED = {
    "verilator": "in RTL",
    "qemu": "in an emulator",
    "process": "as a process",
    "device": "not yet",
}


@dataclass(frozen=True, slots=True)
class Board:
    """What the lab needs to know of one board.

    `packages` maps a Debian package to a command of it that has to be there. `run` says
    how an image is run: its `kind`, and what that kind needs. `reference` names the
    figures of data/reference/ that stand beside ours in the bench table. `floor`: the suite of
    that name runs there, too. `silicon`: who tried it on a device, and when; else nobody has.
    `pins`: where a device's signals are, `threads` the first of those that threads have.
    `on_request`: what runs it is built when somebody names the board, or all boards, and a
    usual test run does neither. `published`: its name where others published figures of it, if
    that does not begin as ours does. `units`: what its runs are in where a configuration has
    them count by something else (CONFIG_COUNTED_UNIT).
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
    floor: bool = True
    silicon: str = ""
    pins: Mapping[str, str] = field(default_factory=dict)
    on_request: bool = False
    published: str = ""
    units: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """How an image is run: verilator, qemu, process, or device, which is not here."""
        return str(self.run["kind"])

    @property
    def emulated(self) -> bool:
        """Whether a device's image runs here, in an emulator that measures nothing."""
        return "emulator" in self.run

    def signal_pins(self) -> dict[str, str]:
        """Return by signal which pin of the device shows it: each thread's, too; none without."""
        found = {name: pin for name, pin in self.pins.items() if name != "threads"}
        first = self.pins.get("threads", "")
        letters = first.rstrip("0123456789")
        for n in range(int(self.run.get("signal_threads", 16)) if first else 0):
            found[f"thread_{n}"] = f"{letters}{int(first.removeprefix(letters)) + n}"
        return found

    @property
    def tried(self) -> str:
        """What the board is known by to work."""
        if self.silicon:
            return f"on silicon ({self.silicon})"
        return str(self.run.get("tried", TRIED[self.kind]))

    @property
    def directory(self) -> Path:
        """The board's directory."""
        return paths.BOARDS / self.name


def names() -> list[str]:
    """Return the names of all boards, the default first."""
    found = sorted(path.parent.name for path in paths.BOARDS.glob("*/board.toml"))
    return sorted(found, key=lambda name: not load(name).default)


def simulated(name: str) -> bool:
    """Whether this machine runs that board, so that a run of it comes out the same every time."""
    return name in names() and load(name).kind != "device"


def default() -> str:
    """Return the name of the board that is meant where none is named."""
    return names()[0]


def load(name: str) -> Board:
    """Read one board; UsageError names the valid ones, FoliotError what its file lacks."""
    path = paths.BOARDS / name / "board.toml"
    if "/" in name or not path.is_file():
        valid = sorted(path.parent.name for path in paths.BOARDS.glob("*/board.toml"))
        raise unknown("board", name, valid, "./foliot boards")
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
    if board.kind == "device":
        raise UsageError(
            f"{board.name} is a device: there is none in this machine"
            + (f", and {board.run['emulator']} knows no cycles" if board.emulated else ""),
            f"./foliot build DIR --board {board.name}, flash what it makes, then "
            f"./foliot bench --board {board.name} --port TTY",
        )
    if board.kind == "process":
        raise UsageError(
            f"{board.name} can't measure: its clock stands still while code runs, and goes on "
            "when it is read",
            f"take {default()} or mps2_an385; `foliot run DIR --board {board.name}` runs a program",
        )

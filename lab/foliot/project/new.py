# SPDX-License-Identifier: Apache-2.0
"""`foliot new`: an application, a kernel object, a driver, a board, an editor's files.

What comes out builds and passes at once, so that the first change is the contributor's. An
application, a driver and a board begin as copies of the smallest that the tree has: a
template of them would be one more to keep right. An object touches four places, and the
smallest in the tree has paid for its speed in words; so it has templates, which a test
builds and runs. Nothing that is there already is written over.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from foliot.model.errors import UsageError, unknown
from foliot.project import vscode
from foliot.target import paths

KINDS = ("app", "board", "driver", "object", "vscode")
TEMPLATES = Path(__file__).resolve().parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9_]*")

# What a driver of each class is begun with.
DRIVERS = {
    "board_exit": "finisher.c",
    "entropy": "none.c",
    "soft_irq": "ssip.c",
    "timer": "clint.c",
    "uart": "ns16550.c",
}


def new(kind: str, name: str) -> list[str]:
    """Write what `kind` begins with; return what was written and what to do next, as lines.

    `name`: of an app its directory, anywhere, of vscode that of one that is there; of a driver
    CLASS/NAME. Raises UsageError for a name that can't be, and where something of that name is
    there.
    """
    makers = {"app": _app, "board": _board, "driver": _driver, "object": _object,
              "vscode": _vscode}  # fmt: skip
    if kind not in makers:
        raise unknown("kind", kind, list(KINDS))
    return makers[kind](name)


def _app(name: str) -> list[str]:
    target = Path(name)
    _copy(paths.ROOT / "samples" / "hello", target)
    main = target / "main.c"
    text = main.read_text(encoding="utf-8")
    head = f"/* What {target.resolve().name} is for. */\n"
    main.write_text(re.sub(r"/\*\n.*?\*/\n", head, text, count=1, flags=re.DOTALL), "utf-8")
    return [f"{paths.shown(target)}/", f"next: ./foliot run {name}"]


def _board(name: str) -> list[str]:
    _checked(name)
    target = paths.BOARDS / name
    _copy(paths.BOARDS / "qemu_riscv32", target)
    facts = target / "board.toml"
    text = facts.read_text(encoding="utf-8")
    text = re.sub(r'^description = ".*"$', f'description = "{name}: what it is"', text, flags=re.M)
    # Figures of another board are none of this one's.
    facts.write_text(re.sub(r"\n\[reference\]\n.*?(?=\n\[|\Z)", "", text, flags=re.DOTALL), "utf-8")
    return [
        f"{paths.shown(target)}/, as boards/qemu_riscv32 has it",
        "next: its facts in board.toml, board.cmake, board.h, board.conf (see CONTRIBUTING)",
        f"then: ./foliot run samples/hello --board {name}",
    ]


def _driver(name: str) -> list[str]:
    room, _, device = name.partition("/")
    if not device:
        raise UsageError(f"a driver is named CLASS/NAME; classes: {', '.join(DRIVERS)}")
    if room not in DRIVERS:
        raise unknown("class of drivers", room, list(DRIVERS))
    target = paths.ROOT / "drivers" / room / f"{_checked(device)}.c"
    model = target.with_name(DRIVERS[room])
    head = f"/* Which device it drives, and on which boards. Begun as a copy of {model.name}. */\n"
    text = re.sub(r"/\*(?! SPDX).*?\*/\n", head, model.read_text("utf-8"), count=1, flags=re.DOTALL)
    _write({target: text})
    return [
        paths.shown(target),
        f"next: what has to be there is in drivers/{room}.h; name {name}.c in the list",
        "FOLIOT_DRIVERS of boards/BOARD/board.cmake, instead of what is there of its class",
    ]


def _object(name: str) -> list[str]:
    _checked(name)
    templates = TEMPLATES / "object"
    made = {
        paths.ROOT / _filled(str(path.relative_to(templates)), name): _filled(
            path.read_text(encoding="utf-8"), name
        )
        for path in sorted(templates.rglob("*"))
        if path.is_file()
    }
    _write(made)
    _append("kernel/objects/sources.cmake", f"foliot_kernel_sources({name}.c)\n")
    _append("tests/kernel/CMakeLists.txt", f"target_sources(app PRIVATE {name}.c)\n")
    header = paths.ROOT / "include" / "foliot" / "kernel.h"
    text = header.read_text(encoding="utf-8")
    line = f"#include <foliot/{name}.h>\n"
    header.write_text(
        text.replace("\n\n#ifdef __cplusplus\n}", f"\n{line}\n#ifdef __cplusplus\n}}", 1),
        encoding="utf-8",
    )
    return [
        *(paths.shown(path) for path in made),
        "and a line each in kernel/objects/sources.cmake, tests/kernel/CMakeLists.txt, kernel.h",
        "next: ./foliot run tests/kernel --board host",
        f"then: ./foliot bench --suite {name}",
        f"its first contract: ./foliot prove kernel/objects/{name}.c (docs/proofs.md)",
    ]


def _vscode(name: str) -> list[str]:
    made = vscode.files(Path(name))
    _write(made)
    return [
        *(paths.shown(path) for path in made),
        f"next: code {paths.shown(next(iter(made)).parent.parent)}; Ctrl-Shift-B builds, F5 debugs",
        f"once, for a board's tools and gdb: ./foliot debug {name} --board BOARD --batch",
    ]


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(f"'{name}' is no name: small letters, digits and _, a letter first")
    return name


def _filled(text: str, name: str) -> str:
    return text.replace("@name@", name).replace("@NAME@", name.upper())


def _free(path: Path) -> None:
    if path.exists():
        raise UsageError(f"{paths.shown(path)} is there already")


def _copy(source: Path, target: Path) -> None:
    _free(target)
    shutil.copytree(source, target)


def _write(files: Mapping[Path, str]) -> None:
    """Write all of those files, or, where one is there already, none."""
    for path in files:
        _free(path)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _append(name: str, line: str) -> None:
    path = paths.ROOT / name
    path.write_text(path.read_text(encoding="utf-8") + line, encoding="utf-8")

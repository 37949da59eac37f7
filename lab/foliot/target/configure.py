# SPDX-License-Identifier: Apache-2.0
"""Kconfig: from the fragments of an application and a board to one checked configuration.

kconfiglib merges; what it would only warn of is an error here. An option that doesn't
exist, or one that silently kept another value because something it depends on is off,
would make a measurement of something else than its name says.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from foliot.model.errors import FoliotError, UsageError, unknown
from foliot.target import paths, zephyr
from foliot.target.boards import Board

if TYPE_CHECKING:
    from kconfiglib import Kconfig, Symbol

_SET = re.compile(r"CONFIG_(?P<name>\w+)=(?P<value>.*)")
_MOST_PRIORITIES = 63  # kernel/sched/Kconfig
_DEFINED = re.compile(r"#define CONFIG_(\w+).*")
_KERNELS = ("arch", "boards", "drivers", "kernel", "lib")  # whose options the kernel is made by
_BESIDE = (("lib", "logging"), ("lib", "ztest"))  # but for what programs' headers read alone
_UNSET = re.compile(r"# CONFIG_(?P<name>\w+) is not set")


@dataclass(frozen=True, slots=True)
class Assignment:
    """One line of a fragment: the option's name, its value, and where it stands."""

    name: str
    value: str
    where: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """A resolved configuration: its name, its text in .config form, and the text's hash."""

    name: tuple[str, ...]
    text: str
    header: str
    kernel_header: str  # without the application's own options, which no file of the kernel knows
    sha256: str
    values: Mapping[str, str]
    notes: tuple[str, ...] = ()  # what was ignored or is ours by another name, a line each


def fragments(app: Path, conf: Sequence[str]) -> list[Path]:
    """Return the files of the named configurations; UsageError names the valid ones."""
    found: dict[str, Path] = {}
    for directory in (paths.FRAGMENTS, app):
        for path in sorted(directory.glob("prj.*.conf")):
            found[path.name.removeprefix("prj.").removesuffix(".conf")] = path
    for name in conf:
        if name not in found and name != "default":
            raise unknown("configuration", name, ["default", *sorted(found)])
    return [found[name] for name in conf if name != "default"]


def resolve(
    app: Path, board: Board, conf: Sequence[str] = (), extra: Mapping[str, str] | None = None
) -> Configuration:
    """Merge defaults, board.conf, prj.conf, the fragments, and `extra`, in this order.

    An application's own boards/BOARD.conf comes behind its prj.conf. What is Zephyr's and holds
    here anyway is ignored, with a note. Raises FoliotError for an unknown option, a malformed
    line or a value that an unmet dependency keeps from taking effect; UsageError for an unknown
    configuration.
    """
    own = [app / "prj.conf", app / "boards" / f"{board.name}.conf"]
    files = [board.directory / "board.conf", *own, *fragments(app, conf)]
    assigned = {a.name: a for path in files if path.is_file() for a in _assignments(path)}
    for name, value in (extra or {}).items():
        assigned[name] = Assignment(name, value, "the command line")
    tree = _load_tree(app, board)
    asked = {a.name: a.value for a in assigned.values()}
    notes = _ignored(tree, assigned)
    for assignment in assigned.values():
        _apply(tree, assignment)
    for assignment in assigned.values():
        _check_effect(tree, assignment)
    _check_priorities(tree, assigned)
    text = tree._config_contents(None)
    values = {
        symbol.name: symbol.str_value
        for symbol in tree.unique_defined_syms
        if symbol.config_string and symbol.str_value != "n"
    }
    header, zephyrs = tree._autoconf_contents(None), _zephyrs(values, asked, board)
    return Configuration(
        name=tuple(name for name in conf if name != "default") or ("default",),
        text=text,
        header=header + zephyrs,
        kernel_header=_kernels(tree, header) + zephyrs,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        values=values,
        notes=notes,
    )


def write(configuration: Configuration, board: Board, directory: Path) -> None:
    """Write .config, autoconf.h, kernel_autoconf.h and config.cmake where they differ."""
    facts = {
        "FOLIOT_BOARD": board.name,
        "FOLIOT_CORE": board.core,
        "FOLIOT_UNIT": configuration.values.get("COUNTED_UNIT") or board.unit,
        "FOLIOT_MEMORY": board.memory,
        "FOLIOT_CLOCK_HZ": str(board.clock_hz),
        "FOLIOT_CONFIGURATION": json.dumps(list(configuration.name), separators=(",", ":")),
        "FOLIOT_CONFIG_SHA256": configuration.sha256,
    }
    facts |= {f"CONFIG_{name}": value for name, value in configuration.values.items()}
    cmake = "".join(f"set({name} [==[{value}]==])\n" for name, value in facts.items())
    paths.write_if_changed(directory / ".config", configuration.text)
    names = f'#define CONFIG_BOARD "{board.name}"\n#define CONFIG_BOARD_TARGET "{board.name}"\n'
    names += f'#define CONFIG_ARCH "{board.arch}"\n'
    paths.write_if_changed(directory / "autoconf.h", configuration.header + names)
    paths.write_if_changed(directory / "kernel_autoconf.h", configuration.kernel_header + names)
    paths.write_if_changed(directory / "config.cmake", cmake)


def _assignments(path: Path) -> Iterator[Assignment]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{paths.shown(path)}:{number}"
        unset = _UNSET.fullmatch(line.strip())
        if unset:
            yield Assignment(unset["name"], "n", where)
        elif line.strip() and not line.lstrip().startswith("#"):
            match = _SET.fullmatch(line.strip())
            if not match:
                raise UsageError(f"{where}: '{line.strip()}' is not CONFIG_NAME=value")
            yield Assignment(match["name"], match["value"].strip(), where)


def _load_tree(app: Path, board: Board) -> Kconfig:
    import kconfiglib

    environment = {
        "srctree": str(paths.ROOT), "BOARD": board.name, "ARCH": board.arch, "APP": str(app),
        "CONFIG_": "CONFIG_",
    }  # fmt: skip
    with _environment(environment):
        try:
            return kconfiglib.Kconfig("Kconfig", warn=True, warn_to_stderr=False)
        except (kconfiglib.KconfigError, kconfiglib._KconfigIOError) as error:
            raise FoliotError(f"Kconfig: {str(error).strip().splitlines()[0]}") from None


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _ignored(tree: Kconfig, assigned: dict[str, Assignment]) -> tuple[str, ...]:
    """Take out what is Zephyr's, and give to ours what is ours by another name; say each."""
    notes = []
    known = {name for name, symbol in tree.syms.items() if symbol.nodes}
    for name, assignment in list(assigned.items()):
        if name in known:
            continue
        judged = zephyr.judge(name, assignment.value, known)
        if judged is None:
            continue
        line = f"{assignment.where}: CONFIG_{name}={assignment.value} {judged.why}"
        if not judged.ignored:
            raise UsageError(line)
        notes.append(line if judged.ours else f"ignored: {line}")
        del assigned[name]
        if judged.ours:
            assigned.setdefault(
                judged.ours, Assignment(judged.ours, assignment.value, assignment.where)
            )
    return tuple(notes)


def _kernels(tree: Kconfig, header: str) -> str:
    """Leave out what is defined beside the kernel: an application's options, and its libraries'.

    So the kernel is the same text for applications that differ in their own options only.
    """
    own = {
        symbol.name
        for symbol in tree.unique_defined_syms
        if not any(_is_kernels(Path(node.filename)) for node in symbol.nodes)
    }
    lines = header.splitlines(keepends=True)
    return "".join(line for line in lines if _DEFINED.sub(r"\1", line.rstrip("\n")) not in own)


def _is_kernels(file: Path) -> bool:
    parts = Path(os.path.relpath(paths.ROOT / file, paths.ROOT)).parts
    return len(parts) == 1 or (parts[0] in _KERNELS and parts[:2] not in _BESIDE)


def _zephyrs(values: Mapping[str, str], asked: Mapping[str, str], board: Board) -> str:
    """Return what programs of Zephyr's kind see in C, and is no option of ours."""
    defined = zephyr.defined(values, asked, board.arch, board.kind == "qemu")
    return "".join(f"#define CONFIG_{name} {value}\n" for name, value in defined.items())


def _apply(tree: Kconfig, assignment: Assignment) -> None:
    symbol = tree.syms.get(assignment.name)
    if symbol is None or not symbol.nodes:
        near = _others_with(assignment.name) or _nearest(tree, assignment.name)
        raise UsageError(f"{assignment.where}: there is no option CONFIG_{assignment.name}{near}")
    if not any(node.prompt for node in symbol.nodes):
        raise UsageError(
            f"{assignment.where}: CONFIG_{assignment.name} can't be set: other options set it"
        )
    if not symbol.set_value(_plain(symbol, assignment)):
        raise UsageError(
            f"{assignment.where}: '{assignment.value}' is no value for "
            f"CONFIG_{assignment.name}, which is {_type_name(symbol)}"
        )


def _others_with(name: str) -> str:
    """Say which boards or architectures have an option that this one has not; empty if none."""
    found = [
        path.parent.name
        for place in (paths.BOARDS, paths.ROOT / "arch")
        for path in sorted(place.glob("*/Kconfig"))
        if re.search(rf"^config {name}$", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    return (
        f" on this board: {', '.join(found)} {'have' if len(found) > 1 else 'has'} it"
        if found
        else ""
    )


def _check_effect(tree: Kconfig, assignment: Assignment) -> None:
    import kconfiglib

    symbol = tree.syms[assignment.name]
    wanted = _plain(symbol, assignment)
    if symbol.str_value == wanted or _same_number(symbol.str_value, wanted):
        return
    why = "its range, or another option's select, forbids it"
    if kconfiglib.expr_value(symbol.direct_dep) == 0:
        why = f"it depends on {kconfiglib.expr_str(symbol.direct_dep)}"
    raise UsageError(
        f"{assignment.where}: CONFIG_{assignment.name}={assignment.value} has no effect "
        f"(it stays {symbol.str_value or 'unset'}): {why}"
    )


def _check_priorities(tree: Kconfig, assigned: Mapping[str, Assignment]) -> None:
    """Refuse more priorities than there are: two options' sum, which Kconfig can't limit."""
    names = ("NUM_COOP_PRIORITIES", "NUM_PREEMPT_PRIORITIES")
    counts = [int(tree.syms[name].str_value) for name in names if name in tree.syms]
    where = next((assigned[name].where for name in names if name in assigned), "")
    if where and sum(counts) > _MOST_PRIORITIES:
        both = " and ".join(f"CONFIG_{name}" for name in names)
        raise UsageError(
            f"{where}: there are at most {_MOST_PRIORITIES} priorities, and {both} "
            f"ask for {sum(counts)}"
        )


def _plain(symbol: Symbol, assignment: Assignment) -> str:
    import kconfiglib

    if symbol.orig_type != kconfiglib.STRING:
        return assignment.value
    if len(assignment.value) < 2 or assignment.value[0] != '"' or assignment.value[-1] != '"':
        raise UsageError(f"{assignment.where}: a text stands in double quotes")
    return str(kconfiglib.unescape(assignment.value[1:-1]))


def _same_number(left: str, right: str) -> bool:
    try:
        return int(left, 0) == int(right, 0)
    except ValueError:
        return False


def _type_name(symbol: Symbol) -> str:
    import kconfiglib

    return {
        kconfiglib.BOOL: "y or n", kconfiglib.INT: "a number",
        kconfiglib.HEX: "a hexadecimal number", kconfiglib.STRING: "a text",
    }.get(symbol.orig_type, "of another type")  # fmt: skip


def _nearest(tree: Kconfig, name: str) -> str:
    import difflib

    known = [symbol.name for symbol in tree.unique_defined_syms]
    near = difflib.get_close_matches(name, known, n=3)
    return f": nearest are {', '.join(f'CONFIG_{symbol}' for symbol in near)}" if near else ""

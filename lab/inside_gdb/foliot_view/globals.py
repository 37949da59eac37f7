# SPDX-License-Identifier: Apache-2.0
"""The program's variables by type: how objects and threads are found that nothing points to.

gdb's Python has no list of all variables, so `info variables` is read. It knows those of
files, not those inside of functions: a thread that is `static` in a function is found only
where something leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import gdb

from foliot_view import layout

_FILE = re.compile(r"^File (.*):$")
_VARIABLE = re.compile(r"^\d+:\s+.*?\b(\w+)(?:\[[^;]*\])*;$")


def of_type(type_name: str) -> Iterator[tuple[str, gdb.Value]]:
    """Yield (name, value) of each variable of that type, elements of arrays one by one."""
    file = ""
    for line in _said(type_name, gdb.current_progspace().filename or "").splitlines():
        if found := _FILE.match(line):
            file = found[1]
        elif found := _VARIABLE.match(line):
            yield from _matching(file, found[1], type_name)


@lru_cache(maxsize=64)
def _said(type_name: str, program: str) -> str:
    return str(gdb.execute(f"info variables -q -n -t '{type_name}'", to_string=True))


def _matching(file: str, name: str, type_name: str) -> Iterator[tuple[str, gdb.Value]]:
    try:
        value = gdb.parse_and_eval(f"'{file}'::{name}")
    except gdb.error:
        value = gdb.parse_and_eval(name)
    if value.address is None or int(value.address) == 0:
        return  # the linker has left it out; its debug information stays
    yield from _elements(name, value, type_name)


def _elements(name: str, value: gdb.Value, type_name: str) -> Iterator[tuple[str, gdb.Value]]:
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        for index in range(low, high + 1):
            yield from _elements(f"{name}[{index}]", value[index], type_name)
    elif str(kind.unqualified()) == type_name:
        yield name, value


@lru_cache(maxsize=1)
def _thread_names(file: str) -> dict[int, str]:
    return {int(value.address): name for name, value in of_type("struct k_thread")}


def thread_names() -> dict[int, str]:
    """Return {address: name} of the threads that are variables; looked up once a program."""
    names = _thread_names(gdb.current_progspace().filename or "")
    return {where: layout.variable_thread_name(name) for where, name in names.items()}


def forget() -> None:
    """Look them up again: another program was loaded, or the same one built anew."""
    _thread_names.cache_clear()
    _said.cache_clear()

# SPDX-License-Identifier: Apache-2.0
"""Where a result goes: to a file that was named, or to stdout, which is called `-`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError

STDOUT = "-"


def write(name: str, text: str) -> None:
    """Write a result to the file `name`, or to stdout."""
    if name == STDOUT:
        sys.stdout.write(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        # A full disk is told without the file's name by the system.
        raise FoliotError(f"{name} can't be written: {error.strerror}") from None


def write_json(name: str, value: object) -> None:
    """Write what JSON can hold to the file `name`, or to stdout."""
    write(name, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def check_writable(name: str | None) -> None:
    """Refuse a file that can't be written before minutes are spent on its content."""
    if name in (None, STDOUT):
        return
    path = Path(name)
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise UsageError(f"{name} can't be written: no such file or directory to put it in")

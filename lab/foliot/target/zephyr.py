# SPDX-License-Identifier: Apache-2.0
"""Options of Zephyr's in an application's prj.conf that are none of ours: data/zephyr/options.toml.

A program that was written for Zephyr names what it needs; much of that is always there here, and
some of it never. The first is ignored, and said; the second refused by its own name, and not
as an unknown word.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from foliot.target import paths

_FILE = "data/zephyr/options.toml"


@functools.cache
def _tables(root: str) -> Mapping[str, Any]:
    path = paths.ROOT / _FILE
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def judge(name: str, value: str) -> tuple[bool, str] | None:
    """Say whether CONFIG_`name`=`value` may be ignored, and why, or why not; None: not Zephyr's."""
    tables = _tables(str(paths.ROOT))
    implied = tables.get("implied", {}).get(name)
    absent = tables.get("absent", {})
    if implied is not None and implied[0] in ("*", value):
        return True, f"is implied: {implied[1]}"
    why = next((absent[key] for key in absent if fnmatchcase(name, key)), None)
    if why is not None:
        return (True, "is off anyway") if value == "n" else (False, f"is not supported: {why}")
    if implied is not None:
        return False, f"is not supported (it is always {implied[0]}): {implied[1]}"
    return None

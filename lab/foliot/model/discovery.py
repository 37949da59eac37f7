# SPDX-License-Identifier: Apache-2.0
"""Importing all files of a room, so that what they register is found by their being there."""

from __future__ import annotations

import pkgutil
from importlib import import_module


def import_all(package: str) -> None:
    """Import every file of a package, in the order of their names."""
    for found in pkgutil.iter_modules(import_module(package).__path__):
        import_module(f"{package}.{found.name}")

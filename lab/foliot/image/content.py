# SPDX-License-Identifier: Apache-2.0
"""What an image is, apart from what only says which commit it came from.

Two commits of which one changed a comment give files that differ: in the lines that a debugger is
told, in the name of the commit, in the build id that is computed of both. What runs is the same.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

_ALLOCATED = 2  # SHF_ALLOC: it is in the target's memory
_BUILD_ID = ".note.gnu.build-id"


def content(elf: Path, commit: str) -> str:
    """Return the SHA-256 of what is in the target's memory, but for the name of the `commit`."""
    from elftools.elf.elffile import ELFFile

    told = hashlib.sha256()
    with elf.open("rb") as stream:
        for section in ELFFile(stream).iter_sections():
            header = section.header
            if not header["sh_flags"] & _ALLOCATED or section.name == _BUILD_ID:
                continue
            told.update(f"{section.name} {header['sh_addr']} {header['sh_size']} ".encode())
            if header["sh_type"] != "SHT_NOBITS":
                data = section.data()
                told.update(data.replace(commit.encode(), b"") if commit else data)
    return told.hexdigest()

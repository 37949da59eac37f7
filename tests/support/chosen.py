# SPDX-License-Identifier: Apache-2.0
"""Copies of an image in which other things are asked for: one build, many kinds of runs.

What ends a run, as a fault does, can be tried once in each. To build an image for each takes the
whole kernel again, of which nothing changes. So the firmware reads what it is to do from constants
of a byte (`volatile const unsigned char`), and those are written into a copy.
"""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile


def choose(image: Path, copy: Path, **values: int) -> Path:
    """Copy an image, with these bytes in place of the named constants' own; return the copy."""
    data = bytearray(image.read_bytes())
    with image.open("rb") as file:
        elf = ELFFile(file)
        symbols = elf.get_section_by_name(".symtab")
        for name, value in values.items():
            (symbol,) = symbols.get_symbol_by_name(name)
            section = elf.get_section(symbol["st_shndx"])
            assert (section["sh_type"], symbol["st_size"]) == ("SHT_PROGBITS", 1), name
            data[section["sh_offset"] + symbol["st_value"] - section["sh_addr"]] = value
    copy.write_bytes(data)
    copy.chmod(0o755)
    return copy

# SPDX-License-Identifier: Apache-2.0
"""A PC image is what a multiboot loader takes as it is, and starts on other PCs than its board."""

from __future__ import annotations

import struct

import pytest
from elftools.elf.elffile import ELFFile

from foliot.target import boards, paths, runner

pytestmark = pytest.mark.board("qemu_x86_64")
MAGIC, ADDRESSES_ARE_VALID, SEARCHED = 0x1BADB002, 1 << 16, 8192


def build(foliot):
    assert foliot("build", "tests/kernel", "--board", "qemu_x86_64").returncode == 0
    return paths.BUILD / "firmware/qemu_x86_64/tests-kernel/firmware.elf"


def test_the_multiboot_header_says_where_all_of_the_image_goes(foliot):
    """By the specification's words: the loader looks at nothing of the file but this."""
    path = build(foliot)
    file = path.read_bytes()
    at = next(n for n in range(0, SEARCHED, 4) if file[n : n + 4] == struct.pack("<I", MAGIC))
    magic, flags, check, header, start, end, bss_end, entry = struct.unpack_from("<8I", file, at)
    assert (magic + flags + check) % (1 << 32) == 0
    assert flags == ADDRESSES_ARE_VALID
    loaded = file[at - (header - start) :][: end - start]
    elf = ELFFile(path.open("rb"))
    symbols = {
        one.name: one["st_value"] for one in elf.get_section_by_name(".symtab").iter_symbols()
    }
    placed = [one for one in elf.iter_sections() if one["sh_flags"] & 2 and one["sh_size"]]
    stored = [one for one in placed if one["sh_type"] == "SHT_PROGBITS"]
    assert {one.name for one in stored} == {".text", ".rodata", ".data"}
    for one in stored:
        where = one["sh_addr"] - start
        assert loaded[where : where + one["sh_size"]] == one.data(), one.name
    assert all(one["sh_addr"] >= end for one in placed if one not in stored)
    assert bss_end == max(one["sh_addr"] + one["sh_size"] for one in placed)
    assert entry == elf.header["e_entry"] == symbols["_start"]
    assert start >= 1 << 20  # below lie the BIOS and what it hands over


@pytest.mark.long
@pytest.mark.parametrize("options", [("-cpu", "max"), ("-machine", "q35"), ("-m", "4G")])
def test_every_object_behaves_on_other_machines(foliot, options):
    lines: list[bytes] = []
    outcome = runner.run(boards.load("qemu_x86_64"), build(foliot), lines.append, options=options)
    assert outcome.reason == "pass", outcome
    assert lines[-1] == b"PROJECT EXECUTION SUCCESSFUL"

# SPDX-License-Identifier: Apache-2.0
"""A PC image is what a multiboot loader takes as it is, and starts on other PCs than its board."""

from __future__ import annotations

import struct
import subprocess

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


MAGIC_2, I386, LENGTH_SEARCHED = 0xE85250D6, 0, 32768
ADDRESS, ENTRY, END = 2, 3, 0


def test_the_second_specifications_header_says_the_same(foliot):
    """Multiboot2 1.6, 3.1: a checksum over its first words, then tags at multiples of 8."""
    file = build(foliot).read_bytes()
    at = next(
        n for n in range(0, LENGTH_SEARCHED, 8) if file[n : n + 4] == struct.pack("<I", MAGIC_2)
    )
    magic, architecture, length, check = struct.unpack_from("<4I", file, at)
    assert architecture == I386
    assert (magic + architecture + length + check) % (1 << 32) == 0
    tags, place = {}, at + 16
    while place < at + length:
        kind, flags, size = struct.unpack_from("<HHI", file, place)
        assert flags == 0  # none is optional
        assert kind not in tags
        tags[kind] = struct.unpack_from(f"<{(size - 8) // 4}I", file, place + 8)
        place += -(-size // 8) * 8
    assert place == at + length
    assert list(tags) == [ADDRESS, ENTRY, END]
    first = next(n for n in range(0, SEARCHED, 4) if file[n : n + 4] == struct.pack("<I", MAGIC))
    header, start, end, bss_end, entry = struct.unpack_from("<5I", file, first + 12)
    assert tags[ADDRESS] == (header + at - first, start, end, bss_end)
    assert tags[ENTRY] == (entry,)


@pytest.mark.needs("grub")
@pytest.mark.parametrize("loader", ["multiboot", "multiboot2"])
def test_grub_starts_it(foliot, tmp_path, loader):
    """From a CD, as L4Re's images are: `multiboot2 FILE` and no more."""
    assert foliot("build", "samples/hello", "--board", "qemu_x86_64").returncode == 0
    place = tmp_path / "cd" / "boot"
    (place / "grub").mkdir(parents=True)
    (place / "firmware.elf").write_bytes(
        (paths.BUILD / "firmware/qemu_x86_64/hello/firmware.elf").read_bytes()
    )
    (place / "grub" / "grub.cfg").write_text(f"{loader} /boot/firmware.elf\nboot\n")
    image = tmp_path / "cd.iso"
    made = subprocess.run(
        ["grub-mkrescue", "-o", image, tmp_path / "cd"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    command = list(boards.load("qemu_x86_64").run["command"])
    at, counted = command.index("-kernel"), command.index("-icount")
    words = [*command[:counted], *command[counted + 2 : at], "-cdrom", str(image), "-boot", "d"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    lines = [line for line in done.stdout.splitlines() if line.startswith("Hello number")]
    assert [line.split(",")[0] for line in lines] == [f"Hello number {n}" for n in range(1, 6)]
    assert done.returncode == 33  # what isa-debug-exit makes of success


@pytest.mark.long
@pytest.mark.parametrize("options", [("-cpu", "max"), ("-machine", "q35"), ("-m", "4G")])
def test_every_object_behaves_on_other_machines(foliot, options):
    lines: list[bytes] = []
    outcome = runner.run(boards.load("qemu_x86_64"), build(foliot), lines.append, options=options)
    assert outcome.reason == "pass", outcome
    assert lines[-1] == b"PROJECT EXECUTION SUCCESSFUL"

# SPDX-License-Identifier: Apache-2.0
"""The form in which a device takes an image: Intel hex, or UF2 where its ROM is a drive itself.

A chip's ROM looks at what lies in front of the vectors and starts nothing that it does not
like, without a word. So it is looked at here first.
"""

from __future__ import annotations

import struct
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import paths, process
from foliot.target.boards import Board

OBJCOPY = "arm-none-eabi-objcopy"

# https://github.com/microsoft/uf2: a block is 512 bytes, of which these are told apart by family.
UF2_BEGIN = (0x0A324655, 0x9E5D5157)
UF2_END = 0x0AB16F30
UF2_HAS_FAMILY = 0x2000
UF2_PAYLOAD = 256
BOOT2_SIZE = 256
RP2040 = 0xE48BFF56  # the family


def make_image(board: Board, elf: Path, progress: Progress) -> Path:
    """Write what the board's drive or loader takes beside `elf`; return where.

    FoliotError where that fails, or where the chip would not start it.
    """
    if board.run.get("image") == "elf":
        return elf
    if board.run.get("image") == "uf2":
        with progress.task("Making the image"):
            return uf2_image(elf, int(board.run["family"]))
    return hex_image(elf, progress)


def hex_image(elf: Path, progress: Progress) -> Path:
    """Write firmware.hex beside the ELF file; return where. FoliotError where that fails."""
    image = elf.with_suffix(".hex")
    with progress.task("Making the image"):
        process.run([OBJCOPY, "-O", "ihex", str(elf), str(image)], "objcopy", limit_s=60)
    return image


def uf2_image(elf: Path, family: int) -> Path:
    """Write firmware.uf2 beside the ELF file; return where.

    Blocks lie on multiples of their size, as the RP2040's ROM wants them; what a block has
    beyond the image is 0. FoliotError where the second stage's checksum is wrong.
    """
    blocks = _blocks(elf)
    if family == RP2040:
        check_boot2(blocks[min(blocks)], elf)
    image = elf.with_suffix(".uf2")
    with image.open("wb") as stream:
        for number, (address, payload) in enumerate(sorted(blocks.items())):
            words = (
                *UF2_BEGIN, UF2_HAS_FAMILY, address, UF2_PAYLOAD, number, len(blocks), family,
            )  # fmt: skip
            stream.write(struct.pack("<8I476sI", *words, bytes(payload), UF2_END))
    return image


def check_boot2(stage: bytes | bytearray, elf: Path) -> None:
    """Raise FoliotError where the second stage's checksum is not what the RP2040's ROM computes."""
    told = int.from_bytes(stage[BOOT2_SIZE - 4 : BOOT2_SIZE], "little")
    computed = boot2_checksum(stage[: BOOT2_SIZE - 4])
    if told != computed:
        raise FoliotError(
            f"{paths.shown(elf)}: the second stage's checksum is {told:#010x}, and the chip's ROM "
            f"wants {computed:#010x}",
            "write that at the end of drivers/boot/rp2040.S",
        )


def boot2_checksum(code: bytes | bytearray) -> int:
    """Return the ROM's CRC-32 (datasheet 2.8.1.3.1): neither mirrored nor inverted."""
    crc = 0xFFFFFFFF
    for byte in code:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return crc


def _blocks(elf: Path) -> dict[int, bytearray]:
    """Return what of the image goes into the flash, in blocks by address."""
    from elftools.elf.elffile import ELFFile

    blocks: dict[int, bytearray] = {}
    with elf.open("rb") as stream:
        for segment in ELFFile(stream).iter_segments("PT_LOAD"):
            for place, byte in enumerate(segment.data(), segment["p_paddr"]):
                block = blocks.setdefault(place & -UF2_PAYLOAD, bytearray(UF2_PAYLOAD))
                block[place % UF2_PAYLOAD] = byte
    if not blocks:
        raise FoliotError(f"{paths.shown(elf)} holds nothing to flash")
    return blocks

# SPDX-License-Identifier: Apache-2.0
"""What was read of a machine's memory at a stop, as numbers."""

from __future__ import annotations

from collections.abc import Sequence


class Memory:
    """Ranges that were read together; what was not read is 0."""

    def __init__(self, ranges: Sequence[tuple[int, int]], answers: Sequence[str]) -> None:
        """Take the stub's answers to reads of `ranges` (address, bytes), in hexadecimal."""
        self._parts = [
            (address, bytes.fromhex(answer) if _is_hex(answer) else b"")
            for (address, _), answer in zip(ranges, answers, strict=True)
        ]

    def bytes(self, address: int, size: int) -> bytes:
        """Return `size` bytes from an address on; those that were not read are 0."""
        for first, data in self._parts:
            if first <= address and address + size <= first + len(data):
                return data[address - first : address - first + size]
        return bytes(size)

    def number(self, address: int, size: int, signed: bool = False) -> int:
        """Return the number of that many bytes at an address."""
        return int.from_bytes(self.bytes(address, size), "little", signed=signed)

    def text(self, address: int, size: int) -> str:
        """Return the text that lies there, up to its end."""
        return self.bytes(address, size).split(b"\0")[0].decode("utf-8", "replace")


def _is_hex(answer: str) -> bool:
    return not answer.startswith("E") and len(answer) % 2 == 0

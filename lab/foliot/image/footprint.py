# SPDX-License-Identifier: Apache-2.0
"""What a firmware weighs: from the linker's map (whose bytes) and the ELF (what kind).

The kernel's share is what comes out of the objects of kernel/, arch/ and drivers/ after
the linker dropped what the application doesn't use. Constants count as text, as they do
for `size`; what the linker fills in between sections counts as nobody's.
"""

from __future__ import annotations

import re
from pathlib import Path

from foliot.image.elf import Image
from foliot.model.run import Footprint

# The name in the output, and the structures that may stand for it, best first.
_OBJECTS = {
    "thread": ("k_thread",),
    "semaphore": ("k_sem",),
    "mutex": ("k_mutex",),
    "condvar": ("k_condvar",),
    "fifo": ("k_fifo", "k_queue"),
    "lifo": ("k_lifo", "k_queue"),
    "stack": ("k_stack",),
    "event": ("k_event",),
    "timer": ("k_timer",),
    "msgq": ("k_msgq",),
    "mem_slab": ("k_mem_slab",),
    "heap": ("k_heap",),
}
_KERNEL = re.compile(r"(?:^|/)(?:libkernel\.a\(|machine\.dir/)")
_OUTPUT = re.compile(r"(\.\S+|\w\S*)(?:\s+0x[0-9a-f]+\s+0x[0-9a-f]+.*)?")
_INPUT = re.compile(r" (\S+)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)")


def footprint(elf: Path, linker_map: Path) -> Footprint:
    """Weigh a built firmware; all figures are bytes."""
    image = Image(elf)
    kinds = image.section_kinds()
    kernel = {"text": 0, "data": 0, "bss": 0}
    for section, size, origin in _contributions(linker_map.read_text(encoding="utf-8")):
        if section in kinds and _KERNEL.search(origin):
            kernel[kinds[section]] += size
    total = {"text": 0, "data": 0, "bss": 0}
    for section, size in image.section_sizes().items():
        if section in kinds:
            total[kinds[section]] += size
    sizes = image.struct_sizes({name for names in _OBJECTS.values() for name in names})
    objects = {
        shown: next(sizes[name] for name in names if name in sizes)
        for shown, names in _OBJECTS.items()
        if any(name in sizes for name in names)
    }
    return Footprint(
        kernel_text=kernel["text"],
        data=kernel["data"],
        bss=kernel["bss"],
        objects=objects,
        image=(total["text"], total["data"], total["bss"]),
    )


def _contributions(text: str) -> list[tuple[str, int, str]]:
    """Return (output section, bytes, object file) for each piece that the map lists."""
    _, _, body = text.partition("Linker script and memory map")
    found = []
    section = ""
    for line in re.sub(r"\n( \S+)\n\s+(?=0x)", r"\n\1 ", body).splitlines():
        if line[:1] not in ("", " "):
            match = _OUTPUT.match(line)
            section = match[1] if match else ""
            continue
        piece = _INPUT.match(line)
        if piece and int(piece[3], 16) and piece[1] != "*fill*":
            found.append((section, int(piece[3], 16), piece[4]))
    return found

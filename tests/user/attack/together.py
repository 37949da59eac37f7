# SPDX-License-Identifier: Apache-2.0
"""All seeds of arguments in one image, by a number: built once, each is tried in a second.

A look becomes a choice: seed N's text where the kernel's word `seeded` is N, and its own
otherwise. The number is written into the image, so that nothing is built for it. Seeds of other
boards or options, and those of trusted.txt, which change several lines, are made one at a time.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from checks import SeededFault
from elftools.elf.elffile import ELFFile

from support.seeded import Copy
from support.sources import sources

WORD = "seeded"
DEFINED_BESIDE = "user_holds"  # a function that each image has
DEFINITION = f'__attribute__((section(".data"))) volatile unsigned int {WORD};\n'
DECLARED = f"extern volatile unsigned int {WORD};\n"


def is_by_number(seed: SeededFault) -> bool:
    """Tell whether it stands in one line, or one expression, of what every image has."""
    return seed.what != "" and not seed.conf and not seed.on and not seed.what.startswith("late")


def _choice(old: str, ways: dict[int, str]) -> str:
    """Return the look, or what is left of it."""
    if old.startswith("\t"):  # a statement
        text = "".join(f"\tif ({WORD} == {number}U) {{\n{new}\n\t}} else\n"
                       for number, new in ways.items())  # fmt: skip
        return f"{text}\t{{\n{old}\n\t}}"
    text = "".join(f"{WORD} == {number}U ? ({new}) : " for number, new in ways.items())
    return f"({text}({old}))"


def make_all(copy: Copy, seeds: list[SeededFault]) -> dict[int, SeededFault]:
    """Change the copy's sources; return which seed has which number, from 1 on."""
    numbered = dict(enumerate(filter(is_by_number, seeds), 1))
    places: dict[str, dict[tuple[int, str], dict[int, str]]] = defaultdict(dict)
    for number, seed in numbered.items():
        places[seed.file].setdefault((seed.line, seed.old), {})[number] = seed.new
    for file, looks in places.items():
        path = copy.root / file
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for (line, old), ways in sorted(looks.items(), reverse=True):  # from the end on
            rest = "".join(lines[line - 1 :])
            assert old in rest
            lines[line - 1 :] = rest.replace(old, _choice(old, ways), 1).splitlines(keepends=True)
        path.write_text(DECLARED + "".join(lines), encoding="utf-8")
    holds = f"bool {DEFINED_BESIDE}("
    (beside,) = (one for one in sources() if one.path.suffix == ".c" and holds in one.text)
    defined = copy.root / beside.file
    defined.write_text(defined.read_text(encoding="utf-8") + DEFINITION, encoding="utf-8")
    return numbered


def write_number(elf: Path, number: int) -> None:
    """Write into an image which seed it has; 0: none."""
    with elf.open("r+b") as file:
        image = ELFFile(file)
        (symbol,) = image.get_section_by_name(".symtab").get_symbol_by_name(WORD)
        at = symbol["st_value"]
        offset = next(s["p_offset"] + at - s["p_vaddr"] for s in image.iter_segments()
                      if s["p_vaddr"] <= at < s["p_vaddr"] + s["p_filesz"])  # fmt: skip
        file.seek(offset)
        file.write(number.to_bytes(4, "little"))

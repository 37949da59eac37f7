# SPDX-License-Identifier: Apache-2.0
"""What is proved of RV32's assembly, on the linked image's bytes (lab/foliot/prove/assembly.py)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from foliot.model.errors import FoliotError
from foliot.prove import assembly, rv32
from support.command import ROOT

SEED, SEEDED = 26, 5
# What is proved on which board: ibex' PMP has eight entries, and a switch of domains of its own.
PROVED = (*(("qemu_riscv32", part) for part in assembly.PARTS), ("ibex", "switch"))
# Whose instructions are taken out one at a time: from a symbol on, so many of them.
PIECES = {
    "switch": ("arch_switch", 32), "domain": ("riscv_load_domain", 42),
    "user": ("arch_user_enter", 52),
}  # fmt: skip

pytestmark = [pytest.mark.board("qemu_riscv32", "ibex"), pytest.mark.needs("prover")]


@pytest.fixture(scope="module")
def images(foliot):
    found = {}
    for board in ("qemu_riscv32", "ibex"):
        done = foliot("build", "samples/user", "--board", board, "--quiet")
        assert done.returncode == 0, done.stderr
        found[board] = rv32.Image(ROOT / "build" / "firmware" / board / "user" / "firmware.elf")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("board", "part"), PROVED)
def test_each_claim_holds_at_the_end_of_each_path(images, board, part):
    found = assembly.PARTS[part](images[board])
    assert len(found) >= 19
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.slow
def test_an_instruction_that_is_missing_is_noticed(images):
    image = images["qemu_riscv32"]
    chance = random.Random(SEED)
    places = []
    for part, (symbol, count) in PIECES.items():
        at = image.symbols[symbol]
        for _ in range(count):
            places.append((part, at))
            at += image.code[at].length
    for part, place in chance.sample(places, SEEDED):
        was = image.code[place]
        if was.name in {"mret", "jr", "jal", "beq", "csrrs"}:
            continue  # ends and branches; csrrs there reads what is written back as it was
        image.code[place] = replace(was, name="addi", operands=("x0", "x0", "0"))
        try:
            assert not all(one.does_hold for one in assembly.PARTS[part](image)), was
        except FoliotError:
            pass  # a path that leads nowhere
        finally:
            image.code[place] = was


def test_an_instruction_that_is_not_known_is_an_error(images):
    image = images["ibex"]
    at = image.symbols["arch_switch"]
    was = image.code[at]
    image.code[at] = replace(was, name="mulhsu")
    with pytest.raises(FoliotError, match="mulhsu is not known"):
        assembly.switch(image)
    image.code[at] = was

# SPDX-License-Identifier: Apache-2.0
"""The Raspberry Pi 3B: the image that its loader takes, and what QEMU makes of it.

Addresses are those of the Pi's own loader: an image of 64 bits goes to 0x80000, and is entered
there at EL2 by one core, while the three others wait for an address each.
"""

from __future__ import annotations

import re

import pytest
from elftools.elf.elffile import ELFFile

from foliot.show.terminal import Progress
from foliot.target import boards, build, paths

HELLO = paths.ROOT / "samples" / "hello"
LOADED_AT = 0x80000
BRANCH = 0x05  # of an instruction's upper six bits
PI = boards.load("raspi3b")
pytestmark = [pytest.mark.slow, pytest.mark.board("raspi3b")]


@pytest.fixture(scope="module")
def elf():
    return build.build(HELLO, PI, Progress(quiet=True)).elf


def test_the_images_first_instruction_leads_to_the_boot_code(elf):
    image = elf.with_name("kernel8.img").read_bytes()
    first = int.from_bytes(image[:4], "little")
    assert first >> 26 == BRANCH
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        symbols = file.get_section_by_name(".symtab")
        named = {one.name: one["st_value"] for one in symbols.iter_symbols()}
        text = file.get_section_by_name(".text")
        code, at = text.data(), text["sh_addr"]
    assert LOADED_AT + (first & 0x3FFFFFF) * 4 == named["_start"]
    assert image[at - LOADED_AT :][: len(code)] == code
    assert LOADED_AT + len(image) <= named["_bss_start"]


def test_the_card_says_what_the_board_relies_on():
    config = dict(
        line.split("=", 1)
        for line in (PI.directory / "config.txt").read_text().splitlines()
        if line and not line.startswith("#")
    )
    header = (PI.directory / "board.h").read_text()
    facts = dict(re.findall(r"#define (\w+) +(\w+)", header))
    assert config["arm_64bit"] == "1"
    assert config["kernel"] == PI.run["image"]
    assert int(config["kernel_address"], 16) == int(facts["BOARD_LOADED_AT"], 16) == LOADED_AT
    assert config["init_uart_clock"] == facts["BOARD_UART_HZ"]
    assert (config["enable_uart"], config["dtoverlay"]) == ("1", "disable-bt")


@pytest.mark.parametrize("conf", ["default", pytest.param("el2", marks=pytest.mark.long)])
def test_it_says_hello_at_both_levels(foliot, conf):
    done = foliot.run("samples/hello", "raspi3b", conf)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Hello number") == 5


def test_a_run_that_failed_is_told_from_one_that_ended(foliot):
    done = foliot.run("tests/lab/apps/fault", "raspi3b", "default")
    assert done.returncode == 1
    assert "fault on the target" in done.stderr


def test_whoever_has_a_pi_is_told_what_to_copy(foliot):
    done = foliot("flash", "raspi3b", "samples/hello")
    assert done.returncode == 0, done.stderr
    assert "kernel8.img" in done.stdout
    assert "boards/raspi3b/config.txt" in done.stdout
    assert "tried in QEMU only" in done.stdout

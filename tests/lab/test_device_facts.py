# SPDX-License-Identifier: Apache-2.0
"""What a page says of a device and its chip is not: marked in the overview, with the reason."""

from __future__ import annotations

import pytest

from foliot.reference.devices import contradictions
from foliot.target import boards

MHZ = 1_000_000


@pytest.mark.parametrize(
    ("name", "told", "mhz", "keys"),
    [
        ("TY51822r3 (nRF51822)", {"ram": "16 KB", "rom": "256 KB"}, 16, ["ram"]),
        ("ty51822r3", {"ram": "32 KiB"}, 16, []),
        ("STM32H747i disco", {"ram": "1 MB", "rom": "2 MB"}, 480, ["clock"]),
        ("stm32h747i_disco", {}, 400, []),
        ("Nucleo G431KB", {"ram": "32KB", "rom": "128 KB"}, 170, []),
        ("Nucleo G431KB", {"ram": "32 kB", "rom": "512 kB"}, 180, ["rom", "clock"]),
        ("Raspberry Pi Pico (RP2040)", {"ram": "264 KB", "rom": "2 MB"}, 133, []),
        ("micro:bit v2.2 (nRF52833)", {"ram": "0.125 MB", "rom": "512 KB"}, 64, []),
        ("Some board", {"ram": "1 KB"}, 9999, []),
        ("TY51822r3", {"ram": "much", "rom": ""}, 0, []),
    ],
)
def test_what_contradicts_the_chip_is_found_and_nothing_else(name, told, mhz, keys):
    assert [key for key, _ in contradictions(name, told, mhz * MHZ)] == keys


def test_the_article_contradicts_two_chips_and_the_overview_says_why(foliot):
    printed = foliot("compare", "zephyr-4.3@*", "--overview").stdout
    devices = printed.partition("\n\n")[0]
    assert "16 KB !" in devices
    assert "! ty51822r3: 16 KB of RAM told, it has 32 KiB" in devices
    assert "! stm32h747i: 480 MHz declared, 400 at most" in devices
    assert sum(line.startswith("! ") for line in devices.splitlines()) == 2
    assert all(len(line) <= 100 for line in devices.splitlines())


@pytest.mark.parametrize(
    "name", ["ty51822r3", "stm32h747i_disco", "nucleo_g431kb", "teensy41", "nucleo_f401re"]
)
def test_our_own_boards_do_not_contradict_their_chips(name):
    board = boards.load(name)
    assert not list(contradictions(f"{name} {board.core}", {}, board.clock_hz))

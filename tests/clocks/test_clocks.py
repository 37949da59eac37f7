# SPDX-License-Identifier: Apache-2.0
"""The order in which clock drivers write: drivers and boards as they are, their chip by chip.c.

No emulator has these chips' clocks. What a chip does when it is written to are the rules here, by
its reference manual; each wait is tried with a chip that never gets ready, too.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, replace

import pytest

from support.command import ROOT

pytestmark = pytest.mark.needs("compiler")


@dataclass(frozen=True)
class Chip:
    """A board's clock: its driver, what its chip holds after reset, and what it answers."""

    board: str
    driver: str
    reset: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def rule(when: int, mask: int, value: int, then: int, clear: int, turned_on: int) -> str:
    return f"{when:x}&{mask:x}=={value:x}>{then:x}:{clear:x}:{turned_on:x}"


# nRF51 Series Reference Manual, 13: the task starts the crystal, and the event tells that it runs.
HFCLKSTART, HFCLKSTARTED, XTALFREQ = 0x40000000, 0x40000100, 0x40000550
NRF_RULES = (rule(HFCLKSTART, 1, 1, HFCLKSTARTED, 0, 1),)
TY51822R3 = Chip("ty51822r3", "nrf", (f"{XTALFREQ:x}=ff",), NRF_RULES)
MICROBIT_V2 = Chip("bbc_microbit_v2", "nrf", (), NRF_RULES)

# RM0440, 6, 7: a PLL of whatever multiplier locks; the switch follows, as far as there is a PLL.
G4_CR, G4_CFGR, G4_PLLCFGR, G4_APB1 = 0x40021000, 0x40021008, 0x4002100C, 0x40021058
G4_ACR, G4_CR5 = 0x40022000, 0x40007080
G431 = Chip(
    "nucleo_g431kb", "stm32",
    (f"{G4_CR:x}=500", f"{G4_CFGR:x}=5", f"{G4_CR5:x}=100"),
    (
        rule(G4_CR, 1 << 24, 1 << 24, G4_CR, 0, 1 << 25),
        rule(G4_CFGR, 3, 1, G4_CFGR, 12, 4),
        rule(G4_CFGR, 3, 3, G4_CFGR, 12, 12),
    ),
)  # fmt: skip

# RM0399, 7, 9: the voltage gets ready, the PLL locks, the switch follows.
H7_CR, H7_CFGR, H7_D1CFGR, H7_DIVR = 0x58024400, 0x58024410, 0x58024418, 0x58024430
H7_CR3, H7_CSR1, H7_D3CR, H7_ACR = 0x5802480C, 0x58024804, 0x58024818, 0x52002000
H747 = Chip(
    "stm32h747i_disco", "stm32h7",
    (f"{H7_CR3:x}=6", f"{H7_CR:x}=1", f"{H7_D3CR:x}=4000", f"{H7_ACR:x}=37"),
    (
        rule(H7_CR3, 6, 4, H7_CSR1, 0, 1 << 13),
        rule(H7_D3CR, 3 << 14, 3 << 14, H7_D3CR, 0, 1 << 13),
        rule(H7_CR, 1 << 24, 1 << 24, H7_CR, 0, 1 << 25),
        rule(H7_CFGR, 7, 3, H7_CFGR, 0x38, 3 << 3),
        rule(H7_CFGR, 7, 0, H7_CFGR, 0x38, 0),
    ),
)  # fmt: skip

# i.MX RT1060 Reference Manual, 14, 18: 1.15 V after reset, and the busy bits of CDHIPR never seen.
RT_CACRR, RT_CBCDR, RT_CDHIPR, RT_CCGR6 = 0x400FC010, 0x400FC014, 0x400FC048, 0x400FC080
RT_PLL, RT_DCDC0, RT_DCDC3 = 0x400D8000, 0x40080000, 0x4008000C
RT1062 = Chip(
    "teensy41", "imxrt", (f"{RT_DCDC3:x}=e",),
    (
        rule(RT_DCDC3, 0x1F, 18, RT_DCDC0, 0, 1 << 31),
        rule(RT_PLL, 1 << 13, 1 << 13, RT_PLL, 0, 1 << 31),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Started:
    """What a start wrote, in its order, and what it says of itself."""

    writes: list[tuple[int, int]]
    said: str
    uart_hz: int
    clock_hz: int

    def first(self, address: int, mask: int = 0, value: int = 0) -> int:
        """The place among the writes of the first to `address` whose bits `mask` are `value`."""
        return next(n for n, (where, what) in enumerate(self.writes)
                    if where == address and what & mask == value)  # fmt: skip

    def last(self, address: int) -> int:
        return [what for where, what in self.writes if where == address][-1]


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Compile a board's clock for this host, and start it."""
    directory, built = tmp_path_factory.mktemp("clocks"), {}

    def compiled(chip: Chip, rated: bool):
        program = directory / f"{chip.board}-{rated}"
        if program not in built:
            common = [
                "gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Wno-int-to-pointer-cast",
                "-Wno-unused-parameter", "-I", str(ROOT / "boards" / chip.board), "-I", str(ROOT),
                "-I", str(ROOT / "include"), *(["-DCONFIG_CLOCK_RATED=1"] if rated else []),
                "-fsanitize=thread", "--param", "tsan-distinguish-volatile=1", "-c",
            ]  # fmt: skip
            objects = []
            for source in (ROOT / "tests/clocks/chip.c", ROOT / f"drivers/clock/{chip.driver}.c"):
                objects.append(f"{program}-{source.stem}.o")
                subprocess.run([*common, "-o", objects[-1], source], check=True)
            subprocess.run(["gcc", "-o", program, *objects], check=True)
            built[program] = True
        return program

    def run(chip: Chip, rated: bool = False, but: int | None = None) -> Started:
        rules = [one for n, one in enumerate(chip.rules) if n != but]
        done = subprocess.run([compiled(chip, rated), *chip.reset, *rules], check=True, timeout=60,
                              capture_output=True, text=True)  # fmt: skip
        *writes, said, rates = done.stdout.splitlines()
        assert all(re.fullmatch(r"[0-9a-f]{8} [0-9a-f]{8}", line) for line in writes)
        pairs = [tuple(int(word, 16) for word in line.split()) for line in writes]
        return Started(pairs, said, *(int(word) for word in rates.split()))

    return run


# ---- nRF51822 ----


def test_the_ty51822r3_tells_its_crystals_rate_before_it_starts_it(start):
    done = start(TY51822R3)
    assert done.last(XTALFREQ) == 0  # 32 MHz; FFh is 16
    assert done.first(XTALFREQ) < done.first(HFCLKSTART)
    assert done.said == "its clock"


def test_no_other_nrf_board_is_told_of_another_crystal(start):
    assert XTALFREQ not in dict(start(MICROBIT_V2).writes)


@pytest.mark.parametrize("chip", [TY51822R3, MICROBIT_V2], ids=lambda chip: chip.board)
def test_a_crystal_that_does_not_start_is_said(start, chip):
    assert "the crystal does not start" in start(chip, but=0).said


# ---- STM32G431 ----


def test_the_g431_is_boosted_at_8_mhz_and_gets_its_wait_states_before_the_clock(start):
    done = start(G431, rated=True)
    assert (done.said, done.clock_hz, done.uart_hz) == ("its clock", 170_000_000, 170_000_000)
    pll = done.last(G4_PLLCFGR)
    assert 16 / ((pll >> 4 & 15) + 1) * (pll >> 8 & 0x7F) / (2 * (pll >> 25 & 3) + 2) == 170
    half = done.first(G4_CFGR, 0xF3, 0x81)  # by two, still by the RC oscillator
    power = done.first(G4_APB1, 1 << 28, 1 << 28)
    boosted = done.first(G4_CR5, 1 << 8, 0)
    waits = done.first(G4_ACR, 15, 4)
    switched = done.first(G4_CFGR, 3, 3)
    assert half < boosted < waits < switched
    assert power < boosted
    assert all(what & 3 in (1, 3) for where, what in done.writes if where == G4_CFGR)  # 0: reserved
    assert done.writes[switched][1] & 0xF0 == 0x80
    assert done.last(G4_CFGR) & 0xF3 == 3


def test_the_g431_is_at_150_mhz_and_not_boosted_unless_asked_for(start):
    done = start(G431)
    assert (done.said, done.clock_hz, done.uart_hz) == ("its clock", 150_000_000, 150_000_000)
    assert not {G4_CR5, G4_APB1} & dict(done.writes).keys()
    assert done.last(G4_PLLCFGR) >> 8 & 0x7F == 75


# ---- STM32H747 ----


@pytest.mark.parametrize("rated", [False, True])
def test_the_h747s_supply_is_told_before_anything_else(start, rated):
    done = start(H747, rated)
    assert done.writes[0] == (H7_CR3, 4)  # the switching regulator stays, the linear one goes
    assert [where for where, _ in done.writes].count(H7_CR3) == 1
    assert done.said == "its clock"


def test_the_h747_gets_voltage_and_wait_states_before_400_mhz(start):
    done = start(H747, rated=True)
    assert (done.clock_hz, done.uart_hz) == (400_000_000, 100_000_000)
    divided = done.last(H7_DIVR)
    assert 64 // 8 * ((divided & 0x1FF) + 1) // ((divided >> 9 & 0x7F) + 1) == 400
    scale = done.first(H7_D3CR, 3 << 14, 3 << 14)
    waits = done.first(H7_ACR, 0x3F, 0x22)
    buses = done.first(H7_D1CFGR, 0xF, 8)
    switched = done.first(H7_CFGR, 7, 3)
    assert scale < waits < switched
    assert buses < switched
    assert 0x58000404 not in dict(done.writes)  # SYSCFG_PWRCR, whose ODEN is scale 0: see Kconfig


def test_the_h747_stays_at_64_mhz_unless_asked_for(start):
    done = start(H747)
    assert (done.clock_hz, done.uart_hz) == (64_000_000, 64_000_000)
    assert not {H7_D3CR, H7_ACR, H7_DIVR} & dict(done.writes).keys()


# ---- i.MX RT1062 ----


def test_the_teensys_voltage_comes_before_its_600_mhz(start):
    done = start(RT1062, rated=True)
    assert (done.said, done.clock_hz) == ("its clock", 600_000_000)
    assert done.last(RT_DCDC3) & 0x1F == (1250 - 800) // 25
    gate = done.first(RT_CCGR6, 3 << 6, 3 << 6)
    raised = done.first(RT_DCDC3, 0x1F, 18)
    pll = done.first(RT_PLL, 0x7F, 100)
    taken = max(n for n, (where, _) in enumerate(done.writes) if where == RT_CBCDR)
    assert gate < raised < pll < taken
    assert 24 * (done.last(RT_PLL) & 0x7F) / 2 / ((done.last(RT_CACRR) & 7) + 1) == 600
    assert 600 / ((done.last(RT_CBCDR) >> 8 & 3) + 1) == 150


def test_the_teensy_is_at_396_mhz_by_the_voltage_that_reset_leaves(start):
    done = start(RT1062)
    assert (done.said, done.clock_hz) == ("its clock", 396_000_000)
    assert RT_DCDC3 not in dict(done.writes)
    assert 396 / ((done.last(RT_CBCDR) >> 8 & 3) + 1) == 132


def test_a_voltage_that_is_higher_already_is_left(start):
    done = start(replace(RT1062, reset=(f"{RT_DCDC3:x}=13",)), rated=True)
    assert (done.said, RT_DCDC3 in dict(done.writes)) == ("its clock", False)


# ---- what never gets ready ----


@pytest.mark.parametrize(
    ("chip", "rated", "but", "said", "uart_hz"),
    [
        (G431, True, 0, "the PLL does not lock", 16_000_000),
        (G431, True, 2, "the core does not go to the PLL", 16_000_000),
        (H747, False, 0, "the supply does not settle", 64_000_000),
        (H747, True, 0, "the supply does not settle", 64_000_000),
        (H747, True, 1, "the core's voltage does not rise", 64_000_000),
        (H747, True, 2, "the PLL does not lock", 64_000_000),
        (H747, True, 3, "the core does not go to the PLL", 64_000_000),
        (RT1062, True, 0, "the core's voltage does not rise", 24_000_000),
        (RT1062, True, 1, "the PLL does not lock", 24_000_000),
    ],
)
def test_a_wait_that_never_ends_is_left_with_a_clock_that_runs(
    start, chip, rated, but, said, uart_hz
):
    done = start(chip, rated, but)
    assert done.said.startswith(said)
    assert done.uart_hz == uart_hz
    # Nobody runs by what did not come: neither the clock nor anything that needs it.
    if chip is G431:
        assert done.last(G4_CFGR) & 3 == 1
    if chip is H747:
        assert dict(done.writes).get(H7_CFGR, 0) & 7 == 0
        assert dict(done.writes).get(H7_D1CFGR, 0) == 0
    if chip is RT1062 and but == 0:
        assert not {RT_PLL, RT_CBCDR} & dict(done.writes).keys()


# A register that does not take what is written to it.
NO_BOOST = rule(G4_CR5, 1 << 8, 0, G4_CR5, 0, 1 << 8)  # as while PWR has no clock
NO_WAITS_G4 = rule(G4_ACR, 0, 0, G4_ACR, 15, 0)
NO_WAITS_H7 = rule(H7_ACR, 0, 0, H7_ACR, 15, 0)


@pytest.mark.parametrize(
    ("chip", "stuck", "said"),
    [
        (G431, NO_BOOST, "the regulator takes no boost"),
        (G431, NO_WAITS_G4, "the flash takes no wait states"),
        (H747, NO_WAITS_H7, "the flash takes no wait states"),
    ],
)
def test_what_is_not_taken_leaves_the_chips_own_clock_undivided(start, chip, stuck, said):
    done = start(replace(chip, rules=(*chip.rules, stuck)), rated=True)
    assert done.said.startswith(said)
    if chip is G431:
        assert (done.uart_hz, done.last(G4_CFGR) & 0xF3) == (16_000_000, 1)
    else:
        assert (done.uart_hz, dict(done.writes)[H7_D1CFGR]) == (64_000_000, 0)


def test_a_debuggers_reset_while_the_core_runs_by_the_pll_goes_to_the_rc_oscillator_first(start):
    chips = {
        G4_CFGR: replace(G431, reset=(*G431.reset, f"{G4_CFGR:x}=f")),
        H7_CFGR: replace(H747, reset=(*H747.reset, f"{H7_CFGR:x}=1b", f"{H7_D1CFGR:x}=48")),
    }
    for switch, chip in chips.items():
        done = start(chip, rated=True)
        assert done.said == "its clock"
        left, pll_off = done.first(switch), 0x40021000 if switch == G4_CFGR else H7_CR
        assert done.writes[left][1] & 3 in (0, 1)
        assert left < done.first(pll_off, 1 << 24, 0)

# SPDX-License-Identifier: Apache-2.0
"""What an instruction takes on `ibex`: the one table that all bounds rest on, and its evidence.

The core is Ibex with single-cycle multiplier, branch ALU and write-back stage, no instruction
cache, and memory that answers in the next clock (boards/ibex, no wait states). Time is counted
from one instruction's leaving the execute stage (ID/EX) to the next one's: what a call takes is the
sum over its instructions. That sum is exact for a path and has no memory of its own, since the
stage holds one instruction and what is behind it (write-back, at most one load) is felt by the
very next instruction only. So the costliest path is the sum of the costliest steps: the core
has no timing anomalies, and nothing before a call can make it longer.

| rule | clocks | where in Ibex's RTL |
| --- | ---: | --- |
| any instruction | 1 | ibex_id_stage.sv: one leaves a clock, unless it says otherwise |
| mulh, mulhsu, mulhu | 2 | ibex_multdiv_fast.sv, single cycle: MULL, then MULH |
| div, divu, rem, remu | 37 | ibex_multdiv_fast.sv: MD_IDLE to MD_FINISH, 32 bits one by one |
| behind a load, where its register is read | +1 | ibex_id_stage.sv: stall_ld_hz |
| behind a jump, or a branch that is taken | +1 | ibex_if_stage.sv: the fetch is redirected |
| ... to 32 bits across a word's boundary | +1 more | ibex_fetch_fifo.sv: needs two words |
| behind a branch to the next instruction | as taken | the decision moves the fetch either way |
| behind fence.i | as a jump | ibex_decoder.sv: icache_inval_o, jump to the next |
| behind a write of mstatus, mie, mseccfg, a PMP's | +2 | csr_pipeline_flushes: FLUSH, then DECODE |
| behind a clear of mstatus.MIE | +1 | an interrupt of that very clock stops the fetch, untaken |
| behind mret | +2, and the split | ibex_controller.sv: FLUSH, then the fetch is redirected |
| a trap's first instruction | +4 | IRQ_TAKEN or FLUSH; the vector's fetch; 5 in all |
| ... of an interrupt behind mret | +1 more | the fetch that mret began has to end |
| ... of an exception | its own wait | what traps waited as any does, and does not retire |
| ... of a load or store that faults | +1 more | its answer; 6 in all where a PMP denies it |

With wait states (I of a fetch, D of a load or store: boards/ibex_ws1, ibex_ws2; `wait_states()`):

| rule | clocks |
| --- | ---: |
| any instruction | +I |
| behind a load or store | +D |
| behind a jump, a branch that is taken, mret | +3 I in all: two fetches under way have to end |
| ... to 32 bits across a word's boundary | +4 I in all |
| a trap's first instruction | +7 I, and +D behind a load or store |

Fetches and data overlap on the two ports, so both are seldom paid at once: these are upper bounds.

A load or store that is not aligned would cost one more: compiled code has none, and a check that
met one would fail.

What this table says of each pair that ever ran is held against the RTL by `foliot bound --check`
(check.py): all suites, random programs, random interrupts. The first that takes longer fails.
Waiting in WFI is no cost: a path that sleeps has no bound.
"""

from __future__ import annotations

from collections.abc import Sequence

from foliot.bound.instructions import Instruction

BOARD = "ibex"
BOARDS = ("ibex", "ibex_ws1", "ibex_ws2")

# What bounds in the port's sources name. LINE: the simulated SoC's software interrupt is seen in
# mip two clocks behind the store that raises it, so the loop that waits for it never begins anew.
NAMES = {"LINE": 1, "REGBYTES": 4}

_ALONE = {
    "alu": 1, "mul": 1, "mulh": 2, "div": 37, "load": 1, "store": 1, "branch": 1, "jal": 1,
    "jalr": 1, "csr": 1, "mret": 1, "fence": 1, "fence.i": 1, "ecall": 1, "ebreak": 1, "wfi": 1,
}  # fmt: skip
_LOAD_USE = 1
_REDIRECT = 1
_SPLIT = 1
_FLUSH = 2
_MASK_RACE = 1
_MRET = 2
_TRAP = 4
_TRAP_MRET = 1
_TRAP_ANSWER = 1
_ANSWERED = ("e5", "e7")  # a load's access fault, and a store's
_WAIT_REDIRECT, _WAIT_SPLIT, _WAIT_TRAP = 3, 4, 7
_waits = {"fetch": 0, "data": 0}
_MSTATUS, _MIE, _MSECCFG, _MSECCFGH = 0x300, 0x304, 0x747, 0x757
_MIE_BIT = 8


def wait_states(fetch: int, data: int) -> None:
    """Say how many clocks more the memory takes; 0, 0 where nothing is said."""
    _waits.update(fetch=fetch, data=data)


def of_board(options: Sequence[str]) -> None:
    """Take a board's wait states from its simulator's options."""
    said = list(options)
    told = said[said.index("--wait-states") + 1] if "--wait-states" in said else "0,0"
    fetch, _, data = told.partition(",")
    wait_states(int(fetch), int(data))


def alone(what: Instruction) -> int:
    """Return the clocks of an instruction that waits for nothing."""
    return _ALONE[what.kind]


def step(before: Instruction, what: Instruction, pc: int, taken: bool) -> int:
    """Return the most clocks from `before` leaving to `what`, at `pc`, leaving.

    `taken` is true where `before` is a branch and jumped.
    """
    clocks = _ALONE[what.kind]
    if before.kind == "load" and before.rd and before.rd in what.reads:
        clocks += _LOAD_USE
    split = _SPLIT if what.size == 4 and pc & 2 else 0
    if _redirects(before, taken):
        clocks += _REDIRECT + split
    elif before.kind == "mret":
        clocks += _MRET + split
    elif _flushes(before):
        clocks += _FLUSH
    elif masks(before):
        clocks += _MASK_RACE
    if _waits["fetch"] or _waits["data"]:
        jumps = before.kind == "mret" or _redirects(before, taken)
        fetches = (_WAIT_SPLIT if split else _WAIT_REDIRECT) if jumps else 1
        clocks += fetches * _waits["fetch"] + _waits_for_data(before)
    return clocks


def _waits_for_data(before: Instruction) -> int:
    return _waits["data"] if before.kind in ("load", "store") else 0


def _waits_of_trap(before: Instruction | None = None) -> int:
    data = _waits["data"] if before is None else _waits_for_data(before)
    return _WAIT_TRAP * _waits["fetch"] + data


def trap(before: Instruction, what: Instruction, event: str) -> int:
    """Return the most clocks from the last instruction before a trap to the trap's first.

    An exception's own instruction does not retire: what it waited for behind `before` is in it.
    `event` is the trap, `i11` or `e5`.
    """
    clocks = _TRAP + _ALONE[what.kind] + _waits_of_trap(before)
    if event in _ANSWERED:
        clocks += _TRAP_ANSWER + (_LOAD_USE if before.kind == "load" else 0) + _waits["data"]
    if _flushes(before):
        return clocks + _FLUSH
    if event.startswith("i"):
        return clocks + (_TRAP_MRET if before.kind == "mret" else 0)
    if before.kind == "mret":
        return clocks + _MRET + _SPLIT
    if _redirects(before, True):
        return clocks + _REDIRECT + _SPLIT
    return clocks + (_MASK_RACE if masks(before) else 0)


def system_call(what: Instruction) -> int:
    """Return the most clocks from an ecall, counted as any instruction, to the trap's first."""
    return _TRAP - 1 + _ALONE[what.kind] + _waits_of_trap()


def interrupt_entry(what: Instruction) -> int:
    """Return the most clocks from whatever was before to an interrupt's first instruction."""
    return _TRAP + _ALONE[what.kind] + max(_FLUSH, _TRAP_MRET) + _waits_of_trap()


def masks(what: Instruction) -> bool:
    """Say whether it takes mstatus.MIE away, or may."""
    if what.kind != "csr" or what.csr != _MSTATUS:
        return False
    if what.name == "csrrci":
        return bool(what.imm & _MIE_BIT)
    return what.name == "csrrc" and what.reads != (0,)


def opens(what: Instruction) -> bool:
    """Say whether it may give mstatus.MIE."""
    if what.kind != "csr" or what.csr != _MSTATUS:
        return False
    if what.name in ("csrrsi", "csrrwi"):
        return bool(what.imm & _MIE_BIT)
    return what.name == "csrrw" or (what.name == "csrrs" and what.reads != (0,))


def writes_mstatus(what: Instruction) -> bool:
    """Say whether it writes all of mstatus."""
    return what.kind == "csr" and what.csr == _MSTATUS and what.name == "csrrw"


def keeps_masked(value: int) -> bool:
    """Say whether mstatus with that value lets no interrupt in."""
    return not value & _MIE_BIT


def _redirects(before: Instruction, taken: bool) -> bool:
    if before.kind == "branch":
        return taken or before.imm == before.size
    return before.kind in ("jal", "jalr", "fence.i")


def _flushes(what: Instruction) -> bool:
    """Say whether the core begins anew behind it: writes and sets of what decides on fetching."""
    if what.kind != "csr" or what.name in ("csrrc", "csrrci"):
        return False
    if what.name in ("csrrs", "csrrsi") and what.imm == 0:
        return False  # reads only; `imm` is the register's number here
    return what.csr in (_MSTATUS, _MIE, _MSECCFG, _MSECCFGH) or what.csr >> 5 == 0x1D

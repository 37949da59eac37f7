# SPDX-License-Identifier: Apache-2.0
"""Telling a person where a target died or got stuck, by the names in its image."""

from __future__ import annotations

from pathlib import Path

from foliot.image import Image
from foliot.model import Fault
from foliot.runner import Outcome

_PC_NAMES = ("pc", "mepc", "epc", "elr", "rip")


def describe_fault(fault: Fault, elf: Path) -> list[str]:
    """Return lines: what happened and in which function, then the registers, named."""
    image = Image(elf)
    pc = next((fault.registers[name] for name in _PC_NAMES if name in fault.registers), None)
    thread = f" in thread {fault.thread}" if fault.thread else ""
    lines = [f"fault on the target{thread}: {fault.cause or 'cause not given'}"]
    if pc is not None:
        lines.append(f"at {pc:#010x} {image.where(pc) or '(in no known function)'}")
    for name, value in fault.registers.items():
        place = image.where(value)
        lines.append(f"{name:>8} {value:#010x}{'  ' + place if place else ''}")
    lines += [f"{key:>8} {value}" for key, value in fault.detail.items()]
    return lines


def describe_hang(outcome: Outcome, elf: Path) -> list[str]:
    """Return lines: why the run was stopped, where the core stood, what it printed last."""
    why = {
        "limit": "stopped at the limit of simulated time",
        "asleep": "stopped: the core sleeps and nothing is left that could wake it",
        "lockup": "stopped: the core locked up (it faults while it handles a fault)",
    }[outcome.reason]
    after = f", after {outcome.units} cycles" if outcome.units is not None else ""
    place = "the program counter is not known"
    if outcome.pc is not None:
        where = Image(elf).where(outcome.pc) or "(in no known function)"
        place = f"the program counter is {outcome.pc:#010x} {where}"
    return [f"{why}{after}; {place}", "its last lines:", *outcome.last_lines[-4:]]

# SPDX-License-Identifier: Apache-2.0
"""Telling a person where a target died or got stuck, by the names in its image."""

from __future__ import annotations

import re
from pathlib import Path

from foliot.image.elf import Image
from foliot.model.run import Fault
from foliot.target.runner import Outcome


def describe_fault(fault: Fault, elf: Path) -> list[str]:
    """Return lines: what happened and in which function, then the registers, named."""
    image = Image(elf)
    context = "an interrupt" if fault.in_isr else f"thread {_named(image, fault.thread)}"
    lines = [
        f"fault on the target: {fault.reason} ({fault.cause})",
        f"at {fault.pc:#010x} {image.where(fault.pc) or '(in no known function)'}, in {context}",
    ]
    for name, value in fault.registers.items():
        place = image.where(value) or image.variable(value)
        lines.append(f"{name:>11} {value:#010x}{'  ' + place if place else ''}")
    return lines


# enum k_fatal_error_reason (include/foliot/fatal.h), by which a program without words names it.
_REASONS = ("cpu exception", "spurious interrupt", "stack overflow", "kernel oops", "kernel panic")

_IDLE = re.compile(r"(?:usage_)?idle\b")
_IDLES = (
    "it idles, as a program does whose main() has returned: k_exit(0) would end the run, "
    "--timeout S waits less long"
)


def describe_brief(reason: int, pc: int, elf: Path) -> list[str]:
    """Return lines for a fault that the target told of by its number and pc alone."""
    name = _REASONS[reason] if reason < len(_REASONS) else f"number {reason}"
    return [
        f"fault on the target: {name}",
        f"at {pc:#010x} {Image(elf).where(pc) or '(in no known function)'}",
        "no more was told: CONFIG_FAULT_REPORT_ALWAYS has a program say it that has no printk()",
    ]


def _named(image: Image, address: int) -> str:
    return image.variable(address) or f"{address:#010x}"


def describe_hang(outcome: Outcome, elf: Path) -> list[str]:
    """Return lines: why the run was stopped, where the core stood, what it printed last."""
    took = f"{outcome.wall_s:.0f} s"
    why = {
        "limit": "stopped at the limit of simulated time",
        "wall": f"stopped after {took} of this machine's time (--timeout S allows S)",
        "asleep": "stopped: the core sleeps and nothing is left that could wake it",
        "lockup": "stopped: the core locked up (it faults while it handles a fault)",
        "stray": "stopped: an access where nothing is, of which this core takes no notice",
    }[outcome.reason]
    after = f", after {outcome.units} cycles" if outcome.units is not None else ""
    place, where = "the program counter is not known", ""
    if outcome.pc is not None:
        image = Image(elf)
        # A simulated core may stand behind a jump that ends a function: it is not taken yet.
        where = image.where(outcome.pc) or image.where(outcome.pc - 1) or "(in no known function)"
        place = f"the program counter is {outcome.pc:#010x} {where}"
    idles = outcome.reason in ("limit", "wall") and _IDLE.match(where)
    return [
        f"{why}{after}; {place}", *([_IDLES] if idles else []),
        "its last lines:", *outcome.last_lines[-4:],
    ]  # fmt: skip

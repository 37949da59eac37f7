# SPDX-License-Identifier: Apache-2.0
"""Many calls' bounds beside what was observed; a refusal is a row of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from foliot.bound import call, isr, masked, saved
from foliot.bound.call import formula
from foliot.bound.graph import Refused
from foliot.bound.image import Program
from foliot.bound.observe import Observed
from foliot.model.errors import FoliotError

_LARGE = 5_000  # pieces of code; a formula is a dozen bounds

_FINDS = {"E", "S", "G"}  # parameters that say how much is due

Find = Callable[[Program, str], call.Call]


@dataclass(frozen=True, slots=True)
class Bounded:
    """A call's bound to one of its ends; `clocks` is None where it is refused, for `reason`."""

    name: str
    end: str = ""
    clocks: int | None = None
    formula: str = ""
    observed: Observed | None = None
    reason: str = ""
    rests_on: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    astray: str = ""  # where the observed one ran what is no part of it

    @property
    def ratio(self) -> float | None:
        """How many times the observed maximum the bound is."""
        if self.clocks is None or self.observed is None or not self.observed.clocks:
            return None
        return self.clocks / self.observed.clocks

    @property
    def is_wrong(self) -> bool:
        """True where it took longer than it can, or a way that there is none."""
        return self.clocks is not None and self.observed is not None and (
            self.observed.clocks > self.clocks or bool(self.astray)
        )  # fmt: skip


def bounds(
    program: Program,
    names: Iterable[str],
    parameters: Mapping[str, int],
    observed: Mapping[tuple[str, str], Observed],
    formulas: bool = True,
    find: Find = call.call,
    is_cut: bool = False,
) -> Iterator[Bounded]:
    """Give the bounds of calls, each to each of its ends; `is_cut`: without impossible paths."""
    for name in names:
        try:
            yield from _of(find(program, name), parameters, observed, formulas, is_cut)
        except FoliotError as refused:
            yield Bounded(name, reason=str(refused))


def masked_sections(
    program: Program,
    names: Iterable[str],
    parameters: Mapping[str, int],
    find: Find = call.call,
    formulas: bool = True,
    observed: Mapping[tuple[str, str], Observed] | None = None,
) -> Iterator[Bounded]:
    """Give the longest masked stretch of each call that masks, and what it grows with."""
    seen = observed or {}
    for name in names:
        try:
            whole = find(program, name)
            if whole.refusals():
                raise Refused(whole.refusals()[0])
            part = masked.masked(whole)
            if part is None:
                continue
            clocks = masked.longest_of(whole, part, parameters)
            grows = masked.grows_with(part, parameters)
            told = formula(part, masked.OPEN, parameters) if formulas else _grows(grows)
        except FoliotError as refused:
            yield Bounded(name, reason=str(refused))
            continue
        yield Bounded(
            name, masked.OPEN, clocks, told, seen.get(whole.seen_as(masked.MASKED)),
            parameters=tuple(grows),
        )  # fmt: skip


def _grows(names: Iterable[str]) -> str:
    told = ", ".join(names)
    return f"grows with {told}" if told else ""


def interrupt(
    program: Program, handler: str, parameters: Mapping[str, int],
    observed: Mapping[tuple[str, str], Observed] | None = None,
) -> Iterator[Bounded]:  # fmt: skip
    """Give what an interrupt costs, of a handler: to the mret, to a switch.

    Observed is that of handlers which find no more due than another time, whatever a run had.
    """
    try:
        whole = isr.interrupt(program, handler)
        if whole.refusals():
            raise Refused(whole.refusals()[0])
        for end in whole.ends():
            clocks = whole.bound(end, parameters).clocks
            told = tuple(whole.parameters())
            seen = None if _FINDS & {*told} else (observed or {}).get((handler, end))
            yield Bounded(handler, end, clocks, observed=seen, parameters=told)
    except FoliotError as refused:
        yield Bounded(handler, reason=str(refused))


def _of(
    one: call.Call,
    parameters: Mapping[str, int],
    observed: Mapping[tuple[str, str], Observed],
    formulas: bool,
    is_cut: bool,
) -> Iterator[Bounded]:
    refusals = one.refusals()
    if refusals:
        raise Refused(refusals[0])
    rests_on = tuple(f"{loop.where}: {loop.formal}" for loop in one.facts())
    places = one.graph.places()
    for end in one.ends():
        clocks = one.bound(end, parameters).clocks
        if is_cut:
            clocks = saved.without_impossible(one, end, parameters)
        told = formula(one, end, parameters) if formulas and len(one.graph.edges) < _LARGE else ""
        seen = observed.get(one.seen_as(end))
        yield Bounded(
            one.name, end, clocks, told, seen, rests_on=rests_on,
            parameters=tuple(one.parameters()), astray=_astray(one, seen, places),
        )  # fmt: skip


def _astray(one: call.Call, seen: Observed | None, places: set[int]) -> str:
    """Return where an observed call of the same image ran what its graph has not, or nothing."""
    if seen is None or seen.elf != one.program.path:
        return ""
    return next((one.program.where(pc) for pc in sorted(seen.places - places)), "")

# SPDX-License-Identifier: Apache-2.0
"""Response times of an application's threads, by its image and a file that says what runs when.

The analysis is the standard one of fixed priorities (Joseph and Pandya 1986; Audsley and others
1993, with jitter and blocking). A thread's job is what it runs from the return of the call in
which it waits for its next period to that call's next return, its switches included: its cost C is
bounded as any call is, out of the image. In a window of w cycles, each thread of the same or a more
urgent priority, itself excepted, has at most ceil((w + J) / T) jobs, and each interrupt so many
entries:

    w(q) = B + q C + sum over threads of ceil((w + J) / T) * C + sum over interrupts of the same
    response = w(q) + J - (q - 1) T, the worst of q = 1, 2... until w(q) + J <= q T

The window may be longer than a period (Lehoczky 1990; Tindell 1994): then a job waits for the
thread's own last one, and each in the window is looked at. Where what is at least as urgent needs
more than all of the core there is no end to it, and no figure: overload.

B is blocking: the longest that a less urgent thread keeps interrupts masked, all of its job where
it is cooperative or locks the scheduler, and for each resource
that one of those shares with this thread, or a more urgent one, the longest that it holds it
(inheritance lends the priority for no longer). J is how late a release may come: the rest of a
tick, for a period that is no whole number of ticks. An interrupt's cost has the switch in it, away
from whom it interrupts and back. All of a job's work counts, also of equals: they take turns, and
whoever came before is not overtaken.

The file is `system.toml` in the application's directory (system_file.py); docs/bounds.md has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from foliot.bound import call, ibex, isr, masked
from foliot.bound.call import Call
from foliot.bound.graph import Graph, Refused
from foliot.bound.image import Program
from foliot.bound.loops import Loops, bind
from foliot.bound.system_file import Interrupt, Resource, System, Thread
from foliot.model.errors import FoliotError

TIMER = "timer_isr"
_LOCK = "k_sched_lock"
_MOST_ROUNDS = 10_000
_MOST_JOBS = 10_000  # in one busy window
_TICKS = "CONFIG_SYS_CLOCK_TICKS_PER_SEC"


@dataclass(frozen=True, slots=True)
class Cost:
    """A thread's job: its cycles, and the longest that it keeps interrupts masked."""

    job: int
    masked: int
    keeps_running: bool = False  # it locks the scheduler: nobody takes over meanwhile


@dataclass(frozen=True, slots=True)
class Response:
    """A thread's answer; `response` is None where there is more work than time, for ever."""

    thread: Thread
    work: int
    blocking: int
    jitter: int
    response: int | None

    @property
    def is_met(self) -> bool:
        """Say whether it is done by its deadline, always."""
        return self.response is not None and self.response <= self.thread.deadline


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found of a system."""

    responses: tuple[Response, ...]
    interrupts: tuple[tuple[Interrupt, int], ...]
    utilisation: float


# ---- costs, out of the image ----


def cost(
    program: Program, thread: Thread, given: Mapping[str, int], never: frozenset[str] = frozenset()
) -> Cost:
    """Return what a thread's job costs; Refused where it has no bound."""
    parameters = {**given, **thread.parameters}
    around = call.call(program, thread.wait, through=True)
    jobs = [_job(program, thread, site, never) for site in _sites(program, thread)]
    parts = [*jobs, around]
    longest = 0
    for part in parts:
        for reason in part.refusals():
            raise Refused(f"{thread.name}: {reason}")
        inside = masked.masked(part)
        if inside is not None:
            longest = max(longest, inside.bound(masked.OPEN, parameters).clocks)
    work = max(job.bound("stop", parameters).clocks for job in jobs)
    locks = program.image.address(_LOCK)
    keeps = any(node.pc == locks for part in parts for node in part.graph.edges)
    return Cost(work + around.bound("return", parameters).clocks, longest, keeps)


def _sites(program: Program, thread: Thread) -> list[int]:
    """Return the instructions behind the calls in which a thread waits for its next period."""
    entry, wait = program.image.address(thread.entry), program.image.address(thread.wait)
    for name, found in ((thread.entry, entry), (thread.wait, wait)):
        if found is None:
            raise FoliotError(f"{program.name} has no function {name}")
    sites = [
        pc + what.size
        for pc, what in program.of_function.get(thread.entry, ())
        if what.is_call and _target(program, pc) == wait
    ]
    if not sites:
        raise Refused(f"{thread.entry} has no call of {thread.wait} of its own: what is its job?")
    return sites


def _target(program: Program, pc: int) -> int | None:
    what = program.code[pc]
    if what.kind == "jal":
        return pc + what.imm
    fixed = program.constant(pc, what.reads[0])
    return None if fixed is None else fixed + what.imm & 0xFFFFFFFF


def _job(program: Program, thread: Thread, site: int, never: frozenset[str]) -> Call:
    graph = Graph(program, site, without=never, stops=frozenset({thread.wait}), through=True)
    if "stop" not in graph.ends():
        raise Refused(f"{thread.entry} never gets to {thread.wait} again")
    loops = Loops(graph)
    first = ibex.step(call.JUMP, graph.piece(site)[0][1], site, True) + graph.inside(site)
    options = call.options(program.path)
    return Call(program, f"{thread.name}'s job", graph, loops, bind(loops), options, first)


def interrupt_cost(program: Program, one: Interrupt, given: Mapping[str, int]) -> int:
    """Return what an interrupt takes from whom it interrupts, a switch there and back included."""
    line = isr.TIMER_LINE if one.handler == TIMER else isr.OTHER_LINE
    if program.image.address(one.handler) is None:
        raise FoliotError(f"{program.name} has no function {one.handler}")
    whole = isr.interrupt(program, one.handler, line, through=True)
    for reason in whole.refusals():
        raise Refused(f"{one.handler}: {reason}")
    return whole.bound("mret", {**given, **one.parameters}).clocks


def held(program: Program, resource: Resource, given: Mapping[str, int]) -> int:
    """Return for how long a resource is held at most."""
    whole = call.call(program, resource.held, through=True)
    for reason in whole.refusals():
        raise Refused(f"{resource.held}: {reason}")
    return whole.bound("return", given).clocks


# ---- the analysis ----


def analyse(program: Program, system: System, given: Mapping[str, int], clock_hz: int) -> Answer:
    """Return the response times of a system's threads."""
    given = {**given, **system.parameters}
    options = call.options(program.path)
    tick = -(-clock_hz // options[_TICKS]) if options.get(_TICKS) else 0
    costs = {one.name: cost(program, one, given, system.never) for one in system.threads}
    entries = tuple((one, interrupt_cost(program, one, given)) for one in _interrupts(system))
    holds = [(one, held(program, one, given)) for one in system.resources]
    responses = tuple(
        respond(one, system, costs, entries, _blocking(one, system, costs, holds), tick)
        for one in system.threads
    )
    used = sum(one.count * costs[one.name].job / one.period for one in system.threads)
    used += sum(clocks / one.every for one, clocks in entries)
    return Answer(responses, entries, used)


def _interrupts(system: System) -> Iterator[Interrupt]:
    """Give what interrupts; of the timer, where nothing is said, one for each thread's period."""
    yield from system.interrupts
    if any(one.handler == TIMER for one in system.interrupts):
        return
    periods = {one.period for one in system.threads}
    for period in sorted(periods):
        alike = sum(one.count for one in system.threads if one.period == period)
        yield Interrupt(TIMER, period, {"G": alike, "E": alike, "S": 1})


def _blocking(
    one: Thread, system: System, costs: Mapping[str, Cost], holds: Sequence[tuple[Resource, int]]
) -> int:
    """Return for how long threads that are less urgent may keep one waiting."""
    less = {other.name for other in system.threads if other.priority > one.priority}
    keeping = {other.name for other in system.threads if other.priority < 0}
    longest = max(
        (
            costs[name].job if name in keeping or costs[name].keeps_running else costs[name].masked
            for name in less
        ),
        default=0,
    )
    urgent = {other.name for other in system.threads} - less
    shared = [
        clocks
        for resource, clocks in holds
        if less.intersection(resource.threads) and urgent.intersection(resource.threads)
    ]
    return longest + sum(shared)


def jitter(one: Thread, tick: int) -> int:
    """Return how late a release may come: what is said, or the rest of a tick."""
    if one.jitter is not None:
        return one.jitter
    return 0 if tick and one.period % tick == 0 else tick


def respond(
    one: Thread,
    system: System,
    costs: Mapping[str, Cost],
    entries: Sequence[tuple[Interrupt, int]],
    blocking: int,
    tick: int,
) -> Response:
    """Return a thread's worst response, over all of its jobs in a busy window."""
    late = jitter(one, tick)
    own = costs[one.name].job
    others = [
        (other.count - (1 if other is one else 0), other.period, jitter(other, tick),
         costs[other.name].job)
        for other in system.threads
        if other.priority <= one.priority
    ]  # fmt: skip
    others += [(1, each.every, 0, clocks) for each, clocks in entries]
    used = sum((Fraction(count * clocks, period) for count, period, _, clocks in others),
               Fraction(own, one.period))  # fmt: skip
    if used > 1:
        return Response(one, own, blocking, late, None)
    window = worst = 0
    for job in range(1, _MOST_JOBS):
        found = _window(blocking + job * own, window, others)
        if found is None:
            return Response(one, own, blocking, late, None)
        window = found
        worst = max(worst, window + late - (job - 1) * one.period)
        if window + late <= job * one.period:
            return Response(one, own, blocking, late, worst)
    return Response(one, own, blocking, late, None)


def _window(own: int, begun: int, others: Sequence[tuple[int, int, int, int]]) -> int | None:
    """Return how long it takes until so much work is done beside others'; None: too long."""
    window = max(own, begun)
    for _ in range(_MOST_ROUNDS):
        after = own + sum(
            count * -(-(window + delay) // period) * clocks
            for count, period, delay, clocks in others
        )
        if after == window:
            return window
        window = after
    return None


# ---- shown ----


def table(answer: Answer) -> Iterator[str]:
    """Give the lines of an answer."""
    heads = ("priority", 8), ("period", 10), ("work", 9), ("blocking", 8), ("response", 9)
    told = " ".join(f"{word:>{width}}" for word, width in heads)
    yield f"{'thread':<24} {told} {'deadline':>9}  met"
    for one in answer.responses:
        thread = one.thread
        name = thread.name if thread.count == 1 else f"{thread.name} ({thread.count})"
        told = "overload" if one.response is None else str(one.response)
        yield (
            f"{name[:24]:<24} {thread.priority:>8} {thread.period:>10} {one.work:>9} "
            f"{one.blocking:>8} {told:>9} {thread.deadline:>9}  {'yes' if one.is_met else 'NO'}"
        )
    for each, clocks in answer.interrupts:
        yield f"{each.handler[:24]:<24} interrupt, every {each.every} cycles at most {clocks}"
    yield f"{100 * answer.utilisation:.1f} % of the core is used at most"
    yield from _missed(answer)


def _missed(answer: Answer) -> Iterator[str]:
    """Say which deadlines are missed, by how much, and where there is more work than time."""
    for one in answer.responses:
        if one.is_met:
            continue
        name = one.thread.name
        if one.response is None:
            yield f"MISSED: {name}: with what is as urgent or more so there is more work than time"
        else:
            over = one.response - one.thread.deadline
            yield f"MISSED: {name}: its response may be {over} cycles beyond its deadline"


def as_json(answer: Answer, board: str = ibex.BOARD) -> dict[str, Any]:
    """Return an answer for programs."""
    return {
        "schema": 1, "board": board, "unit": "cycles", "utilisation": answer.utilisation,
        "threads": [
            {
                "name": one.thread.name, "count": one.thread.count,
                "priority": one.thread.priority, "period": one.thread.period,
                "deadline": one.thread.deadline, "work": one.work, "blocking": one.blocking,
                "jitter": one.jitter, "response": one.response, "met": one.is_met,
            }
            for one in answer.responses
        ],
        "interrupts": [
            {"handler": each.handler, "every": each.every, "cycles": clocks}
            for each, clocks in answer.interrupts
        ],
    }  # fmt: skip

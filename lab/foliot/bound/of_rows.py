# SPDX-License-Identifier: Apache-2.0
"""Bounds of rows: of the calls that a row of `latency` is of, as docs/figures.md has them.

A row within one call is bounded by the call, to its return. One that ends in another thread is
bounded by the call to its switch, and what that other thread still runs of its own call behind
one: who blocks goes to whoever woke it, and the other way round. What hands over arguments is not
in it. It is the bound of the call, in whatever state: with 16 waiters, say, of a row without any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from foliot.bound import call, ibex, isr, never, requirements, saved
from foliot.bound.call import Call
from foliot.bound.graph import SWITCH, TRAPS, Graph, Refused, Stack
from foliot.bound.image import Program
from foliot.bound.loops import Loops, bind
from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import build, suites
from foliot.target.boards import Board

_CALLS = {
    "thread.yield.preemptive": "k_yield", "thread.yield.cooperative": "k_yield",
    "thread.create": "k_thread_create", "thread.start": "k_thread_start",
    "thread.suspend": "k_thread_suspend", "thread.resume": "k_thread_resume",
    "thread.abort": "k_thread_abort", "fifo.put": "k_queue_append", "fifo.get": "k_queue_get",
    "fifo.put.alloc": "k_queue_alloc_append", "fifo.get.free": "k_queue_get",
    "lifo.put": "k_queue_prepend", "lifo.get": "k_queue_get",
    "lifo.put.alloc": "k_queue_alloc_prepend", "lifo.get.free": "k_queue_get",
    "events.post": "k_event_post", "events.set": "k_event_set", "events.wait": "k_event_wait",
    "events.wait_all": "k_event_wait_all", "semaphore.give": "k_sem_give",
    "semaphore.take": "k_sem_take", "condvar.wait": "k_condvar_wait",
    "condvar.signal": "k_condvar_signal", "stack.push": "k_stack_push",
    "stack.pop": "k_stack_pop", "mutex.lock": "k_mutex_lock", "mutex.unlock": "k_mutex_unlock",
    "heap.malloc": "k_malloc", "heap.free": "k_free",
}  # fmt: skip
_OTHERS = {  # whose call goes on behind the switch
    "k_yield": "k_yield", "k_queue_append": "k_queue_get", "k_queue_prepend": "k_queue_get",
    "k_queue_alloc_append": "k_queue_get", "k_queue_alloc_prepend": "k_queue_get",
    "k_event_post": "k_event_wait_all", "k_event_set": "k_event_wait",
    "k_event_wait": "k_event_set", "k_event_wait_all": "k_event_post", "k_sem_give": "k_sem_take",
    "k_sem_take": "k_sem_give", "k_condvar_wait": "k_condvar_signal",
    "k_condvar_signal": "k_condvar_wait", "k_stack_push": "k_stack_pop",
    "k_stack_pop": "k_stack_push", "k_queue_get": "k_queue_append",
}  # fmt: skip
_ROW = re.compile(r"(?P<what>.+?)\.(?P<how>ctx|wake\+ctx|blocking|immediate|kernel)\b")
_SAME, _OTHER = "isr.resume.interrupted.thread.kernel", "isr.resume.different.thread.kernel"
_WOKEN = "k_sem_take"


def of_suite(
    board: Board, suite: str, rows: Iterable[str], parameters: Mapping[str, int], progress: Progress
) -> Mapping[str, int]:
    """Return the bounds of a suite's rows, where they have any and the board has a table."""
    if board.name != ibex.BOARD:
        return {}
    requirements.install(progress)
    program = Program(build.build(suites.directory(suite), board, progress, ()).image)
    found = {row: bound(program, row, parameters) for row in rows}
    return {row: clocks for row, clocks in found.items() if clocks is not None}


def bound(program: Program, row: str, parameters: Mapping[str, int]) -> int | None:
    """Return the bound of a row; None where it is of no call, or that is refused."""
    try:
        return _bound(program, row, parameters)
    except FoliotError:
        return None


def _bound(program: Program, row: str, parameters: Mapping[str, int]) -> int | None:
    if row in (_SAME, _OTHER):
        way = _way_out(program)
        if row == _SAME:
            return saved.without_impossible(way, "mret", parameters)
        rest = resumed(program, _WOKEN, parameters)
        return way.bound("switch", parameters).clocks + rest
    found = _ROW.match(row)
    name = _CALLS.get(found["what"]) if found else None
    if found is None or name is None:
        return None
    one = call.call(program, name)
    if found["how"] in ("ctx", "wake+ctx", "blocking"):
        rest = resumed(program, _OTHERS[name], parameters)
        return saved.without_impossible(one, "switch", parameters) + rest
    return max(
        saved.without_impossible(one, end, parameters)
        for end in one.ends()
        if found["how"] == "kernel" or end == "return"
    )


def _way_out(program: Program) -> Call:
    """Return what runs behind an interrupt's handler."""
    table = isr.vector(program, isr.OTHER_LINE)
    site = next(
        (
            pc + what.size
            for pc, what in sorted(program.code.items())
            if pc > table and what.is_call and what.kind == "jalr"
            and program.frames(pc)[0].file.endswith(TRAPS)
        ),
        None,
    )  # fmt: skip
    if site is None:
        raise Refused("no handler is called")
    return _from(program, site, (), "the way out of an interrupt")


def _from(program: Program, pc: int, stack: Stack, name: str) -> Call:
    graph = Graph(program, pc, stack, without=never.of(name, program.names))
    if graph.entry not in graph.edges:
        raise Refused(f"{name} never returns")
    loops = Loops(graph)
    first = ibex.step(call.JUMP, graph.piece(pc)[0][1], pc, True) + graph.inside(pc)
    options = call.options(program.path)
    return Call(program, name, graph, loops, bind(loops), options, first)


def resumed(program: Program, name: str, parameters: Mapping[str, int]) -> int:
    """Return the most that a call takes from where it goes on behind a switch to its return."""
    whole = call.call(program, name)
    entry = program.image.address(SWITCH)
    sites: set[tuple[int, Stack]] = set()
    for edges in whole.graph.edges.values():
        for edge in edges:
            if edge.target.pc == entry and not edge.target.end:
                stack = edge.target.stack
                sites |= {(stack[-1], stack[:-1])} if stack else set()
    found = [0]
    for pc, stack in sites:
        rest = _from(program, pc, stack, name)
        if "return" in rest.ends():
            found.append(rest.bound("return", parameters).clocks)
    return max(found)

# SPDX-License-Identifier: Apache-2.0
"""An image as a trace sees it: where it is stopped, and where the kernel's state lies in memory.

All of it out of symbols and debug information, so that it fits whatever was configured.
"""

from __future__ import annotations

import bisect
import fnmatch
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from foliot.image.debug_info import DebugInfo, Function, Variable
from foliot.image.elf import Image
from foliot.model.errors import UsageError, nearest
from foliot.trace.cores import Core, Stop
from foliot.trace.events import Object

# The kinds of objects, and what of them is shown as a counter.
COUNTERS: Mapping[str, str] = {
    "k_sem": "count",
    "k_mutex": "lock_count",
    "k_msgq": "used_msgs",
    "k_mem_slab": "num_used",
    "k_event": "events",
    "k_pipe": "used",
    "k_timer": "status",
}
KINDS = (
    *COUNTERS, "k_queue", "k_fifo", "k_lifo", "k_stack", "k_condvar", "k_heap", "k_mbox", "k_work",
    "k_work_q", "k_work_delayable", "k_poll_signal", "k_poll_event", "k_futex", "k_ipc_endpoint",
    "k_ipc_gate", "k_mem_domain", "k_thread",
)  # fmt: skip
_FIELDS = ("prio", "state", "base_prio", "pended_on", "wait_flags")
_CALL = re.compile(r"k_\w+")
_NO_CALLS = {"k_sys_fatal_error_handler", "k_assert_failed", "k_cpu_idle", "k_cpu_atomic_idle"}
_SYSTEM_CALL = re.compile(r"(?:verify|fast)_(k_\w+)")


@dataclass(frozen=True, slots=True)
class Point:
    """Why an address is stopped at; `name` is the function's that begins there."""

    kind: str
    name: str = ""
    stop: Stop | None = None


class Watched:
    """The addresses and the layout of one image."""

    def __init__(self, image: Image, core: Core | None = None, marks: Sequence[str] = ()) -> None:
        """Look all of it up; UsageError where the image lacks what a trace needs.

        Without a core nothing is stopped at: its names, objects and layout are there.
        """
        self.image = image
        self.debug = DebugInfo(image)
        if not image.has_debug_info() or not self.debug.size("k_thread"):
            raise UsageError(
                f"{image.path.name} has no debug information of the kernel's structures",
                "trace reads threads where they lie: build the application here",
            )
        self.current = self._global("k_cpu", "cpu", "current")
        self.in_isr = self._optional("k_cpu", "cpu", "arch", "in_isr")
        self.fields = {name: self._field(name) for name in _FIELDS}
        self.points = self._points(core, marks) if core is not None else {}

    def thread_field(self, *path: str) -> tuple[int, int] | None:
        """Return (offset, bytes) of a member of a thread, or None."""
        return self.debug.member("k_thread", *path)

    def function(self, name: str) -> Function | None:
        """Return what a function takes and returns."""
        return self.debug.function(name)

    def threads(self) -> list[tuple[int, str]]:
        """Return the threads that are variables: (address, name)."""
        size = self.debug.size("k_thread")
        found = []
        for variable in self._of_kind("k_thread"):
            for n in range(variable.count):
                name = thread_name(variable.name, n if variable.count > 1 else None)
                found.append((variable.address + n * size, name))
        return found

    def object_at(self, address: int, kind: str = "") -> Object | None:
        """Return the object that an address lies in: a variable's, or what `kind` says it is."""
        for begin, size, name, of in self._nearest(address):
            if begin <= address < begin + size:
                return Object(begin, of.removeprefix("k_"), name)
        if not kind:
            return None
        name = self.image.variable(address) or f"{address:#x}"
        return Object(address, kind.removeprefix("k_"), name)

    def counter(self, kind: str) -> tuple[int, int] | None:
        """Return (offset, bytes) of what counts in an object of a kind, or None."""
        member = COUNTERS.get(f"k_{kind}")
        return None if member is None else self.debug.member(f"k_{kind}", member)

    def _nearest(self, address: int) -> list[tuple[int, int, str, str]]:
        index = bisect.bisect_right(self._starts, address)
        return self._objects[max(0, index - 1) : index]

    @cached_property
    def _objects(self) -> list[tuple[int, int, str, str]]:
        found = []
        for kind in KINDS:
            size = self.debug.size(kind)
            for variable in self._of_kind(kind) if size else ():
                for n in range(variable.count):
                    name = f"{variable.name}[{n}]" if variable.count > 1 else variable.name
                    if kind == "k_thread":
                        name = thread_name(variable.name, n if variable.count > 1 else None)
                    found.append((variable.address + n * size, size, name, kind))
        return sorted(found)

    @cached_property
    def _starts(self) -> list[int]:
        return [begin for begin, _, _, _ in self._objects]

    def _of_kind(self, kind: str) -> list[Variable]:
        told = [v for v in self.debug.variables() if v.type.kind == "struct"]
        return [variable for variable in told if variable.type.name == kind and variable.address]

    def _points(self, core: Core, marks: Sequence[str]) -> dict[int, Point]:
        found: dict[int, Point] = {}
        for address, _, name in self.image.functions():
            call = _SYSTEM_CALL.fullmatch(name)
            if _CALL.fullmatch(name) and self.debug.function(name) and name not in _NO_CALLS:
                found[address] = Point("call", name)
            elif call:
                found[address] = Point("system_call", call[1])
        for name, kind in {
            "thread_timed_out": "thread_timeout",
            "timer_expired": "timer_timeout",
            "fatal_report": "fault",
        }.items():
            place = self.image.address(name)
            if place is not None:
                found[place] = Point(kind, name)
        for name in marks:
            for address in self._marked(name):
                found[address] = Point("mark", self._name_at(address))
        for address, stop in core.stops(self.image).items():
            found[address] = Point(stop.kind, stop=stop)
        return found

    def _marked(self, pattern: str) -> list[int]:
        known = {name: address for address, _, name in self.image.functions()}
        found = [known[name] for name in known if fnmatch.fnmatchcase(name, pattern)]
        if not found:
            raise UsageError(
                f"--mark {pattern}: the image has no such function{nearest(pattern, known)}",
                "one that the compiler put into its callers has no address: declare it noinline",
            )
        return found

    def _name_at(self, address: int) -> str:
        return (self.image.function(address) or hex(address)).partition("+")[0]

    def _field(self, name: str) -> tuple[int, int]:
        found = self.debug.member("k_thread", name)
        if found is None:
            raise UsageError(f"{self.image.path.name}: its threads have no {name}")
        return found

    def _global(self, variable: str, struct: str, *path: str) -> tuple[int, int]:
        found = self._optional(variable, struct, *path)
        if found is None:
            raise UsageError(f"{self.image.path.name} has no {variable}.{'.'.join(path)}")
        return found

    def _optional(self, variable: str, struct: str, *path: str) -> tuple[int, int] | None:
        base = next((v.address for v in self.debug.variables() if v.name == variable), None)
        member = self.debug.member(struct, *path)
        return None if base is None or member is None else (base + member[0], member[1])


def thread_name(variable: str, index: int | None = None) -> str:
    """Return what a thread is called whose block is that variable, or one of an array's."""
    name = variable.removeprefix("_k_thread_obj_")
    name = {"idle_thread": "idle", "main_thread": "main"}.get(name, name)
    return name if index is None else f"{name}[{index}]"

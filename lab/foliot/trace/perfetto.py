# SPDX-License-Identifier: Apache-2.0
"""A recording in Perfetto's format, for ui.perfetto.dev: one file of protobuf.

A thread is a track of its states, with its calls and its priority below; interrupts are a track;
an object that counts is a counter. An arrow leads from who woke a thread to where that was ready.
Of the package `perfetto` only the protobuf module is used: its trace processor downloads a program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foliot.trace.answers import Answers
from foliot.trace.events import Event
from foliot.trace.timeline import Interval, line_name

_SEQUENCE = 1
_PID = 1
_PROCESS, _INTERRUPTS = 1, 2
_STATES, _CALLS, _PRIORITY, _OBJECTS = 1 << 16, 2 << 16, 3 << 16, 4 << 16
_NOT_SHOWN = ("ended", "not started")
_CLEARED, _NEEDED = 1, 2  # TracePacket.SequenceFlags


def write(answers: Answers, path: Path) -> None:
    """Write the recording; its times become nanoseconds of the machine's own clock."""
    path.write_bytes(_Writer(answers).trace.SerializeToString())


class _Writer:
    def __init__(self, answers: Answers) -> None:
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2

        self.proto: Any = perfetto_trace_pb2
        self.trace: Any = self.proto.Trace()
        self.answers = answers
        self.recording = answers.recording
        self.numbers = {thread: n for n, thread in enumerate(self.recording.threads, 1)}
        self.counted = {
            event.facts["object"]: 0 for event in self.recording.events if event.kind == "counter"
        }
        self.counted = {address: n for n, address in enumerate(self.counted, 1)}
        self.flows: dict[tuple[int, int], int] = {}
        self.open: Counter[int] = Counter()
        self._describe()
        self._events()

    # Tracks.

    def _describe(self) -> None:
        recording = self.recording
        process = self._track(_PROCESS)
        process.process.pid = _PID
        process.process.process_name = f"{recording.program} on {recording.board}"
        unit = f"1 {recording.unit.removesuffix('s')} is shown as {recording.count_ns:g} ns"
        process.description = f"Foliot: {unit}"
        handlers = self._track(_INTERRUPTS, _PROCESS)
        handlers.name = "interrupts"
        for thread, number in self.numbers.items():
            track = self._track(_STATES + number, _PROCESS)
            track.thread.pid, track.thread.tid = _PID, number + 1
            track.thread.thread_name = recording.thread_name(thread)
            self._track(_CALLS + number, _STATES + number).name = "calls"
            priority = self._track(_PRIORITY + number, _STATES + number)
            priority.name = f"priority of {recording.thread_name(thread)}"
            priority.counter.SetInParent()
        for address, number in self.counted.items():
            track = self._track(_OBJECTS + number, _PROCESS)
            track.name = recording.object_name(address)
            track.counter.SetInParent()

    def _track(self, uuid: int, parent: int | None = None) -> Any:
        packet = self._packet(0)
        if uuid == _PROCESS:
            packet.sequence_flags = _CLEARED
        packet.track_descriptor.uuid = uuid
        if parent is not None:
            packet.track_descriptor.parent_uuid = parent
        return packet.track_descriptor

    def _packet(self, time: int) -> Any:
        packet = self.trace.packet.add()
        packet.timestamp = self.recording.ns(time)
        packet.trusted_packet_sequence_id = _SEQUENCE
        packet.sequence_flags = _NEEDED
        return packet

    # Events.

    def _events(self) -> None:
        """Put states and all else in order of time; what ends comes before what begins."""
        found: list[tuple[int, int, int, Any]] = []
        for thread, parts in self.answers.timeline.states.items():
            for part in parts:
                if part.state not in _NOT_SHOWN:
                    found.append((part.start, 2, len(found), (thread, part)))
                    found.append((part.end, 0, len(found), thread))
        for event in self.recording.events:
            found.append((event.time, 1, len(found), event))
        for thread, number in self.numbers.items():
            first = self._packet(self.answers.start)
            self._count(first, _PRIORITY + number, self.recording.threads[thread].priority)
        for time, order, _, what in sorted(found, key=lambda entry: entry[:3]):
            if order == 1:
                self._event(what)
            elif order == 2:
                self._begin_state(time, *what)
            else:
                self._end(time, _STATES + self.numbers[what])

    def _begin_state(self, time: int, thread: int, part: Interval) -> None:
        facts = part.event.facts
        what = self.recording.object_name(facts.get("object")) if part.state == "waits" else ""
        name = f"{part.state} for {what}" if what else part.state
        slice_ = self._begin(time, _STATES + self.numbers[thread], name)
        slice_.categories.append("state")
        told = {"reason": facts.get("reason"), "by": facts.get("by"), "call": facts.get("call")}
        self._annotate(slice_, {name: value for name, value in told.items() if value})
        flow = self.flows.pop((thread, part.start), None)
        if flow is not None:
            slice_.terminating_flow_ids.append(flow)

    def _event(self, event: Event) -> None:
        shown = getattr(self, f"_show_{event.kind}", None)
        if shown is not None:
            shown(event)

    def _context(self, event: Event, base: int = _CALLS) -> int:
        """Return the track of who did it: a thread's, or that of interrupts."""
        if event.line is not None or event.thread not in self.numbers:
            return _INTERRUPTS
        return base + self.numbers[event.thread]

    def _show_ready(self, event: Event) -> None:
        thread = event.facts["thread"]
        flow = len(self.flows) + (event.time << 16) + self.numbers.get(thread, 0)
        self.flows[thread, event.time] = flow
        name = f"wakes {self.recording.thread_name(thread)}"
        self._instant(event, name, {"by": event.facts["by"]}).flow_ids.append(flow)

    def _show_switch(self, event: Event) -> None:
        if event.facts["reason"] == "ended":
            self._close(event.time, _CALLS + self.numbers.get(event.facts["out"], 0))

    def _show_priority(self, event: Event) -> None:
        number = self.numbers.get(event.facts["thread"])
        if number:
            self._count(self._packet(event.time), _PRIORITY + number, event.facts["new"])
        if event.facts["new"] < event.facts["own"]:
            name = (
                f"lends {event.facts['new']} to {self.recording.thread_name(event.facts['thread'])}"
            )
            self._instant(event, name, {"own": event.facts["own"]})

    def _show_isr_enter(self, event: Event) -> None:
        slice_ = self._begin(event.time, _INTERRUPTS, line_name(event.facts["line"]))
        if "rose" in event.facts:
            self._annotate(slice_, {"latency": event.time - event.facts["rose"]})

    def _show_isr_exit(self, event: Event) -> None:
        self._close(event.time, _INTERRUPTS)
        self._end(event.time, _INTERRUPTS)

    def _show_call(self, event: Event) -> None:
        track = self._context(event)
        slice_ = self._begin(event.time, track, event.facts["name"])
        slice_.categories.append("call")
        what = self.recording.object_name(event.facts["object"])
        self._annotate(slice_, ({"object": what} if what else {}) | event.facts["arguments"])
        self.open[track] += 1

    def _show_return(self, event: Event) -> None:
        track = self._context(event)
        if self.open[track]:
            self.open[track] -= 1
            slice_ = self._end(event.time, track)
            if "result" in event.facts:
                self._annotate(slice_, {"result": event.facts["result"]})

    def _show_counter(self, event: Event) -> None:
        track = _OBJECTS + self.counted[event.facts["object"]]
        self._count(self._packet(event.time), track, event.facts["value"])

    def _show_mark(self, event: Event) -> None:
        self._instant(event, event.facts["name"], event.facts["arguments"])

    def _show_timeout(self, event: Event) -> None:
        thread = event.facts.get("thread")
        whose = (self.recording.thread_name(thread) if thread is not None
                 else self.recording.object_name(event.facts["object"]))  # fmt: skip
        self._instant(event, f"time-out of {whose}", {})

    def _show_system_call(self, event: Event) -> None:
        self._instant(event, f"system call {event.facts['name']}", {})

    def _show_fault(self, event: Event) -> None:
        self._instant(event, f"fault: {event.facts['reason']}", {})

    # Packets.

    def _begin(self, time: int, track: int, name: str) -> Any:
        return self._track_event(time, track, "TYPE_SLICE_BEGIN", name)

    def _end(self, time: int, track: int) -> Any:
        return self._track_event(time, track, "TYPE_SLICE_END")

    def _close(self, time: int, track: int) -> None:
        """End the calls that never return."""
        for _ in range(self.open.pop(track, 0)):
            self._end(time, track)

    def _instant(self, event: Event, name: str, told: Mapping[str, Any]) -> Any:
        found = self._track_event(event.time, self._context(event), "TYPE_INSTANT", name)
        self._annotate(found, told)
        return found

    def _track_event(self, time: int, track: int, kind: str, name: str = "") -> Any:
        event = self._packet(time).track_event
        event.type = getattr(self.proto.TrackEvent, kind)
        event.track_uuid = track
        if name:
            event.name = name
        return event

    def _count(self, packet: Any, track: int, value: int) -> None:
        packet.track_event.type = self.proto.TrackEvent.TYPE_COUNTER
        packet.track_event.track_uuid = track
        packet.track_event.counter_value = value

    def _annotate(self, event: Any, told: Mapping[str, Any]) -> None:
        for name, value in told.items():
            annotation = event.debug_annotations.add()
            annotation.name = name
            if isinstance(value, int):
                annotation.int_value = value
            else:
                annotation.string_value = str(value)


def read(path: Path) -> Any:
    """Return the message that such a file holds: for tests, and whoever wants to go on with it."""
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2

    trace: Any = perfetto_trace_pb2
    found = trace.Trace()
    found.ParseFromString(path.read_bytes())
    return found

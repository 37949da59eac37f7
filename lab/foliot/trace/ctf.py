# SPDX-License-Identifier: Apache-2.0
"""A recording in the Common Trace Format 1.8, for babeltrace2 and Trace Compass: a directory.

Events that Zephyr's tracing has too have its names, and its fields first, so that what reads
its traces reads ours; the rest is `call_enter`, `call_exit` and so on. Its names are cut at no
length here, and its ids and 32-bit times are not kept: readers take both from the metadata.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from foliot.trace.events import Event, Recording

_MAGIC = 0xC1FC1FC1
_HEADER = struct.Struct("<IIQQQQ")  # magic, stream's id, times, and sizes in bits
_THREAD = {"thread_id": "word", "name": "string"}

# name: its fields. The thread that an event is about is `thread_id` and `name`, as with Zephyr.
_EVENTS: dict[str, dict[str, str]] = {
    "thread_switched_out": _THREAD | {"reason": "string", "call": "string", "object": "string"},
    "thread_switched_in": _THREAD,
    "thread_priority_set": _THREAD | {"prio": "int8", "own_prio": "int8"},
    "thread_create": _THREAD,
    "thread_abort": _THREAD,
    "thread_suspend": _THREAD,
    "thread_ready": _THREAD | {"waker": "string", "by": "string"},
    "thread_pending": _THREAD | {"object": "string"},
    "isr_enter": {"line": "int32"},
    "isr_exit": {"line": "int32"},
    "idle": {},
    "call_enter": _THREAD | {"call": "string", "object": "string", "arguments": "string"},
    "call_exit": _THREAD | {"call": "string", "object": "string", "result": "int64"},
    "system_call": _THREAD | {"call": "string"},
    "timeout": {"of": "string"},
    "fault": _THREAD | {"reason": "string"},
    "counter": {"id": "word", "object": "string", "value": "int64"},
    "mark": _THREAD | {"function": "string", "arguments": "string"},
}

# Calls that Zephyr has events of: the kernel's name, theirs, what they have of time-out and result.
_ZEPHYR: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "k_sem_take": ("semaphore_take", ("timeout",), "ret"),
    "k_sem_give": ("semaphore_give", (), ""),
    "k_mutex_lock": ("mutex_lock", ("timeout",), "ret"),
    "k_mutex_unlock": ("mutex_unlock", (), ""),
    "k_timer_status_sync": ("timer_status_sync", (), "result"),
}
_BLOCKING = {
    f"{theirs}_blocking": call
    for call, (theirs, _, _) in _ZEPHYR.items()
    if call not in ("k_sem_give", "k_mutex_unlock")
}


def _of_calls() -> Iterator[tuple[str, dict[str, str]]]:
    for theirs, timeout, result in _ZEPHYR.values():
        fields = {"id": "word"} | dict.fromkeys(timeout, "int64")
        yield f"{theirs}_enter", fields | {"object": "string"}
        more = {result: "int64"} if result else {}
        yield f"{theirs}_exit", fields | more | {"object": "string"}
    for name, call in _BLOCKING.items():
        timeouts = dict.fromkeys(_ZEPHYR[call][1], "int64")
        yield name, {"id": "word"} | timeouts | {"object": "string"}


_EVENTS |= dict(_of_calls())
_NUMBERS = {name: number for number, name in enumerate(_EVENTS)}


def write(recording: Recording, directory: Path) -> None:
    """Write `metadata` and `stream` into a directory, which is made; times are nanoseconds."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "metadata").write_text(_metadata(recording), encoding="utf-8")
    events = b"".join(_encoded(recording))
    bits = 8 * (len(events) + _HEADER.size)
    first, last = recording.ns(_begin(recording)), recording.ns(recording.end)
    header = _HEADER.pack(_MAGIC, 0, first, last, bits, bits)
    (directory / "stream").write_bytes(header + events)


def _begin(recording: Recording) -> int:
    return recording.events[0].time if recording.events else 0


def _metadata(recording: Recording) -> str:
    word = 8 * recording.word
    lines = [
        "/* CTF 1.8 */",
        *(f"typealias integer {{ size = {size}; align = 8; signed = {sign}; }} := {name};"
          for name, size, sign in (("uint16", 16, "false"), ("uint32", 32, "false"),
                                   ("uint64", 64, "false"), ("int8", 8, "true"),
                                   ("int32", 32, "true"), ("int64", 64, "true"))),
        f"typealias integer {{ size = {word}; align = 8; signed = false; base = 16; }} := word;",
        "trace { major = 1; minor = 8; byte_order = le;",
        "  packet.header := struct { uint32 magic; uint32 stream_id; }; };",
        "env {",
        f'  domain = "kernel"; tracer_name = "foliot"; board = {_quoted(recording.board)};',
        f"  program = {_quoted(recording.program)}; unit = {_quoted(recording.unit)};",
        f'  count_ns = "{recording.count_ns:g}"; cut = {_quoted(recording.cut)};',
        "};",
        "clock { name = machine; freq = 1000000000; };",
        "typealias integer { size = 64; align = 8; signed = false;",
        "  map = clock.machine.value; } := time;",
        "stream { id = 0;",
        "  packet.context := struct { time timestamp_begin; time timestamp_end;",
        "    uint64 content_size; uint64 packet_size; };",
        "  event.header := struct { uint16 id; time timestamp; };",
        "};",
    ]  # fmt: skip
    for name, fields in _EVENTS.items():
        members = " ".join(f"{kind} _{field};" for field, kind in fields.items())
        lines.append(
            f"event {{ name = {name}; id = {_NUMBERS[name]}; stream_id = 0;"
            f" fields := struct {{ {members} }}; }};"
        )
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in plain) + '"'


def _encoded(recording: Recording) -> Iterator[bytes]:
    for event in recording.events:
        for name, values in _records(recording, event):
            head = struct.pack("<HQ", _NUMBERS[name], recording.ns(event.time))
            fields = _EVENTS[name].items()
            yield head + b"".join(_field(recording, kind, values[field]) for field, kind in fields)


def _field(recording: Recording, kind: str, value: Any) -> bytes:
    if kind == "string":
        # Debian's babeltrace2 shows an empty string as the one before it.
        return (str(value) or "-").encode("utf-8", "replace").replace(b"\0", b" ") + b"\0"
    bits = 8 * recording.word if kind == "word" else int(kind.removeprefix("int"))
    return (int(value) & ((1 << bits) - 1)).to_bytes(bits // 8, "little")


Records = Iterator[tuple[str, Mapping[str, Any]]]


def _records(recording: Recording, event: Event) -> Records:
    """Yield the events of the format that one of ours is: (name, fields)."""
    if event.kind == "switch":
        yield from _switch(recording, event.facts)
    elif event.kind in ("call", "return"):
        yield from _call(recording, event)
    elif event.kind in _ABOUT_THREADS:
        who = _thread(recording, event.facts.get("thread", event.thread))
        name, told = _ABOUT_THREADS[event.kind](recording, event)
        yield name, who | told
    else:
        yield _other(recording, event)


def _ready(recording: Recording, event: Event) -> tuple[str, dict[str, Any]]:
    waker = recording.thread_name(event.thread)
    if event.line is not None:
        waker = f"interrupt {event.line}"
    return "thread_ready", {"waker": waker, "by": event.facts["by"]}


_ABOUT_THREADS: Mapping[str, Callable[[Recording, Event], tuple[str, dict[str, Any]]]] = {
    "ready": _ready,
    "stopped": lambda _, event: (_stopped(event.facts), {}),
    "priority": lambda _, event: (
        "thread_priority_set", {"prio": event.facts["new"], "own_prio": event.facts["own"]}
    ),
    "thread": lambda _, event: ("thread_create", {}),
    "system_call": lambda _, event: ("system_call", {"call": event.facts["name"]}),
    "fault": lambda _, event: ("fault", {"reason": event.facts["reason"]}),
    "mark": lambda _, event: (
        "mark",
        {"function": event.facts["name"], "arguments": _words(event.facts["arguments"])},
    ),
}  # fmt: skip


def _other(recording: Recording, event: Event) -> tuple[str, Mapping[str, Any]]:
    """Return what is about no thread: a time-out, a counter, an interrupt."""
    facts = event.facts
    if event.kind == "timeout":
        return "timeout", {"of": recording.object_name(facts.get("thread", facts.get("object")))}
    if event.kind == "counter":
        name = recording.object_name(facts["object"])
        return "counter", {"id": facts["object"], "value": facts["value"], "object": name}
    return event.kind, {"line": facts["line"]}


def _stopped(facts: Mapping[str, Any]) -> str:
    return "thread_abort" if facts["reason"] == "ended" else "thread_suspend"


def _switch(recording: Recording, facts: Mapping[str, Any]) -> Records:
    if facts["out"] is not None:
        out = _thread(recording, facts["out"])
        what = recording.object_name(facts.get("object"))
        told = {"reason": facts["reason"], "call": facts.get("call", ""), "object": what}
        if facts["reason"] in ("waits", "sleeps", "period"):
            yield "thread_pending", out | {"object": what}
        elif facts["reason"] in ("ended", "suspended"):
            yield _stopped(facts), out
        blocking = next((n for n, call in _BLOCKING.items() if call == facts.get("call")), None)
        if blocking and facts["reason"] == "waits":
            yield blocking, {"id": facts["object"], "object": what} | _timeout(facts)
        yield "thread_switched_out", out | told
    yield "thread_switched_in", _thread(recording, facts["into"])
    known = recording.threads.get(facts["into"])
    if known and known.idle:
        yield "idle", {}


def _call(recording: Recording, event: Event) -> Records:
    facts = event.facts
    what = recording.object_name(facts["object"])
    begins = event.kind == "call"
    theirs = _ZEPHYR.get(facts["name"])
    if theirs:
        result = {"ret": facts.get("result", 0), "result": facts.get("result", 0)}
        name = f"{theirs[0]}_{'enter' if begins else 'exit'}"
        yield name, {"id": facts["object"] or 0, "object": what} | _timeout(facts) | result
        return
    who = _thread(recording, event.thread) | {"call": facts["name"], "object": what}
    if begins:
        yield "call_enter", who | {"arguments": _words(facts["arguments"])}
    else:
        yield "call_exit", who | {"result": facts.get("result", 0)}


def _timeout(facts: Mapping[str, Any]) -> dict[str, int]:
    return {"timeout": facts.get("arguments", {}).get("timeout", -1)}


def _thread(recording: Recording, thread: int | None) -> dict[str, Any]:
    return {"thread_id": thread or 0, "name": recording.thread_name(thread)}


def _words(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in arguments.items())

# SPDX-License-Identifier: Apache-2.0
"""Samples out of what a board prints by itself: k_kernel_report() (kernel/inspect/report.c).

CONFIG_KERNEL_REPORT_MS has it printed at a pace. Other lines of the program's may stand between
its lines, since only a thread of low priority prints them; a line that another broke is left out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from foliot.model.errors import FoliotError
from foliot.target.serialport import Port, open_port
from foliot.watch.samples import Sample, Stack, Thread

if TYPE_CHECKING:
    from serial import Serial

PATIENCE_S = 15.0
_LONGEST = 4096  # bytes of a line that never ends

_TITLE = re.compile(r"thread +name +prio +state +stack +cpu +switches")
_THREAD = re.compile(
    r"(?P<at>0x[0-9a-f]+|[0-9a-f]+) +(?P<name>\S.{0,40}?) +(?P<prio>-?\d{1,3}) "
    r"(?P<state>[a-z+]*) +(?P<most>-|\d+)/(?P<size>\d+) +(?P<cpu>-|\d+\.\d) [ %]"
)
_END = re.compile(r"objects: ")


def listen(port: Port, say: Callable[[str], None]) -> Iterator[Sample]:
    """Yield what a board at a serial port reports; `say` is told once where nothing comes."""
    import serial

    with open_port(port) as opened:
        try:
            yield from samples(_lines(opened, say))
        except serial.SerialException:
            raise FoliotError(f"{port.name} is gone: was the cable pulled?") from None


def _lines(opened: Serial, say: Callable[[str], None]) -> Iterator[bytes]:
    patience: float | None = time.monotonic() + PATIENCE_S
    rest = b""
    while True:
        rest += opened.read(opened.in_waiting or 1)
        *whole, rest = rest.split(b"\n")
        rest = rest[-_LONGEST:]
        for line in whole:
            patience = None if _END.match(line.decode("latin-1")) else patience
            yield line
        if patience is not None and time.monotonic() > patience:
            patience = None
            say(
                "No report has come. Its image is one of --conf report? Is --baud right? Does the"
                " program ever idle? The report is printed by a thread of the lowest priority."
            )


def samples(lines: Iterable[bytes]) -> Iterator[Sample]:
    """Yield a sample for each report that was seen from its first line to its last."""
    threads: list[tuple[Thread, float | None]] | None = None
    for raw in lines:
        line = raw.decode("utf-8", "replace").strip()
        if _TITLE.match(line):
            threads = []
        elif threads is not None and _END.match(line):
            yield _sample(threads)
            threads = None
        elif threads is not None and (found := _THREAD.match(line)):
            threads.append((_thread(found), _number(found["cpu"])))


def _sample(threads: list[tuple[Thread, float | None]]) -> Sample:
    shares = {thread.at: share for thread, share in threads if share is not None}
    return Sample(tuple(thread for thread, _ in threads), shares=shares)


def _thread(found: re.Match[str]) -> Thread:
    most = None if found["most"] == "-" else int(found["most"])
    stack = Stack(None, most, int(found["size"]))
    return Thread(found["at"], found["name"], int(found["prio"]), found["state"], stack, None)


def _number(text: str) -> float | None:
    return None if text == "-" else float(text)

# SPDX-License-Identifier: Apache-2.0
"""From a suite's name to its run: what every command that measures goes through.

Prepares the board, builds and runs the suite, runs the floor suite on the same board
(once: its log is kept for as long as neither its code nor the machine change), puts both
beside the reference figures, and doubts everything. What becomes of the run, printed,
recorded or judged, is the command's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from foliot.campaign import hear
from foliot.campaign.jobs import Job, Result
from foliot.image.footprint import footprint
from foliot.judge import doubts
from foliot.log.reader import Event, LogReader, parse
from foliot.measure import port as serial
from foliot.measure import provenance
from foliot.measure.console import Heard, check_outcome, joined, listen, replayed
from foliot.measure.other_kernel import ENDS, ForeignReader
from foliot.model.errors import FoliotError, LogError
from foliot.model.run import Failure, Row, Run
from foliot.reference import rows, systems
from foliot.show.terminal import Progress, Task
from foliot.target import boards, flashing, paths, provision, runner, suites
from foliot.target import build as building
from foliot.target.boards import Board
from foliot.target.serialport import Port

GARBLED_AT_MOST = 2


@dataclass(frozen=True, slots=True)
class Request:
    """What to measure, and on what.

    A suite in a configuration; or the application in `directory`, which brings rows of its
    own; or an image that is there already; or what a board sends by a serial `port`, with
    `board` empty where its own word is good enough. `limit_s` is simulated time, of a port
    wall clock; `options` go to the simulator as they are.
    """

    board: str
    suite: str = "latency"
    directory: Path | None = None
    port: Port | None = None
    conf: tuple[str, ...] = ()
    samples: int | None = None
    elf: Path | None = None
    limit_s: float | None = None
    max_cycles: int | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """A run as it was measured: the facts, without doubts, and the log they were read from."""

    facts: Run
    log: bytes
    context: doubts.Context
    floor: Mapping[str, float] = field(default_factory=dict)  # all the floor's rows, by id

    def examined(self) -> Run:
        """Return the run with its doubts."""
        return doubts.examine(self.facts, self.context)


def measure(request: Request, progress: Progress) -> Measured:
    """Return the run with floor, reference and footprint joined on, and its log."""
    if request.port is not None:
        return _measure_port(request, request.port, progress)
    board = boards.load(request.board)
    if request.elf is None:
        app = _application(request)
        provision.prepare(board, progress)
        run, log = _measure_suite(board, app, request, progress)
    else:
        runner.check_image(request.elf)
        provision.prepare(board, progress)
        run, log = _measure_image(board, request.elf, request, progress)
    floor = _floor(board, request, progress) if _wants_floor(request) else {}
    return _measured(run, log, board, request, floor)


def _wants_floor(request: Request) -> bool:
    return request.directory is None and request.suite != suites.FLOOR


def _measured(
    run: Run, log: bytes, board: Board, request: Request, floor: Mapping[str, float]
) -> Measured:
    """Put a run beside what it is judged by."""
    run = _beside(run, board, floor, slowed=bool(request.options))
    named = request.directory is None and request.elf is None
    suite = request.suite if named else run.header.suite
    wanted = rows.expected(suite, run.header.configuration) if named else []
    context = doubts.Context(board.name, board.unit, suite, wanted)
    return Measured(run, log, context, floor)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A suite that was built and not run: `jobs` run it, and its floor where nobody has yet."""

    request: Request
    board: Board
    firmware: building.Firmware
    floor: building.Firmware | None
    floor_run: Run | None
    jobs: tuple[Job, ...]

    def measured(self, results: Sequence[Result]) -> Measured:
        """Return the run that the jobs' results are. Raises as measure()."""
        run, log = read(results[0], self.board, self.firmware.image, self.request)
        run = replace(run, footprint=footprint(self.firmware.image, self.firmware.map))
        floor: Mapping[str, float] = {}
        if self.floor is not None:
            found = self.floor_run
            if found is None:
                found, told = read(results[1], self.board, self.floor.image, self.request)
                _keep_floor(self.board, self.floor, self.request, told)
            floor = _medians(found)
        return _measured(run, log, self.board, self.request, floor)


def prepare(request: Request) -> Prepared:
    """Build a suite, and its floor, to be run by whoever has room; its board is prepared."""
    quiet = Progress(quiet=True)
    board = boards.load(request.board)
    app = _application(request)
    firmware = building.build(app, board, quiet, request.conf, request.samples)
    floor = _floor_image(board, quiet) if _wants_floor(request) else None
    floor_run = None if floor is None else _saved_floor(board, floor, request)
    jobs = [hear.job(board, firmware.image, request.limit_s, request.max_cycles, request.options)]
    if floor is not None and floor_run is None:
        jobs.append(hear.job(board, floor.image, options=request.options))
    return Prepared(request, board, firmware, floor, floor_run, tuple(jobs))


def image(request: Request, progress: Progress) -> dict[str, Path]:
    """Build what a board elsewhere is to be measured by: its ELF file, and what a device takes."""
    board = boards.load(request.board)
    app = _application(request)
    provision.prepare(board, progress, to_run=False)
    elf = building.build(app, board, progress, request.conf, request.samples).image
    made = flashing.make_image(board, elf, progress) if board.kind == "device" else elf
    return {"elf": elf, "image": made}


def read(result: Result, board: Board, elf: Path, request: Request) -> tuple[Run, bytes]:
    """Read what one of our images said elsewhere as what it says here is read."""
    lines, outcome = hear.heard(result, elf)
    return _own_run(replayed(elf, lines, outcome), board, elf, request)


def measure_patiently(request: Request, progress: Progress) -> tuple[Measured, list[str]]:
    """Measure, and again where the log came garbled, at most twice; return why it was, each time.

    A line drops and garbles now and then, and one such run of thirty is no reason to begin anew.
    What is garbled three times has another reason, and is raised.
    """
    garbled: list[str] = []
    while True:
        try:
            return measure(request, progress), garbled
        except LogError as error:
            if len(garbled) == GARBLED_AT_MOST:
                raise
            garbled.append(str(error))
            progress.say(f"garbled: {error}; this run is repeated")


def _beside(run: Run, board: Board, floor: Mapping[str, float], slowed: bool = False) -> Run:
    """Join the floor's and the reference's figures on to the rows that have them.

    A run in `slowed` memory says so, and stands beside no reference: those had a fast one.
    """
    beside = {} if slowed else systems.beside(board, run.header.configuration)
    return run.with_rows(
        [replace(row, floor=floor.get(row.id), reference=beside.get(row.id)) for row in run.rows]
    )


def _measure_port(request: Request, port: Port, progress: Progress) -> Measured:
    """Listen to a board; there is no image of it here, so there is no footprint either."""
    run, log = serial.measure(port, request.limit_s, progress)
    if not request.board:
        return Measured(run, log, doubts.context_of(run))
    board = boards.load(request.board)
    wanted = rows.expected(run.header.suite, run.header.configuration)
    unit = run.header.unit if run.header.unit in board.units else board.unit
    context = doubts.Context(board.name, unit, run.header.suite, wanted)
    return Measured(_beside(run, board, {}), log, context)


def _application(request: Request) -> Path:
    if request.directory is not None:
        return building.application(request.directory, request.conf)
    return building.application(suites.directory(request.suite), request.conf)


def _measure_suite(
    board: Board, app: Path, request: Request, progress: Progress
) -> tuple[Run, bytes]:
    firmware = building.build(app, board, progress, request.conf, request.samples)
    expected = 0 if request.directory else len(rows.expected(request.suite, request.conf))
    with progress.task(f"Running {app.name} on {board.name}") as task:
        run, log = _run_own(board, firmware.image, request, task, expected)
    return replace(run, footprint=footprint(firmware.image, firmware.map)), log


def _measure_image(
    board: Board, elf: Path, request: Request, progress: Progress
) -> tuple[Run, bytes]:
    """Run an image of any kernel; one of ours is recognised by its records."""
    own, foreign = LogReader(), ForeignReader()
    log: list[bytes] = []

    def on_line(line: bytes) -> bool:
        log.append(line)
        own.feed(line)
        row = None if own.header else foreign.feed(line)
        if row:
            task.update(row.id, len(foreign.rows), figure=row.p50)
        return line.strip() in [end.encode() for end in ENDS]

    with progress.task(f"Running {elf.name} on {board.name}") as task:
        outcome = runner.run(
            board, elf, on_line, request.limit_s, request.max_cycles, request.options
        )
    if own.header or own.faults or not foreign.rows:
        check_outcome(outcome, own, elf)
    run = own.finish() if own.header else foreign.finish(board, elf.name)
    if not own.header and not foreign.outcome:
        run = _cut_short(run, outcome)
    run = provenance.added(run, board, elf, outcome)
    return provenance.slowed(run, request.options), joined(log)


def _cut_short(run: Run, outcome: runner.Outcome) -> Run:
    """Mark the rows of an image that did not come to its end as not all that there are."""
    reason = f"the image did not finish (it ended by: {outcome.reason})"
    return replace(run, failures=(Failure("the rest", reason),), successful=False)


def _run_own(
    board: Board, elf: Path, request: Request, task: Task, expected: int = 0
) -> tuple[Run, bytes]:
    """Run one of our own images; return what it measured, and its log as it was printed."""
    task.update("starting", 0, expected or None)

    def on_event(reader: LogReader, event: Event | None) -> None:
        if isinstance(event, Row | Failure):
            figure = event.p50 if isinstance(event, Row) else None
            task.update(event.id, len(reader.rows) + len(reader.failures), figure=figure)

    heard = listen(board, elf, on_event, request.limit_s, request.max_cycles, request.options)
    return _own_run(heard, board, elf, request)


def _own_run(heard: Heard, board: Board, elf: Path, request: Request) -> tuple[Run, bytes]:
    if heard.reader.header is None:
        raise FoliotError(
            "the application measured nothing: it never called measure_begin()",
            "docs/measuring.md shows how a function is measured",
        )
    run = provenance.added(heard.reader.finish(), board, elf, heard.outcome)
    return provenance.slowed(run, request.options), heard.log


def _floor(board: Board, request: Request, progress: Progress) -> Mapping[str, float]:
    """Return the floor's medians by row, by the same simulator; empty where there is no floor."""
    firmware = _floor_image(board, progress)
    if firmware is None:
        return {}
    run = _saved_floor(board, firmware, request)
    if run is None:
        asked = Request(board.name, suites.FLOOR, options=request.options)
        with progress.task(f"Running {suites.FLOOR} on {board.name} (once)") as task:
            run, log = _run_own(board, firmware.image, asked, task)
        _keep_floor(board, firmware, request, log)
    return _medians(run)


def _floor_image(board: Board, progress: Progress) -> building.Firmware | None:
    """Build the floor; None where the board has none."""
    if not board.floor or suites.FLOOR not in suites.names():
        return None
    return building.build(paths.SUITES / suites.FLOOR, board, progress)


def _floor_place(board: Board, firmware: building.Firmware, request: Request) -> Path:
    identity = _identity(board, firmware, request.options)
    return paths.BUILD / "floor" / f"{board.name}-{identity[:16]}.log"


def _saved_floor(board: Board, firmware: building.Firmware, request: Request) -> Run | None:
    """Return the floor's run that was kept, if one was."""
    try:
        return parse(_floor_place(board, firmware, request).read_bytes())
    except (OSError, LogError):
        return None


def _keep_floor(board: Board, firmware: building.Firmware, request: Request, log: bytes) -> None:
    place = _floor_place(board, firmware, request)
    paths.write_if_changed(place, log.decode("utf-8", "replace"))


def _medians(run: Run) -> Mapping[str, float]:
    return {row.id: float(row.p50) for row in run.rows}


def _identity(board: Board, firmware: building.Firmware, options: Sequence[str]) -> str:
    """Hash what the floor's figures depend on: its image but for the commit, and the machine."""
    image = firmware.image.read_bytes()
    info = firmware.build_info
    commit = re.search(r'FOLIOT_COMMIT\s+"(.*)"', info)
    image = image.replace(commit[1].encode(), b"") if commit else image
    told = " ".join(options).encode()
    return hashlib.sha256(image + provision.identity(board) + told).hexdigest()

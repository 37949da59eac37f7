# SPDX-License-Identifier: Apache-2.0
"""`foliot bench`: from a suite's name to its table, in one command."""

from __future__ import annotations

import io
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foliot.bisect import commits
from foliot.campaign import run as campaign
from foliot.campaign.here import Here
from foliot.commands import offers
from foliot.commands.options import (
    BoardOption,
    ConfOption,
    CyclesOption,
    ElfOption,
    JobsOption,
    JsonFileOption,
    NameOption,
    PortOption,
    QuietOption,
    SamplesOption,
    SchedulerOption,
    StoreOption,
    TimeoutOption,
    WaitOption,
    simulator_options,
    words,
)
from foliot.compare import boards_table, repeats
from foliot.exporters.foliot_csv import to_csv
from foliot.exporters.foliot_json import to_json
from foliot.measure import fleet, matrix, session
from foliot.measure.session import Measured, Request
from foliot.model.errors import UsageError
from foliot.model.names import counted
from foliot.model.run import Run
from foliot.project import headlines
from foliot.reference import protection
from foliot.show import output
from foliot.show.table import print_run
from foliot.show.terminal import Progress, console, result_width
from foliot.store import results
from foliot.store.sqlite import Store
from foliot.store.writer import Recording, record
from foliot.target import boards, runner, serialport

if TYPE_CHECKING:
    from foliot.farm.place import Wanted


def command(
    directory: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]", help="An application with rows of its own.", show_default=False
        ),
    ] = None,
    board: BoardOption = None,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite",
            "-s",
            metavar="SUITE",
            autocompletion=offers.suite,
            help="A directory of suites/ (latency).",
        ),
    ] = None,
    conf: ConfOption = None,
    conf_matrix: Annotated[
        bool, typer.Option("--conf-matrix", help="All configurations, side by side.")
    ] = False,
    samples: SamplesOption = None,
    json: JsonFileOption = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write CSV; - is stdout.")
    ] = None,
    quiet: QuietOption = False,
    elf: ElfOption = None,
    timeout: TimeoutOption = None,
    max_cycles: CyclesOption = None,
    wait_states: WaitOption = None,
    repeat: Annotated[
        int, typer.Option("--repeat", metavar="N", min=1, max=1000, help="Measure N times.")
    ] = 1,
    port: PortOption = None,
    baud: Annotated[
        int | None, typer.Option("--baud", metavar="N", min=1, help="Of the port (115200).")
    ] = None,
    reset: Annotated[
        str | None, typer.Option("--reset", metavar="CMD", help="What resets that board.")
    ] = None,
    place: Annotated[
        str | None, typer.Option("--place", metavar="NAME", help="A board of labgrid's, in turn.")
    ] = None,
    coordinator: Annotated[
        str | None,
        typer.Option("--coordinator", envvar="LG_COORDINATOR", metavar="HOST:PORT",
                     help="Labgrid's."),
    ] = None,
    write: Annotated[
        str | None,
        typer.Option("--write", metavar="CMD", help="Puts {image} or {elf} on that board."),
    ] = None,
    name: NameOption = None,
    store: StoreOption = None,
    record: Annotated[
        bool, typer.Option("--record/--no-record", help="Keep the run, see `foliot runs`.")
    ] = True,
    jobs: JobsOption = None,
    scheduler: SchedulerOption = None,
    remote: Annotated[
        str | None,
        typer.Option("--remote", metavar="REMOTE", autocompletion=offers.remote,
                     help="Show it there as it runs, then push it."),
    ] = None,
) -> None:  # fmt: skip
    """Measure a suite, or an application of your own."""
    _only_one({"DIR": directory, "--suite": suite, "--elf": elf, "--port": port})
    _only_one({"--port": port, "--place": place, "--elf": elf, "--wait-states": wait_states})
    _check_device(port or place, {"--baud": baud, "--reset": reset})
    _check_device(place, {"--write": write})
    named = board or ("" if port else boards.default())
    if named != fleet.ALL and not conf_matrix:
        _refuse("a bench of one image", {"--jobs": jobs, "--scheduler": scheduler})
    if elf is not None:
        runner.check_image(elf)
    if named == fleet.ALL:
        others = {"--elf": elf, "--port": port, "--conf-matrix": conf_matrix, "--csv": csv,
                  "--wait-states": wait_states, "--max-cycles": max_cycles, "--name": name,
                  "--repeat": repeat > 1, "--remote": remote, "--place": place}  # fmt: skip
        _refuse("--board all", others)
    elif port is None and place is None:
        boards.check_measures(boards.load(named))
    request = Request(
        board=named, suite=suite or "latency",
        directory=directory, conf=words(conf), samples=samples, elf=elf, limit_s=timeout,
        max_cycles=max_cycles,
        options=() if named == fleet.ALL else simulator_options(wait_states, named),
        port=serialport.Port(port, baud or serialport.BAUD, reset or "") if port else None,
    )  # fmt: skip
    if conf_matrix:
        _refuse("--conf-matrix", {"--csv": csv, "--elf": elf, "--port": port, "--place": place,
                                  "--repeat": repeat > 1, "--remote": remote})  # fmt: skip
        where = campaign.executor(jobs, scheduler, Progress(quiet))
        kept = Store(store) if record else None
        raise typer.Exit(bench_matrix(request, json, quiet, where, kept))
    recorder = Recorder(Store(store), name or "") if record else None
    if named == fleet.ALL:
        where = campaign.executor(jobs, scheduler, Progress(quiet))
        raise typer.Exit(bench_fleet(request, json, quiet, recorder, where))
    _refuse("--repeat", {"--json": json, "--csv": csv} if repeat > 1 else {})

    def measured(progress: Progress | None = None) -> int:
        with _at_place(request, wanted, Progress(quiet)) as asked:
            again = (quiet, recorder, progress)
            return (bench_repeated(asked, repeat, *again) if repeat > 1
                    else bench(asked, json, csv, *again))  # fmt: skip

    wanted = None
    if place is not None:
        from foliot.farm.place import Wanted  # only who wants a place waits for it

        wanted = Wanted(place, coordinator, write or "", reset or "", baud)
    raise typer.Exit(_shown(remote, request, recorder, quiet, measured))


@contextmanager
def _at_place(request: Request, wanted: Wanted | None, progress: Progress) -> Iterator[Request]:
    """Have the board at hand: one at a place is built for first, and held while it is measured."""
    if wanted is None:
        yield request
        return
    from foliot.farm.place import taken

    image = session.image(request, progress)
    with taken(wanted, image, progress) as port:
        yield replace(request, port=port)


def _shown(
    remote: str | None,
    request: Request,
    recorder: Recorder | None,
    quiet: bool,
    measured: Callable[[Progress | None], int],
) -> int:
    """Measure; where a `remote` is named it shows it, and is sent what was recorded."""
    if remote is None:
        return measured(None)
    from foliot.remote import live, remotes, transfer
    from foliot.remote.client import Client

    if recorder is None:
        raise UsageError("--remote and --no-record can't be given together")
    told = remotes.find(recorder.store, remote)
    with live.Teller(told, request.board, request.suite) as teller:
        status = measured(live.ToldProgress(teller, quiet))
    newest = recorder.store.recent()
    only = {newest.document} if newest else set()
    with Client(told) as client:
        sent = transfer.push(recorder.store, client, Progress(quiet), only)
    return max(status, transfer.say(sent, "sent"))


def _check_device(device: str | None, others: Mapping[str, object]) -> None:
    given = [name for name, value in others.items() if value is not None]
    if given and device is None:
        raise UsageError(f"{given[0]} is of a board at a --port or a --place")


def _only_one(sources: Mapping[str, object]) -> None:
    given = [name for name, value in sources.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} can't be given together")


def _refuse(option: str, others: Mapping[str, object]) -> None:
    for other, value in others.items():
        if value:
            raise UsageError(f"{option} and {other} can't be given together")


@dataclass(frozen=True, slots=True)
class Recorder:
    """Where a run is recorded, and by what name."""

    store: Store
    name: str = ""

    def keep(self, measured: Measured) -> None:
        """Record a run with its log."""
        run = measured.facts
        record(self.store, run, io.BytesIO(measured.log), "bench", run.origin.source, self.name)

    def keep_all(self, measured: Sequence[Measured]) -> str:
        """Record repeated runs as one document, NAME/1 and so on; return their name."""
        first = measured[0].facts
        name = self.name or f"{first.header.board}-{first.header.suite}"
        with Recording(self.store, "bench", first.origin.source) as recording:
            for number, one in enumerate(measured, 1):
                recording.add(one.facts, f"{name}/{number}")
            recording.keep(io.BytesIO(b"".join(one.log for one in measured)))
        return name


def bench(
    request: Request,
    json_file: str | None,
    csv_file: str | None,
    quiet: bool,
    recorder: Recorder | None = None,
    progress: Progress | None = None,
) -> int:
    """Measure, print, write and record; return 0 where the run is valid, else 1.

    Raises FoliotError where there is no result at all: then nothing is written.
    """
    if json_file == csv_file == output.STDOUT:
        raise UsageError("only one of --json and --csv can go to stdout")
    for name in (json_file, csv_file):
        output.check_writable(name)
    if recorder:
        recorder.store.check_writable()
    measured = session.measure(request, progress or Progress(quiet))
    run = measured.examined()
    _write(run, json_file, csv_file)
    if output.STDOUT not in (json_file, csv_file):
        print_run(run, console())
        for line in [*headlines.told(run), *_protection(run, measured.floor)]:
            console().print(line)
    if recorder:
        recorder.keep(measured)
    if not run.valid:
        bad = sum(doubt.invalidates for doubt in run.doubts) or 1
        print(
            f"foliot: not a valid result: {bad} reason{'s' * (bad != 1)}, see the doubts",
            file=sys.stderr,
        )
    return 0 if run.valid else 1


def _protection(run: Run, floor: Mapping[str, float]) -> list[str]:
    limits = protection.limits(run, floor)
    return [protection.told(limits)] if limits else []


def bench_repeated(
    request: Request,
    count: int,
    quiet: bool,
    recorder: Recorder | None,
    progress: Progress | None = None,
) -> int:
    """Measure `count` times, print how far the runs lie apart, record them together.

    What was measured is recorded even where a later run can't be had. A run whose log came garbled
    is repeated, at most twice, and that is said.
    """
    if recorder:
        recorder.store.check_writable()
    progress = progress or Progress(quiet)
    measured: list[Measured] = []
    again: list[str] = []
    try:
        for number in range(1, count + 1):
            progress.say(f"Run {number} of {count}")
            one, garbled = session.measure_patiently(request, progress)
            measured.append(one)
            again += [f"run {number} was garbled, and repeated: {why}" for why in garbled]
    finally:
        if recorder and measured:
            name = recorder.keep_all(measured)
            progress.say(f"{counted(len(measured), 'run')} on record: {name}")
    runs = [one.examined() for one in measured]
    for line in repeats.lines(runs):
        print(line)
    for line in again:
        print(*textwrap.wrap(line, result_width(), subsequent_indent="  "), sep="\n")
    bad = sum(not run.valid for run in runs)
    if bad:
        print(f"foliot: {counted(bad, 'run')} of {count} not valid", file=sys.stderr)
    return 1 if bad else 0


def bench_fleet(
    request: Request,
    json_file: str | None,
    quiet: bool,
    recorder: Recorder | None,
    where: Here | None = None,
) -> int:
    """Measure every board, print them side by side, record each; return 0 where all are valid."""
    output.check_writable(json_file)
    if recorder:
        recorder.store.check_writable()
    found = fleet.measure(request, Progress(quiet), where=where)
    measured = [one.measured for one in found if one.measured is not None]
    runs = [one.examined() for one in measured]
    if json_file is not None:
        output.write_json(json_file, {"schema": 1, "runs": [loads(to_json(run)) for run in runs]})
    if recorder:
        for one in measured:
            recorder.keep(one)
    if json_file != output.STDOUT:
        for line in boards_table.lines(runs, result_width()):
            print(line)
    bad = [f"{one.board}: {one.why}" for one in found if one.measured is None]
    bad += [f"{run.header.board}: not valid, see `foliot show`" for run in runs if not run.valid]
    for line in bad:
        print(f"foliot: {line}", file=sys.stderr)
    return 1 if bad else 0


def bench_matrix(
    request: Request, json_file: str | None, quiet: bool, where: Here | None = None,
    store: Store | None = None,
) -> int:  # fmt: skip
    """Measure, print, record, and write JSON where asked for; return the exit status."""
    if request.conf:
        raise UsageError("--conf-matrix runs all configurations: --conf can't be given with it")
    if store:
        store.check_writable()
    found = matrix.measure(request, Progress(quiet), where=where)
    if store:
        told, named = matrix.as_dict(found), f"{request.suite} on {found.default.header.board}"
        what = counted(len(found.others), "configuration")
        results.keep(store, "matrix", named, commits.here(), what, told)
    if json_file is not None:
        output.write_json(json_file, matrix.as_dict(found))
    for line in matrix.lines(found, result_width()) if json_file != output.STDOUT else ():
        print(line)
    return 0


def _write(run: Run, json_file: str | None, csv_file: str | None) -> None:
    for name, convert in ((json_file, to_json), (csv_file, to_csv)):
        if name is not None:
            output.write(name, convert(run))

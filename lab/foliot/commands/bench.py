# SPDX-License-Identifier: Apache-2.0
"""`foliot bench`: from a suite's name to its table, in one command."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import (
    BoardOption,
    ConfOption,
    CyclesOption,
    ElfOption,
    JsonFileOption,
    NameOption,
    PortOption,
    QuietOption,
    SamplesOption,
    StoreOption,
    TimeoutOption,
    words,
)
from foliot.exporters.foliot_csv import to_csv
from foliot.exporters.foliot_json import to_json
from foliot.measure import matrix, session
from foliot.measure.session import Measured, Request
from foliot.model.errors import UsageError
from foliot.model.run import Run
from foliot.show import output
from foliot.show.table import print_run
from foliot.show.terminal import Progress, console
from foliot.store.database import Store
from foliot.store.writer import record
from foliot.target import boards, serialport


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
        typer.Option("--suite", "-s", metavar="SUITE", help="A directory of suites/ (latency)."),
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
    port: PortOption = None,
    baud: Annotated[
        int | None, typer.Option("--baud", metavar="N", min=1, help="Of the port (115200).")
    ] = None,
    reset: Annotated[
        str | None, typer.Option("--reset", metavar="CMD", help="What resets that board.")
    ] = None,
    name: NameOption = None,
    store: StoreOption = None,
    record: Annotated[
        bool, typer.Option("--record/--no-record", help="Keep the run, see `foliot runs`.")
    ] = True,
) -> None:
    """Measure a suite, or an application of your own."""
    sources = {"DIR": directory, "--suite": suite, "--elf": elf, "--port": port}
    given = [name for name, value in sources.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} can't be given together")
    if port is None and (baud is not None or reset is not None):
        raise UsageError("--baud and --reset are of a board at a --port")
    request = Request(
        board=board or ("" if port else boards.default()), suite=suite or "latency",
        directory=directory, conf=words(conf), samples=samples, elf=elf, limit_s=timeout,
        max_cycles=max_cycles,
        port=serialport.Port(port, baud or serialport.BAUD, reset or "") if port else None,
    )  # fmt: skip
    if conf_matrix:
        taken = {"--csv": csv, "--elf": elf, "--port": port}
        if any(taken.values()):
            option = next(word for word, value in taken.items() if value)
            raise UsageError(f"--conf-matrix and {option} can't be given together")
        raise typer.Exit(bench_matrix(request, json, quiet))
    recorder = Recorder(Store(store), name or "") if record else None
    raise typer.Exit(bench(request, json, csv, quiet, recorder))


@dataclass(frozen=True, slots=True)
class Recorder:
    """Where a run is recorded, and by what name."""

    store: Store
    name: str = ""

    def keep(self, measured: Measured) -> None:
        """Record a run with its log."""
        run = measured.facts
        record(self.store, run, io.BytesIO(measured.log), "bench", run.origin.source, self.name)


def bench(
    request: Request,
    json_file: str | None,
    csv_file: str | None,
    quiet: bool,
    recorder: Recorder | None = None,
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
    measured = session.measure(request, Progress(quiet))
    run = measured.examined()
    _write(run, json_file, csv_file)
    if output.STDOUT not in (json_file, csv_file):
        print_run(run, console())
    if recorder:
        recorder.keep(measured)
    if not run.valid:
        bad = sum(doubt.invalidates for doubt in run.doubts) or 1
        print(
            f"foliot: not a valid result: {bad} reason{'s' * (bad != 1)}, see the doubts",
            file=sys.stderr,
        )
    return 0 if run.valid else 1


def bench_matrix(request: Request, json_file: str | None, quiet: bool) -> int:
    """Measure, print, and write JSON where asked for; return the exit status."""
    if request.conf:
        raise UsageError("--conf-matrix runs all configurations: --conf can't be given with it")
    found = matrix.measure(request, Progress(quiet))
    if json_file is not None:
        output.write_json(json_file, matrix.as_dict(found))
    for line in matrix.lines(found) if json_file != output.STDOUT else ():
        console().print(line, highlight=False, soft_wrap=True)
    return 0


def _write(run: Run, json_file: str | None, csv_file: str | None) -> None:
    for name, convert in ((json_file, to_json), (csv_file, to_csv)):
        if name is not None:
            output.write(name, convert(run))

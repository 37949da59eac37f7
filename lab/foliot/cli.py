# SPDX-License-Identifier: Apache-2.0
"""The command line: names, options and exit status; the work is done elsewhere.

Nothing but typer is imported before it is known which command runs, so that `--help`
answers at once. Exit status: 0 fine, 1 the measurement failed, 2 wrong use.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from foliot import cli_store
from foliot.errors import FoliotError, UsageError
from foliot.scope import cli as cli_scope

app = typer.Typer(
    name="foliot",
    help="A small real-time kernel that times itself: build it, run it, measure it.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

BoardOption = Annotated[
    str | None, typer.Option("--board", "-b", metavar="BOARD", help="See `foliot boards`.")
]
ConfOption = Annotated[
    list[str] | None,
    typer.Option("--conf", "-c", metavar="CONF", help="prj.CONF.conf; several: a,b or twice."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")]
ElfOption = Annotated[
    Path | None, typer.Option("--elf", metavar="FILE", help="Run this image, of any kernel.")
]
TimeoutOption = Annotated[
    float | None,
    typer.Option("--timeout", metavar="S", min=1e-6, help="Limit in simulated seconds."),
]
CyclesOption = Annotated[
    int | None,
    typer.Option("--max-cycles", metavar="N", min=1, help="Limit in cycles (boards in RTL)."),
]
StoreOption = Annotated[
    Path | None, typer.Option("--store", metavar="DIR", help="Where runs are recorded.")
]
NameOption = Annotated[
    str | None, typer.Option("--name", "-n", metavar="NAME", help="What to call the run.")
]
SamplesOption = Annotated[
    int | None, typer.Option("--samples", metavar="N", min=1, max=1_000_000, help="Per row.")
]


@app.command()
def bench(
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
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write JSON; - is stdout.")
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write CSV; - is stdout.")
    ] = None,
    quiet: QuietOption = False,
    elf: ElfOption = None,
    timeout: TimeoutOption = None,
    max_cycles: CyclesOption = None,
    port: Annotated[
        str | None, typer.Option("--port", metavar="TTY", help="Listen to a board's serial port.")
    ] = None,
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
    from foliot import bench as work
    from foliot import serialport
    from foliot.store import Store

    sources = {"DIR": directory, "--suite": suite, "--elf": elf, "--port": port}
    given = [name for name, value in sources.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} can't be given together")
    if port is None and (baud is not None or reset is not None):
        raise UsageError("--baud and --reset are of a board at a --port")
    request = work.Request(
        board=_board(board) if port is None else board or "", suite=suite or "latency",
        directory=directory, conf=_words(conf), samples=samples, elf=elf, limit_s=timeout,
        max_cycles=max_cycles,
        port=serialport.Port(port, baud or serialport.BAUD, reset or "") if port else None,
    )  # fmt: skip
    if conf_matrix:
        from foliot import matrix

        taken = {"--csv": csv, "--elf": elf, "--port": port}
        if any(taken.values()):
            option = next(word for word, value in taken.items() if value)
            raise UsageError(f"--conf-matrix and {option} can't be given together")
        raise typer.Exit(matrix.bench_matrix(request, json, quiet))
    recorder = work.Recorder(Store(store), name or "") if record else None
    raise typer.Exit(work.bench(request, json, csv, quiet, recorder))


@app.command()
def build(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="An application.")],
    board: BoardOption = None,
    conf: ConfOption = None,
    samples: SamplesOption = None,
    quiet: QuietOption = False,
) -> None:
    """Build an application; say what it weighs."""
    from foliot import command

    command.build(directory, _board(board), _words(conf), samples, quiet)


@app.command()
def run(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="An application.", show_default=False)
    ] = None,
    board: BoardOption = None,
    conf: ConfOption = None,
    quiet: QuietOption = False,
    elf: ElfOption = None,
    timeout: TimeoutOption = None,
    max_cycles: CyclesOption = None,
) -> None:
    """Run an application, or any image, on a board."""
    from foliot import command

    if (directory is None) == (elf is None):
        raise UsageError("run takes either a directory or --elf FILE")
    limits = command.Limits(timeout, max_cycles)
    raise typer.Exit(command.run(directory, elf, _board(board), _words(conf), limits, quiet))


@app.command()
def test(
    long: Annotated[bool, typer.Option("--long", help="The campaigns too.")] = False,
    expression: Annotated[
        str | None, typer.Option("-k", metavar="EXPR", help="Only tests that match (pytest).")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Run the project's tests."""
    from foliot import testing

    raise typer.Exit(testing.test(long, expression, quiet))


@app.command()
def boards() -> None:
    """List the boards."""
    from foliot import command

    command.list_boards()


@app.command()
def rows() -> None:
    """List the rows of the latency suite."""
    from foliot import command

    command.list_rows()


@app.command()
def setup(
    board: Annotated[str | None, typer.Argument(metavar="[BOARD]", show_default=False)] = None,
    quiet: QuietOption = False,
) -> None:
    """Install what a board needs."""
    from foliot import command

    command.setup(_board(board), quiet)


@app.command()
def explain(
    row: Annotated[str, typer.Argument(metavar="ROW", help="A row's id, see `foliot rows`.")],
    builds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BUILD [BUILD]]",
            show_default=False,
            help="An ELF file, a configuration, a run or a commit; two: the difference.",
        ),
    ] = None,
    board: BoardOption = None,
    suite: Annotated[
        str, typer.Option("--suite", "-s", metavar="SUITE", help="A suite, or a directory.")
    ] = "latency",
    conf: ConfOption = None,
    sample: Annotated[
        str, typer.Option("--sample", metavar="S", help="typical, first, worst or a number.")
    ] = "typical",
    whole: Annotated[bool, typer.Option("--whole", help="The floor's instructions too.")] = False,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write JSON; - is stdout.")
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show where each cycle of a row went; or decode a figure."""
    from foliot.explain import command as work
    from foliot.store import Store

    request = work.Request(
        row=row, builds=tuple(builds or ()), board=board, suite=suite, conf=_words(conf),
        sample=sample, whole=whole,
    )  # fmt: skip
    raise typer.Exit(work.explain(request, json, quiet, Store(store)))


@app.command()
def report(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN...]", show_default=False, help="None: the newest 50."),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The page; - is stdout.")
    ] = "foliot-report.html",
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="DIR", help="Write the charts alone.")
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write runs as one self-contained page."""
    from foliot.report import command as work
    from foliot.store import Store

    raise typer.Exit(work.report(runs or [], output, svg, Store(store), quiet))


@app.command()
def docs(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if stale.")] = False,
    api: Annotated[bool, typer.Option("--api", help="The API reference instead.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Make the tables of README.md and docs/ anew, or the API reference."""
    if api and check:
        raise UsageError("--api makes pages in build/: there is nothing to --check")
    if api:
        from foliot import api as reference

        raise typer.Exit(reference.update(quiet))
    from foliot import docs as work

    raise typer.Exit(work.update(check, quiet))


cli_store.register(app)
cli_scope.register(app)


def main() -> NoReturn:
    """Run the command line; never returns, never shows a traceback."""
    try:
        status = app(standalone_mode=False, prog_name="foliot")
    except typer.Exit as end:
        status = end.exit_code
    except BrokenPipeError:
        # Whoever read us has gone: nothing to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except (KeyboardInterrupt, Exception) as error:
        lines, status = _explained(error)
        say(*lines)
    sys.exit(status if isinstance(status, int) else 0)


def say(message: str, *more: str) -> None:
    """Print a message, and what belongs to it, where errors go."""
    sys.stdout.flush()
    print(f"foliot: {message}", *more, sep="\n  ", file=sys.stderr)


def _explained(error: BaseException) -> tuple[list[str], int]:
    """Return what to tell the user of an error, and the exit status."""
    if isinstance(error, FoliotError):
        return [error.message, *filter(None, [error.advice]), *error.lines], error.exit_code
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return ["stopped"], 130
    if isinstance(error, typer.TyperException):
        return [error.format_message() if hasattr(error, "format_message") else str(error)], 2
    if isinstance(error, OSError):
        return [f"{error.filename or 'the system'}: {error.strerror or error}"], 1
    return [f"a mistake in foliot itself: {type(error).__name__}: {error}", _keep_traceback()], 1


def _keep_traceback() -> str:
    """Put the traceback where whoever mends foliot finds it; return the line that says so."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="foliot-", suffix=".log", delete=False) as log:
        traceback.print_exc(file=log)
    return f"please report it, with {log.name}"


def _board(name: str | None) -> str:
    from foliot import boards

    return name or boards.default()


def _words(given: Iterable[str] | None) -> tuple[str, ...]:
    """Take `--conf a,b --conf c` apart."""
    words = [word.strip() for group in given or () for word in group.split(",")]
    if not all(words):
        raise UsageError("--conf takes names, separated by commas")
    return tuple(dict.fromkeys(words))

# SPDX-License-Identifier: Apache-2.0
"""`foliot scope`: record the test cases, or read a capture; pictures, figures, verdict."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import BoardOption, JsonFileOption, QuietOption
from foliot.model.errors import UsageError
from foliot.scope import capture as captures
from foliot.scope import picture, results, story, table
from foliot.scope.recorder import CONFIGURATION, SUITE, Request, record
from foliot.scope.signals import FOUR
from foliot.show import output
from foliot.show.terminal import Progress, console
from foliot.target import boards, flashing, paths, provision, suites
from foliot.target import build as building

OUT = paths.BUILD / "scope"


def command(
    cases: Annotated[
        list[int] | None,
        typer.Argument(metavar="[CASE]...", show_default=False, help="0 to 12; none: all."),
    ] = None,
    board: BoardOption = None,
    ticks: Annotated[
        int | None,
        typer.Option(
            "--ticks", metavar="N", min=3, max=15, help="Of each case; of case 12 twice as many."
        ),
    ] = None,
    wait_states: Annotated[
        str | None, typer.Option("--wait-states", metavar="I,D", help="Of the simulated RAM.")
    ] = None,
    capture: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Measure this VCD instead.")
    ] = None,
    pins: Annotated[
        list[str] | None,
        typer.Option("--pin", metavar="SIGNAL=NAME", help="What a signal is called in it."),
    ] = None,
    tick: Annotated[
        int | None,
        typer.Option("--tick", metavar="N", min=1, help="Its tick, in ns, if not found."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="For signals and pictures.")
    ] = None,
    json: JsonFileOption = None,
    docs: Annotated[bool, typer.Option("--docs", help="Write docs/periodic.md anew.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Show periodic threads as signals: pictures and figures."""
    if capture is not None:
        if cases or board or ticks or wait_states or docs or json:
            raise UsageError("--import goes with --pin, --tick and --out only")
        raise typer.Exit(import_capture(capture, pins or (), tick, out, quiet))
    if pins or tick:
        raise UsageError("--pin and --tick are for --import")
    if docs:
        raise typer.Exit(story.write(quiet))
    request = Request(tuple(cases or ()), ticks, wait_states)
    raise typer.Exit(scope(board or boards.default(), request, out, json, quiet))


def scope(
    board_name: str, request: Request, out: Path | None, json_file: str | None, quiet: bool
) -> int:
    """Record cases, write a VCD and pictures of each, print the table; 1 if one misbehaved."""
    progress = Progress(quiet)
    board = boards.load(board_name)
    if board.kind == "device" and not board.emulated and board.pins:
        print("\n".join(_for_the_desk(board, progress)))
        return 0
    _prepare_fonts(progress)
    session = record(board, request, progress)
    directory = out or OUT / board.name
    results.write_files(session, directory, progress)
    failed = results.failures(session)
    if json_file is not None:
        output.write_json(json_file, results.as_dict(session, failed))
    if json_file != output.STDOUT:
        table.print_table(results.pairs(session), session.switch, failed, console())
        checks = sum(len(case.checks) for case in session.cases)
        print(
            f"{len(session.cases)} cases on {board.name} ({session.memory}), {checks} expectations,"
            f" {len(failed)} not met. Signals and pictures: {paths.shown(directory)}"
        )
        if board.emulated:
            print(
                f"In {board.run['emulator']}: an order of events, and no times. Of the chip itself:"
            )
            print("\n".join(_for_the_desk(board, progress)))
    return 1 if failed else 0


def _prepare_fonts(progress: Progress) -> None:
    if not picture.has_font():
        provision.install(provision.FONT_PACKAGES, progress)


def _for_the_desk(board: boards.Board, progress: Progress) -> list[str]:
    """Build the image whose pins an oscilloscope shows; say what to do with it."""
    provision.prepare(board, progress, to_run=False)
    app = suites.directory(SUITE)
    firmware = building.build(app, board, progress, (CONFIGURATION,))
    image = flashing.make_image(board, firmware.elf, progress)
    pins = board.signal_pins()
    named = [f"{name} {pins[name]}" for name in (*FOUR, "isr") if name in pins]
    words = " ".join(f"--pin {name}=D{n}" for n, name in enumerate(FOUR))
    return [
        f"{paths.shown(image)} drives {', '.join(named)}.",
        f"Flash it: ./foliot flash {board.name} {paths.shown(app)} -c {CONFIGURATION}",
        "Record the pins as a VCD, then",
        f"  ./foliot scope --import FILE.vcd {words}",
    ]


def import_capture(
    path: Path, pins: Iterable[str], tick: int | None, out: Path | None, quiet: bool
) -> int:
    """Measure a capture of a logic analyser; times in nanoseconds. `tick` too, if given."""
    _prepare_fonts(Progress(quiet))
    capture = captures.read(path, pins, tick)
    directory = out or OUT / path.stem
    directory.mkdir(parents=True, exist_ok=True)
    svg = picture.draw(capture.recording, capture.analysis, path.name)
    (directory / f"{path.stem}.svg").write_text(svg, encoding="utf-8")
    picture.write_png(svg, directory / f"{path.stem}.png")
    for line in captures.lines(capture):
        print(line)
    Progress(quiet).say(f"Pictures: {paths.shown(directory)}")
    return 0

# SPDX-License-Identifier: Apache-2.0
"""`foliot bound`: which calls of which image are meant, and what is printed of their bounds."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foliot.bound import requirements
from foliot.commands.options import ConfOption, ElfOption, JsonFileOption, QuietOption, words
from foliot.model.errors import FoliotError, UsageError, unknown
from foliot.show import output
from foliot.show.terminal import Progress, console
from foliot.target import boards, build, paths, provision, suites
from foliot.target.boards import Board

if TYPE_CHECKING:
    from foliot.bound.call import Call
    from foliot.bound.image import Program
    from foliot.bound.observe import Observed
    from foliot.bound.rows import Bounded

SUITE = "worst"  # has all calls in it, whether it makes them or not
OBSERVED = ("worst", "states")
OBSERVED_FOR_GAPS = ("worst", "states", "latency", "objects", "heap")
OBSERVED_OF_USERS = ("states", "ipc", "latency", "objects")
WITNESSED = {"W": 16, "P": 14, "M": 2, "C": 4, "B": 16}  # that these two have at most

_N = "N"
_Count = typer.Option


def command(
    calls: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CALL]...", help="Functions, as k_sem_give.", show_default=False),
    ] = None,
    all_calls: Annotated[bool, typer.Option("--all", help="Every call of the kernel's.")] = False,
    masked: Annotated[
        bool, typer.Option("--masked", help="How long calls keep interrupts masked.")
    ] = False,
    interrupts: Annotated[
        bool, typer.Option("--isr", help="What interrupts cost, by handler.")
    ] = False,
    user: Annotated[bool, typer.Option("--user", help="As user threads make the calls.")] = False,
    app: Annotated[
        Path | None, typer.Option("--app", metavar="DIR", help="In this application's image.")
    ] = None,
    system: Annotated[
        Path | None,
        typer.Option("--system", metavar="DIR", help="Response times, by DIR/system.toml."),
    ] = None,
    elf: ElfOption = None,
    conf: ConfOption = None,
    board: Annotated[
        str, typer.Option("--board", "-b", metavar="BOARD", help="ibex, ibex_ws1 or ibex_ws2.")
    ] = "ibex",
    waiters: Annotated[int, _Count("--waiters", metavar=_N, min=0, help="At an object.")] = 16,
    priorities: Annotated[
        int | None, _Count("--priorities", metavar=_N, min=0, help="That they have.")
    ] = None,
    mutexes: Annotated[
        int, _Count("--mutexes", metavar=_N, min=0, help="Of an owner, awaited.")
    ] = 2,
    chain: Annotated[int, _Count("--chain", metavar=_N, min=0, help="Owners in a row.")] = 4,
    disturbances: Annotated[
        int, _Count("--disturbances", metavar=_N, min=0, help="By others, in windows.")
    ] = 0,
    timeouts: Annotated[int, _Count("--timeouts", metavar=_N, min=0, help="In a slot.")] = 1,
    slots: Annotated[int, _Count("--slots", metavar=_N, min=0, help="Due at once.")] = 1,
    size: Annotated[int, _Count("--bytes", metavar=_N, min=0, help="Of a message.")] = 16,
    group: Annotated[int, _Count("--group", metavar=_N, min=0, help="Of one period.")] = 16,
    items: Annotated[int, _Count("--items", metavar=_N, min=0, help="On a list.")] = 16,
    path: Annotated[bool, typer.Option("--path", help="A costliest path of one call.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Hold the table against runs of the RTL.")
    ] = False,
    cut: Annotated[bool, typer.Option("--cut", help="Without paths that can't be.")] = False,
    gaps: Annotated[
        bool, typer.Option("--gaps", help="Where bounds are far above what was seen.")
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="--gaps as docs/bounds.md has them.")
    ] = False,
    json: JsonFileOption = None,
    quiet: QuietOption = False,
) -> None:
    """Say what a call can cost at most, beside what it did."""
    parameters = {
        "W": waiters, "P": waiters if priorities is None else priorities, "M": mutexes, "C": chain,
        "D": disturbances, "E": timeouts, "S": slots, "B": size, "N": size, "T": 1, "G": group,
        "O": items,
    }  # fmt: skip
    request = Request(
        tuple(calls or ()), all_calls, app, elf, words(conf), parameters, path, masked, interrupts,
        user, cut, board,
    )  # fmt: skip
    progress = Progress(quiet)
    output.check_writable(json)
    requirements.install(progress)
    if system is not None:
        raise typer.Exit(_system(system, request, json, progress))
    if check and json is not None:
        raise UsageError("--check prints lines, no JSON: its status says whether all holds")
    if check:
        raise typer.Exit(_check(request, progress))
    if gaps:
        raise typer.Exit(_gaps(request, json, markdown, progress))
    raise typer.Exit(_bound(request, json, progress))


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for."""

    calls: tuple[str, ...]
    all_calls: bool
    app: Path | None
    elf: Path | None
    conf: tuple[str, ...]
    parameters: dict[str, int]
    path: bool
    masked: bool = False
    interrupts: bool = False
    user: bool = False
    cut: bool = False
    board: str = "ibex"

    def of_all(self) -> Request:
        """Return the same, of all calls where none is named."""
        return self if self.calls else replace(self, all_calls=True)

    @property
    def built(self) -> tuple[str, ...]:
        """The configuration that images are built with."""
        from foliot.bound import syscalls

        return self.conf or (syscalls.CONFIGURATION if self.user else ())

    def find(self, program: Program, name: str) -> Call:
        """Return a call as it is meant: a thread's of the kernel, or a user thread's."""
        from foliot.bound import call, syscalls

        return (syscalls.system_call if self.user else call.call)(program, name)


def _bound(request: Request, json: str | None, progress: Progress) -> int:
    from foliot.bound import rows, show
    from foliot.bound.image import Program
    from foliot.bound.observe import observed

    if not request.calls and not request.all_calls and not request.interrupts:
        raise UsageError("whose bound? `foliot bound k_sem_give`, or --all")
    if request.path and (request.masked or request.interrupts):
        raise UsageError("--path is of a whole call: not with --masked or --isr")
    board = _board(request)
    provision.prepare(board, progress)
    elf = _image(request, board, progress)
    program = Program(elf)
    names = _names(request, program)
    if request.path:
        if len(names) != 1:
            raise UsageError("--path is of one call")
        one = request.find(program, names[0])
        for end in one.ends():
            show.print_path(one, one.bound(end, request.parameters), console())
        return 0
    if request.masked or request.interrupts:
        images = [elf] if request.interrupts else _runs(request, board, elf, progress)
        seen = observed(board, images, progress, request.app is not None)
        found = _masked_or_interrupts(request, program, names, seen, progress)
        return _tell(request, json, found)
    seen = observed(board, _runs(request, board, elf, progress), progress, request.app is not None)
    with progress.task("Bounding") as task:
        found = []
        for number, name in enumerate(names):
            task.update(name, number, len(names))
            found += rows.bounds(
                program, [name], request.parameters, seen, len(names) <= _FORMULAS, request.find,
                request.cut,
            )  # fmt: skip
    return _tell(request, json, found)


def _board(request: Request) -> Board:
    """Return the board that is meant, its wait states in the table; UsageError: it has no table."""
    from foliot.bound import ibex

    if request.board not in ibex.BOARDS:
        raise UsageError(
            f"there is no table for {request.board}: its core's RTL is not ibex's",
            f"there is one for {', '.join(ibex.BOARDS)}: docs/bounds.md says what others need",
        )
    board = boards.load(request.board)
    ibex.of_board([str(word) for word in board.run.get("options", ())])
    return board


def _gaps(request: Request, json: str | None, markdown: bool, progress: Progress) -> int:
    from foliot.bound import gaps, observe, saved
    from foliot.bound.image import Program

    board = _board(request)
    provision.prepare(board, progress)
    elf = _image(request, board, progress)
    program = Program(elf)
    names = _names(request.of_all(), program)
    images = [
        build.build(suites.directory(name), board, progress, request.built).image
        for name in OBSERVED_FOR_GAPS
    ]
    runs = gaps.Runs(
        program, [(Program(one), observe.fold(board, one, progress)) for one in images]
    )
    found: list[gaps.Gap] = []
    unobserved: list[str] = []
    committed: set[str] = set()
    with progress.task("Bounding") as task:
        for number, name in enumerate(names):
            task.update(name, number, len(names))
            try:
                one = request.find(program, name)
            except FoliotError:
                continue
            for end in one.ends() if not one.refusals() else ():
                committed |= saved.known(one, end, request.parameters)
                clocks = saved.without_impossible(one, end, request.parameters)
                seen = runs.longest(one, end)
                if seen is None:
                    unobserved.append(f"{name} ({end})")
                else:
                    result = one.bound(end, request.parameters)
                    found.append(
                        gaps.gap(one, result, request.parameters, clocks, seen, runs.steps)
                    )
    if not request.calls:
        saved.commit(committed)  # of all: what is not asked for goes
    if json is not None:
        output.write_json(json, gaps.as_json(found, unobserved, request.parameters))
    if json != output.STDOUT:
        for line in (gaps.table if markdown else gaps.lines)(found, unobserved):
            print(line)
    # Where code lies counts too: other images' calls are held against their own, by --check.
    own = (gap for gap in found if gap.observed.elf == program.path)
    wrong = [gap for gap in own if gap.observed.clocks > gap.clocks]
    for gap in wrong:
        progress.announce(
            f"{gap.name} took {gap.observed.clocks} to its {gap.end}: its bound is wrong"
        )
    return 1 if wrong else 0


def _masked_or_interrupts(
    request: Request, program: Program, names: Sequence[str],
    seen: Mapping[tuple[str, str], Observed], progress: Progress,
) -> list[Bounded]:  # fmt: skip
    from foliot.bound import isr, rows

    found: list[Bounded] = []
    names = isr.handlers(program) if request.interrupts else names
    with progress.task("Bounding") as task:
        for number, name in enumerate(names):
            task.update(name, number, len(names))
            if request.interrupts:
                found += rows.interrupt(program, name, request.parameters, seen)
            else:
                found += rows.masked_sections(
                    program, [name], request.parameters, request.find, len(names) <= _FORMULAS,
                    seen,
                )  # fmt: skip
    return sorted(found, key=lambda row: -(row.clocks or 0))


def _system(directory: Path, request: Request, json: str | None, progress: Progress) -> int:
    from foliot.bound import system, system_file
    from foliot.bound.image import Program

    said = system_file.read(directory)
    conf = request.conf or words([said.conf] if said.conf else [])
    board = _board(request)
    provision.prepare(board, progress)
    if request.elf is not None:
        _check_board(request.elf)
    elf = request.elf or build.build(directory, board, progress, conf).image
    with progress.task("Bounding"):
        answer = system.analyse(Program(elf), said, request.parameters, board.clock_hz)
    if json is not None:
        output.write_json(json, system.as_json(answer, request.board))
    if json != output.STDOUT:
        for line in (*system.table(answer), *system_file.assumptions(said)):
            print(line)
    return 0 if all(one.is_met for one in answer.responses) else 1


def _tell(request: Request, json: str | None, found: Sequence[Bounded]) -> int:
    from foliot.bound import show

    if json is not None:
        output.write_json(json, show.as_json(found, request.parameters, request.board))
    if json != output.STDOUT:
        _print(request, found)
    return 1 if any(row.is_wrong for row in found) else 0


def _print(request: Request, bounded: Sequence[Bounded]) -> None:
    from foliot.bound import show

    for line in show.table(bounded):
        print(line)
    used = sorted({name for row in bounded for name in row.parameters})
    for line in show.given(request.parameters, used):
        print(line)
    if len(request.calls) == 1:
        for line in dict.fromkeys(fact for row in bounded for fact in row.rests_on):
            print(f"rests on {line}")
    if any(show.SAYS_NOTHING in row.reason for row in bounded):
        print("write `/* Bound: 8. */` in front of such a loop, or `Bound: W, ...`: docs/bounds.md")
    wrong = [row for row in bounded if row.is_wrong]
    for row in wrong:
        took = f"took {row.observed.clocks}" if row.observed else ""
        told = f"ran {row.astray}, which is no part of it" if row.astray else took
        print(f"{row.name} {told}: its bound is wrong")


def _image(request: Request, board: Board, progress: Progress) -> Path:
    if request.elf is not None and request.app is not None:
        raise UsageError("--app or --elf, not both")
    if request.elf is not None:
        _check_board(request.elf)
        return request.elf
    directory = request.app or suites.directory(SUITE)
    return build.build(directory, board, progress, request.built).image


def _check_board(elf: Path) -> None:
    """Refuse an image that is another core's, where that can be seen."""
    from foliot.bound import call, ibex

    built_for = call.board_of(elf)
    if built_for and built_for not in ibex.BOARDS:
        raise UsageError(
            f"{elf} was built for {built_for}, of which there is no table of cycles",
            f"build it for ibex: foliot build DIR --board {next(iter(ibex.BOARDS))}",
        )


def _runs(request: Request, board: Board, elf: Path, progress: Progress) -> list[Path]:
    """Return the images in whose runs calls are observed."""
    if request.app is not None or request.elf is not None:
        return [elf]
    if any(request.parameters[name] < most for name, most in WITNESSED.items()):
        progress.say("Nothing is observed beside these bounds: the suites have more of everything.")
        return []
    return [
        build.build(suites.directory(name), board, progress, request.built).image
        for name in (OBSERVED_OF_USERS if request.user else OBSERVED)
    ]


def _names(request: Request, program: Program) -> list[str]:
    there = [name for _, _, name in program.image.functions()]
    if request.user:
        from foliot.bound import syscalls

        calls = syscalls.names(program)
        if request.all_calls:
            return list(calls)
        for name in request.calls:
            if name not in calls:
                raise unknown("system call", name, calls)
        return list(request.calls)
    if request.all_calls:
        listed = (paths.SUITES / SUITE / "calls.txt").read_text(encoding="utf-8").split()
        return [name for name in listed if name in there]
    for name in request.calls:
        if name not in there and program.is_inlined(name):
            raise UsageError(
                f"{name} has no code of its own: the compiler has put it into its callers",
                "ask for those, or make it __noinline",
            )
        if name not in there:
            raise unknown("function", name, there)
    return list(request.calls)


def _check(request: Request, progress: Progress) -> int:
    """Run suites and tests, or those that are named, and random code; hold them to the table."""
    from foliot.bound import check, observe, programs, random_code

    board = _board(request)
    provision.prepare(board, progress)
    whole = check.Verdict()
    names: list[str] = []
    with tempfile.TemporaryDirectory(prefix="foliot-") as scratch:
        if request.app or request.elf:
            elf = _image(request, board, progress)
            whole.take(elf, observe.fold(board, elf, progress), None, of_calls=request.parameters)
            names.append(str(elf))
        else:
            for one in programs.runs(request.calls):
                elf = build.build(one.directory, board, progress, one.conf).image
                ran = observe.fold(board, elf, progress, one.max_cycles)
                whole.take(elf, ran, one.parameters, one.attacked)
                names.append(one.name)
        for seed in range(0 if request.calls else _SEEDS):
            elf = random_code.program(seed, Path(scratch))
            whole.add(check.check(observe.fold(board, elf, progress)))
            names.append(f"random {seed}")
    for line in check.told(whole, names):
        print(line)
    if whole.worse:
        raise FoliotError(f"{len(whole.worse)} things are not as the table, or a fact, says")
    return 0


_SEEDS = 12  # random programs of a check
_FORMULAS = 12  # of so many calls the formulas are found, too: each is a dozen bounds

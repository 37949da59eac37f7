# SPDX-License-Identifier: Apache-2.0
"""The command line: which command runs, what is told of errors, and the exit status.

A command is a file in commands/, and a line here. Only the one that was asked for is
imported, so that `--help` answers at once, and no command waits for another's imports.
Exit status: 0 fine, 1 the measurement failed, 2 wrong use, 3 not all of a table was imported.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from foliot import __version__
from foliot.model.errors import FoliotError, nearest, unknown

_STDOUT = "standard output"
VARIABLE = "_FOLIOT_COMPLETE"  # by which a shell asks what a line may go on with

# The status of what Ctrl-C ended, which is also what typer makes of it.
_INTERRUPTED = 130

# The commands in the order in which they are listed, and the first line of their help.
COMMANDS = {
    "bench": "Measure a suite, or an application of your own.",
    "build": "Build an application; say what it weighs.",
    "run": "Run an application, or any image, on a board.",
    "flash": "Put an application on a device, or say what to copy where.",
    "debug": "Run an application under gdb, which knows threads, queues and timeouts.",
    "test": "Run the project's tests.",
    "campaign": "Seed faults, fuzz, abort everywhere: many trials, run wide.",
    "boards": "List the boards.",
    "board-check": "Try a board for the first time: compare its facts with what it does.",
    "rows": "List the rows of the latency suite.",
    "setup": "Install what a board needs.",
    "new": "Begin an application, a board, a driver, an object, an editor's files.",
    "bound": "Say what a call can cost at most, beside what it did.",
    "explain": "Show where each cycle of a row went; or decode a figure.",
    "sweep": "Let an interrupt come at every moment of every operation: the worst case.",
    "report": "Write runs as one self-contained page.",
    "prove": "Prove the contracts in the kernel's sources, for all arguments.",
    "docs": "Make the tables of README.md and docs/ anew, or the API reference.",
    "import": "Record other people's logs and pages; decode what is wrong with them.",
    "runs": "List the runs on record.",
    "show": "Show one run: how it was made, its rows, its doubts.",
    "history": "Follow a row, the mean or a weight over the commits on record.",
    "bisect": "Name the commit that changed a row, and what came and went.",
    "compare": "Put runs side by side, with ratios and geometric means.",
    "ipc": "Show what a message costs, beside L4Re's page and seL4's figures.",
    "gate": "Fail where a row got slower than a baseline has it.",
    "badge": "Draw a row, a mean or a weight as a badge (SVG).",
    "export": "Write runs in a form that another tool reads.",
    "completion": "Print what lets a shell complete our command lines.",
    "zephyr": "Build and run Zephyr's own samples and tests, out of a tree that you name.",
    "remote": "Make a team's server known; its token is asked for, or is in $FOLIOT_REMOTE_TOKEN.",
    "push": "Send what a team's server lacks of the runs on record.",
    "pull": "Fetch what the store lacks of a team's server's runs.",
    "sync": "Pull, then push: afterwards both sides have everything.",
    "serve": "Serve a team's record of runs, and show benches while they run.",
    "trace": "Record what the kernel did, of an unchanged image; who waited for whom.",
    "watch": "Show threads, CPU shares, stacks and heaps of a running program.",
    "scope": "Show periodic threads as signals: pictures and figures.",
}


def command(name: str) -> Callable[..., None]:
    """Return a command's function, imported now; `import` is a word of Python's."""
    module = import_module(f"foliot.commands.{name.replace('-', '_')}{'_' * (name == 'import')}")
    found: Callable[..., None] = module.command
    return found


def application(asked: str) -> typer.Typer:
    """Return the command line: all commands by name, and the one that was asked for whole."""
    app = typer.Typer(
        name="foliot",
        help="A small real-time kernel that times itself: build it, run it, measure it.",
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_options)
    for name, told in COMMANDS.items():
        function = command(name) if name == asked else _not_asked
        app.command(name, help=told)(function)
    return app


def _version(asked: bool) -> None:
    if asked:
        print(f"foliot {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which it is.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def _not_asked() -> None:
    """Stand for a command that is only listed."""


def main() -> NoReturn:
    """Run the command line; never returns, never shows a traceback."""
    _end_in_order()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _Output.instead_of(sys.stdout)
    try:
        asked = _asked()
        if asked and not asked.startswith("-") and asked not in COMMANDS:
            raise unknown("command", asked, [*COMMANDS, "--version", "--help"], "foliot --help")
        app = application(asked)
        status = app(standalone_mode=False, prog_name="foliot")
        sys.stdout.flush()
        if status == _INTERRUPTED:
            say("stopped")
    except typer.Exit as end:
        status = end.exit_code
    except BrokenPipeError:
        _forget_output()  # whoever read us has gone: nothing to say, and nobody to say it to
        status = 1
    except _Ended as end:
        # The terminal may be what has gone.
        with contextlib.suppress(OSError):
            say("stopped")
        status = 128 + end.number
    except ModuleNotFoundError:
        raise  # whole.py makes the environment whole and begins anew
    except (KeyboardInterrupt, Exception) as error:
        lines, status = _explained(error)
        if isinstance(error, OSError) and error.filename == _STDOUT:
            _forget_output()
        say(*lines)
    sys.exit(status if isinstance(status, int) else 0)


def _know_shells() -> None:
    """Let typer answer shells: it learns of them when a command line is made with completion."""
    other = typer.Typer(add_completion=True)
    other.command()(_not_asked)
    typer.main.get_command(other)


def _asked() -> str:
    """Return the command that was asked for, or that a shell wants to complete."""
    words = sys.argv
    if VARIABLE in os.environ:
        _know_shells()
        line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
        words = line.split()
    found = words[1] if len(words) > 1 else ""
    return found if VARIABLE not in os.environ or found in COMMANDS else ""


class _Output(io.TextIOWrapper):
    """Standard output, whose errors name it: a full disk's name nothing."""

    @classmethod
    def instead_of(cls, old: io.TextIOWrapper) -> _Output:
        """Return what takes the place of another, which still knows the terminal."""
        return cls(old.buffer, old.encoding, old.errors, None, old.line_buffering)

    def write(self, text: str) -> int:
        """Write, as any file does."""
        with self._named():
            return super().write(text)

    def flush(self) -> None:
        """Write what waits, as any file does."""
        with self._named():
            super().flush()

    @staticmethod
    @contextlib.contextmanager
    def _named() -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(error.errno, error.strerror, _STDOUT) from None


class _Ended(BaseException):
    """Somebody ends us by a signal: simulators, temporary files and locks go first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _end_in_order() -> None:
    """Let TERM and HUP end the command as Ctrl-C does; not HUP under `nohup`."""

    def end(number: int, _: object) -> NoReturn:
        for other in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(other, signal.SIG_IGN)  # a second one must not disturb the end
        raise _Ended(number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def _forget_output() -> None:
    """Let what could not be written go nowhere, or the interpreter tries it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(message: str, *more: str) -> None:
    """Print a message, and what belongs to it, where errors go."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    print(f"foliot: {message}", *more, sep="\n  ", file=sys.stderr)


def _explained(error: BaseException) -> tuple[list[str], int]:
    """Return what to tell the user of an error, and the exit status."""
    if isinstance(error, FoliotError):
        return [error.message, *filter(None, [error.advice]), *error.lines], error.exit_code
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return ["stopped"], _INTERRUPTED
    if isinstance(error, typer.TyperException):
        return _wrong_use(error), 2
    if isinstance(error, OSError):
        said = f"{error.filename or 'the system'}: {error.strerror or error}"
        return [said, *_advice_for_shared(error)], 1
    return [f"a mistake in foliot itself: {type(error).__name__}: {error}", _keep_traceback()], 1


def _advice_for_shared(error: OSError) -> list[str]:
    """Say what to do in a checkout that cannot be written."""
    from foliot.target import paths

    place = str(error.filename or "")
    if error.errno not in (errno.EACCES, errno.EROFS, errno.EPERM):
        return []
    if not place.startswith(f"{paths.ROOT}{os.sep}"):
        return []
    where = f"{paths.ENVIRONMENT}=DIR says where what is made goes"
    return [f"this checkout can't be written: {where}; or copy it"]


def _wrong_use(error: typer.TyperException) -> list[str]:
    """Say what is wrong with the words, with the option that was probably meant."""
    context = getattr(error, "ctx", None)
    advice = [f"see `{context.command_path} --help`"] if context else []
    name = getattr(error, "option_name", "")
    if context and type(error).__name__ == "NoSuchOption":
        options = [word for one in context.command.params for word in one.opts if word[0] == "-"]
        return [f"there is no option {name}{nearest(name, [*options, '--help'])}", *advice]
    said = error.format_message() if hasattr(error, "format_message") else str(error)
    return [said, *advice]


def _keep_traceback() -> str:
    """Put the traceback where whoever mends foliot finds it; return the line that says so."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="foliot-", suffix=".log", delete=False) as log:
        traceback.print_exc(file=log)
    return f"please report it, with {log.name}"

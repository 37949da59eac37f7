# SPDX-License-Identifier: Apache-2.0
"""The two ways in which a command can end badly.

They are exceptions so that any depth of the lab can stop the command with one clear
line; only cli.py turns them into text and an exit status, so that nobody ever reads a
traceback. A message says what is wrong; the advice says what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class FoliotError(Exception):
    """The measurement, the build or a tool failed: exit status 1."""

    exit_code = 1

    def __init__(self, message: str, advice: str | None = None, lines: Sequence[str] = ()) -> None:
        """Keep one line of `message` and, where there is any, one line of `advice`.

        `lines` quotes what a tool or a target said: a compiler's error, registers.
        """
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.lines = tuple(lines)


class UsageError(FoliotError):
    """The command was called wrongly: exit status 2."""

    exit_code = 2


class LogError(FoliotError):
    """A log that can't be trusted as a whole: it is refused, nothing of it is a result."""


class NoRow(LogError):
    """A document in which no format found a row; it may still be anybody's table."""


def unknown(kind: str, name: str, valid: list[str]) -> UsageError:
    """Say that `name` is no known `kind`, with the valid names and the nearest of them."""
    hint = nearest(name, valid)
    return UsageError(f"unknown {kind} '{name}'{hint}: valid are {', '.join(valid)}")


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the name that is most like it; nothing where none is."""
    import difflib

    near = difflib.get_close_matches(name, list(valid), n=1)
    return f" (did you mean {near[0]}?)" if near else ""

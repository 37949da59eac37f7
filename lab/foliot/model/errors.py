# SPDX-License-Identifier: Apache-2.0
"""The two ways in which a command can end badly.

They are exceptions so that any depth of the lab can stop the command with one clear
line; only cli.py turns them into text and an exit status, so that nobody ever reads a
traceback. A message says what is wrong; the advice says what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

_MOST_LISTED = 16
_ALIKE = 0.6
_PART = 3  # of fewer letters, too many names begin with them


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


class OnlyRefused(NoRow):
    """One whose lines look like damaged rows, as those of somebody's table may."""


def unknown(kind: str, name: str, valid: Iterable[str], lister: str = "") -> UsageError:
    """Say that `name` is no known `kind`, with the nearest of the valid names, or some of them.

    `lister` is the command that lists all of them.
    """
    known = list(dict.fromkeys(valid))
    hint = nearest(name, known)
    advice = f"`{lister}` lists them" if lister else None
    if len(known) > _MOST_LISTED:
        shown = ", ".join(known[:_MOST_LISTED])
        names = (
            "" if hint or lister else f": there are {shown} and {len(known) - _MOST_LISTED} more"
        )
        return UsageError(f"unknown {kind} '{name}'{hint}{names}", advice)
    return UsageError(f"unknown {kind} '{name}'{hint}: valid are {', '.join(known)}", advice)


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the name that is most like it; nothing where none is.

    Most like it is one that is spelled alike, else one that begins with it, else one that
    holds it; upper and lower case are the same. Of names with dots in them, as rows have, a
    word of fewer parts is held against as many: of those that begin so it is the first.
    """
    import difflib

    known = {one.lower(): one for one in valid}
    wanted = name.lower()
    near = difflib.get_close_matches(wanted, known, n=1, cutoff=_ALIKE)
    parts = wanted.count(".") + 1
    begins: dict[str, str] = {}
    for one in known:
        begins.setdefault(".".join(one.split(".")[:parts]), one)
    near_begin = difflib.get_close_matches(wanted, begins, n=1, cutoff=_ALIKE)
    if near_begin and near_begin[0] not in known:
        alike = [difflib.SequenceMatcher(None, one, wanted).ratio() for one in near + near_begin]
        near = [begins[near_begin[0]]] if alike[-1] == max(alike) else near
    if not near and len(wanted) >= _PART:
        near = [one for one in known if one.startswith(wanted)]
        near = near or [one for one in known if wanted in one]
    return f" (did you mean {known[near[0]]}?)" if near else ""


def nearest_path(path: Path) -> str:
    """Return ` (did you mean ...?)` with what is there and called almost like a missing file."""
    parent = path.parent
    while not parent.is_dir() and parent != parent.parent:
        path, parent = parent, parent.parent
    try:
        names = [one.name for one in parent.iterdir()]
    except OSError:
        return ""
    hint = nearest(path.name, names)
    return hint if str(parent) == "." else hint.replace("mean ", f"mean {parent}/", 1)

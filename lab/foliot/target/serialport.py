# SPDX-License-Identifier: Apache-2.0
"""A serial port and the board behind it: opened, named, and the board reset."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import process

if TYPE_CHECKING:
    from serial import Serial

BAUD = 115_200
POLL_S = 0.2
_RESET_LIMIT_S = 60


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port, and how the board behind it is reset (a command; nothing: by hand).

    `name` is of this machine, or pyserial's address of one elsewhere (rfc2217://HOST:PORT).
    `again`: how often a board is reset once more that did not come to its end.
    """

    name: str
    baud: int = BAUD
    reset: str = ""
    again: int = 0


def open_port(port: Port) -> Serial:
    """Open a port; FoliotError says why it can't be, and what to do."""
    import serial

    try:
        if "://" in port.name:
            return serial.serial_for_url(port.name, port.baud, timeout=POLL_S)
        return serial.Serial(port.name, port.baud, timeout=POLL_S, exclusive=True)
    except ValueError as error:
        raise UsageError(f"{port.name}: {error}") from None
    except serial.SerialException as error:
        raise _cannot_open(port, error.errno, str(error)) from None


def _cannot_open(port: Port, number: int | None, said: str) -> FoliotError:
    import errno

    if number == errno.ENOENT:
        found = ", ".join(ports()) or "none"
        return UsageError(f"there is no port {port.name}: there are {found}")
    if number == errno.EACCES:
        return FoliotError(
            f"{port.name} may not be opened", "join the group dialout: sudo adduser $USER dialout"
        )
    if "lock" in said:
        return FoliotError(f"{port.name} is used by another program", "end that first")
    return FoliotError(f"{port.name} can't be opened: {said}")


def ports() -> Sequence[str]:
    """Return the names of this machine's serial ports."""
    from serial.tools import list_ports

    return sorted(port.device for port in list_ports.comports())


def reset_board(port: Port, progress: Progress) -> None:
    """Have the board start anew, by its command or by the user's hand."""
    if not port.reset:
        progress.say("Reset the board now.")
        return
    words = shlex.split(port.reset)
    if not shutil.which(words[0]):
        raise UsageError(f"--reset: there is no command {words[0]}")
    process.run(words, "the reset command", limit_s=_RESET_LIMIT_S)

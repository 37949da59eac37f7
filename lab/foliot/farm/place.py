# SPDX-License-Identifier: Apache-2.0
"""A place of labgrid's, taken for a while: waited for in turn, its image written, given back.

The board is powered off and on when it is to begin, and again when it hangs. Its console is
reached through the serial port that its exporter serves (RFC 2217, or raw).
"""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from foliot.farm.client import Client, Resource
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import process
from foliot.target.serialport import BAUD, Port

AGAIN = 2  # how often a board that hangs is powered off and on
_LONGEST_WAIT_S = 7 * 24 * 3600
_WRITE_S = 600
_SERIAL = "NetworkSerialPort"
_SCHEMES = {"rfc2217": "rfc2217", "raw": "socket"}  # labgrid's word, pyserial's
# ser2net does not answer what a line without modem signals is told of them.
_LENIENT = {"rfc2217": "?ign_set_control", "raw": ""}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to do with a place. `write` puts an image there: {image} and {elf} are its files."""

    place: str
    coordinator: str | None = None
    write: str = ""
    reset: str = ""
    baud: int | None = None


@contextmanager
def taken(wanted: Wanted, image: Mapping[str, Path], progress: Progress) -> Iterator[Port]:
    """Wait for the place, take it, write the image; afterwards give it back, whatever happens.

    Raises FoliotError where labgrid refuses, and says so where the board's cable is gone.
    """
    client = Client(wanted.place, wanted.coordinator, progress)
    with _held(client, progress):
        port = _port(client, wanted)
        _write(client, wanted.write, image, progress)
        try:
            yield port
        except FoliotError as error:
            gone = _missing(client)
            if gone:
                raise FoliotError(gone, "is its cable plugged in?", [str(error)]) from None
            raise


@contextmanager
def _held(client: Client, progress: Progress) -> Iterator[None]:
    _say_who_has_it(client, progress)
    token = client.reserve()
    try:
        with progress.task(f"Waiting for {client.place}"):
            client.call("wait", token, limit_s=_LONGEST_WAIT_S)
            _acquire(client, progress)
        progress.say(f"{client.place} is taken")
        try:
            yield
        finally:
            _give_back(client, progress)
    finally:
        with suppress(FoliotError):  # it is over by itself in a minute
            client.call("cancel-reservation", token)


def _acquire(client: Client, progress: Progress) -> None:
    try:
        client.call("acquire")
    except FoliotError:
        raise  # somebody else's it is, and stays
    except BaseException:
        _give_back(client, progress)  # stopped in the midst: perhaps it was taken
        raise


def _give_back(client: Client, progress: Progress) -> None:
    """Give the place back; say how to where that can't be done."""
    try:
        client.call("release")
    except FoliotError as error:
        by_hand = shlex.join(client.words("release"))
        progress.announce(f"{client.place} was not given back ({error}): {by_hand}")


def _say_who_has_it(client: Client, progress: Progress) -> None:
    holder = client.shown().holder
    if not holder:
        return
    told = f"{client.place} is taken by {holder}"
    if holder == _own_name():
        told += f"; where nothing of yours runs there: {shlex.join(client.words('release'))}"
    progress.say(told)


def _own_name() -> str:
    host = os.environ.get("LG_HOSTNAME") or socket.gethostname()
    return f"{host}/{os.environ.get('LG_USERNAME') or getpass.getuser()}"


def _port(client: Client, wanted: Wanted) -> Port:
    """Return the place's serial port, reset by its power."""
    resources = client.shown().resources
    gone = _reported_missing(client.place, resources)
    if gone:
        raise FoliotError(gone, "is its cable plugged in?")
    found = [one for one in resources if one.kind == _SERIAL]
    if len(found) != 1:
        has = ", ".join(one.kind for one in resources) or "nothing"
        raise FoliotError(f"{client.place} should have one {_SERIAL}, and has {has}")
    params = found[0].params or {}
    protocol = str(params.get("protocol", "rfc2217"))
    if protocol not in _SCHEMES:
        raise FoliotError(f"{client.place}: its serial port speaks {protocol}, which is not known")
    name = f"{_SCHEMES[protocol]}://{params['host']}:{params['port']}{_LENIENT[protocol]}"
    baud = wanted.baud or int(params.get("speed", BAUD))
    reset = wanted.reset or shlex.join(client.words("power", "cycle"))
    return Port(name, baud, reset, again=AGAIN)


def _write(client: Client, command: str, image: Mapping[str, Path], progress: Progress) -> None:
    if not command:
        progress.say("What is on the board is measured; --write CMD puts the image there.")
        return
    words = shlex.split(command)
    for name, path in image.items():
        words = [word.replace(f"{{{name}}}", str(path)) for word in words]
    if not words or shutil.which(words[0], path=client.environment["PATH"]) is None:
        raise UsageError(f"--write: there is no command {words[0] if words else ''}")
    with progress.task(f"Writing the image to {client.place}"):
        process.run(["env", *words], "writing the image", environment=client.environment,
                    limit_s=_WRITE_S)  # fmt: skip


def _missing(client: Client) -> str:
    """Say which of the place's things is not there; "" where all are, or nobody can tell."""
    with suppress(FoliotError):
        return _reported_missing(client.place, client.shown().resources)
    return ""


def _reported_missing(place: str, resources: Sequence[Resource]) -> str:
    for one in resources:
        if one.params is None:
            return f"{place}: the exporter of its {one.name} is gone ({one.path})"
        if not one.available:
            return f"{place}: its {one.name} is not there ({one.path})"
    return ""

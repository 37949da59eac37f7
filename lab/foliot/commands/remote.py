# SPDX-License-Identifier: Apache-2.0
"""`foliot remote`: the servers that the store knows."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import StoreOption, one_of
from foliot.model.errors import UsageError, unknown
from foliot.remote import remotes
from foliot.remote.client import Client
from foliot.store.sqlite import Store

_WORDS = ("add", "remove")
TOKEN = "FOLIOT_REMOTE_TOKEN"  # noqa: S105 - the variable's name


def command(
    what: Annotated[str | None, one_of(_WORDS, "None: list them. Or add, remove.")] = None,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", show_default=False, help="What it is called.")
    ] = None,
    url: Annotated[
        str | None,
        typer.Argument(metavar="[URL]", show_default=False, help="https://HOST/p/PROJECT"),
    ] = None,
    ca: Annotated[
        Path | None, typer.Option("--ca", metavar="FILE", help="What signed its certificate.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Make a team's server known; its token is asked for, or is in $FOLIOT_REMOTE_TOKEN."""
    where = Store(store)
    if what is None:
        for one in remotes.names(where):
            print(f"{one.name:<16}{one.url}")
        return
    if what not in _WORDS:
        raise unknown("word", what, _WORDS)
    if name is None or (url is None) != (what == "remove"):
        takes = "NAME URL" if what == "add" else "NAME"
        raise UsageError(f"`foliot remote {what}` takes {takes}")
    if url is None:
        remotes.remove(where, name)
        return
    made = remotes.add(where, name, url, _token(), ca)
    try:
        with Client(made, patience_s=0) as client:
            client.get_json("live")
    except BaseException:
        remotes.remove(where, name)
        raise
    print(f"{made.name}: {made.url}")


def _token() -> str:
    """Take the token from the environment, a pipe, or whoever types it unseen."""
    if os.environ.get(TOKEN):
        return os.environ[TOKEN].strip()
    if sys.stdin.isatty():
        return getpass.getpass("token: ").strip()
    return sys.stdin.readline().strip()

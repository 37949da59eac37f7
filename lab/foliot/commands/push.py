# SPDX-License-Identifier: Apache-2.0
"""`foliot push`: what the store has goes to a server."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import QuietOption, RemoteArgument, StoreOption
from foliot.model.errors import UsageError
from foliot.remote import remotes, transfer
from foliot.remote.client import Client
from foliot.show.terminal import Progress
from foliot.store.selection import select
from foliot.store.sqlite import Store


def command(
    remote: RemoteArgument = None,
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]", autocompletion=offers.run, show_default=False, help="None: all."
        ),
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Send what a team's server lacks of the runs on record."""
    where = Store(store)
    only = {one.kept.document for one in select(runs or (), where) if one.kept}
    if runs and not only:
        raise UsageError("references and files are not on record: there is nothing to send")
    with Client(remotes.find(where, remote)) as client:
        found = transfer.push(where, client, Progress(quiet), only)
    raise typer.Exit(transfer.say(found, "sent"))

# SPDX-License-Identifier: Apache-2.0
"""`foliot pull`: what a server has comes into the store."""

from __future__ import annotations

import typer

from foliot.commands.options import QuietOption, RemoteArgument, StoreOption
from foliot.remote import remotes, transfer
from foliot.remote.client import Client
from foliot.show.terminal import Progress
from foliot.store.sqlite import Store


def command(
    remote: RemoteArgument = None, store: StoreOption = None, quiet: QuietOption = False
) -> None:
    """Fetch what the store lacks of a team's server's runs."""
    where = Store(store)
    with Client(remotes.find(where, remote)) as client:
        found = transfer.pull(where, client, Progress(quiet))
    raise typer.Exit(transfer.say(found, "fetched"))

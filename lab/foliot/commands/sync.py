# SPDX-License-Identifier: Apache-2.0
"""`foliot sync`: both sides have everything afterwards."""

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
    """Pull, then push: afterwards both sides have everything."""
    where, progress = Store(store), Progress(quiet)
    with Client(remotes.find(where, remote)) as client:
        fetched = transfer.pull(where, client, progress)
        sent = transfer.push(where, client, progress)
    status = max(transfer.say(fetched, "fetched"), transfer.say(sent, "sent"))
    raise typer.Exit(status)

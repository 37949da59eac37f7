# SPDX-License-Identifier: Apache-2.0
"""`foliot ipc`: what a message costs here, on L4Re's page, and in seL4."""

from __future__ import annotations

import json

from foliot.commands.options import JsonOption, StoreOption
from foliot.compare import ipc_table
from foliot.show.terminal import result_width
from foliot.store.database import Store


def command(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """Show what a message costs, beside L4Re's page and seL4's figures."""
    found = ipc_table.lines(Store(store))
    if as_json:
        print(json.dumps([ipc_table.as_dict(line) for line in found], indent=1))
        return
    for line in ipc_table.text(found, result_width()):
        print(line)
    if not any(line.is_ours for line in found):
        print("no run of ours is on record; what records one:")
        print("  foliot bench --suite ipc --board BOARD")

# SPDX-License-Identifier: Apache-2.0
"""Push and pull: whatever either side lacks, found anew each time.

Nobody remembers what was sent: each side's documents are asked for by what they are. So nothing is
lost where a transfer is interrupted, where a server is restored from a backup that lacks the last
day, or where a store is copied to another machine; and nothing is there twice.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from foliot.model.errors import FoliotError
from foliot.model.names import counted
from foliot.remote.client import Answer, Client
from foliot.show.terminal import Progress
from foliot.store import documents
from foliot.store.exchange import Document, Refused, pack, unpack
from foliot.store.sqlite import Store

_AT_ONCE = 2000  # names of documents in one question
_IDENTITY = re.compile(r"[0-9a-f]{64}")
# What is wrong with one document, and not with the others.
_OF_ONE = {409, 413, 422}


@dataclass(slots=True)
class Transferred:
    """How many documents went over, how many were there, and which could not, with why."""

    done: int = 0
    there: int = 0
    refused: list[str] = field(default_factory=list)

    def told(self, verb: str) -> str:
        """Say so in a line."""
        return f"{counted(self.done, 'document')} {verb}, {self.there} there already"


def push(
    store: Store, client: Client, progress: Progress, only: Collection[str] = ()
) -> Transferred:
    """Send the documents that the server lacks, or of those named in `only`, by their ids.

    FoliotError where the server can't be asked; what one document is refused for is in the result.
    """
    found = Transferred()
    with progress.task(f"Sending to {client.remote.name}") as task:
        wanted = (one for one in documents.documents(store) if not only or one.id in only)
        while some := list(islice(wanted, _AT_ONCE)):
            lacking = _lacking(client, [one.identity for one in some])
            found.there += len(some) - len(lacking)
            for one in some:
                if one.identity in lacking:
                    _send(store, client, one, found)
                    task.update(one.id, found.done)
    return found


def _lacking(client: Client, identities: Sequence[str]) -> set[str]:
    told = client.post_json("missing", {"identities": list(identities)})
    try:
        return set(told["identities"]) & set(identities)
    except (TypeError, KeyError):
        raise FoliotError("the server's answer is none of foliot's") from None


def _send(store: Store, client: Client, one: Document, found: Transferred) -> None:
    try:
        client.put(f"documents/{one.identity}", pack(one, documents.log_of(store, one)))
    except Answer as error:
        if error.status not in _OF_ONE:
            raise
        found.refused.append(f"{one.id}: {error.message}")
    else:
        found.done += 1


def pull(store: Store, client: Client, progress: Progress) -> Transferred:
    """Fetch the documents that the store lacks; FoliotError where the server can't be asked.

    What comes is looked at as if anybody had sent it.
    """
    found = Transferred()
    with progress.task(f"Fetching from {client.remote.name}") as task:
        known = {one.identity for one in documents.documents(store)}
        for identity in _listed(client):
            if identity in known:
                found.there += 1
                continue
            try:
                found.done += documents.keep(store, *_fetched(client, identity))
            except Refused as error:
                found.refused.append(f"{identity[:16]}: {error.message}")
            task.update(identity[:12], found.done)
    return found


def _fetched(client: Client, identity: str) -> tuple[Document, bytes]:
    return unpack(client.get(f"documents/{identity}"), identity)


def _listed(client: Client) -> Iterator[str]:
    """Yield the identities of all documents of the server, in their order."""
    after: Any = 0
    while after is not None:
        told = client.get_json(f"documents?after={after}")
        try:
            identities = [str(identity) for _, identity in told["documents"]]
            following = told["next"]
        except (TypeError, KeyError, ValueError):
            raise FoliotError("the server's answer is none of foliot's") from None
        if not all(map(_IDENTITY.fullmatch, identities)):
            raise FoliotError("the server's answer is none of foliot's")
        yield from identities
        if following is not None and not (type(following) is int and following > after):
            raise FoliotError("the server's list goes in a circle")
        after = following


def say(found: Transferred, verb: str) -> int:
    """Print what went over, and to stderr what could not; return the exit status."""
    print(found.told(verb))
    for line in found.refused:
        print(f"foliot: {line}", file=sys.stderr)
    return 1 if found.refused else 0

# SPDX-License-Identifier: Apache-2.0
"""The servers that a store knows: their addresses and tokens, in a file that only its user reads.

    DIRECTORY/remotes.json

A token is never taken from the command line, which other users of the machine can see.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from foliot.model.errors import FoliotError, UsageError, unknown
from foliot.store.sqlite import Store

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,62}")
_PATH = re.compile(r"/p/[a-z0-9][a-z0-9._-]{0,62}/?")
_TOKEN = re.compile(r"[!-~]{8,200}")
_HERE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class Remote:
    """A project on a server; `ca` a file with the certificate that signed the server's."""

    name: str
    url: str
    token: str
    ca: str = ""

    @property
    def project(self) -> str:
        """The project's name."""
        return urlsplit(self.url).path.removeprefix("/p/").strip("/")


def add(store: Store, name: str, url: str, token: str, ca: Path | None) -> Remote:
    """Remember a server; UsageError where the address is none that a token may travel to."""
    if not _NAME.fullmatch(name):
        raise UsageError("a remote's name has letters, digits, '.', '_' and '-'")
    if not _TOKEN.fullmatch(token):
        raise UsageError("that is no token: `foliot serve token` on the server prints one")
    if ca is not None and not ca.is_file():
        raise UsageError(f"there is no file {ca}")
    made = Remote(name, _checked(url), token, str(ca.resolve()) if ca else "")
    _write(store, {**_read(store), name: made})
    return made


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    host = parts.hostname or ""
    whole = parts.scheme in {"http", "https"} and host and _PATH.fullmatch(parts.path)
    if not whole or parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("a server's address is https://HOST/p/PROJECT")
    if parts.scheme == "http" and host not in _HERE:
        raise UsageError(
            f"{host} is another machine: the token would travel in the clear",
            "use https://, or an SSH tunnel to it",
        )
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{f':{port}' if port else ''}{parts.path.rstrip('/')}"


def names(store: Store) -> list[Remote]:
    """Return the servers that are known, in their order."""
    return list(_read(store).values())


def remove(store: Store, name: str) -> None:
    """Forget a server; UsageError where there is none of that name."""
    known = _read(store)
    if name not in known:
        raise unknown("remote", name, known, "foliot remote")
    del known[name]
    _write(store, known)


def find(store: Store, name: str | None) -> Remote:
    """Return a server by its name, or the only one; UsageError where that is not one."""
    known = _read(store)
    if not known:
        raise UsageError("no server is known", "`foliot remote add NAME URL` makes one known")
    if name is None and len(known) > 1:
        raise UsageError(f"which one of {', '.join(known)}?")
    if name is not None and name not in known:
        raise unknown("remote", name, known, "foliot remote")
    return known[name] if name else next(iter(known.values()))


def _path(store: Store) -> Path:
    return store.directory / "remotes.json"


def _read(store: Store) -> dict[str, Remote]:
    path = _path(store)
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        found = [Remote(**one) for one in told["remotes"]]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FoliotError(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        raise FoliotError(f"{path} is damaged", "remove it, and add the servers anew") from None
    return {one.name: one for one in found}


def _write(store: Store, known: dict[str, Remote]) -> None:
    path = _path(store)
    text = json.dumps({"schema": 1, "remotes": [asdict(one) for one in known.values()]}, indent=1)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with store.plain_errors():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                out.write(text + "\n")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

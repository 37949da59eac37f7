# SPDX-License-Identifier: Apache-2.0
"""Who may do what: tokens, each of one person, in one project, with one role.

A token has 256 random bits, so its SHA-256 is as good as a slow hash would be, and is all that
is kept. Roles are in an order: who records may read, who administers may record.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.dialects import postgresql

from foliot.model.errors import FoliotError, UsageError, unknown
from foliot.server import tables

ROLES = ("read", "record", "administer")
MOST_DAYS = 3650
_PREFIX = "foliot_"  # by which scanners of secrets find one that was published
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_TOKEN = re.compile(rf"{_PREFIX}[A-Za-z0-9_-]{{43}}")


@dataclass(frozen=True, slots=True)
class Person:
    """Whom a token stands for; `token` is its number, `project_name` what pages show."""

    token: int
    person: str
    project: int
    project_name: str
    role: str

    def may(self, role: str) -> bool:
        """Whether this role is enough."""
        return ROLES.index(self.role) >= ROLES.index(role)


def check_name(name: str, what: str) -> None:
    """Raise UsageError where a project or a person can't be called so."""
    if not _NAME.fullmatch(name) or ".." in name:
        raise UsageError(f"{what} has up to 63 of a-z, 0-9, '.', '_', '-', a letter or digit first")


def project(connection: Connection, name: str, make: bool = False) -> int:
    """Return a project's number, made where asked for; UsageError where there is none."""
    check_name(name, "a project's name")
    if make:
        connection.execute(
            postgresql.insert(tables.project).values(name=name).on_conflict_do_nothing()
        )
    query = select(tables.project.c.id).where(tables.project.c.name == name)
    found = connection.execute(query).scalar()
    if found is None:
        raise UsageError(f"there is no project '{name}'")
    return int(found)


def issue(
    connection: Connection, project_id: int, person: str, role: str, days: int | None = None
) -> str:
    """Make a token and return it: it can't be shown again. `days` after which it expires."""
    check_name(person, "a person's name")
    if role not in ROLES:
        raise unknown("role", role, ROLES)
    if days is not None and not 0 < days <= MOST_DAYS:
        raise UsageError(f"a token is for 1 to {MOST_DAYS} days")
    token = _PREFIX + secrets.token_urlsafe(32)
    expires = None if days is None else datetime.now(UTC) + timedelta(days=days)
    connection.execute(insert(tables.token).values(
        project=project_id, person=person, role=role, sha256=_hash(token), expires=expires,
    ))  # fmt: skip
    return token


def revoke(connection: Connection, project_id: int, person: str) -> int:
    """End all tokens of a person in a project; return how many there were."""
    done = connection.execute(
        update(tables.token)
        .where(tables.token.c.project == project_id, tables.token.c.person == person,
               tables.token.c.revoked.is_(None))
        .values(revoked=func.now())
    )  # fmt: skip
    return int(done.rowcount)


def who(connection: Connection, token: str) -> Person | None:
    """Return whom a token stands for; None where it is none, has expired or was revoked."""
    if not _TOKEN.fullmatch(token):
        return None
    return _person(connection, tables.token.c.sha256 == _hash(token))


def by_number(connection: Connection, number: int) -> Person | None:
    """Return whom the token of a session stands for, if it still does."""
    return _person(connection, tables.token.c.id == number)


def _person(connection: Connection, condition: object) -> Person | None:
    token, project_table = tables.token, tables.project
    query = (
        select(token.c.id, token.c.person, token.c.project, project_table.c.name, token.c.role)
        .join(project_table, project_table.c.id == token.c.project)
        .where(condition, token.c.revoked.is_(None),
               (token.c.expires.is_(None)) | (token.c.expires > func.now()))
    )  # fmt: skip
    found = connection.execute(query).one_or_none()
    return Person(*found) if found else None


def tokens(connection: Connection, project_id: int) -> list[dict[str, object]]:
    """List a project's tokens without what they are."""
    token = tables.token
    query = (
        select(token.c.person, token.c.role, token.c.created, token.c.expires, token.c.revoked)
        .where(token.c.project == project_id)
        .order_by(token.c.id)
    )
    return [
        {key: value.isoformat() if isinstance(value, datetime) else value
         for key, value in one.items()}
        for one in connection.execute(query).mappings()
    ]  # fmt: skip


def note(
    connection: Connection, who_did: tuple[str, str], project_id: int | None, action: str, what: str
) -> None:
    """Write into the audit who (a person and an address) did what, in the same transaction."""
    person, address = who_did
    connection.execute(insert(tables.audit).values(
        project=project_id, person=person[:64], address=address[:64], action=action,
        what=what[:200],
    ))  # fmt: skip


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def one_project_or(connection: Connection, name: str | None) -> tuple[int, str]:
    """Return the project of that name, or the only one there is."""
    if name is not None:
        return project(connection, name), name
    found = connection.execute(select(tables.project.c.id, tables.project.c.name)).all()
    if len(found) != 1:
        names = ", ".join(str(one.name) for one in found[:8])
        raise FoliotError("say which project: --project NAME", names or "there is none yet")
    return int(found[0].id), str(found[0].name)

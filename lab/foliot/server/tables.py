# SPDX-License-Identifier: Apache-2.0
"""The tables of a team's database; lab/migrations makes them, and a test holds both together.

A run has two rows: `run` is small and has what lists and histories need, its figures as one array
in the order of its shape's rows, so that a history of thousands of runs reads no JSON; `content`
has the run as it was recorded, compressed. Documents are numbered within their project in the
order in which they became visible (record.py), so whoever asks for those after a number misses
none.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

metadata = MetaData(naming_convention={
    "ix": "ix_%(table_name)s_%(column_0_N_name)s", "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s", "pk": "pk_%(table_name)s",
})  # fmt: skip


def _key() -> Column[int]:
    return Column("id", BigInteger, primary_key=True, autoincrement=True)


def _of_project() -> Column[int]:
    return Column("project", Integer, ForeignKey("project.id"), nullable=False)


def _now(name: str) -> Column[object]:
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())


project = Table(
    "project", metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("documents", BigInteger, nullable=False, server_default="0"),  # how many there are
    Column("bytes", BigInteger, nullable=False, server_default="0"),  # what they take, compressed
    _now("created"),
)  # fmt: skip

# Who holds a token is one person in one project with one role; the token itself is nowhere.
token = Table(
    "token", metadata,
    _key(),
    _of_project(),
    Column("person", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("sha256", LargeBinary, nullable=False, unique=True),
    _now("created"),
    Column("expires", DateTime(timezone=True)),
    Column("revoked", DateTime(timezone=True)),
)  # fmt: skip

# Runs that a history can be made of.
kind = Table(
    "kind", metadata,
    Column("id", Integer, primary_key=True),
    _of_project(),
    *(Column(name, Text, nullable=False)
      for name in ("kernel", "board", "suite", "unit", "configuration")),
    Column("runs", BigInteger, nullable=False, server_default="0"),
    Column("newest", BigInteger, nullable=False, server_default="0"),  # a run's id
    UniqueConstraint("project", "kernel", "board", "suite", "unit", "configuration"),
)  # fmt: skip

# The rows that runs have, in their order: a run's `figures` are in the same.
shape = Table(
    "shape",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("sha256", LargeBinary, nullable=False, unique=True),
    Column("rows", ARRAY(Text), nullable=False),
)

log = Table(
    "log", metadata,
    _key(),
    _of_project(),
    Column("sha256", LargeBinary, nullable=False),
    Column("content", LargeBinary, nullable=False),  # compressed by zlib
    UniqueConstraint("project", "sha256"),
)  # fmt: skip

document = Table(
    "document", metadata,
    _key(),
    _of_project(),
    Column("number", BigInteger, nullable=False),  # 1, 2, 3... within the project, no gaps
    Column("sha256", LargeBinary, nullable=False),
    *(Column(name, Text, nullable=False)
      for name in ("name", "recorded", "kind", "source", "log_sha256")),
    Column("log_bytes", BigInteger, nullable=False),
    Column("person", Text, nullable=False),  # who sent it
    _now("stored"),
    UniqueConstraint("project", "number"),
    UniqueConstraint("project", "sha256"),
    UniqueConstraint("project", "name"),
)  # fmt: skip

run = Table(
    "run", metadata,
    _key(),
    _of_project(),
    Column("document", BigInteger, ForeignKey("document.id"), nullable=False),
    Column("place", Integer, nullable=False),  # within its document
    Column("name", Text, nullable=False),  # its id in all stores
    Column("title", Text, nullable=False),  # what somebody called it
    Column("kind", Integer, ForeignKey("kind.id"), nullable=False),
    Column("recorded", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("commit", Text, nullable=False),
    Column("dirty", Boolean, nullable=False),
    Column("nominal", Boolean, nullable=False),  # its clock is: it was simulated
    Column("valid", Boolean, nullable=False),
    Column("shape", Integer, ForeignKey("shape.id"), nullable=False),
    Column("figures", ARRAY(Double), nullable=False),  # NULL where nobody knows the figure
    Column("marks", Text, nullable=False),  # a letter a row: summary.py
    Column("weights", JSONB, nullable=False),
    Column("row_count", Integer, nullable=False),
    UniqueConstraint("project", "name"),
    Index(None, "kind", "recorded", "id"),
    Index(None, "project", "recorded", "id"),
    Index(None, "project", "title"),
    Index(None, "document"),
)  # fmt: skip

content = Table(
    "content", metadata,
    Column("run", BigInteger, ForeignKey("run.id"), primary_key=True, autoincrement=False),
    Column("facts", LargeBinary, nullable=False),  # compressed by zlib, as are figures
    Column("figures", LargeBinary, nullable=False),
)  # fmt: skip

audit = Table(
    "audit", metadata,
    _key(),
    Column("project", Integer, ForeignKey("project.id")),  # NULL: of nobody's
    _now("at"),
    Column("person", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("what", Text, nullable=False),
    Index(None, "project", "id"),
)  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""A team's database: opened, and brought to this release's schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from foliot.model.errors import FoliotError

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
_CONNECTIONS = 10
_LOCK = 0x464F4C49  # so that two servers that begin at once migrate one after the other
_STATEMENT_MS = 20_000


def open_database(url: str) -> Engine:
    """Return the database of a URL (postgresql://...); FoliotError where it can't be reached."""
    scheme, colon, rest = url.partition("://")
    if scheme not in {"postgresql", "postgres"} or not colon:
        raise FoliotError("the database is given as postgresql://USER@HOST/NAME")
    try:
        engine = create_engine(
            f"postgresql+psycopg://{rest}", pool_size=_CONNECTIONS, max_overflow=0,
            pool_timeout=30, pool_pre_ping=True,
            connect_args={"options": f"-c statement_timeout={_STATEMENT_MS} -c timezone=UTC",
                          "connect_timeout": 10, "application_name": "foliot"},
        )  # fmt: skip
    except SQLAlchemyError:
        raise FoliotError("the database is given as postgresql://USER@HOST/NAME") from None
    with plain_errors(), engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    return engine


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what the database says into one line, without its address, which has a password."""
    try:
        yield
    except DBAPIError as error:
        said = " ".join(str(error.orig).split())[:200]
        raise FoliotError(f"the database: {said}") from None
    except SQLAlchemyError as error:
        raise FoliotError(f"the database: {type(error).__name__}") from None


def upgrade(engine: Engine) -> None:
    """Bring the schema to this release's; FoliotError where a newer one made it."""
    with plain_errors(), engine.begin() as connection:
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config = _config(connection)
        there = MigrationContext.configure(connection).get_current_revision()
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        if there is not None and there not in known:
            raise FoliotError(
                f"the database was made by a newer foliot (schema {there})", "update foliot"
            )
        command.upgrade(config, "head")


def downgrade(engine: Engine, to: str) -> None:
    """Take the schema back to a revision, or to `base`: nothing."""
    with plain_errors(), engine.begin() as connection:
        command.downgrade(_config(connection), to)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config

# SPDX-License-Identifier: Apache-2.0
"""Alembic asks here for the database: foliot/server/database.py hands over its connection."""

from __future__ import annotations

from alembic import context

from foliot.server.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()

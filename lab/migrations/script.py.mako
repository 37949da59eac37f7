# SPDX-License-Identifier: Apache-2.0
"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the schema this revision's."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Make it that of the one before."""
    ${downgrades if downgrades else "pass"}

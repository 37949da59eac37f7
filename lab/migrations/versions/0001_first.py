# SPDX-License-Identifier: Apache-2.0
"""The tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the schema this revision's."""
    op.create_table(
        "project",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("documents", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("bytes", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column(
            "created", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sa.UniqueConstraint("name", name=op.f("uq_project_name")),
    )
    op.create_table(
        "shape",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("rows", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shape")),
        sa.UniqueConstraint("sha256", name=op.f("uq_shape_sha256")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("project", sa.Integer(), nullable=True),
        sa.Column(
            "at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["project"], ["project.id"], name=op.f("fk_audit_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_project_id"), "audit", ["project", "id"], unique=False)
    op.create_table(
        "document",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("project", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("recorded", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("log_sha256", sa.Text(), nullable=False),
        sa.Column("log_bytes", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column(
            "stored", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.ForeignKeyConstraint(["project"], ["project.id"], name=op.f("fk_document_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
        sa.UniqueConstraint("project", "name", name=op.f("uq_document_project_name")),
        sa.UniqueConstraint("project", "number", name=op.f("uq_document_project_number")),
        sa.UniqueConstraint("project", "sha256", name=op.f("uq_document_project_sha256")),
    )
    op.create_table(
        "kind",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("suite", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("configuration", sa.Text(), nullable=False),
        sa.Column("runs", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("newest", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["project"], ["project.id"], name=op.f("fk_kind_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kind")),
        sa.UniqueConstraint(
            "project",
            "kernel",
            "board",
            "suite",
            "unit",
            "configuration",
            name=op.f("uq_kind_project_kernel_board_suite_unit_configuration"),
        ),
    )
    op.create_table(
        "log",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("project", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["project"], ["project.id"], name=op.f("fk_log_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log")),
        sa.UniqueConstraint("project", "sha256", name=op.f("uq_log_project_sha256")),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("project", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project"], ["project.id"], name=op.f("fk_token_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("sha256", name=op.f("uq_token_sha256")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("project", sa.Integer(), nullable=False),
        sa.Column("document", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("recorded", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("commit", sa.Text(), nullable=False),
        sa.Column("dirty", sa.Boolean(), nullable=False),
        sa.Column("nominal", sa.Boolean(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("shape", sa.Integer(), nullable=False),
        sa.Column("figures", postgresql.ARRAY(sa.Double()), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("weights", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["document"], ["document.id"], name=op.f("fk_run_document")),
        sa.ForeignKeyConstraint(["kind"], ["kind.id"], name=op.f("fk_run_kind")),
        sa.ForeignKeyConstraint(["project"], ["project.id"], name=op.f("fk_run_project")),
        sa.ForeignKeyConstraint(["shape"], ["shape.id"], name=op.f("fk_run_shape")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("project", "name", name=op.f("uq_run_project_name")),
    )
    op.create_index(op.f("ix_run_document"), "run", ["document"], unique=False)
    op.create_index(
        op.f("ix_run_kind_recorded_id"), "run", ["kind", "recorded", "id"], unique=False
    )
    op.create_index(
        op.f("ix_run_project_recorded_id"), "run", ["project", "recorded", "id"], unique=False
    )
    op.create_index(op.f("ix_run_project_title"), "run", ["project", "title"], unique=False)
    op.create_table(
        "content",
        sa.Column("run", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("figures", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name=op.f("fk_content_run")),
        sa.PrimaryKeyConstraint("run", name=op.f("pk_content")),
    )


def downgrade() -> None:
    """Make it that of the one before."""
    op.drop_table("content")
    op.drop_table("run")
    op.drop_table("token")
    op.drop_table("log")
    op.drop_table("kind")
    op.drop_table("document")
    op.drop_table("audit")
    op.drop_table("shape")
    op.drop_table("project")

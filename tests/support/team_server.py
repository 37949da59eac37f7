# SPDX-License-Identifier: Apache-2.0
"""One team's server for all tests that need no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from team import Server


@pytest.fixture(scope="session")
def team_server() -> Iterator[Server]:
    """Start `foliot serve` once, on a PostgreSQL of its own; each test makes a project there."""
    from team import Server

    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.remove()

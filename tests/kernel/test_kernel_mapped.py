# SPDX-License-Identifier: Apache-2.0
"""Page tables: code is not written, data are not executed, and elsewhere is nothing."""

from __future__ import annotations

import pytest

from support.command import machine_lines


@pytest.mark.slow
@pytest.mark.board("qemu_aarch64")
def test_memory_is_good_for_what_it_is_mapped_for_and_nothing_else(foliot):
    done = foliot.run("tests/kernel/mapped", "qemu_aarch64")
    assert [record["cause"] for record in machine_lines(done.stdout)] == [
        "permission fault on a write",
        "permission fault on a write",
        *["permission fault on a fetch"] * 4,
        "translation fault on a fetch",
        "translation fault on a read",
    ]
    assert "still alive" not in done.stdout
    assert "constant 0" in done.stdout.splitlines()

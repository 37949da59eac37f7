# SPDX-License-Identifier: Apache-2.0
"""Page tables: code is not written, data are not executed, and elsewhere is nothing."""

from __future__ import annotations

import pytest

from support.command import machine_lines


@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "forbidden", "nothing"),
    [("qemu_aarch64", "permission fault", "translation fault"),
     ("qemu_x86_64", "page protection", "page not present")],
)  # fmt: skip
def test_memory_is_good_for_what_it_is_mapped_for_and_nothing_else(
    foliot, board, forbidden, nothing
):
    done = foliot.run("tests/kernel/mapped", board)
    assert [record["cause"] for record in machine_lines(done.stdout)] == [
        f"{forbidden} on a write",
        f"{forbidden} on a write",
        *[f"{forbidden} on a fetch"] * 4,
        f"{nothing} on a fetch",
        f"{nothing} on a read",
    ]
    assert "still alive" not in done.stdout
    assert "constant 0" in done.stdout.splitlines()

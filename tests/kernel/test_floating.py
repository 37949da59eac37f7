# SPDX-License-Identifier: Apache-2.0
"""Floating point where a core has a unit for it: tests/kernel/floating."""

from __future__ import annotations

import pytest

from foliot.target import configure, paths
from foliot.target.boards import load


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [
        pytest.param("mps2_an386", "default", marks=pytest.mark.long),
        pytest.param("mps2_an386", "user", marks=pytest.mark.long),
        ("qemu_aarch64", "user"),
        ("qemu_x86_64", "user"),
        *(
            pytest.param("qemu_x86_64", conf, marks=pytest.mark.long)
            for conf in ("default", "guard", "guard,user")
        ),
        *(
            pytest.param(board, conf, marks=pytest.mark.long)
            for board in ("qemu_aarch64", "qemu_aarch64_a76", "raspi3b")
            for conf in ("default", "guard", "user", "guard,user", "el2,user")
            if (board, conf) != ("qemu_aarch64", "user")
            and not (board == "raspi3b" and "el2" in conf)
        ),
        pytest.param("mps2_an386", "guard,user", marks=pytest.mark.long),
        pytest.param("mps2_an500", "user", marks=pytest.mark.long),
        pytest.param("netduinoplus2", "user", marks=pytest.mark.long),
        pytest.param("mps2_an386", "guard", marks=pytest.mark.long),
        pytest.param("mps2_an500", "default", marks=pytest.mark.long),
        pytest.param("mps2_an500", "guard", marks=pytest.mark.long),
    ],
)
def test_threads_and_handlers_compute_in_every_kind_of_switch(foliot, board, conf):
    done = foliot.run("tests/kernel/floating", board, conf, limit_s=100)
    assert "PROJECT EXECUTION SUCCESSFUL" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("board", "conf"), [("mps2_an385", ("fpu",)), ("mps2_an521", ("fpu", "userspace"))]
)
def test_where_there_is_no_unit_it_is_refused(board, conf):
    with pytest.raises(configure.UsageError, match="CONFIG_FPU=y has no effect"):
        configure.resolve(paths.ROOT / "samples" / "hello", load(board), conf)

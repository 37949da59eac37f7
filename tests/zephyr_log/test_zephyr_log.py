# SPDX-License-Identifier: Apache-2.0
"""Zephyr's logging macros print at once, by levels; without CONFIG_LOG nothing is evaluated."""

from __future__ import annotations

import pytest

HEX = ["I: bytes", "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f", "ff"]
PRINTED = {
    "default": ["I: started", "E: 2 of three", "W: counted 1", "raw 7", *HEX, "E: quiet error",
                "evaluated 1"],
    "all": ["I: started", "E: 2 of three", "D: debug 1", "W: counted 2", "raw 7", *HEX,
            "D: one", "00", "W: quiet warning", "E: quiet error", "evaluated 2"],
    "few": ["E: 2 of three", "raw 7", "E: quiet error", "evaluated 0"],
    "off": ["evaluated 0"],
}  # fmt: skip


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [
        ("host", "default"),
        *(
            pytest.param("host", conf, marks=pytest.mark.slow)
            for conf in PRINTED
            if conf != "default"
        ),
        pytest.param("mps2_an385", "default", marks=pytest.mark.long),
    ],
)
def test_messages_are_printed_by_level(foliot, board, conf):
    done = foliot.run("tests/zephyr_log", board, conf)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == PRINTED[conf]

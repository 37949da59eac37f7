# SPDX-License-Identifier: Apache-2.0
"""A loader may leave an AArch64 core at EL2, and the core may be another one: the kernel starts."""

from __future__ import annotations

import pytest

from foliot.target import boards, paths, runner


@pytest.mark.long
@pytest.mark.board("qemu_aarch64")
@pytest.mark.parametrize(
    "options",
    [("-machine", "virtualization=on"), ("-cpu", "cortex-a76"),
     ("-machine", "virtualization=on", "-cpu", "cortex-a76")],
)  # fmt: skip
def test_every_object_behaves_from_either_level_on_either_core(foliot, options):
    assert foliot("build", "tests/kernel", "--board", "qemu_aarch64").returncode == 0
    elf = paths.BUILD / "firmware/qemu_aarch64/tests-kernel/firmware.elf"
    lines: list[bytes] = []
    outcome = runner.run(boards.load("qemu_aarch64"), elf, lines.append, options=options)
    assert outcome.reason == "pass", outcome
    assert lines[-1] == b"PROJECT EXECUTION SUCCESSFUL"

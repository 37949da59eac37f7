# SPDX-License-Identifier: Apache-2.0
"""printk's formatter as a program of this host, beside the C library's: see printk_model.c."""

from __future__ import annotations

import subprocess

import pytest

from support.command import ROOT

pytestmark = pytest.mark.needs("compiler")


def test_numbers_and_texts_come_out_as_the_c_library_formats_them(foliot, tmp_path):
    program = tmp_path / "printk_model"
    sources = [ROOT / "tests/host/printk_model.c", ROOT / "lib/printk.c"]
    command = [
        "gcc", "-std=gnu11", "-O1", "-g", "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all", "-Wall", "-Wextra", "-Werror", "-Wno-format-security",
        f"-I{ROOT / 'include'}", f"-I{ROOT}", *map(str, sources), "-o", str(program),
    ]  # fmt: skip
    subprocess.run(command, check=True, timeout=120)
    done = foliot.program(str(program), limit_s=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all the same" in done.stdout

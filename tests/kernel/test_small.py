# SPDX-License-Identifier: Apache-2.0
"""The configuration `small`: the same kernel in fewer bytes, which are held against a record."""

from __future__ import annotations

import json
import re

import pytest

from foliot.image.footprint import footprint
from foliot.show.terminal import Progress
from foliot.target import boards, build, paths

RECORD = json.loads((paths.ROOT / "data" / "footprint.json").read_text(encoding="utf-8"))
BUILDS = [(board, conf) for board, sizes in RECORD["kernel_text"].items() for conf in sizes]
MINIMAL = paths.ROOT / "samples" / "minimal"


@pytest.mark.parametrize(("board", "conf"), BUILDS)
@pytest.mark.board
def test_the_minimal_program_weighs_no_more_than_the_record_says(board, conf):
    names = () if conf == "default" else (conf,)
    firmware = build.build(MINIMAL, boards.load(board), Progress(quiet=True), names)
    weight = footprint(firmware.elf, firmware.map).kernel_text
    ceiling = RECORD["kernel_text"][board][conf]
    assert weight <= ceiling
    assert weight > ceiling * 0.9, f"bring data/footprint.json down: {weight}"


@pytest.mark.slow
@pytest.mark.parametrize("conf", ["default", "small"])
@pytest.mark.parametrize(
    "board",
    ["mps2_an385", "qemu_riscv32", "host", pytest.param("qemu_riscv64", marks=pytest.mark.long)],
)
@pytest.mark.board
def test_the_minimal_program_does_what_it_says(foliot, board, conf):
    done = foliot.run(MINIMAL, board, conf)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "arrived\n" * 3 + "nothing for 100 ms\n"


@pytest.mark.board("mps2_an385")
def test_a_fault_is_one_line_and_ends_the_run_all_the_same(foliot, tmp_path):
    app = tmp_path / "fault"
    app.mkdir()
    (app / "CMakeLists.txt").write_text("target_sources(app PRIVATE main.c)\n")
    (app / "prj.conf").write_text("")
    (app / "main.c").write_text(
        '#include <foliot/kernel.h>\n\nint main(void)\n{\n\t__asm__ volatile("udf #0");\n'
        '\tprintk("went on\\n");\n\treturn 0;\n}\n'
    )
    done = foliot.run(app, "mps2_an385", "small")
    assert done.returncode == 1
    assert re.fullmatch(r"\n\*\*\* FATAL 0 0x[0-9a-f]{8}\n", done.stdout)
    text = foliot.run(app, "mps2_an385").stdout
    assert "cpu exception: undefined instruction" in text

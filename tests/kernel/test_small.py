# SPDX-License-Identifier: Apache-2.0
"""The configuration `small`: the same kernel in fewer bytes, which are held against a record."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from foliot.image.footprint import footprint
from foliot.show.terminal import Progress
from foliot.target import boards, build, paths

RECORD = json.loads((paths.ROOT / "data" / "footprint.json").read_text(encoding="utf-8"))
BUILDS = [(board, conf) for board, sizes in RECORD["kernel_text"].items() for conf in sizes]
MINIMAL = paths.ROOT / "samples" / "minimal"
UNDEFINED = {"mps2_an385": "udf #0", "qemu_riscv32": "unimp"}


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
    [
        "mps2_an385",
        "qemu_riscv32",
        "host",
        pytest.param("qemu_riscv64", marks=pytest.mark.long),
    ],
)
@pytest.mark.board
def test_the_minimal_program_does_what_it_says(foliot, board, conf):
    done = foliot.run(MINIMAL, board, conf)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "arrived\n" * 3 + "nothing for 100 ms\n"


FAULT = """#include <foliot/kernel.h>

int main(void)
{
	__asm__ volatile("UNDEFINED");
	return 0;
}
"""
LINE = r"\n\*\*\* FATAL 0 0x([0-9a-f]{8})\n"
BOARDS = ["mps2_an385", pytest.param("qemu_riscv32", marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """Return a program's directory; it faults, and is compiled with `printk` or without.

    There is one for all sources with the same options: the kernel is compiled once for them.
    """
    place = tmp_path_factory.mktemp("faulty")

    def make(source: str, options: str = "") -> Path:
        app = place / (options.partition("=")[0] or "plain")
        app.mkdir(exist_ok=True)
        (app / "CMakeLists.txt").write_text("target_sources(app PRIVATE main.c)\n")
        (app / "prj.conf").write_text(options)
        (app / "main.c").write_text(source)
        return app

    return make


@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("conf", ["default", "small"])
def test_a_fault_of_a_program_without_printk_is_one_line_which_the_lab_reads(
    foliot, faulty, board, conf
):
    done = foliot.run(faulty(FAULT.replace("UNDEFINED", UNDEFINED[board])), board, conf)
    assert done.returncode == 1
    assert re.fullmatch(LINE, done.stdout)
    assert "fault on the target: cpu exception" in done.stderr
    assert " main" in done.stderr
    assert "CONFIG_FAULT_REPORT_ALWAYS" in done.stderr


@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("how", ["printk", "always", "assertion"])
def test_a_fault_is_reported_in_words_where_somebody_prints_or_asks_for_them(
    foliot, faulty, board, how
):
    source = FAULT.replace("UNDEFINED", UNDEFINED[board])
    options = ""
    if how == "printk":
        source = source.replace("return 0", 'printk("went on\\n");\n\treturn 0')
    elif how == "always":
        options = "CONFIG_FAULT_REPORT_ALWAYS=y\n"
    else:
        options = "CONFIG_ASSERT=y\n"
    done = foliot.run(faulty(source, options), board)
    assert done.returncode == 1
    assert "cpu exception: " in done.stdout
    assert '@foliot {"type":"fault"' in done.stdout
    assert "went on" not in done.stdout
    if how == "printk":  # the option `small` has no words at all
        done = foliot.run(faulty(source, options), board, "small")
        assert re.fullmatch(LINE, done.stdout)


@pytest.mark.board("mps2_an385")
def test_a_second_fault_in_a_handler_is_told_of_without_words_too(foliot, faulty):
    source = (
        FAULT.replace("UNDEFINED", "udf #0")
        + """
void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	if (frame == NULL) {
		__asm__ volatile("udf #0");
	}
}
"""
    )
    done = foliot.run(faulty(source), "mps2_an385")
    assert done.returncode == 1
    again = r"\n\*\*\* FATAL again, at pc 0x[0-9a-f]{8}\n"
    assert re.fullmatch(LINE + again, done.stdout)

# SPDX-License-Identifier: Apache-2.0
"""Names for addresses, sizes of types, shares of the kernel: out of small real images."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace

import pytest

from foliot.image.elf import Image
from foliot.image.footprint import _contributions
from foliot.model.errors import UsageError
from foliot.model.run import Fault
from foliot.target.fault import describe_fault, describe_hang
from foliot.target.runner import Outcome

SOURCE = """
struct k_sem { int count, limit; void *head; };
struct k_sem main_sem;
int table[4] = {1, 2, 3, 4};
__attribute__((noinline)) int give(struct k_sem *s)
{
	return s->count++ + table[1];
}
__attribute__((noinline)) void idle(void)
{
	table[0]++;
}
int _start(void)
{
	idle();
	return give(&main_sem);
}
"""


@pytest.fixture(scope="module", params=["riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32",
                                        "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb"])  # fmt: skip
def elf(request, tmp_path_factory):
    where = tmp_path_factory.mktemp("image")
    (where / "sem.c").write_text(SOURCE)
    command = [*request.param.split(), "-g", "-O1", "-nostdlib", "sem.c", "-o", "x.elf"]
    subprocess.run(command, cwd=where, check=True, timeout=60, capture_output=True)
    return where / "x.elf"


def address(elf, name):
    said = subprocess.run(["nm", str(elf)], capture_output=True, text=True, check=True, timeout=60)
    match = re.search(rf"([0-9a-f]+) \w {name}\n", said.stdout)
    assert match
    return int(match[1], 16)


@pytest.mark.board("ibex", "mps2_an385")
def test_functions_and_lines(elf):
    image = Image(elf)
    give = address(elf, "give")
    assert image.function(give) == "give"
    assert image.function((give & ~1) + 4) == "give+0x4"
    assert re.fullmatch(r"give\+0x2 \(sem.c:\d+\)", image.where((give & ~1) + 2) or "")
    assert image.function(0xFFFF0000) is None


@pytest.mark.board("ibex", "mps2_an385")
def test_variables(elf):
    image = Image(elf)
    assert image.variable(address(elf, "main_sem")) == "main_sem"
    assert image.variable(address(elf, "table") + 4) == "table+0x4"
    assert image.variable(0) is None


@pytest.mark.board("ibex", "mps2_an385")
def test_sizes_and_kinds(elf):
    image = Image(elf)
    assert image.struct_sizes(["k_sem", "k_thread"]) == {"k_sem": 12}
    kinds = image.section_kinds()
    assert kinds[".text"] == "text"
    assert set(kinds.values()) == {"text", "data", "bss"}


@pytest.mark.board("ibex", "mps2_an385")
def test_a_fault_in_words(elf):
    give = address(elf, "give") & ~1
    fault = Fault("cpu exception", "load access fault", give + 2, address(elf, "main_sem"), False,
                  {"ra": address(elf, "_start") & ~1, "a0": 5})  # fmt: skip
    lines = describe_fault(fault, elf)
    assert lines[0] == "fault on the target: cpu exception (load access fault)"
    assert re.fullmatch(
        rf"at {give + 2:#010x} give\+0x2 \(sem.c:\d+\), in thread main_sem", lines[1]
    )
    assert re.search(r"ra 0x\w+  _start", lines[2])
    assert lines[3] == "         a0 0x00000005"


@pytest.mark.board("ibex", "mps2_an385")
def test_a_hang_in_words(elf):
    give = address(elf, "give") & ~1
    outcome = Outcome("limit", 3, 1.0, units=1000, pc=give, last_lines=("first", "last"))
    lines = describe_hang(outcome, elf)
    assert "stopped at the limit of simulated time, after 1000 cycles" in lines[0]
    assert f"{give:#010x} give (sem.c" in lines[0]
    assert lines[1:] == ["its last lines:", "first", "last"]
    idle = address(elf, "idle") & ~1
    lines = describe_hang(replace(outcome, pc=idle), elf)
    assert lines[1].startswith("it idles, as a program does whose main() has returned")
    assert "it idles" not in describe_hang(replace(outcome, pc=idle, reason="lockup"), elf)[1]


@pytest.mark.parametrize("content", [b"", b"text", b"\x7fELF", b"\x7fELF" + b"\0" * 60])
def test_what_is_no_elf(tmp_path, content):
    path = tmp_path / "x.elf"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="is no ELF file"):
        Image(path)


def test_a_directory_is_no_image(tmp_path):
    with pytest.raises(UsageError, match="Is a directory"):
        Image(tmp_path)


def test_what_the_map_says():
    text = """
Discarded input sections
 .text.gone     0x00000000      0x100 libkernel.a(sem.c.obj)

Linker script and memory map

.text           0x80000000     0x1000
 .text.a        0x80000000       0x10 libkernel.a(sem.c.obj)
 .text.a_function_with_a_long_name
                0x80000010       0x20 CMakeFiles/machine.dir/arch/riscv/trap.S.obj
                0x80000010                a_function_with_a_long_name
 *fill*         0x80000030        0x8
.data           0x80001000        0x4
 .data.x        0x80001000        0x4 CMakeFiles/app.dir/main.c.obj
"""
    assert _contributions(text) == [
        (".text", 16, "libkernel.a(sem.c.obj)"),
        (".text", 32, "CMakeFiles/machine.dir/arch/riscv/trap.S.obj"),
        (".data", 4, "CMakeFiles/app.dir/main.c.obj"),
    ]

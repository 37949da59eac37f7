# SPDX-License-Identifier: Apache-2.0
"""Boards that are devices: their images' structure, what they say where they can be run, flashing.

The addresses are those of the vendors' data sheets: nRF51822-QFAC (256 KiB of flash, 32 of RAM),
nRF52833 (512 KiB and 128 KiB); RP2040 (2 MiB on the Pico, 264 KiB), RP2350 (4 MiB on the
Pico 2, 520 KiB); STM32F401xE (512 KiB and 96 KiB), STM32G431xB (128 KiB and 32 KiB),
STM32H747xI (its first bank, 1 MiB, and DTCM, 128 KiB); i.MX RT1062 on the Teensy 4.1 (8 MiB
less the last 256 KiB; DTCM, 128 KiB).
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
from dataclasses import replace

import pytest
from elftools.elf.elffile import ELFFile

from foliot.show.terminal import Progress
from foliot.target import boards, build, drives, flashing, paths, runner

QUIET = Progress(quiet=True)
HELLO = paths.ROOT / "samples" / "hello"
# But for a PC, which takes the ELF file: tests/pc/test_pc.py.
DEVICES = [
    name for name in boards.names()
    if boards.load(name).kind == "device" and boards.load(name).run["image"] != "elf"
]  # fmt: skip

# flash, its size, RAM, its size
MAPS = {
    "ty51822r3": (0, 0x40000, 0x20000000, 0x8000),
    "bbc_microbit_v2": (0, 0x80000, 0x20000000, 0x20000),
    "rpi_pico": (0x10000000, 0x200000, 0x20000000, 0x42000),
    "rpi_pico2": (0x10000000, 0x400000, 0x20000000, 0x82000),
    "nucleo_f401re": (0x08000000, 0x80000, 0x20000000, 0x18000),
    "nucleo_g431kb": (0x08000000, 0x20000, 0x20000000, 0x8000),
    "stm32h747i_disco": (0x08000000, 0x100000, 0x20000000, 0x20000),
    "teensy41": (0x60000000, 0x7C0000, 0x20000000, 0x20000),
}
# Behind what the chip's ROM looks for; else at the beginning.
VECTORS = {"rpi_pico": 0x100, "rpi_pico2": 0x200, "teensy41": 0x2000}
USUAL = ("nucleo_f401re",)  # the others are built with --long


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            name, marks=[pytest.mark.board(name)] + [pytest.mark.long] * (name not in USUAL)
        )
        for name in sorted(MAPS)
    ],
)
def firmware(request):
    return build.build(HELLO, boards.load(request.param), QUIET)


def test_every_device_has_its_map_here():
    assert sorted(DEVICES) == sorted(MAPS)


def _hex(path) -> dict[int, int]:
    """Intel hex, checked line by line: bytes by address."""
    found, upper = {}, 0
    for line in path.read_text().splitlines():
        record = bytes.fromhex(line.removeprefix(":"))
        assert sum(record) % 256 == 0
        count, offset, kind = record[0], int.from_bytes(record[1:3], "big"), record[3]
        data = record[4 : 4 + count]
        if kind == 4:
            upper = int.from_bytes(data, "big") << 16
        elif kind == 2:
            upper = int.from_bytes(data, "big") << 4
        elif kind == 0:
            found |= {upper + offset + place: byte for place, byte in enumerate(data)}
    return found


def _words(image, address: int, count: int) -> tuple[int, ...]:
    data = bytes(image.get(address + place, 0) for place in range(4 * count))
    return struct.unpack(f"<{count}I", data)


def _image_definition(image) -> None:
    """RP2350 Datasheet, 5.9: a block of items, their words counted in the last."""
    begin, kind, table, vectors, last, link, end = _words(image, 0x10000000, 7)
    assert (begin, end) == (0xFFFFDED3, 0xAB123579)
    assert kind == 0x10210142  # executable, secure, Arm, RP2350; of one word
    assert table == 0x0203  # a vector table; of two words
    assert vectors == 0x10000200
    assert last == 0x03FF  # three words before it
    assert link == 0


def _flash_configuration(image) -> None:
    """i.MX RT1060 Reference Manual, 9.6.3.1 and 9.7.1."""
    assert _words(image, 0x60000000, 2) == (0x42464346, 0x56010000)
    assert _words(image, 0x60000044, 1) == (0x00010101,)  # NOR, a wire, 30 MHz
    assert _words(image, 0x60000050, 1) == (8 << 20,)
    # Command 03h, an address of 24 bits; read, stop.
    assert _words(image, 0x60000080, 2) == (0x08180403, 0x00002404)
    table = _words(image, 0x60001000, 8)
    assert table[0] == 0x412000D1
    assert table[1] == 0x60002000  # the vectors
    assert table[4:6] == (0x60001020, 0x60001000)  # of the boot data, and of itself
    assert _words(image, 0x60001020, 3) == (0x60000000, 0x7C0000, 0)


HEADERS = {"rpi_pico2": _image_definition, "teensy41": _flash_configuration}


def test_an_image_lies_in_the_chips_memory_and_begins_with_its_vectors(firmware):
    rom, rom_size, ram, ram_size = MAPS[firmware.board.name]
    image = _hex(flashing.hex_image(firmware.elf, QUIET))
    HEADERS.get(firmware.board.name, lambda image: None)(image)
    assert min(image) == rom
    assert max(image) < rom + rom_size
    vectors = rom + VECTORS.get(firmware.board.name, 0)
    head = bytes(image[vectors + place] for place in range(64))
    stack, reset, nmi, hard, *rest = struct.unpack("<16I", head)
    assert ram < stack <= ram + ram_size
    assert stack % 8 == 0
    with firmware.elf.open("rb") as stream:
        symbols = ELFFile(stream).get_section_by_name(".symtab")
        named = {one.name: one["st_value"] for one in symbols.iter_symbols()}
    assert reset == named["reset_handler"]
    assert nmi == hard == named["fault_handler"]
    assert rest[10] == named["pendsv_handler"]
    assert all(vector % 2 == 1 for vector in (reset, nmi, hard, rest[10]))
    assert named["_image_end"] <= ram + ram_size


# Behind the data cache: AXI SRAM (RM0399, 2.3), OCRAM2 (i.MX RT1060 Reference Manual, 3.1).
BEHIND_CACHES = {"stm32h747i_disco": 0x24000000, "teensy41": 0x20200000}


@pytest.mark.board("stm32h747i_disco")
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.long) for one in ("stm32h747i_disco", "teensy41")]
)
def test_the_caches_suite_of_an_m7_has_its_data_behind_them(name):
    """Its figures need silicon: no emulator has the caches."""
    elf = build.build(paths.SUITES / "caches", boards.load(name), QUIET, conf=("cached",)).elf
    with elf.open("rb") as stream:
        symbols = ELFFile(stream).get_section_by_name(".symtab")
        named = {one.name: one["st_value"] for one in symbols.iter_symbols()}
    begin, end = BEHIND_CACHES[name], BEHIND_CACHES[name] + 0x80000
    for what in ("_data_start", "_bss_end", "_isr_stack_top", "sem"):
        assert begin <= named[what] <= end, what


@pytest.mark.long
@pytest.mark.board("mps2_an500")
def test_the_m7s_cache_operations_end_where_there_are_no_caches(foliot):
    """QEMU's core has the registers."""
    done = foliot("run", "-q", str(paths.SUITES / "caches"), "--board", "mps2_an500")
    assert "PROJECT EXECUTION SUCCESSFUL" in done.stdout, done.stdout + done.stderr


@pytest.mark.board("stm32h747i_disco")
@pytest.mark.parametrize("conf", [(), pytest.param(("rated",), marks=pytest.mark.long)])
def test_the_h747_writes_nothing_to_ram_before_its_supply_is_told(conf):
    """In the mode after power-on RAM is not to be written (RM0399, 7.5): a stack is RAM, too."""
    elf = build.build(HELLO, boards.load("stm32h747i_disco"), QUIET, conf=conf).elf
    text = subprocess.run(
        ["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", "--disassemble=reset_handler", elf],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    steps = re.findall(r"^ [0-9a-f]+:\t([a-z.]+)\t(\S*(?: \S+)*)", text, re.MULTILINE)
    writes = [step for step in steps if step[0].startswith(("st", "push", "bl", "vst", "vpush"))]
    assert [name for name, _ in writes] == ["str.w"]
    assert "#2060]" in writes[0][1]  # PWR_CR3
    code = [name for name, _ in steps if not name.startswith(".")]
    assert code[-1].startswith("b.") and "<start>" in steps[len(code) - 1][1]


WITH_MPU = sorted({*MAPS} - {"rpi_pico", "ty51822r3"})


@pytest.mark.board("rpi_pico2")
@pytest.mark.parametrize(
    "name",
    [name if name == "rpi_pico2" else pytest.param(name, marks=pytest.mark.long)
     for name in WITH_MPU],
)  # fmt: skip
def test_user_threads_are_built_where_there_is_an_mpu(name):
    """Untried but for their cores, which QEMU has: in flash elsewhere, behind other vectors."""
    elf = build.build(paths.ROOT / "samples" / "user", boards.load(name), QUIET).elf
    rom, rom_size, ram, _ = MAPS[name]
    with elf.open("rb") as stream:
        symbols = ELFFile(stream).get_section_by_name(".symtab")
        named = {one.name: one["st_value"] for one in symbols.iter_symbols()}
    assert rom < named["_rodata_end"] <= named["_user_rom_end"] <= rom + rom_size
    assert named["_app_start"] >= ram


@pytest.mark.long
@pytest.mark.board("nucleo_f401re")
@pytest.mark.parametrize("name", sorted(MAPS))
def test_what_is_flashed_if_nothing_else_is_named_fits(name):
    assert build.build(paths.SUITES / "latency", boards.load(name), QUIET).elf.is_file()


def _in_qemus_nearest_machine(app, words, count):
    """Run nucleo_f401re's image in QEMU as a Netduino Plus 2, whose second port is the console."""
    command = [
        "qemu-system-arm", "-M", "netduinoplus2", "-nographic", "-monitor", "none", *words,
        "-icount", "shift=10,sleep=off", "-kernel", "{elf}",
    ]  # fmt: skip
    machine = replace(boards.load("microbit"), run={"kind": "qemu", "command": command})
    lines = []

    def on_line(line):
        lines.append(line.decode())
        return len(lines) == count

    elf = build.build(app, boards.load("nucleo_f401re"), QUIET).elf
    outcome = runner.run(machine, elf, on_line, limit_s=60)
    assert outcome.reason == "stopped"
    return lines


@pytest.mark.board("microbit")
def test_the_stm32f401s_image_runs_in_qemus_nearest_machine():
    lines = _in_qemus_nearest_machine(HELLO, ("-serial", "null", "-serial", "stdio"), 5)
    assert [line.split(",")[0] for line in lines] == [f"Hello number {n}" for n in range(1, 6)]


@pytest.mark.board("microbit")
def test_a_pll_that_never_locks_and_a_counter_that_stands_still_are_said():
    """QEMU has neither RCC nor DWT there: all that is read of them is 0."""
    app = paths.ROOT / "suites" / "calibration"
    lines = _in_qemus_nearest_machine(app, ("-serial", "null", "-serial", "stdio"), 5)
    told = next(json.loads(line[8:]) for line in lines if line.startswith("@foliot "))
    assert told["clock_fallback"] == "the PLL does not lock: the clock is the chip's own, 16 MHz"
    assert any("FAILED : the counter stands still" in line for line in lines)


@pytest.mark.board("microbit")
def test_the_nrf51s_image_runs_in_qemus_nearest_machine():
    lines = []

    def on_line(line):
        lines.append(line.decode())
        return len(lines) == 5

    elf = build.build(HELLO, boards.load("ty51822r3"), QUIET).elf
    outcome = runner.run(boards.load("microbit"), elf, on_line, limit_s=10)
    assert outcome.reason == "stopped"
    assert [line.split(",")[0] for line in lines] == [f"Hello number {n}" for n in range(1, 6)]


@pytest.mark.slow
def test_flashing_copies_to_the_drive_or_says_what_to_copy(foliot, tmp_path, monkeypatch):
    done = foliot("flash", "-q", "bbc_microbit_v2", str(HELLO))
    assert done.returncode == 0, done.stderr
    assert "no drive MICROBIT is there" in done.stdout
    assert "firmware.hex" in done.stdout
    (tmp_path / "MICROBIT").mkdir()
    monkeypatch.setattr(drives, "MOUNTS", (str(tmp_path),))
    assert drives.find("MICROBIT") == tmp_path / "MICROBIT"
    assert drives.find("MBED") is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["flash", "ibex"], "ibex is no device"),
        (["flash", "bbc_microbit_v"], "unknown board 'bbc_microbit_v'"),
        (["bench", "--board", "bbc_microbit_v2"], "is a device: there is none in this machine"),
        pytest.param(
            ["run", str(HELLO), "--board", "ty51822r3"], "is a device", marks=pytest.mark.slow
        ),
        (["debug", str(HELLO), "--board", "ty51822r3"], "is a device"),
    ],
)
def test_what_a_device_can_not_is_said(foliot, words, said):
    done = foliot(*words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr

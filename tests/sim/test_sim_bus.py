# SPDX-License-Identifier: Apache-2.0
"""The memory map: what answers, with what, and that nothing else does."""

import pytest

FETCH, LOAD, STORE = 1, 5, 7
WRITTEN = "12345678"

# Address 0 above all; around and inside of each window; the boot code, which cannot be read.
ABSENT = (
    0, 4, 0x1000, 0x000F_FFFC, 0x0010_0004, 0x01FF_FFFC, 0x0200_0004, 0x0200_3FFC, 0x0200_4008,
    0x0200_BFF4, 0x0201_0000, 0x0BFF_FFFC, 0x0C60_0000, 0x0FFF_FFFC, 0x1000_0008, 0x1000_1000,
    0x3FFF_FFFC, 0x4000_0034, 0x4000_00FC, 0x4000_0110, 0x4000_0204, 0x4000_0300, 0x4000_1000,
    0x7FFF_FFFC, 0x8010_0000, 0xFFFF_FFFC,
)  # fmt: skip


@pytest.fixture
def access(passes):
    """Give what an instruction such as "lw a0, 0(a1)" loads, or "!mcause mtval" of its trap."""

    def access(instruction, address, *options):
        run = passes("access", *options, ACCESS=f"{instruction}", ADDRESS=hex(address))
        return run.stdout.strip()

    return access


def test_absent_addresses_are_bus_errors(passes):
    run = passes("absent", ADDRESSES=",".join(hex(address) for address in ABSENT))
    assert run.numbers == [[cause, address] for address in ABSENT for cause in (LOAD, STORE, FETCH)]


@pytest.mark.parametrize("address", [0x0010_0000, 0x0200_0000, 0x1000_0000, 0x4000_0000])
def test_devices_cannot_be_executed(access, address):
    assert access("jr a1", address) == f"!{FETCH:08x} {address:08x}"


@pytest.mark.parametrize(
    ("instruction", "loaded"),
    [
        ("sw a2, 0(a1); lw a0, 0(a1)", "12345678"),
        ("sw a2, 0(a1); lbu a0, 1(a1)", "00000056"),
        ("sw a2, 0(a1); lhu a0, 2(a1)", "00001234"),
        ("sw a2, 1(a1); lw a0, 0(a1)", "34567800"),
        ("sb a2, 3(a1); lw a0, 0(a1)", "78000000"),
        ("sh a2, 1(a1); lw a0, 0(a1)", "00567800"),
    ],
)
def test_ram(access, instruction, loaded):
    assert access(instruction, 0x800F_FFF8) == loaded


def test_ram_size(access):
    assert access("lw a0, 0(a1)", 0x8010_0000, "--ram-kib", "1028") == "00000000"
    assert access("lw a0, 0(a1)", 0x8010_1000, "--ram-kib", "1028").startswith("!")
    assert access("lw a0, 0(a1)", 0x80FF_FFFC, "--ram-kib", "16384") == "00000000"


@pytest.mark.parametrize(
    ("instruction", "address", "loaded"),
    [
        ("lw a0, 0(a1)", 0x4000_0000, "494c4f46"),
        ("lw a0, 4(a1)", 0x4000_0000, "00000001"),
        ("sw a2, 0x14(a1); lw a0, 0x14(a1)", 0x4000_0000, WRITTEN),
        ("sw a2, 0x10(a1); lw a0, 0x10(a1)", 0x4000_0000, WRITTEN),
        ("sw a2, 0x28(a1); lw a0, 0x28(a1)", 0x4000_0000, "00005678"),
        ("sw a2, 0x28(a1); sw a1, 0x2c(a1); lw a0, 0x2c(a1)", 0x4000_0000, "00005678"),
        ("lw a0, 0(a1)", 0x0C00_0000, "00000000"),
        ("sw a2, 0(a1); lw a0, 0(a1)", 0x0C20_0004, "00000000"),
        ("lw a0, 0(a1)", 0x0C5F_FFFC, "00000000"),
        ("sw a2, 0(a1); lw a0, 0(a1)", 0x0200_4000, WRITTEN),
        ("lw a0, 4(a1)", 0x0200_4000, "ffffffff"),
        ("sw a2, 0(a1); lw a0, 0(a1)", 0x0200_0000, "00000000"),
        ("sw a2, 4(a1); lw a0, 4(a1)", 0x0200_BFF8, WRITTEN),
        ("lw a0, 8(a1)", 0x4000_0100, "00000364"),
        ("sw a2, 8(a1); lw a0, 8(a1)", 0x4000_0100, "00005678"),
        ("sw zero, 8(a1); lw a0, 8(a1)", 0x4000_0100, "00000001"),
    ],
)
def test_registers(access, instruction, address, loaded):
    assert access(instruction, address) == loaded


@pytest.mark.parametrize("address", [0x4000_0010, 0x4000_0100, 0x0200_4000])
@pytest.mark.parametrize("store", ["sb", "sh"])
def test_registers_take_whole_words_only(access, address, store):
    assert access(f"{store} a2, 0(a1)", address) == f"!{STORE:08x} {address:08x}"


def test_input_pins(access):
    assert access("lw a0, 0(a1)", 0x4000_0200, "--pins", "0xA5") == "000000a5"
    assert access("lw a0, 0(a1)", 0x4000_0200) == "00000000"
    assert access("sw a2, 0(a1)", 0x4000_0200) == "!00000007 40000200"


@pytest.mark.parametrize(
    ("instruction", "loaded"),
    [
        ("lbu a0, 5(a1)", "00000060"),
        ("lbu a0, 2(a1)", "00000001"),
        ("sb a2, 7(a1); lbu a0, 7(a1)", "00000078"),
        ("sb a2, 1(a1); lbu a0, 1(a1)", "00000078"),
        ("sb a2, 3(a1); lbu a0, 3(a1)", "00000078"),
        ("sb a2, 4(a1); lbu a0, 4(a1)", "00000078"),
        ("li a2, 0x80; sb a2, 3(a1); sb a2, 0(a1); lbu a0, 0(a1); sb zero, 3(a1)", "00000080"),
        ("li a2, 0x80; sb a2, 3(a1); sb a2, 1(a1); sb zero, 3(a1); lbu a0, 1(a1)", "00000000"),
    ],
)
def test_console_registers(access, instruction, loaded):
    assert access(instruction, 0x1000_0000) == loaded

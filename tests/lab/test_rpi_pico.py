# SPDX-License-Identifier: Apache-2.0
"""The Pico's image, as its ROM takes it, and run in rp2040js: what it prints, what its pins show.

rp2040js knows instructions and devices, and no cycles of the chip: no figure is looked at here.
"""

from __future__ import annotations

import json
import struct
from itertools import pairwise

import pytest

from foliot.model.errors import FoliotError, UsageError
from foliot.scope import capture
from foliot.show.terminal import Progress
from foliot.target import boards, build, flashing, paths, runner

QUIET = Progress(quiet=True)
PICO = "rpi_pico"
HELLO = paths.ROOT / "samples" / "hello"
BOARD = boards.load(PICO)

pytestmark = pytest.mark.board(PICO)


def _built(app=HELLO):
    return build.build(app, BOARD, QUIET)


def _console(app, *options, limit_s=3.0):
    """Run an application in the emulator; return how it ended and what it printed."""
    lines: list[str] = []

    def on_line(line):
        lines.append(line.decode())

    outcome = runner.run(BOARD, _built(app).elf, on_line, limit_s=limit_s, options=options)
    return outcome, lines


def _blocks(image):
    content = image.read_bytes()
    assert len(content) % 512 == 0
    return [struct.unpack("<8I476sI", content[at : at + 512]) for at in range(0, len(content), 512)]


def test_its_uf2_is_blocks_of_the_rp2040s_flash_in_order():
    blocks = _blocks(flashing.make_image(BOARD, _built().elf, QUIET))
    for number, block in enumerate(blocks):
        begin, second, flags, address, size, place, count, family, _, end = block
        assert (begin, second, end) == (0x0A324655, 0x9E5D5157, 0x0AB16F30)
        assert flags == 0x2000
        assert (size, place, count, family) == (256, number, len(blocks), 0xE48BFF56)
        assert address == 0x10000000 + 256 * number
        assert address + 256 <= 0x10200000


def test_its_second_stage_has_the_checksum_that_the_rom_wants():
    stage = _blocks(flashing.make_image(BOARD, _built().elf, QUIET))[0][8][:256]
    assert flashing.boot2_checksum(stage[:252]) == int.from_bytes(stage[252:], "little")
    # The parameters are those of CRC-32/MPEG-2, whose check value is this.
    assert flashing.boot2_checksum(b"123456789") == 0x0376E6E7


def test_a_second_stage_that_was_changed_is_not_flashed(tmp_path):
    elf = tmp_path / "firmware.elf"
    content = bytearray(_built().elf.read_bytes())
    stage = _blocks(flashing.make_image(BOARD, _built().elf, QUIET))[0][8][:256]
    content[content.index(stage)] ^= 1
    elf.write_bytes(content)
    with pytest.raises(FoliotError, match="the second stage's checksum is 0x"):
        flashing.make_image(BOARD, elf, QUIET)


def test_the_first_program_runs_in_the_emulator(foliot):
    done = foliot("run", str(HELLO), "--board", PICO, "--timeout", "1")
    assert "Hello number 1, 0 ms after the start" in done.stdout
    assert "Hello number 5" in done.stdout
    assert "In rp2040js, an emulator: no time it tells is the chip's." in done.stderr


def test_an_image_of_another_chip_is_refused(tmp_path):
    image = tmp_path / "firmware.uf2"
    content = bytearray(flashing.make_image(BOARD, _built().elf, QUIET).read_bytes())
    content[28:32] = struct.pack("<I", 0xE48BFF59)
    image.write_bytes(content)
    words = ("--uf2", str(image))  # the last one counts
    with pytest.raises(UsageError, match="the image is for another chip"):
        runner.run(BOARD, _built().elf, lambda line: None, limit_s=1, options=words)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (
            "crystal",
            "the crystal does not start: the clock is the ring oscillator, which is not exact",
        ),
        ("pll", "the PLL does not lock: the clock is the crystal's, 12 MHz"),
    ],
)
def test_a_clock_that_does_not_come_is_said_in_the_header(part, said):
    app = paths.ROOT / "suites" / "calibration"
    outcome, lines = _console(app, "--broken", part, limit_s=30)
    headers = [
        json.loads(line[8:]) for line in lines if line.startswith('@foliot {"type":"header"')
    ]
    assert [header["clock_fallback"] for header in headers] == [said]
    assert f"Not the board's clock: {said}" in lines
    assert outcome.reason == "fail"
    assert any(line.startswith("clock ") and "FAILED" in line for line in lines)


@pytest.mark.long
def test_the_latency_suites_evidence_is_there_with_a_counter_of_24_bits():
    """Its figures are nothing; that each row's witness holds, and the clock's own test, is."""
    outcome, lines = _console(paths.SUITES / "latency", limit_s=60)
    assert outcome.reason == "pass"
    assert sum(line.startswith('@foliot {"type":"row"') for line in lines) == 47
    assert "PROJECT EXECUTION SUCCESSFUL" in lines


def test_nothing_is_measured_in_the_emulator(foliot):
    done = foliot("bench", "--board", PICO)
    assert done.returncode == 2
    assert "there is none in this machine, and rp2040js knows no cycles" in done.stderr


@pytest.mark.long
def test_its_pins_show_the_cases_in_the_order_of_events(foliot, tmp_path):
    done = foliot("scope", "--board", PICO, "--out", str(tmp_path), "--json", str(tmp_path / "j"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 cases on rpi_pico" in done.stdout
    assert "0 not met" in done.stdout
    assert "thread_any GP2, scheduler GP3, queueing GP4, thread_0 GP6, isr GP5" in done.stdout
    told = json.loads((tmp_path / "j").read_text())
    assert told["unit"] == "emulated"
    assert told["switch"] is None
    seen = capture.read(tmp_path / "case-0.vcd", [], None)
    assert seen.recording.unit == "emulated"
    _in_order(seen.recording)


def _in_order(recording):
    """Assert that the pins rise as the kernel does things, in each tick that was recorded."""
    scheduler, queueing = recording.signal("scheduler"), recording.signal("queueing")
    anyone = recording.busy()
    assert len(scheduler) >= 6
    for run in scheduler:
        inside = [pulse for pulse in queueing if run.start <= pulse.start and pulse.end <= run.end]
        assert len(inside) in (0, 16)
        assert not any(pulse.start < run.end and run.start < pulse.end for pulse in anyone)
    full = [run for run in scheduler if any(run.start <= p.start < run.end for p in queueing)]
    for run, after in pairwise(full):  # the last tick is cut off
        started = sorted(
            (pulse.start, n)
            for n, pulses in recording.threads()
            for pulse in pulses
            if run.end <= pulse.start < after.start
        )
        assert list(dict.fromkeys(n for _, n in started)) == list(range(16))

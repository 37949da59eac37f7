# SPDX-License-Identifier: Apache-2.0
"""Jumping over sleep, repeating a run, and speed."""

KHZ_FLOOR = 500
SPEED_CYCLES = 1_500_000


def outputs(sim, elf, directory, *options):
    """Everything that a run leaves behind."""
    directory.mkdir()
    vcd, trace, uart2 = (directory / name for name in ("vcd", "trace", "uart2"))
    run = sim(elf, "--vcd", vcd, "--trace", trace, "--uart2", uart2, *options)
    assert run.status == 0, run
    return run.stdout, run.stderr, vcd.read_bytes(), trace.read_bytes(), uart2.read_bytes()


def test_jumping_over_sleep_changes_nothing(sim, build, tmp_path):
    elf = build("sleep")
    jumped = outputs(sim, elf, tmp_path / "jumped")
    stepped = outputs(sim, elf, tmp_path / "stepped", "--step-through-sleep")
    assert len(jumped[0].splitlines()) == 199
    assert jumped == stepped


def test_the_clocks_of_a_sleep(passes):
    rows = passes("sleep").numbers
    for number, (cycle, mtime, _, _, left) in enumerate(rows, 1):
        assert 0 < mtime - cycle < 10
        if number >= 8:
            assert left == 0, "the injector woke it"
    cycle, _, mcycle, minstret, _ = rows[-1]
    assert minstret < mcycle < 0.8 * cycle, "mcycle stops in WFI"


def test_two_runs_are_byte_identical(sim, build, tmp_path):
    elf = build("sleep")
    options = ("--wait-states", "1,2", "--pins", "7")
    first = outputs(sim, elf, tmp_path / "first", *options)
    assert outputs(sim, elf, tmp_path / "second", *options) == first


def test_speed(sim, build):
    run = sim(build("spin"), limit=str(SPEED_CYCLES))
    assert run.stop["cycle"] == SPEED_CYCLES
    khz = SPEED_CYCLES / run.user_s / 1000
    print(f"{khz:.0f} kHz")
    assert khz > KHZ_FLOOR

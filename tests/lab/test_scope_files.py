# SPDX-License-Identifier: Apache-2.0
"""Signals as files: our own VCDs, captures of boards on desks, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from scope_signals import SWITCH, TICK, recording

from foliot.commands.scope import import_capture
from foliot.model.errors import FoliotError, UsageError
from foliot.scope import gtkwave, signals, vcd
from foliot.scope.analysis import analyse
from foliot.scope.signals import Recording

HEAD = """$timescale 10 ns $end
$scope module logic $end
$var wire 1 ! D0 $end
$var wire 1 " D1 $end
$var wire 1 # D2 $end
$var wire 1 $ D3 $end
$upscope $end
$enddefinitions $end
"""
PINS = ["thread_any=D0", "scheduler=D1", "queueing=D2", "thread_0=D3"]
US = 100  # steps of the file


def capture(
    path: Path, ticks: int = 4, beyond_us: float = 0, head: str = HEAD, begin_us: float = 0
) -> Path:
    """Write what a logic analyser makes of kernel-v1: 16 threads, 58 us every 8 ms.

    A switch takes 1.25 us. The capture goes on for `beyond_us` after the last whole tick,
    and begins at `begin_us`.
    """
    edges: list[tuple[float, str]] = []
    for tick in range(ticks + (beyond_us > 0)):
        now = 100 + 8000.0 * tick
        edges += [(now, '1"'), (now + 58, '0"')]
        for n in range(16):
            edges += [(now + 2 + 3.5 * n, "1#"), (now + 4.2 + 3.5 * n, "0#")]
        now += 60
        for n in range(16):
            work = 100 if n == 0 else 480
            edges += [(now, "1!"), (now + work, "0!")]
            edges += [(now, "1$"), (now + work, "0$")] if n == 0 else []
            now += work + 1.25
    end = 100 + 8000.0 * ticks + beyond_us
    low: dict[str, str] = {code: f"0{code}" for code in '!"#$'}
    for time, change in edges:
        if time <= begin_us:
            low[change[1]] = change
    lines = [head.rstrip("\n"), f"#{round(begin_us * US)}", *low.values()]
    for time, change in sorted(edges):
        if begin_us < time <= end:
            lines += [f"#{round(time * US)}", change]
    lines.append(f"#{round(end * US)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def imported(path: Path, capsys, pins: list[str] | None = None, tick: int | None = None):
    """Import a capture; return its figures as they were printed."""
    status = import_capture(path, PINS if pins is None else pins, tick, path.parent / "out", True)
    assert status == 0
    out = capsys.readouterr().out
    return dict(line.split(None, 1) for line in out.splitlines()), out


def test_four_pins_of_another_kernel_show_all_of_kernelperf(tmp_path, capsys):
    said, _ = imported(capture(tmp_path / "desk.vcd"), capsys)
    assert said["unit"] == "ns"
    assert said["tick"] == "8000000"
    assert said["ticks"] == "4"
    assert said["threads"] == "16"
    assert said["scheduler"] == "58000"
    assert said["queueing"] == "35200"
    assert said["scheduler_share"] == "0.00725"
    assert said["switch"] == "1250"
    assert said["switching_share"] == f"{15 * 1.25 / 8000:.6f}"
    assert said["release_jitter"] == "0"
    assert said["completion_jitter"] == "0"
    assert said["interrupt"] == "- (needs the pin isr)"
    assert (tmp_path / "out" / "desk.svg").exists()
    assert (tmp_path / "out" / "desk.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("beyond_us", [70, 500, 4000, 7999])
def test_a_tick_that_the_capture_cuts_off_is_left_out(tmp_path, capsys, beyond_us):
    said, out = imported(capture(tmp_path / "cut.vcd", 4, beyond_us), capsys)
    assert said["ticks"] == "4"
    assert "cut off" in out
    assert said["scheduler_share"] == "0.00725"
    assert said["completion_jitter"] == "0"


@pytest.mark.parametrize("begin_us", [120, 130.5, 159, 3000])
def test_a_capture_that_begins_within_a_round_is_measured_from_the_next(tmp_path, capsys, begin_us):
    said, _ = imported(capture(tmp_path / "late.vcd", 5, begin_us=begin_us), capsys)
    assert said["scheduler"] == "58000"
    assert said["ticks"] == "4"
    assert said["scheduler_share"] == "0.00725"
    assert said["switch"] == "1250"


def test_two_pins_leave_open_what_threads_do(tmp_path, capsys):
    said, _ = imported(capture(tmp_path / "two.vcd"), capsys, PINS[1:3])
    assert said["scheduler"] == "58000"
    assert said["scheduler_share"] == "0.00725"
    for name in ("switch", "switching_share", "release_offsets", "completion_jitter"):
        assert said[name].startswith("- (needs the pin"), name


def test_three_pins_without_any_thread_have_no_switch(tmp_path, capsys):
    said, _ = imported(capture(tmp_path / "three.vcd"), capsys, PINS[1:])
    assert said["release_offsets"] == "[60000, 60000, 60000, 60000]"
    assert said["switch"].startswith("-")
    assert said["release_jitter"].startswith("-")


def test_a_capture_of_one_release_needs_its_tick_told(tmp_path, capsys):
    file = capture(tmp_path / "one.vcd", 1)
    with pytest.raises(FoliotError, match="one release only"):
        import_capture(file, PINS, None, tmp_path / "out", True)
    said, _ = imported(file, capsys, tick=8_000_000)
    assert said["ticks"] == "1"
    assert said["switch"] == "1250"


def test_a_long_capture_is_reported_in_lines_that_fit(tmp_path, capsys):
    said, out = imported(capture(tmp_path / "long.vcd", 60), capsys)
    assert said["ticks"] == "60"
    assert said["queued"] == "16 to 16 (60 values)"
    assert max(len(line) for line in out.splitlines()) <= 100


def test_a_close_up_has_lengths_and_says_that_it_has_no_tick(tmp_path, capsys):
    said, out = imported(capture(tmp_path / "zoom.vcd", 0, 2000), capsys, tick=8_000_000)
    assert said["ticks"] == "0"
    assert said["scheduler"] == "58000"
    assert said["switch"] == "1250"
    assert said["scheduler_share"] == "- (needs a whole tick)"
    assert "cut off" in out


@pytest.mark.parametrize(
    ("pins", "said"),
    [
        (["scheduler=D9"], "no signal D9"),
        (["scheduler"], "--pin takes"),
        (["clock=D0"], "--pin takes"),
        (["scheduler=D1", "scheduler=D2"], "names scheduler twice"),
        (["scheduler=D1", "queueing=D1"], "gives D1 to scheduler and to queueing"),
        ([], "shows no scheduler and no queueing"),
        (["scheduler=D1"], "shows no queueing"),
    ],
)
def test_pins_that_do_not_fit_are_refused(tmp_path, pins, said):
    file = capture(tmp_path / "desk.vcd")
    with pytest.raises(UsageError, match=said):
        import_capture(file, pins, None, tmp_path / "out", quiet=True)


@pytest.mark.parametrize("content", [b"", b"\x00\xff nonsense", b"$var wire"])
def test_what_is_no_vcd_is_refused(tmp_path, content):
    (tmp_path / "x.vcd").write_bytes(content)
    with pytest.raises(FoliotError):
        import_capture(tmp_path / "x.vcd", PINS, None, tmp_path / "out", quiet=True)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "holds no changes"),
        ('#0\n0!\n0"\n0#\n0$\n#900\n', "never rises"),
        ('#0\n1!\n1"\n1#\n1$\n#900\n', "no scheduler that queues"),
    ],
)
def test_an_empty_capture_is_called_that(tmp_path, body, said):
    (tmp_path / "x.vcd").write_text(HEAD + body)
    with pytest.raises(FoliotError, match=said):
        import_capture(tmp_path / "x.vcd", PINS, None, tmp_path / "out", quiet=True)


def test_times_of_which_nobody_says_what_they_are_are_refused(tmp_path):
    head = HEAD.replace("$timescale 10 ns $end\n", "")
    with pytest.raises(FoliotError, match="timescale"):
        import_capture(capture(tmp_path / "x.vcd", head=head), PINS, None, tmp_path / "o", True)


@pytest.mark.parametrize(("scale", "tick"), [("1 us", 800_000_000), ("100 ps", 80_000)])
def test_the_timescale_is_honoured(tmp_path, capsys, scale, tick):
    said, _ = imported(capture(tmp_path / "x.vcd", head=HEAD.replace("10 ns", scale)), capsys)
    assert said["tick"] == str(tick)


def test_one_name_in_two_scopes_is_asked_about(tmp_path, capsys):
    head = HEAD.replace("$upscope $end\n", "$upscope $end\n$scope module b $end\n"
                        "$var wire 1 % D1 $end\n$upscope $end\n")  # fmt: skip
    file = capture(tmp_path / "x.vcd", head=head)
    with pytest.raises(UsageError, match=r"say which, b\.D1 or logic\.D1"):
        import_capture(file, PINS, None, tmp_path / "out", True)
    pins = [pin.replace("=D1", "=logic.D1") for pin in PINS]
    assert imported(file, capsys, pins)[0]["scheduler"] == "58000"


@pytest.mark.parametrize("unit", ["cycles", "insn", "ns"])
def test_a_vcd_comes_back_as_it_was_written_and_in_its_unit(tmp_path, unit):
    before = Recording(unit, 0, recording().end, recording().pulses)
    vcd.write_vcd(before, tmp_path / "a.vcd")
    after = vcd.from_vcd(tmp_path / "a.vcd")
    assert after.unit == unit
    assert {name: found for name, found in after.pulses.items() if found} == before.pulses


@pytest.mark.parametrize("lost", ["comment", "scope"])
def test_instructions_never_become_nanoseconds(tmp_path, capsys, lost):
    """By the comment or by the scope's name, where a viewer that saves it loses the other."""
    file = tmp_path / "insn.vcd"
    vcd.write_vcd(Recording("insn", 0, recording().end, recording().pulses), file)
    text = file.read_text()
    assert "$timescale 1 ns $end" in text
    assert "one step is one instruction" in text
    if lost == "comment":
        text = "\n".join(line for line in text.splitlines() if "$comment" not in line)
    else:
        text = text.replace(vcd.STEPS["insn"].scope, "top")
    file.write_text(text)
    said, out = imported(file, capsys, [])
    assert said["unit"] == "insn"
    assert said["tick"] == str(TICK)
    assert said["switch"] == str(SWITCH)
    assert "no times" in out
    svg = (tmp_path / "out" / "insn.svg").read_text()
    assert "insn a division" in svg
    assert " ns" not in svg
    assert " us" not in svg


def test_two_recordings_that_are_the_same_are_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        vcd.write_vcd(recording(), tmp_path / name / "x.vcd")
        gtkwave.write(recording(), analyse(recording(), TICK), tmp_path / name / "x.gtkw")
    for file in ("x.vcd", "x.gtkw"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    assert "$date" not in (tmp_path / "a" / "x.vcd").read_text()


def test_the_save_file_has_colours_order_and_markers(tmp_path):
    whole = recording()
    gtkwave.write(whole, analyse(whole, TICK), tmp_path / "x.gtkw")
    text = (tmp_path / "x.gtkw").read_text()
    assert '[dumpfile] "x.vcd"' in text
    lines = text.splitlines()
    shown = [line for line in lines if line.startswith("foliot.")]
    assert shown[:4] == [f"foliot.{name}" for name in signals.FOUR]
    assert [lines[lines.index(name) - 1] for name in shown[:4]] == [
        "[color] 3", "[color] 1", "[color] 5", "[color] 4",
    ]  # fmt: skip
    # GTKWave multiplies a file's steps by its timescale's number: markers are in ns here.
    run = analyse(whole, TICK).full_run.pulse
    gap = analyse(whole, TICK).switches[0]
    assert f" {run.start * 10} {run.end * 10} {gap.start * 10} {gap.end * 10} -1" in text

# SPDX-License-Identifier: Apache-2.0
"""The VCD: names, times, windows."""

NAMES = [
    "thread_any", "scheduler", "queueing", "isr", "syscall", *(f"thread_{n}" for n in range(16))
]  # fmt: skip


def read(path):
    """(header lines, [(time, name, level)], last time) of a VCD."""
    header, _, body = path.read_text().partition("$enddefinitions $end\n")
    names = {}
    for line in header.splitlines():
        if line.startswith("$var"):
            _, kind, width, key, name, _ = line.split()
            assert (kind, width) == ("wire", "1")
            names[key] = name
    time, changes = None, []
    for line in body.splitlines():
        if line.startswith("#"):
            time = int(line[1:])
        elif not line.startswith("$"):
            changes.append((time, names[line[1:]], int(line[0])))
    return header, list(names.values()), changes, time


def test_signals(passes, tmp_path):
    vcd = tmp_path / "signals.vcd"
    run = passes("signals", "--vcd", vcd)
    ((start, pins),) = run.numbers
    header, names, changes, end = read(vcd)
    assert "$timescale 10 ns $end" in header
    assert "$scope module foliot $end" in header
    assert names == NAMES
    assert pins == 1 << 31
    assert changes[: len(NAMES)] == [(0, name, 0) for name in NAMES]
    # The store behind the reading of the clock acts one clock later, and shows in the next.
    first = start + 2
    assert changes[len(NAMES) :] == [
        (first, "thread_any", 1),
        (first + 11, "isr", 1),
        (first + 17, "thread_any", 0),
        (first + 19, "isr", 0),
        (first + 19, "thread_15", 1),
    ]
    assert end == run.stop["cycle"]


def test_window(passes, tmp_path):
    whole, part = tmp_path / "whole.vcd", tmp_path / "part.vcd"
    passes("signals", "--vcd", whole)
    first = read(whole)[2][len(NAMES)][0]
    passes("signals", "--vcd", part, "--vcd-from", first + 11, "--vcd-to", first + 18)
    _, _, changes, end = read(part)
    levels = {name: level for time, name, level in changes[: len(NAMES)] if time == first + 11}
    assert levels == {name: int(name in ("thread_any", "isr")) for name in NAMES}
    assert changes[len(NAMES) :] == [(first + 17, "thread_any", 0)]
    assert end == first + 18


def test_window_behind_the_end(passes, tmp_path):
    vcd = tmp_path / "none.vcd"
    passes("signals", "--vcd", vcd, "--vcd-from", 10**9)
    assert read(vcd)[2:] == ([], None)

# SPDX-License-Identifier: Apache-2.0
"""The strict reader: golden logs of each kind, and logs that are wrong in one place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import logs
from foliot.log.reader import parse
from foliot.model.errors import LogError

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = [131] + [118] * 985 + [119] * 14
ROWS = [
    logs.row("semaphore.take.blocking.k_to_k", SAMPLES, "Take a semaphore (context switch)"),
    logs.row("heap.free.immediate", [-1, 57, 58], "Average time for heap free"),
]
GOOD = logs.log(ROWS, boot="*** Foliot, 3 threads ***\n\n").encode()


def golden(name: str) -> bytes:
    return (GOLDEN / f"{name}.log").read_bytes()


def test_complete_log():
    run = parse(golden("complete"))
    assert (run.header.board, run.header.suite, run.header.unit) == ("ibex", "latency", "cycles")
    assert run.successful and run.valid
    row = run.row("semaphore.take.blocking.k_to_k")
    assert row is not None
    assert (row.n, row.first, row.min, row.p50, row.p90, row.p99, row.max) == (
        1000, 131, 118, 118, 118, 119, 131,
    )  # fmt: skip
    assert row.mean == pytest.approx(118.027)
    assert row.evidence == {"switches": 1000, "blocked": 1000}


def test_instructions_have_their_own_human_line():
    run = parse(golden("insn"))
    assert run.header.unit == "insn"
    assert run.rows[0].p50 == 17


def test_failed_row_stays_and_makes_the_run_invalid():
    run = parse(golden("failure"))
    assert [failure.reason for failure in run.failures] == ["the waiter never blocked"]
    assert not run.successful
    assert not run.valid


def test_buckets_need_not_be_exact():
    row = parse(golden("buckets")).rows[0]
    assert row.buckets
    assert (row.min, row.max, row.mean) == (1001, 4003, 2000.25)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("truncated", "cut off: 1 row and no end record"),
        ("truncated_end", "'PROJECT EXECUTION', is missing"),
        ("garbled", "the checksum is"),
        ("garbled_json", "line 5: a record that is not JSON"),
        ("garbled_human", "reads 119, its record says 118"),
        ("lines_lost", "lines are missing"),
        ("restart", "the target restarted"),
        ("fault", "died of a fault"),
        ("contradiction", "contradicts itself: the histogram's counts don't add up to n"),
        ("schema", "schema 2, this lab reads schema 1"),
        ("published", "no '@foliot' header"),
    ],
)
def test_refused_golden_logs(name: str, said: str):
    with pytest.raises(LogError) as refusal:
        parse(golden(name))
    assert said in refusal.value.message
    assert "\n" not in refusal.value.message


@pytest.mark.slow
@given(cut=st.integers(0, len(GOOD) - 2))
@example(cut=0)
@settings(max_examples=400, deadline=None)
def test_a_log_cut_anywhere_is_refused(cut: int):
    with pytest.raises(LogError):
        parse(GOOD[:cut])


@pytest.mark.slow
@given(place=st.integers(0, len(GOOD) - 2), value=st.integers(0, 255))
@settings(max_examples=600, deadline=None)
def test_a_garbled_byte_never_changes_a_figure(place: int, value: int):
    """A changed byte outside of the records can go unnoticed, but changes no record."""
    garbled = GOOD[:place] + bytes([value]) + GOOD[place + 1 :]
    try:
        run = parse(garbled)
    except LogError:
        return
    assert run == parse(GOOD)


@given(st.binary(max_size=400))
@settings(max_examples=300, deadline=None)
def test_noise_is_refused_in_one_line(noise: bytes):
    with pytest.raises(LogError) as refusal:
        parse(noise)
    assert "\n" not in refusal.value.message


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
        max_leaves=6,
    ),
    st.sampled_from(sorted(ROWS[0])),
)
@settings(max_examples=400, deadline=None)
def test_any_value_in_any_key_is_read_or_refused(value: object, key: str):
    log = logs.log([{**ROWS[0], key: value}], human=False)
    try:
        parse(log)
    except LogError as refusal:
        assert "\n" not in refusal.message


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**400])
def test_numbers_beyond_64_bits_are_refused(number: int):
    with pytest.raises(LogError, match=r"'overhead' is .*, outside of"):
        parse(logs.log([{**ROWS[0], "overhead": number}]))


@pytest.mark.parametrize("text", ['{"type":"row","type":"row"}', '{"a":NaN}', "[" * 20000, "7"])
def test_json_that_no_firmware_writes(text: str):
    with pytest.raises(LogError, match="line 1: "):
        parse(f"@foliot {text}\n")


def test_a_row_twice():
    with pytest.raises(LogError, match="stands twice"):
        parse(logs.log([ROWS[0], ROWS[0]]))


def test_a_record_after_the_end():
    with pytest.raises(LogError, match="after the end record"):
        parse(GOOD.decode() + logs.machine_line(ROWS[0]))


def test_outcome_must_fit_the_rows():
    with pytest.raises(LogError, match="one of them is wrong"):
        parse(GOOD.replace(b"SUCCESSFUL", b"FAILED"))


def test_carriage_returns_are_no_garbling():
    assert parse(GOOD.replace(b"\n", b"\r\n")) == parse(GOOD)


def test_unknown_keys_and_records_are_kept():
    extended = {**ROWS[0], "batch": 10}
    run = parse(logs.log([extended, {"type": "signals", "names": ["isr"], "events": []}]))
    assert run.rows[0].extra == {"batch": 10}
    assert run.records[0]["names"] == ["isr"]

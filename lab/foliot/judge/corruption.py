# SPDX-License-Identifier: Apache-2.0
"""Doubts about what happened to figures on their way: in a terminal, a page, on a serial line.

A row is printed twice over, in cycles and in nanoseconds, and all rows of a run share one
clock: so a digit that was lost or changed, and figures that were exchanged, show. An id is
known, and so is the text beside it. And what was refused is reported, however little it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from foliot.judge import decode
from foliot.judge.checks import Context, for_row, for_run, is_printed
from foliot.model.figures import FASTEST_HZ, SLOWEST_HZ, agrees, implied_hz
from foliot.model.run import Doubt, Row, Run
from foliot.reference import rows
from foliot.reference.systems import published

_SIBLINGS_DECIDE = math.log(1.6)
_ALL_AGREE = 0.8
_LIKE = 2  # letters by which an id may differ from the one that it was
_MOST_TOLD = 5
_FEW = 10  # less than one row in so many

# Of versions that printed no ids: they are made of texts, and not all rows were there yet.
BY_TEXT = "latency_measure, texts only"


@for_row
def _of_two_clocks(row: Row, run: Run) -> Iterator[Doubt]:
    """Find a row whose cycles and ns are not of the run's clock, and say which is likely right."""
    hz = run.header.clock_measured_hz
    if not is_printed(run) or run.header.unit != "cycles" or not hz or agrees(row, hz):
        return
    ns = row.ns or 0
    of_ns = round((ns + 0.5) * hz / 1e9, 1) if ns else 0.0
    told = f"{row.p50:.0f} cycles and {ns:.0f} ns are not of the {hz / 1e6:g} MHz of its siblings"
    advice = "a digit was lost or changed on the way: look at the source, or measure again"
    if agrees(_exchanged(row), hz):
        yield Doubt("figures-disagree", f"{told}: the two are exchanged", advice, row.id,
                    invalidates=True, reading=row.ns)  # fmt: skip
        return
    supported = _supported(row, of_ns, run)
    if supported == "cycles":
        yield Doubt("figures-disagree", f"{told}; the siblings support the cycles", advice, row.id)
    elif supported == "ns":
        yield Doubt("figures-disagree", f"{told}; the siblings support the ns: {of_ns:g} cycles",
                    advice, row.id, invalidates=True, reading=of_ns)  # fmt: skip
    else:
        yield Doubt("figures-disagree", f"{told}; which of them is right is not clear", advice,
                    row.id, invalidates=True)  # fmt: skip


def _exchanged(row: Row) -> Row:
    from dataclasses import replace

    return replace(row, p50=row.ns or 0, ns=row.p50)


def _supported(row: Row, of_ns: float, run: Run) -> str:
    """Return which of a row's figures is near what its siblings predict: clearly nearer."""
    expected = decode.predicted(run).get(row.id)
    if not expected or row.p50 <= 0 or of_ns <= 0:
        return ""
    cycles, ns = (abs(math.log(value / expected)) for value in (row.p50, of_ns))
    if abs(cycles - ns) < _SIBLINGS_DECIDE or min(cycles, ns) > math.log(decode.FAR):
        return ""
    return "cycles" if cycles < ns else "ns"


@for_run
def _clock(run: Run, context: Context) -> Iterator[Doubt]:
    """Find figures that are of no clock, or of one that can't be."""
    timed = [row for row in run.rows if row.ns and row.p50 > 0]
    if not is_printed(run) or run.header.unit != "cycles" or not timed:
        return
    hz = implied_hz(run.rows)
    if hz is None:
        yield Doubt(
            "clock-none",
            f"the cycles and ns of {len(timed)} rows are of no common clock",
            "rows of several logs, or damaged ones: import each log by itself",
            invalidates=True,
        )
        return
    declared = run.header.clock_hz
    exchanged = declared and abs(1e18 / hz - declared) < 0.01 * declared < abs(hz - declared)
    if exchanged or not SLOWEST_HZ <= hz <= FASTEST_HZ:
        yield from _impossible(run, hz)
        return
    agreeing = sum(agrees(row, hz) for row in timed)
    if agreeing < _ALL_AGREE * len(timed):
        yield Doubt(
            "clock-unclear",
            f"only {agreeing} of {len(timed)} rows are of one clock, {hz / 1e6:g} MHz",
            "rows of several logs, or many damaged ones: import each log by itself",
        )


def _impossible(run: Run, hz: float) -> Iterator[Doubt]:
    """Say of each row that its figures are exchanged, where that gives a clock."""
    other = implied_hz([_exchanged(row) for row in run.rows]) or 1e18 / hz
    plausible = SLOWEST_HZ <= other <= FASTEST_HZ
    text = f"cycles and ns imply a clock of {hz / 1e6:g} MHz, which is none"
    if plausible:
        text += f"; exchanged, they are of {other / 1e6:.6g} MHz"
    for row in run.rows:
        yield Doubt(
            "clock-impossible", text, "look at the source: which figure is which?", row.id,
            invalidates=True, reading=row.ns if plausible else None,
        )  # fmt: skip


@for_run
def _few_rows(run: Run, context: Context) -> Iterator[Doubt]:
    """Say how much is missing where it is most."""
    wanted = rows.expected(run.header.suite, run.header.configuration)
    present = {row.id for row in run.rows} | {failure.id for failure in run.failures}
    found = sum(1 for row_id in wanted if row_id in present)
    if (
        is_printed(run)
        and run.origin.format == "latency_measure"
        and 2 * len(run.rows) < len(wanted)
    ):
        yield Doubt(
            "rows-few",
            f"{found} of the {len(wanted)} rows that this benchmark prints are here",
            "the log was cut, or is a part of one: what is here is as it was printed",
        )


@for_run
def _refused(run: Run, context: Context) -> Iterator[Doubt]:
    refused = run.origin.refused
    if not refused:
        return
    count = len(refused) + sum(one.more for one in refused)
    told = "; ".join(f"line {one.line}: {one.reason}" for one in refused[:_MOST_TOLD])
    more = f"; and {count - _MOST_TOLD} more" if count > _MOST_TOLD else ""
    looks = "line looks like a row and was" if count == 1 else "lines look like rows and were"
    yield Doubt(
        "rows-refused",
        f"{count} {looks} not taken: {told}{more}",
        "put them right in the source, if they are not prose, and import again",
    )


@for_run
def _torn(run: Run, context: Context) -> Iterator[Doubt]:
    again = run.header.extra.get("torn")
    if again:
        yield Doubt(
            "run-torn",
            f"'{again}' came again with no end of a run before it: lines stand there twice, or two "
            "logs run into one another",
            "rows of different runs may be mixed here: import each log by itself",
        )


@for_row
def _corrupted(row: Row, run: Run) -> Iterator[Doubt]:
    if row.extra.get("damaged"):
        yield Doubt("line-damaged", str(row.extra["damaged"]),
                    "the figures may be another row's: look at the source", row.id)  # fmt: skip
    if row.extra.get("twice"):
        yield Doubt("line-twice", "the row stands there more than once, with the same figures",
                    "it was taken once", row.id)  # fmt: skip


@for_run
def _broken_ids(run: Run, context: Context) -> Iterator[Doubt]:
    """Find ids that no catalogue knows, or that have no place here, beside a missing one."""
    wanted = rows.expected(run.header.suite, run.header.configuration)
    if not run.published or run.origin.format == BY_TEXT:
        return
    if not wanted:
        yield from _ids_over_known_texts(run)
        return
    present = {row.id for row in run.rows} | {failure.id for failure in run.failures}
    missing = [row_id for row_id in wanted if row_id not in present]
    for row_id in sorted(present.difference(wanted)):
        known = row_id in _known()
        was = _nearest(row_id, missing if known else [*missing, *sorted(_known())])
        if not was and not known and missing:
            yield Doubt(
                "id-unknown",
                "no catalogue knows this id, and rows that should be here are missing",
                "look at the source; the figures may be right",
                row_id,
            )
        if was:
            yield Doubt(
                "id-broken",
                f"the id is probably that of {was}, broken: "
                + ("it has no place in this configuration" if known else "no catalogue knows it"),
                "look at the source; the figures may be right",
                row_id,
                invalidates=True,
            )


def _ids_over_known_texts(run: Run) -> Iterator[Doubt]:
    """Find ids that no catalogue knows over the very texts of rows that are known.

    Where all ids of a log are broken alike, nothing else shows that it is this benchmark's.
    """
    if run.origin.format != "latency_measure":
        return
    for row in run.rows:
        owner = _owners().get(_letters(row.text), "")
        if row.id not in _known() and owner:
            yield Doubt(
                "id-broken",
                f"no catalogue knows the id, and its text is that of {owner}",
                "look at the source; the figures may be right",
                row.id,
            )


@cache
def _owners() -> Mapping[str, str]:
    """Map what rows are called, letters only, to an id of that text."""
    return {text: row_id for row_id, texts in texts_of_ids().items() for text in texts}


@for_run
def _strange_texts(run: Run, context: Context) -> Iterator[Doubt]:
    """Find rows whose text is not theirs, where most rows of the run have their own."""
    if not is_printed(run) or run.origin.format != "latency_measure":
        return
    known = [row for row in run.rows if row.id in texts_of_ids()]
    strange = [
        row
        for row in known
        if _letters(row.text) not in texts_of_ids()[row.id] or not _is_closed(row.text)
    ]
    # A version may write its texts otherwise; a few rows that do are damaged.
    otherwise = [row for row in known if row not in strange and not _is_verbatim(row)]
    strange += otherwise if _FEW * len(otherwise) < len(known) else []
    for row in strange if 2 * len(strange) < len(known) else ():
        yield Doubt(
            "text-strange",
            f"'{row.text[:60]}' is not what this row is called: two lines may have run into one",
            "the figures may be another row's: look at the source",
            row.id,
        )


def _is_closed(text: str) -> bool:
    """Whether each bracket that opens is closed: the end of another row's text seldom fits."""
    return text.count("(") == text.count(")")


def _is_verbatim(row: Row) -> bool:
    """Whether a row's text is, but for spaces, one that its id is known under."""
    return "".join(row.text.split()) in _verbatim()[row.id]


@cache
def _verbatim() -> Mapping[str, frozenset[str]]:
    """Map ids to what they are called in any version that is known, without spaces."""
    found: dict[str, set[str]] = {}
    named = [(row.id, row.text) for row in rows.catalogue()]
    named += [(row.id, row.text) for run in published() for row in run.rows]
    for row_id, text in named:
        found.setdefault(row_id, set()).add("".join(text.split()))
    return {row_id: frozenset(texts) for row_id, texts in found.items()}


@lru_cache(maxsize=4096)
def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha())


@cache
def texts_of_ids() -> Mapping[str, frozenset[str]]:
    """Map ids to what they are called in any version that is known, letters only."""
    found: dict[str, set[str]] = {}
    named = [(row.id, row.text) for row in rows.catalogue()]
    named += [(row.id, row.text) for run in published() for row in run.rows]
    for row_id, text in named:
        found.setdefault(row_id, set()).add(_letters(text))
    return {row_id: frozenset(texts) for row_id, texts in found.items()}


@cache
def _known() -> frozenset[str]:
    ids = {row.id for row in rows.catalogue()}
    return frozenset(ids | {row.id for run in published() for row in run.rows})


def _nearest(row_id: str, candidates: Sequence[str]) -> str:
    """Return the id that this one was before it lost its beginning, or a letter or two."""
    for other in candidates:
        if row_id != other and (other.endswith(row_id) or row_id.endswith(other)):
            return other
    for other in candidates:
        if abs(len(other) - len(row_id)) <= _LIKE and _are_like(row_id, other):
            return other
    return ""


@lru_cache(maxsize=65536)
def _are_like(one: str, other: str) -> bool:
    """Whether a letter or two changed, added or taken away make one the other."""
    before = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        now = [place]
        for column, there in enumerate(other, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != there)))
        if min(now) > _LIKE:
            return False  # it only grows
        before = now
    return before[-1] <= _LIKE

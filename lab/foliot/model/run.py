# SPDX-License-Identifier: Apache-2.0
"""What a run is, in one place: everything in the lab that holds results holds these.

The classes carry no behaviour beyond what follows from their own fields, know neither
where a figure came from nor how it will be shown, and are frozen: a result is a fact.
Counts are in the run's unit (`cycles` or `insn`) throughout, never in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Histogram = tuple[tuple[int, int], ...]

# Doubts that leave a row's median as good as it was: they are about its slowest samples, about
# its name, or about what somebody else says of it.
NOT_OF_THE_MEDIAN = frozenset({
    "batch", "few-samples", "id-unknown", "line-twice", "outlier", "summary-differs", "tick",
})  # fmt: skip

# The statistics of a row, by their fields' names.
STATISTICS = ("first", "min", "p50", "p90", "p99", "max", "max_index", "mean")


@dataclass(frozen=True, slots=True)
class Doubt:
    """One named reason not to trust a figure, with what to do about it.

    `row` is None where the doubt is about the run. A doubt that `invalidates` says that
    the figure as printed is wrong: it makes `bench` fail, and comparisons leave the figure
    out, or take the `reading` in its place: what the figure really is, in the run's unit,
    where that can be told. The other doubts are printed and kept.
    """

    name: str
    text: str
    advice: str
    row: str | None = None
    invalidates: bool = False
    reading: float | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """Another system's figure for the same row, in the same unit.

    A `doubted` one is shown with its mark, and in no mean.
    """

    name: str
    value: float
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """The full record of one measured operation.

    Values have had `overhead` subtracted, signed. `histogram` holds (value, count)
    in rising order; with `buckets` the values are the lower bounds of log-linear
    buckets instead, and min, max and mean are still exact. `first` is the cold
    sample. Imported rows that are a single published figure have n = 1, and `ns` where
    their source gave the same figure in nanoseconds too. Our own firmware counts in whole
    units; other systems' figures may have a fraction. Where another system gives some
    statistics and not others, `extra["told"]` names those it gives, with spaces between, and
    the fields of the others hold the figure itself: ask `told` before showing one.
    """

    id: str
    text: str
    n: int
    first: float
    min: float
    p50: float
    p90: float
    p99: float
    max: float
    max_index: int
    mean: float
    overhead: float
    histogram: Histogram
    evidence: Mapping[str, int]
    doubts: tuple[str, ...] = ()
    buckets: bool = False
    floor: float | None = None
    reference: Reference | None = None
    ns: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def single(self) -> bool:
        """Whether this is one figure, of whose distribution nothing is known."""
        return self.n == 1 and "told" not in self.extra

    def told(self, name: str) -> float | None:
        """Return a statistic by its field's name; None where nobody told it.

        One figure is its own median, and has no other statistic.
        """
        given = self.extra.get("told")
        known = name == "p50" if self.single else given is None or name in str(given).split()
        value: float | None = getattr(self, name) if known else None
        return value

    @property
    def floor_ratio(self) -> float | None:
        """p50 over the floor's p50; None where there is no (positive) floor."""
        return self.p50 / self.floor if self.floor and self.floor > 0 else None

    @property
    def reference_ratio(self) -> float | None:
        """p50 over the reference; None where there is no (positive) reference."""
        if self.reference is None or self.reference.value <= 0:
            return None
        return self.p50 / self.reference.value


@dataclass(frozen=True, slots=True)
class Failure:
    """A row that the target could not measure, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Header:
    """How a run was made, as the firmware states it."""

    suite: str
    kernel_commit: str
    dirty: bool
    board: str
    core: str
    unit: str
    clock_hz: int
    clock_measured_hz: int
    counter: Mapping[str, Any]
    memory: str
    compiler: str
    flags: str
    configuration: tuple[str, ...]
    config_sha256: str
    assertions: bool
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """What the target said when a fatal error struck it; addresses are integers."""

    reason: str
    cause: str
    pc: int
    thread: int
    in_isr: bool
    registers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Footprint:
    """What the firmware weighs, in bytes.

    `kernel_text` counts kernel/, arch/ and drivers/ only; `data` and `bss` are the
    same objects' shares; `objects` maps a control block's name (thread, semaphore,
    mutex...) to its size; `image` is the whole image's (text, data, bss).
    """

    kernel_text: int
    data: int
    bss: int
    objects: Mapping[str, int]
    image: tuple[int, int, int] = (0, 0, 0)

    def weights(self) -> dict[str, int]:
        """Return what is gated and followed over commits, by names like those of rows."""
        kernel = {"text": self.kernel_text, "data": self.data, "bss": self.bss}
        return {f"footprint.{name}": size for name, size in {**kernel, **self.objects}.items()}


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure that a document's own summary gives for a row of one of its runs.

    `item` is the summary's word for the row, `value` the figure as printed, None where
    the summary has none. `elsewhere` names another row or run of the document that has
    this very figure, where it is not the row's own.
    """

    item: str
    row: str
    value: float | None
    elsewhere: str = ""
    step: float = 0.0  # of a figure in µs or ms: what its last digit is worth, in ns

    def is_of(self, row: Row) -> bool:
        """Whether this is a row's figure, as far as its digits go."""
        if self.value is None:
            return False
        if self.step and row.ns is not None:
            return abs(self.value - row.ns) < self.step
        return self.value in (row.ns, row.p50)


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that looks like a row and was not taken: where it stands, why, and its text.

    `more` further ones are like it; of very many, only the first are kept.
    """

    line: int
    reason: str
    text: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a run comes from; what is not known is empty.

    Of a measured run: the image (`build_id`), what ran it (`emulator` with its version,
    `command`) and the hash of its log. Of any other: the kernel and the version that its
    boot banner names, the document (`source`, and which `lines` of it), the reader that
    understood it (`format`), what the document says of the `device` (core, clock, RAM...),
    what its own summary says (`summary`), and the lines within this run that look like rows
    and were not taken (`refused`).
    """

    kernel: str = ""
    kernel_version: str = ""
    title: str = ""
    source: str = ""
    lines: tuple[int, int] | None = None
    format: str = ""
    build_id: str = ""
    emulator: str = ""
    command: tuple[str, ...] = ()
    log_sha256: str = ""
    device: Mapping[str, str] = field(default_factory=dict)
    summary: tuple[Cell, ...] = ()
    refused: tuple[Refused, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One suite, measured once, on one board, in one configuration.

    The rows of a `foreign` run are single figures that another kernel's benchmark printed:
    n is 1, and there is neither a distribution nor evidence.
    """

    header: Header
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...] = ()
    successful: bool = True
    footprint: Footprint | None = None
    doubts: tuple[Doubt, ...] = ()
    records: tuple[Mapping[str, Any], ...] = ()
    published: bool = False
    origin: Origin = Origin()

    def row(self, row_id: str) -> Row | None:
        """Return the row of that id, or None."""
        return next((row for row in self.rows if row.id == row_id), None)

    @property
    def valid(self) -> bool:
        """True where every row was measured and no doubt invalidates the run."""
        trusted = not any(doubt.invalidates for doubt in self.doubts)
        return self.successful and not self.failures and bool(self.rows) and trusted

    def values(self) -> dict[str, float]:
        """Map row ids to the figures to reckon with.

        Median by median: the doubt's reading where the printed figure is wrong, and no
        entry where nobody knows.
        """
        return {row.id: value for row, value in self.figures() if value is not None}

    def figures(self) -> list[tuple[Row, float | None]]:
        """Return each row with its figure to reckon with: None where nobody knows it."""
        wrong = self._wrong()
        return [(row, wrong.get(row.id, row.p50)) for row in self.rows]

    def figure(self, row: Row) -> float | None:
        """Return one row's figure to reckon with: None where nobody knows it."""
        return self._wrong().get(row.id, row.p50)

    def _wrong(self) -> dict[str | None, float | None]:
        """Map the rows whose figures are wrong as printed to what they really are."""
        return {doubt.row: doubt.reading for doubt in self.doubts if doubt.invalidates}

    def trusted(self) -> dict[str, float]:
        """Map row ids to the figures that may be in a mean: positive, and doubted by nobody.

        A figure that was wrong as printed is in it with what it really is, where that is known.
        """
        reasons: dict[str, set[str]] = {row.id: {*row.doubts} for row in self.rows}
        decoded: dict[str, set[str]] = {}
        for doubt in self.doubts:
            if doubt.row in reasons:
                reasons[doubt.row].add(doubt.name)
                if doubt.invalidates and doubt.reading is not None:
                    decoded.setdefault(doubt.row, set()).add(doubt.name)
        return {
            row_id: value
            for row_id, value in self.values().items()
            if value > 0 and reasons[row_id] <= NOT_OF_THE_MEDIAN | decoded.get(row_id, set())
        }

    def floor_ratios(self) -> list[float]:
        """Return the rows' figures over their floor: of those rows that may be in a mean."""
        known = self.trusted()
        return [
            known[row.id] / row.floor
            for row in self.rows
            if row.id in known and row.floor and row.floor > 0
        ]

    def reference_ratios(self) -> list[float]:
        """Return the rows' figures over their reference, where neither is in doubt."""
        known = self.trusted()
        return [
            known[row.id] / row.reference.value
            for row in self.rows
            if row.id in known and row.reference and row.reference.value > 0
            and not row.reference.doubted
        ]  # fmt: skip

    def mark(self, row: Row) -> str:
        """Say what is to be known of a row's figure: decoded, unknown, doubtful; or nothing."""
        return self.marks().get(row.id, "")

    def marks(self) -> dict[str | None, str]:
        """Return that of all rows of which something is to be known, by their ids."""
        wrong = {row: "unknown" if reading is None else "decoded"
                 for row, reading in self._wrong().items()}  # fmt: skip
        return {doubt.row: "doubtful" for doubt in self.doubts} | wrong

    def with_rows(self, rows: Sequence[Row]) -> Run:
        """Return the same run with other rows (a floor or a reference joined on)."""
        return replace(self, rows=tuple(rows))


def percentile(histogram: Histogram, n: int, percent: int) -> int:
    """Nearest rank: the smallest value that at least `percent` % of n samples reach."""
    rank = max(1, -(-n * percent // 100))
    seen = 0
    for value, count in histogram:
        seen += count
        if seen >= rank:
            return value
    return histogram[-1][0]

# SPDX-License-Identifier: Apache-2.0
"""A document as it travels between stores: one line of JSON, behind it the log, compressed.

What names it is the SHA-256 of that line, which holds all that was recorded and the log's own
hash: whoever has the same document computes the same name, so that what is sent twice is there
once. The line has one form only: its reader makes it anew and compares. Whoever sends is not
trusted, neither by the server nor by who pulls from one: sizes, types and letters are checked.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from dataclasses import asdict, dataclass

from foliot.model import archive, metadata
from foliot.model.errors import FoliotError
from foliot.model.run import Run

SCHEMA = 1
MOST_BYTES = 64 << 20  # of a document with its log
MOST_RUNS = 10_000
MOST_ROWS = 100_000  # of all its runs
MOST_LETTERS = 500  # of a name
_ID = re.compile(r"[0-9a-f]{12}")
_HASH = re.compile(r"[0-9a-f]{64}|")
_WHEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
# What a terminal obeys, what turns the order of letters about, and halves of letters.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# What reading or judging raises where somebody made up what nobody measured.
NOT_SOUND = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Refused(FoliotError):
    """What came is not what foliot sends."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One run as the store keeps it: `facts` and `figures` as archive.py writes them."""

    id: str
    name: str
    facts: str
    figures: str

    def run(self) -> Run:
        """Return the run, checked, without its doubts; Refused where it is none."""
        try:
            told = [json.loads(self.facts), json.loads(self.figures)]
            found = archive.load(self.facts, self.figures)
            metadata.check(found)
            sound = isinstance(told[1], list) and not _is_unsafe(told)
        except (FoliotError, *NOT_SOUND):
            sound = False
        if not sound:
            raise Refused(f"run {self.id} is not what foliot writes")
        return found


@dataclass(frozen=True, slots=True)
class Document:
    """What was recorded at once; `recorded` is UTC in ISO 8601, `log_bytes` the log's size."""

    id: str
    recorded: str
    kind: str
    source: str
    log_sha256: str
    log_bytes: int
    runs: tuple[Recorded, ...]

    @property
    def line(self) -> bytes:
        """Return the one form in which it travels."""
        text = json.dumps(
            {"schema": SCHEMA, **asdict(self)}, ensure_ascii=False, sort_keys=True,
            separators=(",", ":"),
        )  # fmt: skip
        return text.encode("utf-8", "surrogatepass")

    @property
    def identity(self) -> str:
        """Return its name among all documents: 64 hexadecimal digits."""
        return hashlib.sha256(self.line).hexdigest()


def pack(document: Document, log: bytes) -> bytes:
    """Return the document and its log (empty where it is gone) as they are sent."""
    return zlib.compress(document.line + b"\n" + log, 6)


def unpack(sent: bytes, identity: str, most: int = MOST_BYTES) -> tuple[Document, bytes]:
    """Return a document and its log; Refused where they are not those of that identity.

    No more than `most` bytes are unpacked, whatever was sent.
    """
    opened = zlib.decompressobj()
    try:
        text = opened.decompress(sent, most + 1)
    except zlib.error:
        raise Refused("not a document: it can't be decompressed") from None
    if len(text) > most:
        raise Refused(f"the document is larger than {most >> 20} MiB")
    if not opened.eof or opened.unused_data:
        raise Refused("not a whole document")
    line, _, log = text.partition(b"\n")
    if hashlib.sha256(line).hexdigest() != identity:
        raise Refused("the document is another one than its name says")
    document = _parse(line)
    if log and (hashlib.sha256(log).hexdigest(), len(log)) != (
        document.log_sha256, document.log_bytes,
    ):  # fmt: skip
        raise Refused("the log is another one than the document says")
    return document, log


def _parse(line: bytes) -> Document:
    try:
        told = json.loads(line)
        runs = tuple(Recorded(**one) for one in told.pop("runs"))
        schema = told.pop("schema")
        document = Document(**told, runs=runs)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise Refused("not a document of foliot's") from None
    if schema != SCHEMA:
        raise Refused(f"a document of schema {str(schema)[:20]}: this foliot reads {SCHEMA}")
    _check(document)
    if document.line != line:
        raise Refused("not a document as foliot writes it")
    return document


def _check(document: Document) -> None:
    """Raise Refused where a field is not what it has to be."""
    words = [document.id, document.recorded, document.kind, document.source, document.log_sha256]
    for one in document.runs:
        words += [one.id, one.name, one.facts, one.figures]
    if not all(isinstance(word, str) for word in words) or type(document.log_bytes) is not int:
        raise Refused("a field of the document has the wrong type")
    ids = [document.id, *(one.id for one in document.runs)]
    names = [document.kind, document.source, *(one.name for one in document.runs)]
    right = (
        all(map(_ID.fullmatch, ids))
        and len(set(ids[1:])) == len(document.runs)
        and _HASH.fullmatch(document.log_sha256)
        and _WHEN.fullmatch(document.recorded)
        and document.kind in {"bench", "import"}
        and 0 < len(document.runs) <= MOST_RUNS
        and document.log_bytes >= 0
    )
    if not right:
        raise Refused("a field of the document is not what foliot writes")
    for name in names:
        check_name(name)


def check_name(name: str) -> None:
    """Refuse a name that is too long, or that a terminal or a page could take for something else.

    Raises Refused.
    """
    if len(name) > MOST_LETTERS or "\n" in name or "\t" in name or _UNSAFE.search(name):
        raise Refused("a name is too long, or has control characters in it")


def runs_of(document: Document) -> list[Run]:
    """Return all runs of a document, checked; Refused where one is not what foliot writes."""
    runs = [one.run() for one in document.runs]
    if sum(len(run.rows) for run in runs) > MOST_ROWS:
        raise Refused(f"the document has more than {MOST_ROWS} rows")
    for run in runs:
        header = run.header
        names = [header.suite, header.board, header.unit, header.kernel_commit, run.origin.kernel,
                 run.origin.kernel_version, *header.configuration]  # fmt: skip
        for name in [*names, *(row.id for row in run.rows)]:
            check_name(name)
    return runs


def _is_unsafe(value: object) -> bool:
    """Whether any text within what JSON held has letters that a terminal obeys."""
    if isinstance(value, str):
        return bool(_UNSAFE.search(value))
    if isinstance(value, list):
        return any(map(_is_unsafe, value))
    if isinstance(value, dict):
        return any(map(_is_unsafe, value)) or any(map(_is_unsafe, value.values()))
    return False

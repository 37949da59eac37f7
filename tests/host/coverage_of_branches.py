# SPDX-License-Identifier: Apache-2.0
"""Which branches of the portable kernel the tests take on the board `host`, and which they do not.

    .venv/bin/python tests/host/coverage_of_branches.py [--update | FILE...]

Programs of tests are built by clang with `--conf coverage` (arch/host/Kconfig), in the
configurations that have code of their own, and run; a branch counts as taken where any of them took
it. An inline function counts in each file that includes it and calls it. untaken.txt says of how
many in each function nothing does; of a FILE they are shown. MC/DC, each condition that decided by
itself, is printed beside it, and asked of nobody.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where it is not pytest that asks
import worlds

from support.chosen import choose

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "host" / "untaken.txt"
LLVM = ("llvm-profdata-19", "llvm-cov-19")
LIMIT_S = 120
KEPT = ROOT / "build" / "coverage"  # of an image and its words: a count that was cut off goes on
OBJECTS = (
    "thread", "sem", "mutex", "queue", "stack", "event", "heap", "timer", "msgq", "slab", "ipc",
    "pipe", "work", "poll", "mbox", "futex", "all",
)  # fmt: skip
MODEL = [
    *((how, what, str(seed), "1500") for how in ("model", "storm") for what in OBJECTS
      for seed in (1, 2, 3)),
    ("storm", "restart", "1", "1500"),
]  # fmt: skip
PLACES = [("wheel", "any", "3", "3000"), ("places", "msgq", "200", "1"),
          ("places", "msgq", "5", "1"), ("traversals", "any", "2", "1"),
          ("pollers", "any", "1", "1")]  # fmt: skip
CORPUS = [(str(ROOT / "tests" / "user" / "fuzz" / "corpus.txt"),)]
MISUSE = re.findall(r'^\t\{"([\w.-]+)", ', (ROOT / "tests/kernel/misuse/main.c").read_text("utf-8"),
                    re.MULTILINE)  # fmt: skip
ALL = "canaries,objcore,stackguard,timeslicing"


class Program(NamedTuple):
    """One that is built, and what it is run with."""

    app: str
    conf: str
    runs: Sequence[Sequence[str]] = ((),)  # words; NAME=N is a byte that is chosen in the image
    ends: Sequence[int] = (0,)  # with one of these


PROGRAMS: Sequence[Program] = (
    Program("host", "coverage", [*MODEL, *PLACES]),
    *(Program("host", f"coverage,{conf}", MODEL)
      for conf in ("deadline,metairq", "features", "open", "priorities", "robust", "slicing",
                   "slicing,features", "wide")),
    Program("host", "coverage,size", [words for words in MODEL if words[1] != "poll"]),
    *(Program("kernel", f"coverage{conf}")
      for conf in (",checked", ",features", ",robust", ",metairq", ",priorities", ",wide",
                   ",deadline,metairq", ",checked,small", ",small,wide", ",values", ",user",
                   ",guard", ",features,robust")),
    *(Program("ipc", f"coverage{conf}")
      for conf in ("", ",user", ",checked,small,user", ",timeslicing,features,robust,user",
                   ",deadline,metairq", ",priorities")),
    Program("kernel/faults", "coverage",
            [(f"first_fault={first}", f"last_fault={last}")
             for first, last in ((0, 0), (0, 6), (0, 7), (0, 4), (1, 4), (2, 4), (3, 4), (0, 5),
                                 (4, 9), (4, 10), (4, 11))],
            (1, 3)),  # 3: main() has ended, and nobody ends the run
    Program("kernel/faults", "coverage,small", [("last_fault=0",), ("last_fault=4",)], (1,)),
    Program("kernel/faults", "coverage,default_handler",
            [(f"last_fault={last}",) for last in (1, 2, 3, 8)], (1,)),
    Program("kernel/misuse", "coverage", [(kind,) for kind in MISUSE], (1,)),
    Program("kernel/message_faults", "coverage"),
    Program("kernel/message_faults", "coverage,isr", ends=(1,)),
    Program("user/fuzz", "coverage", CORPUS),
    *(Program("user", f"coverage{conf}")
      for conf in ("", ",checked,deadline", ",objcore,timeslicing,ipc")),
    Program("zephyr", "coverage"),
    *(Program(app, "coverage")
      for app in ("configurations/objects", "configurations/slicing", "configurations/ticks",
                  "periodic", "soak")),
    *(Program("periodic", f"coverage,{conf}")
      for conf in ("deadline,metairq", "small", "timeslicing", "wide")),
    Program("configurations/overflow", f"coverage,{ALL}", ends=(1,)),
    Program("configurations/slicing", "coverage,priorities"),
    *(Program("configurations/ticks", f"coverage,{conf}") for conf in ("fine", "slow")),
)  # fmt: skip

# Code that is compiled for its warnings alone is no branch: an assertion's that is not built in.
UNEVALUATED = ("include/foliot/assert.h", "((void)sizeof(")
EXPANSION = 1  # what llvm-cov calls a macro's use among a function's regions


class Place(NamedTuple):
    """A side of a branch. In a macro it is another one wherever that is used."""

    where: str  # the function's file
    function: str
    line: int  # in it
    column: int
    inside: tuple[str, int, int]  # of the macro: source, line, column; or of the above
    number: tuple[int, int]  # conditions of one place, as a macro's argument has them: n of m
    side: bool


class Sources:
    """Which use of a macro each of a function's numbered texts is."""

    def __init__(self, function: dict[str, Any]) -> None:
        """Look through its regions."""
        self.names: list[str] = function["filenames"]
        self._uses = {use: (line, column, by) for line, column, *_, by, use, kind in
                      function["regions"] if kind == EXPANSION}  # fmt: skip

    def root(self, file: int, line: int, column: int) -> tuple[int, int]:
        """Return where in the function's own file it is used."""
        while file in self._uses:
            line, column, file = self._uses[file]
        return line, column

    def is_evaluated(self, file: int, line: int) -> bool:
        """Return whether it is code that runs."""
        while True:
            source, text = UNEVALUATED
            if self.names[file] == source and text in text_of(source, line):
                return False
            if file not in self._uses:
                return True
            line, _, file = self._uses[file]


@functools.cache
def lines_of(source: str) -> list[str]:
    """Return its lines."""
    return (ROOT / source).read_text(encoding="utf-8").splitlines()


def text_of(source: str, line: int) -> str:
    """Return that line."""
    return lines_of(source)[line - 1].strip()


@dataclass
class Counts:
    """What was found in the sources of the kernel."""

    branches: dict[Place, int] = field(default_factory=lambda: defaultdict(int))
    conditions: dict[tuple[str, str, int, int, int], bool] = field(default_factory=dict)

    def add(self, exported: Path) -> None:
        """Take in what `llvm-cov export` wrote about one image."""
        compiled = {path.name for path in (ROOT / "kernel").rglob("*.c*")}
        (data,) = json.loads(exported.read_text(encoding="utf-8"))["data"]
        for one in data["functions"]:
            where, name = one["filenames"][0], one["name"]
            if ":" in name and name.partition(":")[0] not in compiled:
                continue  # a test's or a port's use of a header
            if not where.startswith("kernel/") or (where.endswith(".h") and not one["count"]):
                continue
            function = name if where.endswith(".h") else name.rpartition(":")[2]
            sources = Sources(one)
            found = [(sources.root(file, line, column), (sources.names[file], line, column),
                      (true, false))
                     for line, column, _, _, true, false, file, *_ in one["branches"]
                     if sources.is_evaluated(file, line)]  # fmt: skip
            alike = Counter((root, inside) for root, inside, _ in found)
            seen: Counter[tuple[tuple[int, int], tuple[str, int, int]]] = Counter()
            for root, inside, counts in found:
                number = (seen[root, inside], alike[root, inside])
                seen[root, inside] += 1
                for side, count in zip((True, False), counts, strict=True):
                    self.branches[Place(where, function, *root, inside, number, side)] += count
            for record in one["mcdc_records"]:
                for number, decided in enumerate(record[-1]):
                    key = (where, function, record[0], record[1], number)
                    self.conditions[key] = self.conditions.get(key, False) or decided

    def untaken(self) -> list[Place]:
        """Return the branches that nothing took."""
        return sorted(place for place, count in self.branches.items() if count == 0)


def build(app: str, conf: str) -> Path:
    """Build one program; return its image."""
    subprocess.run(
        [ROOT / "foliot", "build", "-q", ROOT / "tests" / app, "--board", "host", "--conf", conf],
        check=True, capture_output=True, timeout=10 * LIMIT_S,
    )  # fmt: skip
    name = f"tests-{app.replace('/', '-')}-{conf.replace(',', '-')}"
    return ROOT / "build" / "firmware" / "host" / name / "firmware.elf"


def run(
    image: Path, words: Sequence[str], ends: Sequence[int], environment: dict[str, str]
) -> None:
    """Run it once; what it prints others check."""
    pairs = (word.split("=") for word in words if "=" in word)
    chosen = {name: int(value) for name, value in pairs}
    with tempfile.TemporaryDirectory() as directory:
        if chosen:
            image, words = choose(image, Path(directory) / image.name, **chosen), ()
        done = subprocess.run([image, *words], env=environment, check=False, timeout=LIMIT_S,
                              capture_output=True, stdin=subprocess.DEVNULL)  # fmt: skip
    if done.returncode not in ends:
        raise SystemExit(f"{image} {words}: status {done.returncode}, and not {ends}")


def exported(image: Path, runs: Sequence[Sequence[str]], ends: Sequence[int]) -> Path:
    """Run one program, if it was not yet; return what `llvm-cov export` writes about it."""
    told = KEPT / hashlib.sha256(image.read_bytes() + repr(runs).encode()).hexdigest()[:24]
    if told.exists():
        return told
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "kernel").rglob("*.[ch]"))
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as directory:
        raw, merged, made = (Path(directory) / name for name in ("raw", "merged", "json"))
        environment = {**os.environ, "LLVM_PROFILE_FILE": str(raw / "%p-%m.profraw")}
        for words in runs:
            run(image, words, ends, environment)
        subprocess.run([LLVM[0], "merge", "-o", merged, *raw.iterdir()], check=True,
                       timeout=LIMIT_S)  # fmt: skip
        with made.open("w", encoding="utf-8") as stream:
            subprocess.run(
                [LLVM[1], "export", image, f"-instr-profile={merged}", "-skip-expansions",
                 *sources],
                check=True, timeout=LIMIT_S, stdout=stream, stderr=subprocess.DEVNULL, cwd=ROOT,
            )  # fmt: skip
        made.rename(told)
    return told


def measure(say: Callable[[str], None]) -> Counts:
    """Build and run all of it."""
    counts = Counts()
    for app, conf, runs, ends in PROGRAMS:
        say(f"tests/{app} {conf}")
        counts.add(exported(build(app, conf), runs, ends))
    for world in worlds.WORLDS:
        say(f"tests/host/every {world.name}")
        with tempfile.TemporaryDirectory() as place:
            image = worlds.built(Path(place), world, compiler=worlds.COUNTING, conf="-coverage")
            counts.add(exported(image, [(str(world.depth),)], (0,)))
    return counts


def by_function(places: Iterable[Place]) -> dict[str, int]:
    """Count them by file and function."""
    return dict(Counter(f"{place.where} {place.function}" for place in places))


def listed() -> dict[str, int]:
    """Read untaken.txt: how many of a function nothing takes."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    found = (line.split("#")[0].split() for line in lines)
    return {f"{where} {function}": int(count) for count, where, function in filter(None, found)}


def write(places: Iterable[Place]) -> None:
    """Write untaken.txt anew; what was said of a function stays."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    said = {" ".join(line.split("#")[0].split()[1:]): line.partition("#")[2]
            for line in lines if not line.startswith("#")}  # fmt: skip
    found = [f"{count} {name}" + (f"  #{said[name]}" if said.get(name) else "")
             for name, count in sorted(by_function(places).items())]  # fmt: skip
    LIST.write_text("\n".join([*head, *found, ""]), encoding="utf-8")


def table(counts: Counts) -> Iterator[str]:
    """Yield a line a file, and the sum."""
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for (where, *_), count in counts.branches.items():
        for name in (where, "all"):
            rows[name][0] += 1
            rows[name][1] += count > 0
    for (where, *_), decided in counts.conditions.items():
        for name in (where, "all"):
            rows[name][2] += 1
            rows[name][3] += decided
    yield f"{'file':44} {'branches':>9} {'taken':>7} {'%':>6} {'MC/DC of':>9} {'shown':>6}"
    for name, (branches, taken, conditions, shown) in sorted(rows.items()):
        share = 100 * taken / branches if branches else 100
        yield f"{name:44} {branches:9} {taken:7} {share:6.1f} {conditions:9} {shown:6}"


def show(places: Iterable[Place], names: set[str]) -> Iterator[str]:
    """Yield each place of these functions that nothing takes, with its line."""
    for place in places:
        if f"{place.where} {place.function}" in names:
            number, of = place.number
            which = f" ({number + 1} of {of})" if of > 1 else ""
            text = text_of(place.where, place.line)
            side = "true" if place.side else "false"
            at = f"{place.where}:{place.line}:{place.column}"
            yield f"{at}: {place.function}: never {side}{which}: {text}"


def main() -> None:
    """Print the table, and what is taken no longer; `--update` writes untaken.txt."""
    counts = measure(lambda text: print(text, file=sys.stderr))
    untaken = counts.untaken()
    print("\n".join(table(counts)))
    if sys.argv[1:] == ["--update"]:
        write(untaken)
        return
    asked, known = {*sys.argv[1:]}, listed()
    more = {name for name, count in by_function(untaken).items()
            if count > known.get(name, 0) or name.split()[0] in asked}  # fmt: skip
    print("\n".join(show(untaken, more)))


if __name__ == "__main__":
    main()

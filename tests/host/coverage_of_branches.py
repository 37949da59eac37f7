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

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "host" / "untaken.txt"
LLVM = ("llvm-profdata-19", "llvm-cov-19")
LIMIT_S = 120
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
          ("places", "msgq", "5", "1"), ("traversals", "any", "2", "1")]  # fmt: skip
# What is built, in which configurations, and what each is run with.
PROGRAMS: Sequence[tuple[str, str, Sequence[Sequence[str]]]] = (
    ("host", "coverage", [*MODEL, *PLACES]),
    *(("host", f"coverage,{conf}", MODEL)
      for conf in ("deadline,metairq", "features", "open", "robust", "slicing", "wide")),
    *(("kernel", f"coverage{conf}", [()])
      for conf in (",checked", ",features", ",robust", ",metairq", ",priorities", ",wide")),
    ("ipc", "coverage", [()]),
    ("zephyr", "coverage", [()]),
    *((app, "coverage", [()])
      for app in ("configurations/objects", "configurations/slicing", "configurations/ticks",
                  "periodic", "soak")),
    ("configurations/slicing", "coverage,priorities", [()]),
    *(("configurations/ticks", f"coverage,{conf}", [()]) for conf in ("fine", "slow")),
)  # fmt: skip

Place = tuple[str, str, str, int, int, bool]  # file, function, source of the text, line, column


@dataclass
class Counts:
    """What was found in the sources of the kernel."""

    branches: dict[Place, int] = field(default_factory=lambda: defaultdict(int))
    conditions: dict[tuple[str, str, int, int, int], bool] = field(default_factory=dict)

    def add(self, exported: Path) -> None:
        """Take in what `llvm-cov export` wrote about one image."""
        (data,) = json.loads(exported.read_text(encoding="utf-8"))["data"]
        for one in data["functions"]:
            where, name = one["filenames"][0], one["name"]
            if not where.startswith("kernel/") or (where.endswith(".h") and not one["count"]):
                continue
            function = name if where.endswith(".h") else name.rpartition(":")[2]
            for line, column, _, _, true, false, file, *_ in one["branches"]:
                source = one["filenames"][file]
                self.branches[where, function, source, line, column, True] += true
                self.branches[where, function, source, line, column, False] += false
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


def measure(say: Callable[[str], None]) -> Counts:
    """Build and run all of it."""
    counts = Counts()
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "kernel").rglob("*.[ch]"))
    for app, conf, runs in PROGRAMS:
        say(f"tests/{app} {conf}")
        image = build(app, conf)
        with tempfile.TemporaryDirectory() as directory:
            raw, merged, told = (Path(directory) / name for name in ("raw", "merged", "json"))
            environment = {**os.environ, "LLVM_PROFILE_FILE": str(raw / "%m.profraw")}
            for words in runs:
                subprocess.run([image, *words], env=environment, check=True, timeout=LIMIT_S,
                               capture_output=True, stdin=subprocess.DEVNULL)  # fmt: skip
            subprocess.run([LLVM[0], "merge", "-o", merged, *raw.iterdir()], check=True,
                           timeout=LIMIT_S)  # fmt: skip
            with told.open("w", encoding="utf-8") as stream:
                subprocess.run(
                    [LLVM[1], "export", image, f"-instr-profile={merged}", "-skip-expansions",
                     *sources],
                    check=True, timeout=LIMIT_S, stdout=stream, stderr=subprocess.DEVNULL,
                    cwd=ROOT,
                )  # fmt: skip
            counts.add(told)
    return counts


def by_function(places: Iterable[Place]) -> dict[str, int]:
    """Count them by file and function."""
    return dict(Counter(f"{where} {function}" for where, function, *_ in places))


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
        share = 100 * taken / branches
        yield f"{name:44} {branches:9} {taken:7} {share:6.1f} {conditions:9} {shown:6}"


def show(places: Iterable[Place], names: set[str]) -> Iterator[str]:
    """Yield each place of these functions that nothing takes, with its line."""
    for where, function, source, line, _, side in places:
        if f"{where} {function}" in names:
            text = (ROOT / source).read_text(encoding="utf-8").splitlines()[line - 1].strip()
            yield f"{source}:{line}: never {'true' if side else 'false'}: {text}"


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

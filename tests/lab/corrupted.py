# SPDX-License-Identifier: Apache-2.0
"""Pages with logs, as people make them, and what happens to them on their way.

A page is generated with figures of its own, so that every true figure is known here and
nothing is learnt from the importer. `harmless` changes leave each figure readable; `harm`
touches rows. judge_reading.py holds what was read against what is true.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pages

END = "PROJECT EXECUTION SUCCESSFUL"
CLOCKS = {"16 MHz": 16e6, "64 MHz": 64e6, "84 MHz": 84e6, "125 MHz": 125e6, "170 MHz": 170e6,
          "400 MHz": 400e6, "600 MHz": 600e6, "99.5 MHz": 99.5e6}  # fmt: skip
NAMES = ("Teensy4.1", "STM32H747i", "Nucleo G431KB", "Nucleo F401RE", "microbit v2.2",
         "TY51822r3", "RPi Pico2", "RPi Pico", "XIAO ESP32C3", "FRDM K64F")  # fmt: skip


@dataclass
class Board:
    """A board and the figures that it printed: id to (cycles, ns)."""

    name: str
    clock: str
    rows: dict[str, tuple[int, int]]
    texts: dict[str, str]


@dataclass
class Line:
    """A line of the page; `row` names the board and the row that it was."""

    text: str
    row: tuple[str, str] | None = None
    harmed: bool = False


@dataclass
class Page:
    """A page, what is true of it, and what was done to it."""

    boards: list[Board]
    lines: list[Line]
    done: list[str] = field(default_factory=list)
    content: bytes = b""
    lost: set[tuple[str, str]] = field(default_factory=set)  # rows whose lines are gone, or cut

    def harmed(self) -> set[tuple[str, str]]:
        """Return the rows that were touched."""
        return self.lost | {line.row for line in self.lines if line.row and line.harmed}


def board(chance: random.Random, name: str) -> Board:
    """Return a board with figures that keep the proportions of a published run."""
    model = pages.published("nucleo_f401re")
    clock = chance.choice(list(CLOCKS))
    scale = chance.uniform(0.7, 3.0)
    rows, texts = {}, {}
    for row in model.rows:
        total = row.p50 * 1000 * scale * chance.uniform(0.85, 1.15)
        rows[row.id] = (int(total / 1000), int(total / 1000 * 1e9 / CLOCKS[clock]))
        texts[row.id] = row.text
    return Board(name, clock, rows, texts)


def _devices(chance: random.Random, boards: list[Board]) -> list[str]:
    clock = chance.choice(["CPU Clock", "Freq", "Frequency", "クロック", "speed grade"])
    columns = [
        (chance.choice(["Board", "製品名", "name", "what"]), [one.name for one in boards]),
        (clock, [one.clock for one in boards]),
        (chance.choice(["RAM", "SRAM"]), ["64 KB" for _ in boards]),
        (chance.choice(["ROM", "Flash"]), ["512 KB" for _ in boards]),
        ("FPU", ["x" for _ in boards]),
    ]
    if chance.random() < 0.5:
        chance.shuffle(columns)
    table = [[title, *cells] for title, cells in columns]
    if chance.random() < 0.3:
        chance.shuffle(columns)
        table = [[title, *cells] for title, cells in columns]
        names = next(line for line in table if line[1] == boards[0].name)
        table.remove(names)
        table.insert(0, names)
    else:
        table = [list(line) for line in zip(*table, strict=True)]
    return _markdown(chance, table)


def _summary(chance: random.Random, boards: list[Board]) -> list[str]:
    unit, scale, digits = chance.choice([("ns", 1, 0), ("µs", 1e3, 3), ("ms", 1e6, 6)])
    titled = f" ({unit})" if unit != "ns" else chance.choice(["", " [ns]"])
    table = [["項目" + titled, *(one.name for one in boards)]]
    for row_id in list(boards[0].rows)[::7]:
        cells = [f"{one.rows[row_id][1] / scale:.{digits}f}" for one in boards]
        table.append([boards[0].texts[row_id][:24], *cells])
    if chance.random() < 0.3:
        table = [list(line) for line in zip(*table, strict=True)]
    return _markdown(chance, table)


def _markdown(chance: random.Random, table: list[list[str]]) -> list[str]:
    head, *lines = ("| " + " | ".join(line) + " |" for line in table)
    rule = ["|" + "---|" * len(table[0])] if chance.random() < 0.8 else []
    return [head, *rule, *lines]


HEADINGS: list[Callable[[str], list[str]]] = [
    lambda name: [f"{name} の結果"],
    lambda name: [f"## {name}"],
    lambda name: [f"### 3.2 Results for {name}", ""],
    lambda name: [f"<h3>{name}</h3>"],
    lambda name: [f"**{name}**", ""],
    lambda name: [name, "-" * len(name)],
    lambda name: [name, "=" * len(name), ""],
    lambda name: [f":::details {name}"],
    lambda name: ["<details>", f"<summary>{name}</summary>", ""],
    lambda name: [f"Results on the {name}:"],
    lambda name: [f"#### {name} (rev. B)"],
]
BETWEEN = [
    "", "```", "```text", "The board was powered over USB, and nothing else was attached.",
    "測定は USB 給電です。", "$ west build -p -b some_board tests/benchmarks/latency_measure",
    "west flash", "user@host:~/zephyr$ minicom -D /dev/ttyACM0", "> cd zephyr", "ここに貼ります。",
    "Here is the raw output of the benchmark.", ":::", "---",
]  # fmt: skip


def page(chance: random.Random) -> Page:
    """Return a good page: tables, headings of one kind, one to three logs."""
    boards = [board(chance, name) for name in chance.sample(NAMES, chance.randint(1, 3))]
    heading = chance.choice(HEADINGS)
    text = ["# My boards", "", "I measured these.", "", *_devices(chance, boards), ""]
    if len(boards) > 1 and chance.random() < 0.7:
        text += ["At a glance:", "", *_summary(chance, boards), ""]
    lines = [Line(one) for one in text]
    for one in boards:
        between = chance.sample(BETWEEN, chance.randint(0, 4))
        lines += [Line(text) for text in ["", *heading(one.name), *between]]
        if chance.random() < 0.9:
            lines.append(Line(pages.BANNER))
        padded = chance.random() < 0.4
        form = ("{:<40} - {:<50}:{:>8} cycles ,{:>9} ns :" if padded
                else "{} - {} : {} cycles , {} ns :")  # fmt: skip
        lines += [Line(form.format(row_id, one.texts[row_id], *figures), (one.name, row_id))
                  for row_id, figures in one.rows.items()]  # fmt: skip
        lines += [Line("=" * 67), Line(END), Line("```" if "```" in between else "")]
    return Page(boards, lines)


# What a terminal, an editor or a browser does to all of a page: the name, text to text.
def _wrapped(chance: random.Random, text: str) -> str:
    def fold(line: str) -> str:
        return "\n".join(line[at : at + 80] for at in range(0, max(len(line), 1), 80))

    return "\n".join(fold(line) if " cycles ," in line else line for line in text.split("\n"))


def _sprinkled(chance: random.Random, text: str, what: str, share: float = 0.02) -> str:
    return "".join(letter + (what if chance.random() < share else "") for letter in text)


def _coloured(chance: random.Random, text: str) -> str:
    return "\n".join(
        f"\x1b[0;32m{line[: len(line) // 2]}\x1b[1m{line[len(line) // 2 :]}\x1b[0m"
        for line in text.split("\n")
    )


def _stamped(chance: random.Random, text: str) -> str:
    return "\n".join(
        f"[00:00:01.{place % 999:03},000] {line}" if " cycles ," in line else line
        for place, line in enumerate(text.split("\n"))
    )


HARMLESS: dict[str, Callable[[random.Random, str], str]] = {
    "nothing": lambda chance, text: text,
    "time stamps": _stamped,
    "wrapped at 80": _wrapped,
    "NUL": lambda chance, text: _sprinkled(chance, text, "\0"),
    "colours": _coloured,
    "tabs": lambda chance, text: text.replace(" : ", "\t:\t"),
    "no-break spaces": lambda chance, text: text.replace(" ", "\u00a0"),
    "full-width colons": lambda chance, text: text.replace(" :", "\uff1a"),
    "dashes": lambda chance, text: text.replace(" - ", " \u2013 "),
    "entities": lambda chance, text: text.replace("->", "-&gt;").replace(" - ", "&nbsp;- "),
    "byte order mark": lambda chance, text: "\ufeff" + text,
    "CR LF": lambda chance, text: text.replace("\n", "\r\n"),
    "CR alone": lambda chance, text: text.replace("\n", "\r"),
    "<br>": lambda chance, text: text.replace("\n", chance.choice(["<br>\n", "<br/>"])),
}  # fmt: skip
ENDS = ("nothing", "nothing", "nothing", "CR LF", "CR alone", "<br>")  # of lines, last of all


# What a serial line, a hand or a program does to single rows.
def _digits(text: str) -> list[int]:
    start = max(text.rfind(":", 0, text.find(" cycles")), 0)
    return [place for place in range(start, len(text)) if text[place].isdigit()]


def _drop_digit(chance: random.Random, text: str) -> str:
    at = chance.choice(_digits(text) or [0])
    return text[:at] + text[at + 1 :]


def _change_digit(chance: random.Random, text: str) -> str:
    at = chance.choice(_digits(text) or [0])
    return text[:at] + chance.choice("0123456789") + text[at + 1 :]


def _exchange(chance: random.Random, text: str) -> str:
    found = re.fullmatch(r"(.*:\s*)(\d+)( cycles ,\s*)(\d+)( ns.*)", text)
    return "".join(found[part] for part in (1, 4, 3, 2, 5)) if found else text


def _exchange_words(chance: random.Random, text: str) -> str:
    return text.replace(" cycles ,", " \1 ,").replace(" ns", " cycles").replace("\1", "ns")


def _transpose(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _change_byte(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("?#~x0 .-:k\x07") + text[at + 1 :]


def _drop_byte(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text))
    return text[:at] + text[at + 1 :]


def _cut_end(chance: random.Random, text: str) -> str:
    return text[: chance.randrange(len(text))]


def _cut_begin(chance: random.Random, text: str) -> str:
    return text[chance.randrange(1, len(text)) :]


OF_ROWS: dict[str, Callable[[random.Random, str], str]] = {
    "drop a digit": _drop_digit, "change a digit": _change_digit, "exchange figures": _exchange,
    "exchange units": _exchange_words, "transpose": _transpose, "change a byte": _change_byte,
    "drop a byte": _drop_byte, "cut the end": _cut_end, "cut the beginning": _cut_begin,
}  # fmt: skip


def harm_rows(page: Page, chance: random.Random, kind: str, count: int) -> None:
    """Do one thing to some rows, each by itself."""
    rows = [line for line in page.lines if line.row]
    for line in chance.sample(rows, min(count, len(rows))):
        changed = OF_ROWS[kind](chance, line.text) if len(line.text) > 2 else line.text
        line.harmed |= changed != line.text
        line.text = changed
    page.done.append(f"{kind} x {count}")


def delete_rows(page: Page, chance: random.Random, count: int) -> None:
    """Take rows away."""
    for line in chance.sample([line for line in page.lines if line.row], count):
        if line.row:
            page.lost.add(line.row)
        page.lines = [one for one in page.lines if one is not line]
    page.done.append(f"delete x {count}")


def double_rows(page: Page, chance: random.Random, count: int) -> None:
    """Let lines stand there twice."""
    for line in chance.sample([line for line in page.lines if line.row], count):
        at = next(place for place, one in enumerate(page.lines) if one is line)
        page.lines.insert(at + 1, Line(line.text, line.row))
    page.done.append(f"double x {count}")


def merge_rows(page: Page, chance: random.Random, count: int) -> None:
    """Let a line run into the next one, somewhere."""
    for _ in range(count):
        at = chance.randrange(len(page.lines) - 1)
        one, other = page.lines[at], page.lines[at + 1]
        if one.row and other.row and " cycles" in one.text and " cycles" in other.text:
            one.text = one.text[: chance.randrange(len(_head(one.text)))] + other.text
            one.harmed = True
            page.lost |= {one.row, other.row}
            del page.lines[at + 1]
    page.done.append(f"merge x {count}")


def mix_letters(page: Page, chance: random.Random, count: int) -> None:
    """Let two lines be printed at once: their letters alternate in pieces."""
    for _ in range(count):
        at = chance.randrange(len(page.lines) - 1)
        one, other = page.lines[at], page.lines[at + 1]
        if one.row and other.row and " cycles" in one.text and " cycles" in other.text:
            cut, there = chance.randrange(len(one.text)), chance.randrange(len(other.text))
            mixed = (one.text[:cut] + other.text[there:], other.text[:there] + one.text[cut:])
            if any(_is_exchanged(page, new) for new in mixed):
                continue  # whole rows with each other's figures: nobody can tell
            one.text, other.text = mixed
            one.harmed = other.harmed = True
    page.done.append(f"mix x {count}")


def _head(text: str) -> str:
    return text[: text.rfind(":", 0, text.find(" cycles"))].rstrip()


def _figures(text: str) -> list[str]:
    return text[len(_head(text)) :].replace(":", " ").split()


def _is_exchanged(page: Page, text: str) -> bool:
    """Whether a line is one row's, whole, with the figures of another."""
    pairs = {figures for board in page.boards for figures in board.rows.values()}
    numbers = [int(word) for word in _figures(text) if word.isdigit()]
    heads = {"".join(f"{row_id}-{name}".split()): board.rows[row_id]
             for board in page.boards for row_id, name in board.texts.items()}  # fmt: skip
    head = "".join(_head(text).split()).rstrip(":")
    return head in heads and tuple(numbers) in pairs and heads[head] != tuple(numbers)


def interleave_logs(page: Page, chance: random.Random) -> None:
    """Let the rows of two boards come in turns, as from two consoles into one file."""
    if len(page.boards) < 2:
        return
    names = [one.name for one in page.boards[:2]]
    both = [[line for line in page.lines if line.row and line.row[0] == name] for name in names]
    mixed = [line for pair in zip(*both, strict=False) for line in pair]
    at = page.lines.index(both[0][0])
    page.lines = [line for line in page.lines if not any(line is one for one in mixed)]
    page.lines[at:at] = mixed
    for line in mixed:
        line.harmed = True
    page.done.append("interleave")


def cut_page(page: Page, chance: random.Random) -> None:
    """Lose the end of a page."""
    at = chance.randrange(len(page.lines) // 3, len(page.lines))
    page.lost |= {line.row for line in page.lines[at:] if line.row}
    page.lines = page.lines[:at]
    page.done.append(f"cut at line {at}")


def generate(seed: int, harm: bool) -> Page:
    """Return the page of that number, good or harmed."""
    chance = random.Random(seed)
    made = page(chance)
    if harm:
        for _ in range(chance.randint(1, 3)):
            kind = chance.choice(
                [*OF_ROWS, "delete", "double", "merge", "mix", "interleave", "cut"]
            )
            count = chance.choice([1, 1, 2, 5])
            if kind in OF_ROWS:
                harm_rows(made, chance, kind, count)
            elif kind in ("delete", "double", "merge", "mix"):
                what = {"delete": delete_rows, "double": double_rows, "merge": merge_rows,
                        "mix": mix_letters}  # fmt: skip
                what[kind](made, chance, count)
            elif kind == "interleave":
                interleave_logs(made, chance)
            else:
                cut_page(made, chance)
    text = "\n".join(line.text for line in made.lines) + "\n"
    chosen = chance.sample(list(HARMLESS)[:-3], chance.randint(0, 2))
    for name in [*sorted(chosen, key=list(HARMLESS).index), *chance.choices([*ENDS], k=1)]:
        text = HARMLESS[name](chance, text)
        made.done.append(name)
    made.content = text.encode()
    return made

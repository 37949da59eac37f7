# SPDX-License-Identifier: Apache-2.0
"""What may be broken, and how: one token or one statement of a source becomes another.

Three parts: the portable kernel (kernel/), the ports (arch/, but the host's, which no board
has), and the lab's judgement (lab/foliot/judge). C and assembly are broken by their text, with
comments, strings and the preprocessor's lines left alone, and assertions, too, which a build
without them does not have; Python by its syntax tree. Which of some fifteen thousand are tried a
seed says.

A mutant is named by function, line's text and what became of it: no path, and no line's number.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from support.command import ROOT
from support.sources import Source, sources
from support.sources import source as read

SEED = 24
# So many of each part are sampled; some change nothing that is built.
SAMPLED = {"kernel": 225, "ports": 75, "judgement": 50}
JUDGE = ROOT / "lab" / "foliot" / "judge"
# Whose tests run here, and on which board; v6-M's own files and the host's are left out.
BOARDS = {"riscv": "qemu_riscv32", "cortex_m": "mps2_an385", "aarch64": "qemu_aarch64",
          "x86_64": "qemu_x86_64"}  # fmt: skip
# Rooms and functions that decide who may do what.
PERMISSION_ROOMS = ("kernel/access", "kernel/syscall")
PERMISSION_NAMES = re.compile(
    r"verif|permit|right|access|valid|allow|writable|readable|usable", re.IGNORECASE
)


@dataclass(frozen=True)
class Mutant:
    """A file's text from `begin` to `end` becomes `new`."""

    part: str
    port: str
    file: str
    function: str
    kind: str
    begin: int
    end: int
    new: str
    line: str  # the line's text, as it was
    number: int = 1  # of those of one name

    @property
    def text(self) -> str:
        """Return the file's text with the mutant in it."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        return text[: self.begin] + self.new + text[self.end :]

    @property
    def broken(self) -> str:
        """Return the text of its function with the mutant in it; of the judgement its file's."""
        if self.part == "judgement":
            return self.text
        one = read(ROOT / self.file)
        within = one.functions[one.line_at(self.end) - 1]
        lines = [line for line, name in zip(one.lines, one.functions, strict=True)
                 if name == within]  # fmt: skip
        row = one.text.rfind("\n", 0, self.begin) + 1
        end = (one.text + "\n").index("\n", self.end)
        return "\n".join([*lines, one.text[row : self.begin] + self.new + one.text[self.end : end]])

    @property
    def is_permission(self) -> bool:
        """Whether it lies in what decides who may do what."""
        return self.part != "judgement" and (
            self.file.startswith(PERMISSION_ROOMS)
            or bool(PERMISSION_NAMES.search(self.function + " " + self.line))
        )

    def __str__(self) -> str:
        again = f" #{self.number}" if self.number > 1 else ""
        return f"{self.function}: {self.kind} in {self.line!r}{again}"


# ---- C ----

_PAIRS = (("==", "!="), ("&&", "||"), ("+", "-"), ("<<", ">>"), ("&", "|"), ("+=", "-="),
          ("|=", "&="), ("++", "--"), ("<", "<="), (">", ">="))  # fmt: skip
_TURNED = dict(_PAIRS) | {second: first for first, second in _PAIRS}
_OPERATOR = re.compile(r"(?<= )(==|!=|<=|>=|<<|>>|&&|\|\||[+\-|&]=|[<>+\-&|])(?= )|\+\+|--")
_NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)(?=[uUlL]*(?![\w.]))")
_WORD = re.compile(r"\b(true|false)\b")
_NOT = re.compile(r"!(?=[\w(])")
_STORE = re.compile(r"^\t+(\*?[\w.\[\]>\-]+(?:\([^()]*\))?(?:->\w+)* (?:[+\-|&]?=) [^=;][^;]*;)$")
_CALL = re.compile(r"^\t+((?:\(void\))?\w+\([^;]*\);)$")
_SPARED = re.compile(r"__ASSERT|BUILD_ASSERT|_Static_assert|static_assert|K_ASSERT|^\s*#")
_COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _in_line(line: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield kind, begin, end and new text of each mutant within a line of C that is bare."""
    for found in _OPERATOR.finditer(line):
        old = found[0]
        if old in "&-+*" and line[: found.start()].rstrip()[-1:] in "(=,":
            continue  # one operand only
        yield f"{old} to {_TURNED[old]}", found.start(), found.end(), _TURNED[old]
    for found in _NUMBER.finditer(line):
        old = found[1]
        new = hex(int(old, 16) + 1) if old[:2] == "0x" else str(int(old) + 1)
        yield f"{old} to {new}", found.start(1), found.end(1), new
    for found in _WORD.finditer(line):
        new = "false" if found[0] == "true" else "true"
        yield f"{found[0]} to {new}", found.start(), found.end(), new
    for found in _NOT.finditer(line):
        if line[found.start() + 1] != "=":
            yield "! dropped", found.start(), found.end(), ""


def _in_c(source: Source) -> Iterator[tuple[str, int, int, str, int]]:
    bare = _COMMENT.sub(_blank, source.text)
    begin, before = 0, ""
    for number, line in enumerate(bare.split("\n"), 1):
        if not _SPARED.search(line) and source.functions[number - 1 : number] not in ([], [""]):
            for kind, first, last, new in _in_line(line):
                yield kind, begin + first, begin + last, new, number
            for form, kind in ((_STORE, "store dropped"), (_CALL, "call dropped")):
                found = form.match(line)
                if found and found[1].count("(") == found[1].count(")"):
                    yield kind, begin + found.start(1), begin + len(line), "(void)0;", number
            moved = _CALL.match(line) and "unlock" in line and _moves(before)
            if moved:
                swapped = f"{line}\n{before}"
                at = begin - len(before) - 1
                yield "unlock moved", at, begin + len(line), swapped, number
        begin, before = begin + len(line) + 1, line


def _moves(line: str) -> bool:
    return bool(_STORE.match(line) or _CALL.match(line)) and line.count("(") == line.count(")")


# ---- assembly ----

_BRANCHES = {"beq": "bne", "bne": "beq", "beqz": "bnez", "bnez": "beqz", "blt": "bge", "bge": "blt",
             "bltu": "bgeu", "bgeu": "bltu", "bgtu": "bleu", "bleu": "bgtu", "bltz": "bgez",
             "bgez": "bltz", "cbz": "cbnz", "cbnz": "cbz", "tbz": "tbnz", "tbnz": "tbz",
             "b.eq": "b.ne", "b.ne": "b.eq", "b.hi": "b.ls", "b.ls": "b.hi", "b.lo": "b.hs",
             "b.hs": "b.lo", "bhi": "bls", "bls": "bhi", "blo": "bhs", "bhs": "blo", "bcc": "bcs",
             "bcs": "bcc", "je": "jne", "jne": "je", "jz": "jnz", "jnz": "jz", "ja": "jbe",
             "jbe": "ja", "jae": "jb", "jb": "jae", "js": "jns", "jns": "js"}  # fmt: skip
_INSTRUCTION = re.compile(r"^\s+([a-z][\w.]*)(\s+[^\n]*?)?\s*$")
_OFFSET = re.compile(r"(?<![\w.])#?\$?(\d+)(?![\w.:])")


def _in_assembly(source: Source) -> Iterator[tuple[str, int, int, str, int]]:
    bare = re.sub(r"/\*.*?\*/|//[^\n]*|@[^\n]*$", _blank, source.text, flags=re.DOTALL)
    begin = 0
    for number, line in enumerate(bare.split("\n"), 1):
        found = _INSTRUCTION.match(line)
        if found and not line.rstrip().endswith("\\") and line.lstrip()[0] != "#":
            at, end = begin + found.start(1), begin + len(line.rstrip())
            name = found[1]
            if name in _BRANCHES:
                yield f"{name} to {_BRANCHES[name]}", at, at + len(name), _BRANCHES[name], number
            yield f"{name} dropped", at, end, "", number
            for one in _OFFSET.finditer(line, found.end(1)):
                new = str(int(one[1]) + (8 if int(one[1]) % 8 == 0 and int(one[1]) else 1))
                yield f"{one[1]} to {new}", begin + one.start(1), begin + one.end(1), new, number
        begin += len(line) + 1


# ---- Python ----

_COMPARED = {ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
             ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is"}  # fmt: skip

_SIGNS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}


class _Python(ast.NodeVisitor):
    """Collects mutants: kind, begin, end, new text, line, function."""

    def __init__(self, text: str) -> None:
        self.text, self.function = text, ""
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[tuple[str, int, int, str, int, str]] = []

    def at(self, line: int, column: int) -> int:
        row = self.text[self.starts[line - 1] : self.starts[line]].encode()
        return self.starts[line - 1] + len(row[:column].decode())

    def add(self, kind: str, begin: int, end: int, new: str, node: ast.AST) -> None:
        place: Any = node
        self.found.append((kind, begin, end, new, place.lineno, self.function))

    def span(self, node: ast.AST) -> tuple[int, int]:
        place: Any = node
        return (
            self.at(place.lineno, place.col_offset),
            self.at(place.end_lineno, place.end_col_offset),
        )

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.function = self.function, node.name
        for one in node.body:
            self.visit(one)
        self.function = before

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        left = node.left
        for how, right in zip(node.ops, node.comparators, strict=True):
            begin, end = self.span(left)[1], self.span(right)[0]
            between, new = self.text[begin:end], _COMPARED[type(how)]
            old = between.strip(" ()\n")
            if between.count(old) == 1:
                at = begin + between.index(old)
                self.add(f"{old} to {new}", at, at + len(old), new, right)
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        begin, end = self.span(node.values[0])[1], self.span(node.values[1])[0]
        at = self.text.find(old, begin, end)
        if at >= 0:
            self.add(f"{old} to {new}", at, at + len(old), new, node.values[1])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            begin, _ = self.span(node)
            self.add("not dropped", begin, self.span(node.operand)[0], "", node)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in _SIGNS:
            old, new = _SIGNS[type(node.op)]
            begin, end = self.span(node.left)[1], self.span(node.right)[0]
            at = self.text.find(old, begin, end)
            if at >= 0:
                self.add(f"{old} to {new}", at, at + 1, new, node.right)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        begin, end = self.span(node)
        if isinstance(node.value, bool):
            self.add(f"{node.value} to {not node.value}", begin, end, str(not node.value), node)
        elif isinstance(node.value, int):
            self.add(f"{node.value} to {node.value + 1}", begin, end, str(node.value + 1), node)
        elif isinstance(node.value, float):
            new = repr(node.value * 1.5)
            self.add(f"{node.value} to {new}", begin, end, new, node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Yield | ast.YieldFrom):
            begin, end = self.span(node)
            self.add("silenced", begin, end, "yield from ()", node)
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave texts alone."""

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.add("return dropped", *self.span(node), "pass", node)
        self.generic_visit(node)


# ---- all, and those that are tried ----


def _named(found: list[Mutant]) -> Iterator[Mutant]:
    seen: Counter[str] = Counter()
    for one in found:
        name = str(one)
        seen[name] += 1
        yield Mutant(**{**one.__dict__, "number": seen[name]})


def _of_source(source: Source, part: str) -> Iterator[Mutant]:
    by = _in_assembly if source.path.suffix in {".S", ".inc"} else _in_c
    lines = source.lines
    for kind, begin, end, new, number in by(source):
        yield Mutant(part, source.port, source.file, source.function(number), kind, begin, end, new,
                     lines[number - 1].strip())  # fmt: skip


def _of_python(path: Path) -> Iterator[Mutant]:
    text = path.read_text(encoding="utf-8")
    visitor = _Python(text)
    visitor.visit(ast.parse(text))
    lines = text.splitlines()
    for kind, begin, end, new, number, function in visitor.found:
        yield Mutant("judgement", "", path.relative_to(ROOT).as_posix(),
                     f"{path.stem}.{function or 'values'}", kind, begin, end, new,
                     lines[number - 1].strip())  # fmt: skip


@cache
def mutants(part: str) -> tuple[Mutant, ...]:
    """Return all of a part, in the order of their files."""
    found: list[Mutant] = []
    if part == "judgement":
        for path in sorted(JUDGE.glob("*.py")):
            found += _of_python(path)
    for source in sources():
        if part == "kernel" and source.room.startswith("kernel/"):
            found += _of_source(source, part)
        if part == "ports" and source.port in BOARDS and "v6m" not in source.file:
            found += _of_source(source, part)
    return tuple(_named(found))


def sampled(seed: int = SEED) -> list[Mutant]:
    """Return those that are tried: so many of each part, drawn by the seed.

    Each by itself, by its name: where others come or go it stays among them.
    """

    def drawn(one: Mutant) -> str:
        return hashlib.sha256(f"{seed} {one}".encode()).hexdigest()

    found = [one for part, number in SAMPLED.items()
             for one in sorted(mutants(part), key=drawn)[:number]]  # fmt: skip
    return sorted(found, key=drawn)  # who stops in the middle has tried some of each part


@cache
def reasons() -> dict[str, str]:
    """Return why each of those that are known to survive does."""
    text = Path(__file__).with_name("survivors.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = [line for line in lines if not line.startswith("\t")]
    return dict(zip(found, (line.strip() for line in lines if line.startswith("\t")), strict=True))

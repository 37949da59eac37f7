# SPDX-License-Identifier: Apache-2.0
"""What the source says of its loops: each comment `Bound: EXPRESSION`, and the loop it stands at.

Formal is what stands between `Bound:` and the first of `,` `;` `:` `.` or the comment's end, where
it is an expression of numbers, + - * / ( ), options (CONFIG_...), names that a source defines, and
parameters (PARAMETERS). It says how often the loop begins anew, at most, each time it is come to:
`Bound: W, the waiters; interrupts are let in after each.` Whatever else stands there is prose, for
people, and its loop has no bound.

A loop is a statement, from its keyword to its end; a comment belongs to the one that begins on
its own line, or next behind it, with nothing but blanks in between. In assembly it belongs to
the label in front of it, or behind. One in front of a `return f(...);` says how often that call
leads back to the function that it is in. `Bound:` at a function's head belongs to the loop in it,
where there is one only.

In front of an `if`, or behind its first line's code, `Bound: D, ...` says what has to be there for
it to hold: where that is 0 what is in its braces does not run. branches.py finds it in the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from foliot.bound import ibex
from foliot.model.errors import FoliotError
from foliot.target import zephyr

# What is not known of an image: how much of everything there is. docs/bounds.md says what each is.
PARAMETERS = {
    "W": "threads that wait for the object",
    "P": "priorities that these threads have, and those that wait with them",
    "M": "mutexes of one owner that others wait for",
    "C": "owners of mutexes that wait for one another in a row",
    "D": "disturbances: how often others change, in between, what a call goes along",
    "E": "timeouts in the slot of the wheel that is due",
    "S": "slots of the wheel that are due, or empty, at once",
    "B": "bytes of a message, or of another thing of the caller's",
    "N": "bytes that memcpy() and memset() are told of, where the code does not say how many",
    "T": "threads that have a generation, in one place of the table",
    "G": "threads of one period's group",
    "O": "items of a queue, objects, or threads, on a list that is asked for one of them",
}

# How many there are where nothing else is said, and what the suite `worst` has, but for N and T.
USUAL = {
    "W": 16, "P": 16, "M": 2, "C": 4, "D": 0, "E": 1, "S": 1, "B": 16, "N": 16, "T": 1, "G": 16,
    "O": 16,
}  # fmt: skip

# `- 4 * ABOVE`: of the rounds, each of the loop in front of this one takes so many away.
_ABOVE = re.compile(r"\s*-\s*(?:(\d+)\s*\*\s*)?ABOVE$")

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_QUIET = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
_BOUND = re.compile(r"\bBound:\s*(.*)", re.DOTALL)
_FORMAL = re.compile(r"[A-Z0-9_+\-*/() ]+(?=[,;:.]|$)")
_WORD = re.compile(r"\b[A-Z][A-Z0-9_]*\b")
_KEYWORD = re.compile(r"\b(for|while|do|STRUCT_SECTION_FOREACH|K_FOR_EACH\w*)\b\s*[({]")
_IF = re.compile(r"\bif\s*\(")
_HEAD = re.compile(r"^[A-Za-z_][^;{}#]*?\)[^;{}()#]*\n\{\n.*?^\}", re.DOTALL | re.MULTILINE)
_CAST = re.compile(r"\((?:size_t|unsigned int|int|uint32_t)\)(?=[(\w])")
_COMPUTED = re.compile(r"(?:[A-Z0-9a-fx_+\-*/() ]|<<)+")
_DIRECTIVE = re.compile(r"(?:^|\n)[ \t]*#[ \t]*define(?:[^\n]|(?<=\\)\n)*$")
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of a source: its lines, both included; its formal bound, or its prose, or nothing."""

    file: str
    first: int
    last: int
    formal: str = ""
    prose: str = ""
    is_call: bool = False  # no loop but a call, by which a function gets to itself again

    def holds(self, file: str, line: int) -> bool:
        """Say whether a line is one of the loop's."""
        return file == self.file and self.first <= line <= self.last

    @property
    def where(self) -> str:
        """`sem.c:57`."""
        return f"{Path(self.file).name}:{self.first}"


@dataclass(frozen=True, slots=True)
class Branch:
    """What is in the braces of an `if`, and runs only where `formal` is not 0.

    Its condition's lines, and those between its braces, all included.
    """

    file: str
    condition: tuple[int, int]
    body: tuple[int, int]
    formal: str
    prose: str = ""

    def asks(self, file: str, line: int) -> bool:
        """Say whether a line is its condition's."""
        return file == self.file and self.condition[0] <= line <= self.condition[1]

    def holds(self, file: str, line: int) -> bool:
        """Say whether a line is between its braces."""
        return file == self.file and self.body[0] <= line <= self.body[1]

    @property
    def where(self) -> str:
        """`traversal.c:269`."""
        return f"{Path(self.file).name}:{self.condition[0]}"


@cache
def branches(root: Path, file: str) -> Sequence[Branch]:
    """Return the branches of a C source that say when they are taken."""
    try:
        text = (root / file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    if file.endswith(".S") or "Bound:" not in text:
        return ()
    bare = _quiet(text)
    found = []
    for match in _IF.finditer(bare):
        expression, prose = formal(_comment_at(text, bare, match.start()))
        opens = _behind_parentheses(bare, match.end() - 1)
        if not expression or bare[opens : opens + 1] != "{":
            continue
        lines = [bare.count("\n", 0, at) + 1 for at in
                 (match.start(), opens, _end(bare, opens, "if"))]  # fmt: skip
        body = lines[1] + 1, lines[2] - 1
        found.append(Branch(file, (lines[0], lines[1]), body, expression, prose))
    return found


@cache
def loops(root: Path, file: str) -> Sequence[Loop]:
    """Return the loops of a source; none where it isn't there."""
    try:
        text = (root / file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return tuple(_of_assembly(file, text) if file.endswith(".S") else _of_c(file, text))


def formal(comment: str) -> tuple[str, str]:
    """Return the expression of a comment's bound, and its prose; empty where there is none."""
    found = _BOUND.search(_plain(comment))
    if found is None:
        return "", ""
    told = found[1].strip()
    expression = _FORMAL.match(told)
    stands = expression is not None and bool(re.search(r"[A-Z0-9]", expression[0]))
    return (expression[0].strip() if expression and stands else ""), told


def value(
    expression: str,
    parameters: Mapping[str, int],
    options: Mapping[str, int],
    root: Path,
    file: str,
) -> int:
    """Return an expression's value; FoliotError where a name in it stands for nothing."""
    known: dict[str, int] = {}
    for name in dict.fromkeys(_WORD.findall(expression)):
        if name in parameters:
            known[name] = parameters[name]
        elif name in ibex.NAMES:
            known[name] = ibex.NAMES[name]
        elif name in options:
            known[name] = options[name]
        elif name in _own_options():
            known[name] = 0  # it is off, as IS_ENABLED() has it
        elif name in PARAMETERS:
            raise FoliotError(f"the parameter {name} is not given")
        else:
            known[name] = _defined(name, parameters, options, root, file)
    text = _WORD.sub(lambda match: str(known[match[0]]), expression).replace("/", "//")
    try:
        return max(0, int(eval(text, {"__builtins__": {}}, {})))  # noqa: S307 (digits and signs)
    except (SyntaxError, TypeError, ArithmeticError):
        raise FoliotError(f"'{expression}' is no expression") from None


def without_above(expression: str) -> tuple[str, int]:
    """Take `- 4 * ABOVE` off an expression: what is left, and the 4; 0 where it has none."""
    found = _ABOVE.search(expression)
    if found is None:
        return expression, 0
    return expression[: found.start()], int(found[1] or 1)


def words(expression: str) -> list[str]:
    """Return the parameters in an expression."""
    return [name for name in dict.fromkeys(_WORD.findall(expression)) if name in PARAMETERS]


@cache
def _own_options() -> frozenset[str]:
    """Return the kernel's options as code names them: another name is no 0, but a mistake."""
    return frozenset(f"CONFIG_{name}" for name in zephyr.own_options())


def _defined(
    name: str, parameters: Mapping[str, int], options: Mapping[str, int], root: Path, file: str
) -> int:
    """Return what a source defines a name as: its own file's, or the only one in the kernel."""
    for texts in (_definitions(root, file), _all_definitions(root)):
        found = {text for at, text in texts if at == name}
        if len(found) == 1:
            text = _CAST.sub("", _COMMENT.sub("", found.pop()))
            text = re.sub(r"(?<=\d)[uU][lL]*\b", "", text).strip()
            text = re.sub(r"\bsizeof\(timeout_tick_t\)", "4", text)
            if _COMPUTED.fullmatch(text) and name not in _WORD.findall(text):
                return value(text, parameters, options, root, file)
    raise FoliotError(f"nothing says how much {name} is")


@cache
def _definitions(root: Path, file: str) -> Sequence[tuple[str, str]]:
    try:
        text = (root / file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return [(match[1], match[2]) for match in _DEFINED.finditer(text)]


@cache
def _all_definitions(root: Path) -> Sequence[tuple[str, str]]:
    rooms = ("kernel", "include/foliot", "lib", "suites/measure/include")
    places = [path for room in rooms for path in sorted((root / room).rglob("*.h"))]
    files = [str(path.relative_to(root)) for path in places]
    return [pair for file in files for pair in _definitions(root, file)]


def _plain(comment: str) -> str:
    """Return a comment's words, without what marks it as one."""
    text = comment.removeprefix("/*").removesuffix("*/").removeprefix("//")
    return " ".join(line.strip().removeprefix("*").strip() for line in text.splitlines()).strip()


def _quiet(text: str) -> str:
    """Blank comments and strings out; lines stay where they are."""
    return _QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _of_c(file: str, text: str) -> Iterator[Loop]:
    bare = _quiet(text)
    spans = list(_spans(bare))
    heads = _heads(text, bare, spans)
    for begin, end in spans:
        told = _comment_at(text, bare, begin) or heads.get(begin, "")
        expression, prose = formal(told)
        lines = bare.count("\n", 0, begin) + 1, bare.count("\n", 0, end) + 1
        yield Loop(file, *lines, expression, prose)
    yield from _calls(file, text, bare)


def _calls(file: str, text: str, bare: str) -> Iterator[Loop]:
    """Give the calls that say how often they lead back."""
    for match in re.finditer(r"\breturn\b[^;{}]*\(", bare):
        expression, prose = formal(_comment_at(text, bare, match.start()))
        if prose:
            end = bare.find(";", match.start())
            lines = bare.count("\n", 0, match.start()) + 1, bare.count("\n", 0, end) + 1
            yield Loop(file, *lines, expression, prose, is_call=True)


def _spans(bare: str) -> Iterator[tuple[int, int]]:
    """Give each loop's first and last place."""
    ends = []  # of `do`, whose own `while` is no loop
    for match in _KEYWORD.finditer(bare):
        begin = match.start()
        if match[1] == "while" and begin in ends:
            continue
        if _DIRECTIVE.search(bare[:begin]):
            continue
        end = _end(bare, begin, match[1])
        if match[1] == "do":
            tail = bare.rfind("while", begin, end)
            ends.append(tail)
        yield begin, end


def _end(bare: str, begin: int, keyword: str) -> int:
    """Return the last place of a loop's statement."""
    depth, at = 0, begin
    while at < len(bare):
        if bare[at] in "({":
            depth += 1
        elif bare[at] in ")}":
            depth -= 1
            if depth == 0 and bare[at] == "}":
                behind = re.compile(r"\s*while\s*\(").match(bare, at + 1)
                if keyword != "do" or behind is None:
                    return at
                keyword, at = "while", behind.end() - 2
        elif bare[at] == ";" and depth == 0:
            return at
        at += 1
    return len(bare) - 1


def _behind_parentheses(bare: str, at: int) -> int:
    """Return the first place behind what is in parentheses from `at` on, and blanks."""
    depth = 0
    while at < len(bare):
        depth += {"(": 1, ")": -1}.get(bare[at], 0)
        at += 1
        if not depth:
            break
    return at + len(bare[at:]) - len(bare[at:].lstrip())


def _comment_at(text: str, bare: str, begin: int) -> str:
    """Return the comment that is right in front of a loop, or behind its first line's code."""
    before = bare.rfind("\n", 0, begin)
    after = bare.find("\n", begin)
    on_line = re.search(r"/\*.*", text[begin:after])
    if on_line and "Bound:" in text[begin : text.find("*/", begin) + 2]:
        return text[begin + on_line.start() : text.find("*/", begin) + 2]
    upto = text[: before + 1].rstrip()
    if upto.endswith("*/") and not bare[before + 1 : begin].strip():
        return upto[upto.rfind("/*") :]
    return ""


def _heads(text: str, bare: str, spans: Sequence[tuple[int, int]]) -> Mapping[int, str]:
    """Map the only loop of a function to the comment at the function's head."""
    found = {}
    for function in _HEAD.finditer(bare):
        inside = [begin for begin, _ in spans if function.start() <= begin < function.end()]
        upto = text[: function.start()].rstrip()
        if len(inside) == 1 and upto.endswith("*/"):
            found[inside[0]] = upto[upto.rfind("/*") :]
    return found


def _of_assembly(file: str, text: str) -> Iterator[Loop]:
    lines = text.count("\n") + 1
    for match in _COMMENT.finditer(text):
        expression, prose = formal(match[0])
        if prose:
            first = text.count("\n", 0, match.start()) + 1
            last = next(
                (
                    first + text.count("\n", match.start(), match.end() + label.start())
                    for label in re.finditer(r"^\s*\.?\w+:", text[match.end() :], re.MULTILINE)
                ),
                lines,
            )
            yield Loop(file, first, last, expression, prose)

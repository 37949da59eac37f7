# SPDX-License-Identifier: Apache-2.0
"""A preprocessed source taken apart into what stands at file level, and put together again.

A proof of a function needs the function, the contracts of what it calls and the types of both, and
nothing else. So each is proved in a text of its own, some tens of lines, whose content says
whether the proof of last time still counts: what changes elsewhere in a header changes nothing
here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from foliot.model.errors import FoliotError

_TOKEN = re.compile(
    r"""(?P<marker>^\#[ ](?P<number>\d+)[ ]"(?P<file>[^"\n]*)"[^\n]*)
    |(?P<directive>^[ \t]*\#[^\n]*)
    |(?P<acsl>/\*@.*?\*/|//@[^\n]*)
    |(?P<comment>/\*.*?\*/|//[^\n]*)
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
    |(?P<word>[A-Za-z_]\w*)
    |(?P<newline>\n)
    |(?P<blank>[ \t\r\f]+)
    |(?P<other>\.\.\.|[0-9][\w.]*|.)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')
_OF_CONTRACT = re.compile(
    r"/[*/]@[\s@]*(requires|assigns|ensures|terminates|behavior|frees|allocates|exits|decreases)\b"
)
_LOGIC_NAME = re.compile(
    r"\b(?:predicate|axiomatic|lemma|inductive|(?:logic|ghost)\s+[\w\s*]+?[\s*])"
    r"\s*([A-Za-z_]\w*)\s*[({:=;]"
)
_TAG = re.compile(r"\b(?:struct|union|enum)\s+([A-Za-z_]\w*)\s*\{")
_ENUMERATION = re.compile(r"\benum\b[^{;]*\{([^}]*)\}")
_POINTER_NAME = re.compile(r"\(\s*\*\s*(?:const\s+)?([A-Za-z_]\w*)\s*\)\s*\(")
_IN_PARENTHESES = re.compile(r"\s*[A-Za-z_][\w\s*]*\(([A-Za-z_]\w*)\)\s*\(")  # no macro
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
_DECLARED = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?=[=;,:]|$)")
_SPECIFIERS = frozenset({"__attribute__", "__asm__", "asm", "__typeof__", "typeof"})


@dataclass(slots=True)
class Piece:
    """A declaration, a definition or an annotation at file level."""

    file: str
    line: int
    head: str  # up to a function's body; all of anything else
    body: str = ""
    contract: str = ""
    contract_line: int = 0
    function: str = ""
    names: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()

    @property
    def is_logic(self) -> bool:
        """An annotation by itself: predicates, logic functions, axioms."""
        return not self.function and self.head.startswith(("/*@", "//@"))


class _Reader:
    """Goes through a preprocessed source, token by token."""

    def __init__(self) -> None:
        self.done: list[Piece] = []
        self._file, self._line, self._depth = "", 1, 0
        self._began = ("", 0)
        self._text: list[str] = []
        self._body_at = -1  # in `_text`

    def marker(self, file: str, number: int) -> None:
        """Take what the preprocessor says of the next line's place."""
        if self._text and file == self._file and number > self._line + 1:
            self._text.append("\n" * (number - self._line - 1))  # those that it left out
        self._file, self._line = file, number - 1

    def blank(self, word: str) -> None:
        """Take what separates words."""
        if self._text:
            self._text.append("\n" * word.count("\n") or " ")
        self._line += word.count("\n")

    def word(self, word: str, is_annotation: bool) -> None:
        """Take anything else."""
        if not self._text:
            self._began = (self._file, self._line)
        self._text.append(word)
        self._line += word.count("\n")
        if word == "{":
            if self._depth == 0 and _is_function(self._text):
                self._body_at = len(self._text) - 1
            self._depth += 1
        elif word == "}":
            self._depth -= 1
        is_alone = is_annotation and len(self._text) == 1
        is_body = word == "}" and self._body_at >= 0
        if self._depth == 0 and (is_alone or is_body or word == ";"):
            self.done.append(_finished(self._began, self._text, self._body_at))
            self._text, self._body_at = [], -1

    def end(self) -> list[Piece]:
        """Return the pieces."""
        if "".join(self._text).strip():
            raise FoliotError(f"{self._file}: ends within a declaration")
        return self.done


def take_apart(text: str) -> list[Piece]:
    """Return what stands at file level, in its order."""
    reader = _Reader()
    for token in _TOKEN.finditer(text):
        if token["marker"]:
            reader.marker(token["file"], int(token["number"]))
        elif token.lastgroup in {"directive", "newline", "blank", "comment"}:
            reader.blank(token[0])
        else:
            reader.word(token[0], token.lastgroup == "acsl")
    return list(_with_contracts(reader.end()))


def _is_function(text: Sequence[str]) -> bool:
    """Is what a brace opens here a function's body? `text` ends with the brace."""
    head = _bare("".join(text[:-1])).rstrip()
    return head.endswith(")") and "=" not in head


def _bare(head: str) -> str:
    """Return it without attributes and annotations, and strings emptied."""
    head = _QUOTED.sub('""', re.sub(r"/\*@.*?\*/", " ", head, flags=re.DOTALL))
    while True:
        found = re.search(r"\b(?:__attribute__|__asm__|asm)\s*(?:volatile)?\s*\(", head)
        if not found:
            return head
        depth, at = 1, found.end()
        while depth and at < len(head):
            depth += {"(": 1, ")": -1}.get(head[at], 0)
            at += 1
        head = head[: found.start()] + " " + head[at:]


def _finished(began: tuple[str, int], text: Sequence[str], body_at: int) -> Piece:
    head = "".join(text[:body_at] if body_at >= 0 else text)
    piece = Piece(*began, head, "".join(text[body_at:]) if body_at >= 0 else "")
    if head.startswith(("/*@", "//@")):
        piece.names = frozenset(_LOGIC_NAME.findall(head))
    else:
        bare = _bare(head)
        piece.function = _function(bare)
        piece.names = frozenset(_names(bare, piece.function))
    piece.uses = frozenset(_WORD.findall(_QUOTED.sub("", head + piece.body))) - piece.names
    return piece


def _function(bare: str) -> str:
    """Return the name of the function that is declared or defined here, or nothing."""
    in_parentheses = _IN_PARENTHESES.match(bare)
    if in_parentheses:
        return in_parentheses[1]
    flat = _flat(bare)
    if re.match(r"\s*typedef\b", flat) or "=" in flat or "{" in flat:
        return ""
    return next((name for name in _CALLED.findall(flat) if name not in _SPECIFIERS), "")


def _flat(bare: str) -> str:
    """Return it with what is in parentheses and braces left out, the parentheses kept."""
    out, depth = [], 0
    for char in bare:
        if char in ")}]":
            depth -= 1
        if depth == 0:
            out.append(char)
        if char in "({[":
            depth += 1
    return "".join(out)


def _names(bare: str, function: str) -> Iterator[str]:
    yield from _TAG.findall(bare)
    for members in _ENUMERATION.findall(bare):
        yield from re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)\s*(?=[=,]|$)", members)
    if function:
        yield function
        return
    flat = _flat(bare)
    pointer = _POINTER_NAME.search(bare) if "{" not in bare else None
    if pointer:
        yield pointer[1]
        return
    flat = re.sub(r"\[\]", "", flat)
    before = flat.split("=")[0] if "," not in flat else flat
    yield from (name for name in _DECLARED.findall(before) if name not in {"struct", "union"})


def _with_contracts(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Put contracts before the functions that they stand in front of."""
    waiting: Piece | None = None
    for piece in pieces:
        if waiting is not None:
            if not piece.function:
                raise FoliotError(
                    f"{waiting.file}:{waiting.line}: a contract in front of what is no function"
                )
            piece.contract, piece.contract_line = waiting.head, waiting.line
            piece.uses |= frozenset(_WORD.findall(waiting.head)) - piece.names
            waiting = None
        if not piece.function and _OF_CONTRACT.match(piece.head):
            waiting = piece
            continue
        yield piece


@dataclass(frozen=True, slots=True)
class Slice:
    """What a function's proof needs."""

    text: str  # with markers of lines
    content: str  # without: what the proof depends on
    inlined: tuple[str, ...]  # functions without a contract that it calls


def contracts(pieces: Iterable[Piece]) -> dict[str, Piece]:
    """Return the pieces that bring a contract, by function."""
    return {piece.function: piece for piece in pieces if piece.contract}


def slice_of(pieces: Sequence[Piece], function: str) -> Slice:
    """Return what proves `function`: its definition, its callees' contracts, and their types."""
    by_name: dict[str, list[int]] = {}
    for number, piece in enumerate(pieces):
        for name in piece.names:
            by_name.setdefault(name, []).append(number)
    with_contract = contracts(pieces)
    taken: set[int] = set()
    todo = list(by_name.get(function, ()))
    while todo:
        number = todo.pop()
        if number in taken:
            continue
        taken.add(number)
        for name in _needed(pieces[number], function, with_contract):
            todo.extend(by_name.get(name, ()))
    return _assembled(pieces, sorted(taken), function, with_contract)


def _needed(piece: Piece, root: str, with_contract: Mapping[str, Piece]) -> Iterable[str]:
    if piece.function and piece.function != root and piece.function in with_contract:
        return _WORD.findall(_QUOTED.sub("", piece.contract + piece.head))
    return piece.uses


def _may_write_all(contract: Piece | None) -> bool:
    """Return whether nothing says what a function that is called writes.

    Of one that is only declared Frama-C takes it that it writes what its parameters point to, and
    nothing else. Of one that has a body, whatever it is, WP takes it that it writes everything.
    """
    return contract is None or "assigns" not in contract.contract


def _assembled(
    pieces: Sequence[Piece], numbers: Sequence[int], root: str, with_contract: Mapping[str, Piece]
) -> Slice:
    text, content, inlined = [], [], []
    with_body = {piece.function for piece in pieces if piece.body}
    last = {pieces[number].function: number for number in numbers}
    for number in numbers:
        piece = pieces[number]
        head, body = piece.head, piece.body
        if piece.function and piece.function != root:
            contract = with_contract.get(piece.function)
            if contract is None and piece.function in with_body:
                inlined += [piece.function] if body else []
            elif number == last[piece.function] and _may_write_all(contract):
                head, body = _bare(head).rstrip("; \n"), "{ }"
            elif body:
                body = ";"
        if piece.contract:
            text.append(f'# {piece.contract_line} "{piece.file}"\n{piece.contract}')
        text.append(f'# {piece.line} "{piece.file}"\n{head}{body}')
        content.append(f"{piece.contract} {head}{body}")
    return Slice(
        "\n".join(text) + "\n",
        re.sub(r"\s+", " ", "\n".join(content)),
        tuple(dict.fromkeys(inlined)),
    )

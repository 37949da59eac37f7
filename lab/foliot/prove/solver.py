#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What Why3 takes for Z3: gives a goal to Z3 and cvc5, in a form that they decide.

WP says of C's conversions only that they end in their range, and of division a list of laws that
sends provers astray. Here they get their definition (C11, 6.3.1.3 and 6.5.5), which both provers
have built in; bits' operations by constants become arithmetic, and laws that have nothing to do
with the goal are left out. To leave hypotheses out is always sound; what is put in is tested
against what a C compiler makes of it (tests/lab/test_prove.py). Started by Why3 as a program of its
own: it imports nothing of the lab.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

Term = Any  # a word, or a list of terms
_TOKEN = re.compile(r'\(|\)|\|[^|]*\||"(?:[^"]|"")*"|[^\s()]+')
_COMMENT = re.compile(r";[^\n]*")
_NUMERAL = re.compile(r"\d+")
_WIDTHS = (8, 16, 32, 64)
CONVERSIONS = {
    **{f"to_uint{n}": f"(mod x {2**n})" for n in _WIDTHS},
    **{f"to_sint{n}": f"(- (mod (+ x {2 ** (n - 1)}) {2**n}) {2 ** (n - 1)})" for n in _WIDTHS},
}
# Towards zero; by zero whatever it may be.
DIVISIONS = {
    "div1": "(ite (= y 0) (div_by_0 x) (ite (= (>= x 0) (> y 0)) (div (abs x) (abs y)) "
    "(- (div (abs x) (abs y)))))",
    "mod1": "(ite (= y 0) (mod_by_0 x) (ite (>= x 0) (mod x (abs y)) (- (mod (- x) (abs y)))))",
}
# Of bits of whole numbers, for places that are no constants: what WP's laws say in other words.
LAWS = {
    "bit_test": (
        {"bit_test", "lsr"},
        (
            "(forall ((x Int) (k Int)) (! (=> (<= 0 k) (= (bit_test x k) (= (mod (lsr x k) 2) 1)))"
            " :pattern ((bit_test x k))))"
        ),
    ),
}
_MOST_SHIFTED = 64
_WALL_S = 100  # beyond this the machine stands still
_SHIFTS = {"lsl": "*", "lsr": "div"}
_BITWISE = frozenset({"land", "lor", "lxor"})
_KEPT_COMMANDS = frozenset(
    {"declare-fun", "declare-sort", "define-fun", "declare-datatypes", "define-sort",
     "declare-const"}
)  # fmt: skip
_POLYMORPHISM = frozenset({"sort", "witness"})


def parse(text: str) -> list[Term]:
    """Return the commands of a file of SMT-LIB as lists of words."""
    stack: list[list[Term]] = [[]]
    for word in _TOKEN.findall(_COMMENT.sub("", text)):
        if word == "(":
            stack.append([])
        elif word == ")":
            whole = stack.pop()
            stack[-1].append(whole)
        else:
            stack[-1].append(word)
    return stack[0]


def show(term: Term) -> str:
    """Return a term as it is written."""
    return term if isinstance(term, str) else f"({' '.join(map(show, term))})"


def _number(term: Term) -> int | None:
    if isinstance(term, str) and _NUMERAL.fullmatch(term):
        return int(term)
    if isinstance(term, list) and len(term) == 2 and term[0] == "-":
        inner = _number(term[1])
        return None if inner is None else -inner
    return None


def arithmetic(term: Term) -> Term:
    """Return it with bits' operations by constants as what they are of whole numbers."""
    if isinstance(term, str):
        return term
    term = [arithmetic(one) for one in term]
    if len(term) == 2 and term[0] == "lnot":
        return ["-", ["-", term[1]], "1"]
    if len(term) == 3 and isinstance(term[0], str):
        return _of_two(term[0], term[1], term[2]) or term
    return term


def _of_two(operation: str, left: Term, right: Term) -> Term:
    """Return an operation of two whose second, or any where the order is free, is constant."""
    numbers = [_number(left), _number(right)]
    by = numbers[1]
    if by is not None and 0 <= by <= _MOST_SHIFTED:
        if operation in {"bit_test", "bit_testb"}:
            return ["=", ["mod", ["div", left, str(1 << by)], "2"], "1"]
        if operation in _SHIFTS:
            return [_SHIFTS[operation], left, str(1 << by)]
    if operation in _BITWISE:
        for constant, other in zip(numbers, (right, left), strict=True):
            if constant is not None:
                return _by_constant(operation, other, constant)
    return None


def _by_constant(operation: str, term: Term, constant: int) -> Term:
    both = _masked(term, constant)
    if operation == "land":
        return both
    whole = ["+", term, _literal(constant)]
    return ["-", whole, both] if operation == "lor" else ["-", whole, ["*", "2", both]]


def _masked(term: Term, mask: int) -> Term:
    """Return `term & mask`: of each run of bits in the mask what stands there."""
    if mask < 0:
        return ["-", term, _masked(term, ~mask)]
    parts, at = [], 0
    while mask >> at:
        if not mask >> at & 1:
            at += 1
            continue
        end = at
        while mask >> end & 1:
            end += 1
        shifted = term if at == 0 else ["div", term, str(1 << at)]
        parts.append(["*", str(1 << at), ["mod", shifted, str(1 << (end - at))]])
        at = end
    return ["+", "0", "0", *parts]


def _literal(number: int) -> Term:
    return str(number) if number >= 0 else ["-", str(-number)]


def _words(term: Term, found: set[str]) -> set[str]:
    if isinstance(term, str):
        found.add(term)
    else:
        for one in term:
            _words(one, found)
    return found


def _patterns(term: Term, found: list[Term]) -> list[Term]:
    if isinstance(term, list):
        found += [term[at + 1] for at, one in enumerate(term) if one == ":pattern"]
        for one in term:
            _patterns(one, found)
    return found


def reduced(text: str) -> str:
    """Return the goal with what bears on it, and C's arithmetic defined."""
    commands = [arithmetic(one) for one in parse(text)]
    declared = {one[1] for one in commands if one[0] in {"declare-fun", "declare-const"}}
    asserted = [number for number, one in enumerate(commands) if one[0] == "assert"]
    words = {number: _words(commands[number], set()) & declared for number in asserted}
    kept = _relevant(commands, asserted, words, declared)
    out = ["(set-logic ALL)"]
    for number, one in enumerate(commands):
        if one[0] == "declare-fun" and one[1] in CONVERSIONS:
            out.append(f"(define-fun {one[1]} ((x Int)) Int {CONVERSIONS[one[1]]})")
        elif one[0] == "declare-fun" and one[1] in DIVISIONS:
            out.append(f"(declare-fun {one[1][:3]}_by_0 (Int) Int)")
            out.append(f"(define-fun {one[1]} ((x Int) (y Int)) Int {DIVISIONS[one[1]]})")
        elif one[0] in _KEPT_COMMANDS or number in kept:
            out.append(show(one))
    laws = [f"(assert {text})" for needed, text in LAWS.values() if needed <= declared]
    return "\n".join([*out, *laws, "(check-sat)", ""])


def _relevant(
    commands: list[Term], asserted: list[int], words: dict[int, set[str]], declared: set[str]
) -> set[int]:
    """Return the numbers of the goal and of the laws that speak of what it speaks of."""
    defined = CONVERSIONS.keys() | DIVISIONS.keys()
    kept = {asserted[-1]}
    known = set(words[asserted[-1]])
    grows = True
    while grows:
        grows = False
        for number in asserted:
            own = words[number] - _POLYMORPHISM
            if number in kept or (own and own <= defined):
                continue
            patterns = [_words(one, set()) & declared for one in _patterns(commands[number], [])]
            if patterns:
                bears = any(one <= known for one in patterns)
            else:
                bears = bool(own) and 2 * len(own & known) >= len(own)
            if bears:
                kept.add(number)
                known |= words[number]
                grows = True
    return kept


def tries(file: str, effort: int) -> list[list[str]]:
    """Return what is asked, one after the other, until one has a proof.

    Each is held to a number of its own steps, the same on a machine that is slow or busy.
    """
    return [
        ["z3", "-smt2", f"rlimit={effort * 300_000}", "auto_config=false", "smt.mbqi=false", file],
        ["z3", "-smt2", f"rlimit={effort * 1_000_000}", file],
        ["cvc5", f"--rlimit={effort * 20_000}", file],
    ]


def main() -> None:
    """Answer as Z3 would."""
    words = sys.argv[1:]
    if "--version" in words:
        print("Z3 version 4.8.12 - 64 bit")
        return
    failed = os.environ.get("FOLIOT_PROVE_FAILED")  # a goal did, and no other is asked for
    if failed and Path(failed).exists():
        print("unknown")
        return
    effort = int(os.environ.get("FOLIOT_PROVE_EFFORT", "10"))
    given = Path(words[-1])
    file = given.with_name(f"{given.name}.reduced.smt2")
    file.write_text(reduced(given.read_text(encoding="utf-8")), encoding="utf-8")
    answer = "unknown"
    try:
        for command in tries(str(file), effort):
            began = time.monotonic()
            try:
                done = subprocess.run(
                    command, check=False, capture_output=True, text=True, timeout=_WALL_S
                )
                said = done.stdout.split("\n")[0]
            except subprocess.TimeoutExpired:
                said = "timeout"
            if log := os.environ.get("FOLIOT_PROVE_LOG"):
                with Path(log).open("a", encoding="utf-8") as out:
                    out.write(f"{time.monotonic() - began:.2f} {command[0]} {said} {given.name}\n")
            if said == "unsat":
                answer = said
                break
    finally:
        file.unlink(missing_ok=True)
    if failed and answer != "unsat":
        Path(failed).touch()
    print(answer)


if __name__ == "__main__":
    main()

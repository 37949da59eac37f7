# SPDX-License-Identifier: Apache-2.0
"""`foliot prove`: the kernel's contracts hold; and what proves them is no yes-man.

What the solver is told of C's arithmetic is tried here against a C compiler, and each thing that
is assumed of assembly names a test that is there.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from foliot.prove import mutants, pieces, run, saved, solver, table, units, wp
from foliot.show.terminal import Progress
from support.command import ROOT

GOALS = 1135  # of contracts, at least; who adds some raises it
# Whoever has more killed raises the one, or lowers the other: of those that are not equivalent.
MUTANTS_KILLED, MOST_ALIVE = 1223, 4
MOST_UNPROVED = 3  # the list only shrinks
SEED, TRIALS = 26, 400
ASSUMPTION = re.compile(
    r"/\*((?:(?!\*/).)*?)\*/\n/\*@(?:(?!\*/).)*?\*/\n[^/]*?\b(\w+)\(", re.DOTALL
)
PROVED = (pytest.mark.board("qemu_riscv32", "mps2_an385"), pytest.mark.needs("prover"))


def proved(function):
    for mark in PROVED:
        function = mark(function)
    return function


@proved
@pytest.mark.slow
def test_the_contracts_of_the_kernel_hold():
    found, store = run.prove(run.files_of(()), Progress(quiet=True))
    store.save(commit=False)
    failed = [line for one in found if not one.is_proved for line in table.failures(one)]
    assert not failed, "\n".join(failed)
    assert sum(table.goals_of_contract(one) for one in found) >= GOALS


@proved
@pytest.mark.long
def test_they_hold_without_what_is_kept_and_what_is_listed_is_still_not_proved():
    found, _ = run.prove(run.files_of(()), Progress(quiet=True), fresh=True, listed_too=True)
    assert sorted(one.name for one in found if not one.is_proved) == sorted(run.unproved())


def test_what_is_not_proved_is_listed_and_the_list_only_shrinks():
    names = run.unproved()
    assert len(names) == len(set(names))
    assert len(names) <= MOST_UNPROVED, "prove it"
    assert len(names) == MOST_UNPROVED, f"fewer: write {len(names)} into MOST_UNPROVED"
    for name in names:
        file, function = name.split()
        assert function in units.functions_of((ROOT / file).read_text(encoding="utf-8")), name


def test_what_lives_of_the_mutants_is_listed_with_why():
    alive = {
        mutants.listed_as(name, change)
        for name, entry in mutants.committed().items() for _, change in entry["alive"]
    }  # fmt: skip
    assert alive == mutants.survivors().keys()
    assert sum(entry["killed"] for entry in mutants.committed().values()) >= MUTANTS_KILLED
    reasons = mutants.survivors().values()
    assert sum(not why.startswith("equivalent: ") for why in reasons) <= MOST_ALIVE


@proved
@pytest.mark.long
def test_the_mutants_of_proved_functions_are_killed_or_listed():
    found = mutants.try_all(run.files_of(()), set(run.unproved()), Progress(quiet=True))
    listed = mutants.survivors()
    for one in found:
        for line, change in one.alive:
            assert mutants.listed_as(one.name, change) in listed, f"{one.name}: {line}: {change}"


BODY = """{
	/*@ loop invariant x < 9; */
	if (x <= 3 && !y) {
		x = 1;
	}
	return x;
}"""


def test_each_comparison_number_and_store_is_changed_once():
    piece = pieces.Piece("some.c", 1, "int after(int x)", BODY, function="after")
    assert sorted(one.change for one in mutants.mutants(piece)) == [
        "! -> nothing", "&& -> ||", "1 -> 0", "3 -> 4", "<= -> <", "x = 1; -> nothing",
    ]  # fmt: skip


def test_results_of_other_content_hide_none(tmp_path, monkeypatch):
    """What was proved here and is not committed yet is not proved once more (nor the reverse)."""
    monkeypatch.setattr(saved, "OWN", tmp_path / "own.json")
    monkeypatch.setattr(saved, "COMMITTED", tmp_path / "committed.json")
    first = saved.Saved()
    first.add("some.c after", "then", wp.Proof((wp.Goal("Post", 1, True, "Qed", 0.1),), 1))
    first.save(commit=True)
    second = saved.Saved()
    assert second.find("some.c after", "now") is None
    second.add("some.c after", "now", wp.Proof((wp.Goal("Post", 2, True, "Z3", 0.2),), 2))
    second.save(commit=False)
    third = saved.Saved()
    for key, line in (("now", 2), ("then", 1)):
        found = third.find("some.c after", key)
        assert found is not None
        assert found.goals[0].line == line
    assert saved.Saved(fresh=True).find("some.c after", "now") is None


PROVES_SLOWLY = """
import sys, time
from pathlib import Path
from foliot.prove import run, saved, wp
from foliot.show.terminal import Progress
saved.OWN, saved.COMMITTED, saved.how = Path(sys.argv[1]), Path(sys.argv[2]), lambda: "so"
count = 0
def prove(job):
    global count
    count += 1
    if count > int(sys.argv[4]):
        time.sleep(60)
    error = "" if count > 1 else "a tool was killed"
    return wp.Proof((wp.Goal("Post", 1, True, "Qed", 0.1),), 1, error)
run._prove = prove
run.prove([sys.argv[3]], Progress(quiet=True))
"""


def test_whoever_kills_two_at_once_in_the_middle_loses_nothing(tmp_path):
    own, committed = tmp_path / "own.json", tmp_path / "committed.json"
    files = {"kernel/sched/wait_q.h": 5, "kernel/time/wheel.h": 3}  # and so many of each
    words = [sys.executable, "-c", PROVES_SLOWLY, own, committed]
    both = [
        subprocess.Popen(
            [*words, file, str(many)], env={**os.environ, "PYTHONPATH": str(ROOT / "lab")},
            stderr=subprocess.DEVNULL, cwd=ROOT, process_group=0,
        )
        for file, many in files.items()
    ]  # fmt: skip
    try:
        wanted = sum(files.values()) - len(files)  # what went wrong is no result
        until = time.monotonic() + 60
        while not own.exists() or len(json.loads(own.read_text())) < wanted:
            assert time.monotonic() < until
            assert all(one.poll() is None for one in both)
            time.sleep(0.1)
    finally:
        for one in both:
            one.kill()
            one.wait()
    assert not committed.exists()
    kept = json.loads(own.read_text())
    for file, many in files.items():
        assert len([name for name in kept if name.startswith(f"{file} ")]) == many - 1
        assert all(one["goals"] == [["Post", 1, True, "Qed", 0.1]] for one in kept.values())


def test_whoever_stops_it_has_no_more_begun(monkeypatch):
    begun = []
    monkeypatch.setattr(run, "_prove", lambda job: begun.append(job) or time.sleep(0.05))
    every = run._each_proved(list(range(100)))
    next(every)
    every.close()  # as Ctrl-C does
    assert 1 <= len(begun) < 50


def test_what_is_kept_in_no_order_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(saved, "OWN", tmp_path / "own.json")
    monkeypatch.setattr(saved, "COMMITTED", tmp_path / "none.json")
    for text in ("", "{", "[]", "3", '{"some.c after": {"key": "now"}}', '{"some.c after": 7}'):
        saved.OWN.write_text(text, encoding="utf-8")
        assert saved.Saved().find("some.c after", "now") is None
        saved.Saved().add("some.c after", "now", wp.Proof((), 1))
        assert saved.Saved().find("some.c after", "now") is not None


def test_nothing_is_admitted():
    for file in units.files_with_contracts():
        text = (ROOT / file).read_text(encoding="utf-8")
        for one in re.findall(r"/\*@.*?\*/", text, re.DOTALL):
            assert not re.search(r"\b(admit|axiom|axiomatic|terminates|check lemma)\b", one), one


def test_each_assumption_names_the_test_that_tries_it():
    files = (units.ASSUMED, units.ASSUMED_OF_OBJECTS)
    proofs = json.loads(saved.COMMITTED.read_text(encoding="utf-8"))
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    functions = ASSUMPTION.findall(text)
    assert len(functions) == len(re.findall(r"^[a-z][^;]*\);$", text, re.MULTILINE)) > 3
    for comment, function in functions:
        tried = re.search(r"Tried by: (.*)", comment.replace("\n *", " "))
        assert tried, f"{function}: no test"
        for place in re.findall(r"tests/[\w/.]*\w", tried[1]):
            assert (ROOT / place).exists(), f"{function}: {place} is not there"
        for one in re.findall(r"test_prove\.py::(\w+)", tried[1]):
            assert one in globals(), f"{function}: {one} is no test"
        for source in re.findall(r"test_prove\.py \(([^()]*)\)", tried[1]):
            assert f"{source} {function}" in proofs, f"{function}: {source} has no proof of it"


@proved
def test_what_initialises_a_mutex_writes_what_is_assumed(tmp_path):
    """A mutex's own source has no contract: its body is held against what is assumed of it."""
    (unit,) = units.units(["kernel/objects/mutex.c"])
    part = pieces.slice_of(unit.pieces, "k_mutex_init")
    assert "object_init_end" not in part.text  # the code, expanded
    found = wp.prove_in(wp.MODELS[0], "k_mutex_init", part, tmp_path, run.EFFORTS[0])
    assert not found.error, found.error
    assert any(goal.title == "Assigns" for goal in found.goals)
    assert not [goal for goal in found.failed if goal.is_contract]
    wrong = re.sub(r"(k_mutex_init\([^;{]*\)\s*\{)", r"\1 object_table[1].object = 0;", part.text)
    more = wp.prove_in(
        wp.MODELS[0], "k_mutex_init", replace(part, text=wrong), tmp_path, run.EFFORTS[0]
    )
    assert [goal.title for goal in more.failed if goal.is_contract] == ["Assigns"]


def test_what_operations_require_promises_nothing():
    """A contract there is what verifiers have to show, and no word of what an operation does."""
    text = units.OBLIGED.read_text(encoding="utf-8")
    found = re.findall(r"/\*@(.*?)\*/", text, re.DOTALL)
    assert len(found) > 40
    for one in found:
        assert "requires" in one
        assert not re.search(r"\b(assigns|ensures|assumes|behavior|axiom\w*)\b", one), one


def z3(text):
    done = subprocess.run(
        ["z3", "-in"], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.strip()


@proved
def test_arithmetic_is_what_a_compiler_makes_of_it(tmp_path):
    """Ground equalities, of values at the ends and random ones, that C itself printed."""
    chance = random.Random(SEED)
    values = [0, 1, -1, 5, 2**31 - 1, 2**31, -(2**31), 2**32 - 1, -(2**32) + 1, 2**62]
    values += [chance.randint(-(2**40), 2**40) for _ in range(TRIALS)]
    masks = [0x7F, 0x80000000, 0xFFFFFFFC, -4, 0x9F, 3, 0x20, 0x00FF00F0]
    program = tmp_path / "values.c"
    array = ",".join(f"{value}LL" for value in values)
    program.write_text(
        "#include <stdint.h>\n#include <stdio.h>\n"
        f"static const long long v[] = {{{array}}};\n"
        "int main(void)\n{\n\tfor (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {\n"
        "\t\tlong long x = v[i];\n"
        + "".join(
            f'\t\tprintf("to_{sign}int{n} %lld %lld\\n", x, (long long)({u}int{n}_t)x);\n'
            for sign, u in (("u", "u"), ("s", ""))
            for n in (8, 16, 32)
        )
        + '\t\tprintf("div1 %lld %lld\\n", x, x / 7);\n\t\tprintf("mod1 %lld %lld\\n", x, x % 7);\n'
        '\t\tprintf("div1n %lld %lld\\n", x, x / -7);\n'
        '\t\tprintf("mod1n %lld %lld\\n", x, x % -7);\n'
        + "".join(
            f'\t\tprintf("{name} {mask} %lld %lld\\n", x, x {sign} {mask}LL);\n'
            for mask in masks
            for name, sign in (("land", "&"), ("lor", "|"), ("lxor", "^"))
        )
        + '\t\tprintf("lsr %lld %lld\\n", x, x >> 5);\n'
        "\t}\n\treturn 0;\n}\n"
    )
    subprocess.run(["gcc", "-o", tmp_path / "values", program], check=True, timeout=60)
    said = subprocess.run(
        [tmp_path / "values"], capture_output=True, text=True, check=True, timeout=20
    )
    claims = [claim(line.split()) for line in said.stdout.splitlines()]
    assert len(claims) > 10 * TRIALS
    definitions = [
        *(f"(define-fun {name} ((x Int)) Int {body})" for name, body in solver.CONVERSIONS.items()),
        "(declare-fun div_by_0 (Int) Int)", "(declare-fun mod_by_0 (Int) Int)",
        *(f"(define-fun {name} ((x Int) (y Int)) Int {body})"
          for name, body in solver.DIVISIONS.items()),
    ]  # fmt: skip
    text = "\n".join([*definitions, f"(assert (not (and {' '.join(claims)})))", "(check-sat)"])
    assert z3(text) == "unsat"
    wrong = text.replace(claims[0], f"(not {claims[0]})")
    assert z3(wrong) == "sat"


def literal(text):
    return text if not text.startswith("-") else f"(- {text[1:]})"


def claim(words):
    """Return what C printed as an equality, bits' operations as the solver is given them."""
    name, *numbers = words
    value, answer = literal(numbers[-2]), literal(numbers[-1])
    if name in {"land", "lor", "lxor"}:
        mask = solver.parse(literal(numbers[0]))[0]
        term = solver.arithmetic([name, mask, solver.parse(value)[0]])
        return f"(= {solver.show(term)} {answer})"
    if name == "lsr":
        term = solver.arithmetic(["lsr", solver.parse(value)[0], "5"])
        return f"(= {solver.show(term)} {answer})"
    if name.startswith(("div", "mod")):
        by = "(- 7)" if name.endswith("n") else "7"
        return f"(= ({name.removesuffix('n')} {value} {by}) {answer})"
    return f"(= ({name} {value}) {answer})"


@proved
def test_builtins_are_what_is_assumed(tmp_path):
    program = tmp_path / "builtins.c"
    program.write_text(
        "int main(void)\n{\n\tunsigned int x = 1;\n\tfor (int i = 0; i < 3000000; i++) {\n"
        "\t\tx = x * 1664525U + 1013904223U;\n"
        "\t\tunsigned int bits = x << (i % 32);\n"
        "\t\tif (bits != 0 && ((bits >> __builtin_ctz(bits)) & 1) != 1) {\n\t\t\treturn 1;\n\t\t}\n"
        "\t}\n\treturn 0;\n}\n"
    )
    subprocess.run(["gcc", "-O1", "-o", tmp_path / "b", program], check=True, timeout=60)
    assert subprocess.run([tmp_path / "b"], check=False, timeout=60).returncode == 0


@proved
def test_the_lowest_bit_is_found_for_each_that_can_be_it(tmp_path):
    """Of a word, `bits & -bits` is one of 32 values, on which alone the result depends."""
    program = tmp_path / "lowest.c"
    program.write_text(
        "#define CONFIG_FAST_BIT_SEARCH 1\n#define __riscv_mul 1\n#define __riscv 1\n"
        '#include "lib/bits.c"\nint main(void)\n{\n\tunsigned int noise = 1;\n'
        "\tfor (unsigned int i = 0; i < 32; i++) {\n\t\tfor (int n = 0; n < 1000; n++) {\n"
        "\t\t\tnoise = noise * 1664525U + 1013904223U;\n"
        "\t\t\tif (lowest_bit((noise | 1U) << i) != i) {\n\t\t\t\treturn 1;\n\t\t\t}\n\t\t}\n\t}\n"
        "\treturn 0;\n}\n"
    )
    words = ["gcc", f"-I{ROOT}", f"-I{ROOT}/include", "-o", tmp_path / "l", program]
    subprocess.run(words, check=True, timeout=60)
    assert subprocess.run([tmp_path / "l"], check=False, timeout=60).returncode == 0


WRITES = """
# 1 "some.c"
extern int other;
int silent(int *x);
/*@ requires x != 0; */
int says_nothing(int *x) { return 0; }
/*@ requires other == 2; ensures other == 2; */
int after(int *x) { return CALLED(x); }
/*@ requires other == 2; ensures \\result == 2; */
int before(int *x) { int own = other; return CALLED(x) ? own : own; }
"""


@proved
@pytest.mark.parametrize(
    ("called", "function"), [("silent", "after"), ("says_nothing", "after"), ("silent", "before")]
)
def test_of_a_callee_that_does_not_say_what_it_writes_nothing_is_assumed(
    tmp_path, called, function
):
    """Frama-C takes it of a prototype that it writes what its parameters point to, and no more."""
    text = WRITES.replace("CALLED", called).replace("x != 0", "(boolean)1")
    part = pieces.slice_of(pieces.take_apart(text), function)
    found = wp.prove_in(wp.MODELS[0], function, part, tmp_path, 1)
    assert not found.error, found.error
    assert bool(found.failed) is (function == "after")


GHOST = """
# 1 "some.c"
/*@ ghost int answered; */
/*@ ghost int unused; */
/*@ ensures \\result == answered; */
int next(int x);
/*@ ensures \\result == answered; */
int after(int x) { int answer = 0; answer = next(x); return answer; }
"""


@proved
def test_who_does_not_hand_on_an_answer_is_noticed(tmp_path):
    """What a callee answers has a name alone, a ghost's: that is enough."""
    part = pieces.slice_of(pieces.take_apart(GHOST), "after")
    assert "unused" not in part.text
    right = wp.prove_in(wp.MODELS[0], "after", part, tmp_path, 1)
    assert (right.error, right.failed) == ("", [])
    wrong = GHOST.replace("answer = next(x)", "next(x)")
    part = pieces.slice_of(pieces.take_apart(wrong), "after")
    found = wp.prove_in(wp.MODELS[0], "after", part, tmp_path, 1)
    assert [goal.title for goal in found.failed] == ["Post-condition"]


SOURCE = """
# 1 "some.c"
typedef unsigned int word;
struct unused { int a; };
/*@ predicate is_small(integer x) = x < 10; */
/*@ requires is_small(x); assigns \\nothing; ensures \\result == x + 1; */
static word next(word x) { return x + 1; }
static word twice(word x) { return x; }
/*@ requires x < 9; assigns \\nothing; ensures \\result == x + 2; */
word after(word x) { return next(next(twice(x))); }
"""


def test_a_function_is_proved_with_what_it_needs_and_no_more():
    found = pieces.take_apart(SOURCE)
    part = pieces.slice_of(found, "after")
    assert "unused" not in part.text
    assert "is_small" in part.text
    assert part.inlined == ("twice",)
    assert "return x + 1" not in part.text  # its contract stands for it
    moved = pieces.slice_of(pieces.take_apart(SOURCE.replace("# 1", "# 99")), "after")
    assert moved.content == part.content != moved.text


@proved
def test_a_contract_that_does_not_hold_is_not_proved(tmp_path):
    right = wp.prove("after", pieces.slice_of(pieces.take_apart(SOURCE), "after"), tmp_path)
    assert not right.failed
    assert not right.error
    wrong = SOURCE.replace("next(next(twice(x)))", "next(twice(x))")
    found = wp.prove("after", pieces.slice_of(pieces.take_apart(wrong), "after"), tmp_path)
    assert [goal.title for goal in found.failed] == ["Post-condition"]
    broken = SOURCE.replace("x + 2;", "y + 2;")
    assert wp.prove("after", pieces.slice_of(pieces.take_apart(broken), "after"), tmp_path).error


@proved
def test_what_cannot_but_go_wrong_is_not_proved(tmp_path):
    """WP has no goal of it, and proves whatever stands behind it."""
    for wrong in ("x / (1 - 1)", "1U << 35"):
        text = SOURCE.replace("next(next(twice(x)))", wrong)
        found = wp.prove("after", pieces.slice_of(pieces.take_apart(text), "after"), tmp_path)
        assert any("never holds" in goal.title for goal in found.failed), wrong


@proved
def test_the_command_shows_functions_goals_and_time(foliot):
    shown = foliot("prove", "kernel/access/user_range.h", "--goals")
    assert "user_range_is_own" in shown.stdout
    assert "Post-condition" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 100
    refused = foliot("prove", "README.md")
    assert refused.returncode == 2
    assert "has no contract" in refused.stderr

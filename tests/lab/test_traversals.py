# SPDX-License-Identifier: Apache-2.0
"""Each loop of the kernel's goes through the walk's steps, or is on a list.

A loop whose function opens no window between its rounds may run masked. So it is named in
loops.txt, with how many there are in that function, and with its bound: whoever adds one decides
there what that is (docs/kernel.md, Work in steps).
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from support.command import ROOT

LIST = Path(__file__).parent / "loops.txt"
STEPS = re.compile(r"\b(sched_traversal_(window|on|past)|sched_wake_all|reap_one)\(")
COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\])*\"|'(\\.|[^'\\])+'", re.DOTALL)
FUNCTION = re.compile(
    r"^[A-Za-z_][^;{}]*?\b(\w+)\([^;{}]*\)[^;{}()]*\n\{\n(.*?)^\}",
    re.DOTALL | re.MULTILINE,
)
LOOP = re.compile(r"\b(for|while|do)\b\s*[({]")


def body_of(text: str, start: int) -> str:
    """Return a loop from its keyword to the end of its statement."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "({":
            depth += 1
        elif text[at] in ")}":
            depth -= 1
            if depth == 0 and text[at] == "}":
                behind = re.match(r"\s*while\s*\([^;]*\);", text[at + 1 :])
                return text[start : at + 1] + (behind[0] if behind else "")
        elif text[at] == ";" and depth == 0:
            return text[start : at + 1]
    return text[start:]


def loops_without_steps(source: str) -> Counter[str]:
    """Count the loops that open no window, by function."""
    found: Counter[str] = Counter()
    bare = COMMENTS.sub(" ", source)
    for function in FUNCTION.finditer(bare):
        behind = 0
        for loop in LOOP.finditer(function[2]):
            whole = body_of(function[2], loop.start())
            if loop.start() < behind and loop[1] == "while":
                continue  # the end of a `do`
            behind = loop.start() + len(whole) if loop[1] == "do" else behind
            if not STEPS.search(whole):
                found[function[1]] += 1
    return found


def loops_of_the_kernel() -> Counter[str]:
    """Count them in the whole kernel."""
    found: Counter[str] = Counter()
    for path in sorted((ROOT / "kernel").rglob("*.[ch]")):
        for function, count in loops_without_steps(path.read_text(encoding="utf-8")).items():
            found[f"{path.relative_to(ROOT)} {function}"] += count
    return found


def lines() -> list[list[str]]:
    """Read the list: file, function, number of loops, bound."""
    read = LIST.read_text(encoding="utf-8").splitlines()
    return [line.split(" ") for line in read if line and not line.startswith("#")]


def listed() -> Counter[str]:
    """Return how many loops of each function are on the list."""
    return Counter({f"{file} {function}": int(count) for file, function, count, _ in lines()})


def is_known_bound(bound: str, words: set[str]) -> bool:
    """Say whether it is a number, an option, a name that a source defines, or a word."""
    if bound.startswith("CONFIG_"):
        option = re.compile(rf"^config {bound.removeprefix('CONFIG_')}$", re.MULTILINE)
        found = [*ROOT.glob("Kconfig*"), *(ROOT / "kernel").rglob("Kconfig")]
    else:
        option = re.compile(rf"^#define {bound}\b", re.MULTILINE)
        found = [path for path in (ROOT / "kernel").rglob("*.[ch]") if bound.isupper()]
    return (
        bound.isdecimal()
        or bound in words
        or any(option.search(path.read_text(encoding="utf-8")) for path in found)
    )


def test_the_bound_of_each_loop_is_one_that_is_there():
    words = set(re.findall(r"^# (\w+): ", LIST.read_text(encoding="utf-8"), re.MULTILINE))
    unknown = {line[3] for line in lines() if not is_known_bound(line[3], words)}
    assert not unknown
    assert words == {line[3] for line in lines()} & words, "a word that no loop has"
    for wrong in ("CONFIG_NO_SUCH_OPTION", "NO_SUCH_NAME", "somehow"):
        assert not is_known_bound(wrong, words), wrong


def test_each_loop_goes_in_steps_or_is_listed():
    assert loops_of_the_kernel() - listed() == Counter(), "in steps, or tests/lab/loops.txt"
    assert listed() - loops_of_the_kernel() == Counter(), "these are gone: take them off the list"


SEEDED = """
static void {name}(_wait_q_t *wait_q, unsigned int key)
{{
	struct k_thread *waiter = wait_q->head; /* for (;;) in a comment is none */

	{loop}
}}
"""


def test_a_loop_without_steps_is_seen_whatever_its_shape():
    shapes = [
        "for (; waiter != NULL; waiter = waiter->next) {\n\t\tuse(waiter);\n\t}",
        "while ((waiter = wait_q->head) != NULL) {\n\t\tsched_wake(waiter, 0);\n\t}",
        "do {\n\t\tuse(waiter);\n\t} while (waiter != NULL);",
        "while (use(waiter))\n\t\t;",
    ]
    for shape in shapes:
        source = SEEDED.format(name="wake", loop=shape)
        assert loops_without_steps(source) == Counter({"wake": 1}), shape
    for shape in shapes[:3]:
        stepped = shape.replace("use(waiter);", "sched_traversal_window(key);").replace(
            "sched_wake(waiter, 0);", "sched_traversal_window(key);"
        )
        assert not loops_without_steps(SEEDED.format(name="wake", loop=stepped)), stepped
    both = "\n\t".join([shapes[0], shapes[0].replace("use(waiter)", "sched_traversal_window(key)")])
    assert loops_without_steps(SEEDED.format(name="wake", loop=both)) == Counter({"wake": 1})


def test_the_kernels_walks_are_seen_as_such_and_lose_it_with_their_window():
    source = (ROOT / "kernel/objects/event.c").read_text(encoding="utf-8")
    assert not loops_without_steps(source)
    blind = source.replace("sched_traversal_on(", "wait_q_next(").replace(
        "sched_traversal_past(", "past("
    )
    assert loops_without_steps(blind) == Counter({"wake_matching": 1})

# SPDX-License-Identifier: Apache-2.0
"""What a port provides is what arch/README.md lists: nothing else of it is used, all of it is."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "arch" / "README.md"
USERS = ("drivers", "include", "kernel", "lib", "samples", "suites")
# Of the port's own, or of the build: no part of the contract.
NO_PART = {
    "arch_cpu", "arch_inline", "arch_user", "arch_checks", "arch_fpu", "arch_guard", "arch_level",
    "arch_poison", "arch_tls", "arch_width",  # headers
    "arch_mem_domain", "arch_user_thread", "arch_irq_op", "arch_copy_fault",  # types
    "arch_esf", "arch_num_cpus",  # Zephyr's
}  # fmt: skip
# Used by a label that a macro puts together.
BY_LABEL = {"arch_user_call_masked", "arch_user_call_masked_throughout"}
NAME = re.compile(r"\b(?:CONFIG_)?(arch_[a-z0-9_]*[a-z0-9]|ARCH_[A-Z0-9_]*[A-Z0-9])\b")


def tables() -> list[list[str]]:
    """Return the rows of the three tables, with those of features, cell by cell."""
    text = PAGE.read_text(encoding="utf-8").partition("## All that a port brings")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


def listed() -> list[str]:
    """Return the names that rows begin with, and the options and values in what they say."""
    return [name for row in tables() for name in NAME.findall(" ".join(row))]


@cache
def used() -> dict[str, str]:
    """Map each name of a port's that the rest of the tree uses to a file that does."""
    found = {}
    for room in USERS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in (".c", ".h", ".S", ".inc", ".cpp"):
                text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
                text = re.sub(r'"kernel/[^"]*"|FOLIOT_ARCH_\w+', "", text)
                found |= dict.fromkeys(NAME.findall(text), str(path.relative_to(ROOT)))
    return found


def test_each_row_says_in_which_context_and_how_long():
    rows = tables()
    assert len(rows) > 40
    for row in rows:
        assert len(row) == 4, row
        names = NAME.findall(row[0])
        assert names, row
        if any(name.islower() for name in names):
            assert re.fullmatch(r"[TIMBU]( [TIMBU])*(; [TIMBU]( [TIMBU])*)?", row[1]), row
            assert row[2], row


def test_what_is_not_on_the_page_is_not_used():
    assert {n: f for n, f in used().items() if n not in {*listed()} | NO_PART} == {}


def test_what_is_on_the_page_is_used_and_provided():
    files = [*ROOT.glob("kernel/*/Kconfig"), *ROOT.glob("arch/*/Kconfig")]
    options = "".join(path.read_text("utf-8") for path in files)
    ports = "".join(
        path.read_text("utf-8")
        for path in (ROOT / "arch").rglob("*")
        if path.suffix in (".c", ".h", ".S", ".inc")
    )
    for name in listed():
        assert re.search(rf"\b{name}\b", ports) or f"config {name}\n" in options, name
    for row in tables():
        for name in NAME.findall(row[0]):
            assert name in {*used()} | BY_LABEL or f"config {name}\n" in options, name

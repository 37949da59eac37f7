# SPDX-License-Identifier: Apache-2.0
"""Who asks for each option of the kernel: docs/options.md's table.

An option is one that a person can set (it has a prompt), of the kernel, its libraries and its
ports. It is asked for where a fragment sets it (`conf/`, a board, a suite, a sample, a test), where
a test's program passes it, or where another option selects it. Documents that only tell of it, and
Zephyr's programs, which may ask for what has Zephyr's name, stand beside.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping

from foliot.target import paths, zephyr

PAGE = "docs/options.md"
_OF = ("kernel", "lib", "arch")
_OPTION = re.compile(r"^(?:menu)?config (\w+)\n((?:[ \t]+.*\n|\n)*)", re.MULTILINE)
_PROMPT = re.compile(r'^\s*(?:bool|int|hex|string|prompt) "', re.MULTILINE)
_SELECTS = re.compile(r"^\s*(?:select|imply) (\w+)", re.MULTILINE)
_NAMED = re.compile(r"\bCONFIG_(\w+)")
_SET = re.compile(r"^CONFIG_(\w+)=", re.MULTILINE)
# A document that has every option tells of none.
_LISTS = (PAGE, "docs/compatibility.md", "CHANGELOG.md")
# In the order of the table's cell.
KINDS = ("conf", "board", "suite", "sample", "test", "option")


def _files() -> Iterator[tuple[str, str]]:
    listed = subprocess.run(["git", "ls-files", "*Kconfig", "*.conf", "*.py", "*.md"],
                            cwd=paths.ROOT, capture_output=True, text=True, check=True)  # fmt: skip
    for name in listed.stdout.splitlines():
        path = paths.ROOT / name
        if path.is_file():
            yield name, path.read_text(encoding="utf-8")


def _kind(name: str) -> str:
    top = name.partition("/")[0]
    return {"boards": "board", "suites": "suite", "samples": "sample", "tests": "test",
            "lab": "conf"}.get(top, top)  # fmt: skip


def _by_file(name: str, text: str) -> Iterator[tuple[str, str, str]]:
    """Give who a file says asks for what: the option, the kind, and the file or another option."""
    if name.endswith("Kconfig"):
        for option, body in _OPTION.findall(text):
            yield from ((one, "option", option) for one in _SELECTS.findall(body))
    elif name.endswith(".conf"):
        yield from ((one, _kind(name), name) for one in set(_SET.findall(text)))
    elif name.endswith(".md") and name not in _LISTS:
        yield from ((one, "document", name) for one in set(_NAMED.findall(text)))
    elif name.endswith(".py") and name.startswith("tests/"):
        yield from ((one, "test", name) for one in set(_NAMED.findall(text)))


def asked() -> Mapping[str, Mapping[str, list[str]]]:
    """Return of each option who asks for it: of each kind the files, or the options."""
    options: set[str] = set()
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, text in _files():
        for option, kind, who in _by_file(name, text):
            found[option][kind].append(who)
        if name.endswith("Kconfig") and name.startswith(_OF):
            options |= {one for one, body in _OPTION.findall(text) if _PROMPT.search(body)}
    return {option: found[option] for option in sorted(options)}


def tests_alone() -> list[str]:
    """Return the options that have no user: nothing but tests, and documents, asks for them."""
    users = [kind for kind in KINDS if kind != "test"]
    return [option for option, who in asked().items() if not any(who.get(one) for one in users)]


def _cell(who: list[str]) -> str:
    """Name one of them, and not how many, which changes with every test."""
    return f"`{min(who, key=lambda name: (name.count('/'), name))}`"


def lines() -> list[str]:
    """Return the page's table, and who has no user."""
    same = {one.name for _, group in zephyr.groups() for one in group if one.state == "same"}
    every, alone = asked(), set(tests_alone())
    out = ["| option | asked for by | told of in |", "|---|---|---|"]
    for option, who in every.items():
        askers = "; ".join(_cell(who[kind]) for kind in KINDS if who.get(kind))
        zephyrs = "; Zephyr's programs" if option in same else ""
        told = _cell(who["document"]) if who.get("document") else ""
        out.append(f"| `{option}` | {askers or '**nobody**'}{zephyrs} | {told} |")
    ours = sorted(alone - same)
    said = (
        f"Of {len(every)} options {len(alone)} are set by tests alone; {len(alone & same)} of "
        f"these have Zephyr's name, and its programs set them. No user have {len(ours)}:"
    )
    return [*out, "", said, "", *(f"* `{option}`" for option in ours)]


def write() -> None:
    """Write the page's block anew: `python -m foliot.project.askers`; so does `foliot docs`."""
    page = paths.ROOT / PAGE
    head, mark, rest = page.read_text(encoding="utf-8").partition("<!-- generated: askers -->\n")
    end = rest[rest.index("<!-- end -->") :]
    page.write_text(head + mark + "".join(f"{line}\n" for line in lines()) + end, encoding="utf-8")


if __name__ == "__main__":
    write()

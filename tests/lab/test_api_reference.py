# SPDX-License-Identifier: Apache-2.0
"""The API reference is whole: nothing public without its description, results and context."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path

import pytest

from foliot.model.errors import FoliotError
from foliot.project import api

ROOT = Path(__file__).resolve().parents[2]
HEADERS = [path for room in ("foliot", "zephyr") for path in (ROOT / "include" / room).rglob("*.h")]
SOURCES = sorted(
    path for room in ("kernel", "lib", "drivers") for path in (ROOT / room).rglob("*.c")
)

pytestmark = pytest.mark.needs("doxygen")
needs_doxygen = pytest.mark.skipif(not shutil.which("doxygen"), reason="doxygen is missing")

# What Doxygen calls the things that users name.
KINDS = {"function", "define", "typedef", "enum"}
CONTEXTS = re.compile(r"either|thread|ISR|its caller's|k_thread_foreach\(\)'s caller's")
# A function's declaration: its name, its parameters (with functions' among them), attributes.
PROTOTYPE = re.compile(
    r"^(?!\s|return)[\w *]+?\b\*?(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\)"
    r"(?:\s*__attribute__\(.*\))?\s*[;{]",
    re.MULTILINE,
)
# A sub-struct without a name; it belongs to the structure around it.
ANONYMOUS = re.compile(r"[.@]")


def text(element: ET.Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


class Entry:
    """One function, macro or type, as the reference shows it."""

    def __init__(self, element: ET.Element) -> None:
        self.kind = element.get("kind")
        self.name = element.findtext("name") or element.findtext("compoundname") or "?"
        detail = element.find("detaileddescription")
        self.type = text(element.find("type"))
        self.initializer = text(element.find("initializer"))
        self.takes_arguments = element.find("param") is not None
        self.returns = self.context = ""
        for section in detail.iter("simplesect") if detail is not None else ():
            if section.get("kind") == "return":
                self.returns = text(section)
            elif text(section.find("title")) == "Context":
                self.context = text(section.find("para"))
        self.text = text(element.find("briefdescription")) + text(detail)

    @property
    def is_internal(self) -> bool:
        return self.name.endswith("_") or self.text.startswith("Internal:")

    @property
    def runs_code(self) -> bool:
        """Whether somebody calls it: functions, their types, and macros used like functions."""
        if self.kind == "typedef":
            return "(*" in self.type
        called = self.name.startswith(("k_", "irq_", "sys_"))
        is_statement = "do {" in self.initializer
        return self.kind == "function" or (self.takes_arguments and (called or is_statement))

    @property
    def has_result(self) -> bool:
        return self.kind == "function" and self.type not in {"void", "static void"}

    def lacks(self) -> list[str]:
        if self.is_internal:
            return []
        missing = [] if self.text else ["a description"]
        if self.runs_code and not CONTEXTS.match(self.context):
            missing.append("Context:")
        if self.has_result and not self.returns:
            missing.append("Returns")
        return missing


def entries(xml: Path) -> list[Entry]:
    found = []
    for page in sorted(xml.glob("*.xml")):
        if page.name in {"index.xml", "Doxyfile.xml"}:
            continue
        tree = ET.parse(page)
        found += [Entry(e) for e in tree.iter("memberdef") if page.name.endswith("_8h.xml")
                  and e.get("kind") in KINDS]  # fmt: skip
        found += [Entry(e) for e in tree.iter("compounddef") if e.get("kind") == "struct"]
    return [entry for entry in found if not ANONYMOUS.search(entry.name)]


def missing(directory: Path, *headers: Path) -> list[str]:
    api.make(directory, headers)
    return [f"{entry.name}: {what}" for entry in entries(directory / "xml")
            for what in entry.lacks()]  # fmt: skip


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """All entries of the reference by name."""
    directory = tmp_path_factory.mktemp("api")
    api.make(directory)
    return {entry.name: entry for entry in entries(directory / "xml")}


@needs_doxygen
def test_nothing_public_lacks_its_description_its_results_or_its_context(reference):
    assert [f"{e.name}: {what}" for e in reference.values() for what in e.lacks()] == []


@needs_doxygen
def test_the_reference_holds_every_name_that_the_headers_declare(reference):
    declared = set()
    for header in sorted(HEADERS):
        source = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        source = re.sub(r"\\\n", " ", source)
        declared |= set(re.findall(r"^#define (\w+)(?<!_H)(?<!_)\b", source, re.MULTILINE))
        code = re.sub(r"^#.*$", "", source, flags=re.MULTILINE)
        declared |= set(PROTOTYPE.findall(code))
        declared |= set(re.findall(r"^(?:struct|enum) (\w+) \{", code, re.MULTILINE))
    assert len(declared) > 250
    absent = {"K_OBJ_CORE_MEMBER", "K_OBJECT_MEMBER"}  # set to nothing for the reference
    assert declared - set(reference) - absent == set()


def returned_codes(name: str, source: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """The error numbers that stand in a function's `return`s and in those it ends in."""
    body = re.search(rf"^[^\n;#]*\b{name}\([^;{{]*\)\n\{{\n(.*?)^\}}", source, re.M | re.S)
    if body is None or name in seen:
        return set()
    codes = set(re.findall(r"(?:return|\?|:|,|[^=!]=)\s+-(E[A-Z]+)", body[1]))
    for helper in re.findall(r"\breturn (?:\(\w+ ?\*?\))?(\w+)\(", body[1]):
        codes |= returned_codes(helper, source, seen | {name})
    return codes


def unsaid(source: str, entries: Iterable[Entry]) -> list[str]:
    return [
        f"{entry.name}: -{code}"
        for entry in entries
        if entry.has_result
        for code in sorted(returned_codes(entry.name, source))
        if f"-{code}" not in entry.returns
    ]


@needs_doxygen
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_each_error_number_in_the_code_is_in_the_reference(path, reference):
    assert unsaid(path.read_text(), reference.values()) == []


@needs_doxygen
def test_an_error_number_that_the_header_does_not_say_is_missed(tmp_path):
    header = tmp_path / "thing.h"
    header.write_text(GOOD)
    api.make(tmp_path / "api", [header])
    source = "int k_thing_take(struct k_thing *thing)\n{\n\treturn wait(thing, -EAGAIN);\n}\n"
    found = entries(tmp_path / "api" / "xml")
    assert unsaid(source, found) == ["k_thing_take: -EAGAIN"]
    assert unsaid(source.replace("EAGAIN", "EBUSY"), found) == []


def test_the_search_for_error_numbers_follows_where_a_function_ends():
    source = (
        "static int last(int a)\n{\n\treturn a == -EBUSY ? -EAGAIN : 0;\n}\n\n"
        "int k_x_get(int a)\n{\n\tif (a) {\n\t\treturn -EINVAL;\n\t}\n\treturn last(a);\n}\n"
    )
    assert returned_codes("k_x_get", source) == {"EINVAL", "EAGAIN"}


GOOD = """/**
 * @file
 * Things.
 */
/** A thing. */
struct k_thing {
	int count;
};
/** Take it. Returns 0, or -EBUSY. Context: thread. */
int k_thing_take(struct k_thing *thing);
/** Give it. Context: either. */
void k_thing_give(struct k_thing *thing);
/** As k_thing_give(). Context: either. */
#define k_thing_put(thing) k_thing_give(thing)
"""


@needs_doxygen
@pytest.mark.parametrize(
    ("taken_out", "said"),
    [
        ("", []),
        (" Context: thread.", ["k_thing_take: Context:"]),
        ("Context: either. */\nvoid", ["k_thing_give: Context:"]),
        (" Returns 0, or -EBUSY.", ["k_thing_take: Returns"]),
        ("/** A thing. */", ["k_thing: a description"]),
        (
            "/** Give it. Context: either. */",
            ["k_thing_give: a description", "k_thing_give: Context:"],
        ),
        (" Context: either. */\n#define", ["k_thing_put: Context:"]),
        ("/** As k_thing_give(). Context: either. */",
         ["k_thing_put: a description", "k_thing_put: Context:"]),
    ],
)  # fmt: skip
def test_what_is_taken_out_of_a_header_is_missed(tmp_path, taken_out, said):
    assert taken_out in GOOD
    kept = {"\nvoid": " */\nvoid", "\n#define": " */\n#define"}
    put = next((new for end, new in kept.items() if taken_out.endswith(end)), "")
    header = tmp_path / "thing.h"
    header.write_text(GOOD.replace(taken_out, put, 1) if taken_out else GOOD)
    assert missing(tmp_path / "api", header) == said


@needs_doxygen
def test_a_comment_that_doxygen_objects_to_is_an_error_and_no_page(tmp_path):
    header = tmp_path / "thing.h"
    header.write_text(GOOD.replace("Things.", "Things, see @ref k_nothing."))
    with pytest.raises(FoliotError) as failure:
        api.make(tmp_path / "api", [header])
    assert any("k_nothing" in line for line in failure.value.lines)

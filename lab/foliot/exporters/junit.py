# SPDX-License-Identifier: Apache-2.0
"""JUnit's XML, which CI servers show: the verdicts of `foliot gate`."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from foliot.judge.gate import Verdict
from foliot.model.run import Run


def junit(verdicts: Sequence[Verdict], run: Run) -> str:
    """Return the verdicts of a gate as JUnit's XML: a test case a row."""
    header = run.header
    failures = sum(verdict.fails for verdict in verdicts)
    name = f"foliot gate: {header.suite} on {header.board}"
    suites = ET.Element("testsuites", tests=str(len(verdicts)), failures=str(failures))
    suite = ET.SubElement(
        suites, "testsuite", name=name, tests=str(len(verdicts)), failures=str(failures),
        errors="0", skipped="0",
    )  # fmt: skip
    for verdict in verdicts:
        case = ET.SubElement(suite, "testcase", classname=f"{header.suite}.{header.board}",
                             name=verdict.row, time="0")  # fmt: skip
        if verdict.fails:
            failure = ET.SubElement(case, "failure", type=verdict.status, message=verdict.text)
            failure.text = verdict.text
        elif verdict.text:
            ET.SubElement(case, "system-out").text = f"{verdict.status}: {verdict.text}"
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"

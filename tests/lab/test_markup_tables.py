# SPDX-License-Identifier: Apache-2.0
"""Tables in the markup that papers, wikis and handbooks are written in, and in none."""

from __future__ import annotations

import pytest

from foliot.importers import markup, plain_table

ROWS = (("thread.yield", "1234", "7712"), ("heap.malloc", "903", "5643"))
HEAD = ("row", "cycles", "ns")

FORMS = {
    "a LaTeX table": (r"""Before it.
\begin{tabular}{lrr} % three
\toprule
\textbf{row} & cycles & ns \\ \midrule
\texttt{thread.yield} & 1\,234 & $7712$ \\
\hline
heap.malloc
  & 903 & 5{,}643 \\ % \\
\end{tabular}
A & B \\
""", (5, 8)),
    "an AsciiDoc table": ("""[cols="1,1,1",options="header"]
|===
|row |cycles |ns

|thread.yield
|1234
|7712
|heap.malloc |903 |5643
|===
| not | of | it
""", (7, 8)),
    "a wiki's table": ("""h2. Figures
||row||cycles||ns||
|thread.yield|1234|7712|
|heap.malloc|903|5643|

|another|1|2|
""", (3, 4)),
    "a table of reStructuredText": ("""============  ======  ====
row           cycles  ns
============  ======  ====
thread.yield  1234    7712

heap.malloc   903     5643
============  ======  ====
""", (4, 6)),
    "columns": ("""# Figures of today
#row cycles  ns
thread.yield 1234 7712

heap.malloc   903 5643
# done
""", (3, 5)),
}  # fmt: skip


@pytest.mark.parametrize("kind", FORMS)
def test_a_table_is_read_with_the_lines_it_stands_in(kind):
    text, numbers = FORMS[kind]
    (table,) = plain_table.tables(text)
    assert (table.kind, table.head, table.numbers) == (kind, HEAD, numbers)
    plainly = tuple(tuple(cell.replace(",", "") for cell in line) for line in table.lines)
    assert plainly == ROWS


@pytest.mark.parametrize("kind", FORMS)
def test_one_that_was_cut_off_loses_no_more_than_its_end(kind):
    text, _ = FORMS[kind]
    for length in range(len(text)):
        for table in plain_table.tables(text[:length]):
            assert all(len(line) <= len(HEAD) for line in table.lines)


@pytest.mark.parametrize(
    "text",
    [
        "", "one line", "Some prose of several words\nand of as many words more\n",
        "It took 5\nIt took 6\nIt took 7\n", "a 1\nb 2\n", "a b\nc d\n", "x & y \\\\\n1 & 2 \\\\\n",
        "\\begin{tabular}{l}", "|===\n", "||only a head||\n", "=== ===\n",
        "=== ===\na b\n=== ===\n",        "int main(void)\n{\n\treturn 0;\n}\n",
    ],
)  # fmt: skip
def test_what_is_no_table_is_none(text):
    assert markup.rows(text) == ([], "")

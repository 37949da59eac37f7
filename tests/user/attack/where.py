# SPDX-License-Identifier: Apache-2.0
"""Writes seeds.txt: which seeded faults there are, by name, and in which file each lies now.

    .venv/bin/python tests/user/attack/where.py

A name is a function and a text, and holds no path. One that has gone is not written out of the
table silently: gone.txt has to say where it went.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "tests"), str(HERE.parents[1] / "ipc")]

from checks import seeded_faults  # noqa: E402
from test_ipc_seeded_faults import SEEDED as MESSAGES  # noqa: E402
from trusted import seeds  # noqa: E402

TABLE, GONE = HERE / "seeds.txt", HERE / "gone.txt"
HEAD = """# Each seeded fault's name, behind the file that it lies in now: made by where.py.
# "hole": a check less (checks.py); "trusted": a check that never was (trusted.py); "message": one
# less in a message's ways (tests/ipc/test_ipc_seeded_faults.py). gone.txt says where others went.
"""


def found() -> dict[str, str]:
    """Each seeded fault's name, and its file; the second of the same name is `... #2`."""
    kinds = {"hole": seeded_faults(), "trusted": seeds(), "message": MESSAGES}
    names: Counter[str] = Counter()
    files: dict[str, str] = {}
    for kind, faults in kinds.items():
        for fault in faults:
            name = f"{kind} {fault}"
            names[name] += 1
            files[name if names[name] == 1 else f"{name} #{names[name]}"] = fault.file
    return files


def table(files: dict[str, str]) -> str:
    """Return the text of seeds.txt."""
    text = HEAD
    for file in sorted(set(files.values())):
        text += f"\n= {file}\n" + "".join(f"{n}\n" for n in sorted(files) if files[n] == file)
    return text


def recorded() -> dict[str, str]:
    """Read seeds.txt."""
    files: dict[str, str] = {}
    file = ""
    for line in TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else ():
        if line.startswith("= "):
            file = line[2:]
        elif line and not line.startswith("#"):
            files[line] = file
    return files


def gone() -> dict[str, str]:
    """Read gone.txt: a name, and behind " -> " where it went."""
    lines = GONE.read_text(encoding="utf-8").splitlines()
    parts = (line.partition(" -> ") for line in lines if line and not line.startswith("#"))
    return {name: where for name, _, where in parts}


def main() -> int:
    """Write the table, unless one is lost."""
    files = found()
    lost = sorted(set(recorded()) - set(files) - set(gone()))
    if lost:
        print("gone.txt does not say where these went:", *lost, sep="\n", file=sys.stderr)
        return 1
    TABLE.write_text(table(files), encoding="utf-8")
    print(f"{len(files)} seeded faults")
    return 0


if __name__ == "__main__":
    sys.exit(main())

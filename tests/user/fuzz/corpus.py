# SPDX-License-Identifier: Apache-2.0
"""The inputs that are kept: one a line of corpus.txt, in hexadecimal, the shortest first.

libFuzzer wants a directory with a file for each, which would be six hundred files in every
listing of this tree, and no difference of two versions could be read.

    python tests/user/fuzz/corpus.py unpack DIRECTORY [FILE]
    python tests/user/fuzz/corpus.py pack DIRECTORY [FILE]

FILE is another corpus than this one's: tests/host/inputs.txt.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus.txt")


def inputs(corpus: Path = CORPUS) -> list[bytes]:
    """Return the inputs that are kept."""
    return [bytes.fromhex(line) for line in corpus.read_text(encoding="ascii").splitlines()]


def unpack(directory: Path, corpus: Path = CORPUS) -> None:
    """Write each to a file, named as libFuzzer does."""
    directory.mkdir(parents=True, exist_ok=True)
    for data in inputs(corpus):
        (directory / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)


def pack(directory: Path, corpus: Path = CORPUS) -> None:
    """Keep the files of that directory, and nothing else."""
    found = {path.read_bytes() for path in directory.iterdir()}
    lines = [data.hex() + "\n" for data in sorted(found, key=lambda data: (len(data), data))]
    corpus.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(f"usage: {sys.argv[0]} pack|unpack DIRECTORY [FILE]")
    (pack if sys.argv[1] == "pack" else unpack)(*map(Path, sys.argv[2:]))

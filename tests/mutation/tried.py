# SPDX-License-Identifier: Apache-2.0
"""Run command lines, given as JSON, until one of them fails; say which, and how it ended.

It runs anywhere by itself, a worker's Python is all that it needs. A program's time is that of the
processor: a machine that is busy lets no mutant look as if it hung.
"""

import json
import resource
import subprocess
import sys

CPU_S, WALL_S = 8, 240


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def failure(words: list[str], wanted: str) -> str:
    """Run one; return how it failed, or nothing."""
    try:
        done = subprocess.run(
            words, capture_output=True, stdin=subprocess.DEVNULL, timeout=WALL_S, check=False,
            preexec_fn=_limited,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "it hung"
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode == 0 and wanted in said:
        return ""
    if done.returncode in (-9, -24):  # SIGKILL, SIGXCPU
        return "it hung"
    telling = ("FAIL", "differ", "ERROR: ", "error: ", "HOLE: ", "ASSERT", "expected")
    lines = said.splitlines()
    told = next((line.strip() for line in lines if any(word in line for word in telling)), "")
    return (told or (lines[-1] if lines else f"status {done.returncode}"))[:100]


def main() -> None:
    """Run them."""
    for words, wanted in json.loads(sys.argv[1]):
        why = failure(words, wanted)
        if why:
            print(f"{' '.join(words[1:])}: {why}")
            sys.exit(1)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""One function proved: WP makes goals of its contract and of what could go wrong in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.prove import solver
from foliot.prove.pieces import Slice
from foliot.target import paths, process

EFFORT = 10  # of a goal, in the solver's units (solver.py)
_WALL_S = 250
_OPTIONS = (
    "-machdep", "gcc_x86_32",  # as RV32: 32 bits, little endian, the same sizes and alignments
    "-c11", "-wp", "-wp-rte", "-wp-prover", "z3", "-wp-print",
    "-kernel-warn-key", "asm:clobber=inactive",
    "-kernel-warn-key", "annot:missing-spec=inactive",
)  # fmt: skip
_BLOCK = re.compile(
    r"^Goal (?P<head>.*?):$\n.*?"
    r"^Prover (?P<prover>.+?) returns (?P<verdict>\w+)(?P<times>[^\n]*)$",
    re.MULTILINE | re.DOTALL,
)
_PART = re.compile(r" \(\d+/\d+\)$")
_PLACE = re.compile(r" ?\(file [^()\s]+, line (\d+)\)")
_ROOT = re.compile(r" in '\w+'(?= at | \(|$)")
# Pointers that are only followed are values in the first, which is quicker; memory in the other.
MODELS = ("Typed+cast", "Typed+cast+raw")
_ERROR = re.compile(
    r"^\[(?:kernel|wp)(?::annot-error)?\] (?:(\S+?:\d+): )?"
    r"(?:User Error|Warning|Failure|Plug-in wp aborted): *\n? *(.*)$",
    re.MULTILINE,
)
# What can't but go wrong is no goal of WP's: it takes it as given, and all behind it holds then.
_NEVER = re.compile(
    r"^\[rte\] \S+?:(\d+): Warning:\s+guaranteed\s+RTE:\s+assert\s+([^;]*);", re.MULTILINE
)
_TIME = re.compile(r"([\d.]+)(ms|s)")


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that has to hold, and whether it was proved."""

    title: str
    line: int
    is_contract: bool
    prover: str  # "" where it was not proved
    seconds: float


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found of a function."""

    goals: tuple[Goal, ...]
    seconds: float
    error: str = ""

    @property
    def failed(self) -> list[Goal]:
        """Return those that were not proved."""
        return [goal for goal in self.goals if not goal.prover]


def why3_configuration() -> Path:
    """Return a configuration of Why3 whose Z3 is ours; written where it isn't there yet."""
    place = paths.BUILD / "prove"
    place.mkdir(parents=True, exist_ok=True)
    program = place / "solver"
    paths.write_if_changed(
        program, f'#!/bin/sh\nexec "{sys.executable}" -S -E "{solver.__file__}" "$@"\n'
    )
    program.chmod(0o755)
    path = place / "why3.conf"
    paths.write_if_changed(
        path,
        "[main]\nmagic = 14\nmemlimit = 4000\nrunning_provers_max = 2\ntimelimit = 5\n\n"
        f'[partial_prover]\nname = "Z3"\npath = "{program}"\nversion = "4.8.12"\n',
    )
    return path


def versions() -> str:
    """Return what proves, for the content that a result belongs to."""
    return " ".join(process.version(tool) for tool in ("frama-c", "z3", "cvc5"))


def prove(function: str, part: Slice, place: Path, effort: int = EFFORT) -> Proof:
    """Prove a function, in the first model of memory in which all its goals hold.

    `place` is a directory of its own. Raises FoliotError where Frama-C can't be started.
    """
    found = [Proof((), 0)]
    for model in MODELS:
        found.append(prove_in(model, function, part, place, effort))
        if not found[-1].failed and not found[-1].error:
            break
    best = min(found[1:], key=lambda one: (one.error, len(one.failed)))
    return Proof(best.goals, sum(one.seconds for one in found), best.error)


def prove_in(
    model: str, function: str, part: Slice, place: Path, effort: int, to_first: bool = False
) -> Proof:
    """Prove a function in one model of memory; `to_first`: only until one of its goals fails."""
    place.mkdir(parents=True, exist_ok=True)
    failed = place / "failed"
    failed.unlink(missing_ok=True)
    file = place / f"{function}.i"
    file.write_text(part.text, encoding="utf-8")
    words = [
        "frama-c", *_OPTIONS, "-wp-model", model, "-wp-fct", function, "-wp-timeout", str(_WALL_S),
        "-wp-par", "1",
    ]  # fmt: skip
    if part.inlined:
        words += ["-inline-calls", ",".join(part.inlined)]
    environment = {
        **os.environ,
        "WHY3CONFIG": str(why3_configuration()),
        "FOLIOT_PROVE_EFFORT": str(effort),
        **({"FOLIOT_PROVE_FAILED": str(failed)} if to_first else {}),
    }
    began = time.monotonic()
    try:
        done = subprocess.run(
            [*words, str(file)], check=False, capture_output=True, text=True, env=environment,
            timeout=900, cwd=place,
        )  # fmt: skip
    except FileNotFoundError:
        raise FoliotError("frama-c is missing", "./foliot prove installs it") from None
    except subprocess.TimeoutExpired:
        return Proof((), time.monotonic() - began, "Frama-C took more than 900 s")
    goals = _goals(done.stdout)
    error = ""
    if done.returncode != 0 or not goals:
        found = _ERROR.search(done.stdout)
        error = " ".join(part for part in (found.groups() if found else ()) if part)
        error = error or next(iter(done.stdout.splitlines()[-1:]), "Frama-C said nothing")
    return Proof(goals, time.monotonic() - began, error)


def _goals(said: str) -> tuple[Goal, ...]:
    """Read what WP printed. A goal in several parts is one, proved if each part is."""
    found: dict[str, Goal] = {}
    for match in _BLOCK.finditer(said):
        key = _PART.sub("", " ".join(match["head"].split()))
        lines = _PLACE.findall(key)
        title = _ROOT.sub("", _PLACE.sub("", key)).strip()
        seconds = sum(
            float(number) / (1000 if unit == "ms" else 1)
            for number, unit in _TIME.findall(match["times"])
        )
        prover = match["prover"] if match["verdict"] == "Valid" else ""
        if prover.startswith("Z3"):
            prover = "Z3, cvc5"
        known = found.get(key)
        if known is not None:
            prover = "" if not (prover and known.prover) else max(prover, known.prover)
            seconds += known.seconds
        found[key] = Goal(
            title, int(lines[-1]) if lines else 0, "rte," not in title, prover, seconds
        )
    for line, what in _NEVER.findall(said):
        title = f"Assertion 'rte, {' '.join(what.split())}', which never holds"
        found[f"{line} {title}"] = Goal(title, int(line), False, "", 0)
    return tuple(found.values())

# SPDX-License-Identifier: Apache-2.0
"""Checks that never were: whatever the kernel trusts in one respect, the search says so.

Most seeds are in one image, by number (together.py), which the simulator of instructions runs in
a second; the others are made one at a time in a copy. Who looks: tests/user, tests/ipc, the
attackers, taint (sim/README.md) over all of them, and a sweep of each instruction of a call.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from checks import SeededFault
from test_seeded_faults import finds, is_noticed_by_sweep, make
from together import is_by_number, make_all, write_number
from trusted import seeds

from support import taint
from support.seeded import Copy

SEEDS = seeds()
PARTS = ("tests/user", "tests/ipc", "tests/check")


@dataclass(frozen=True)
class Look:
    """A program that is run, with taint or without, for so many cycles at most."""

    app: str
    conf: str
    is_tainted: bool = False
    cycles: int = 200_000_000


LOOKS = (
    Look("tests/user", "fast,checked"),
    Look("tests/ipc", "user"),
    Look("tests/user", "fast", is_tainted=True),
    Look("tests/ipc", "user", is_tainted=True),
    Look("tests/user/attack", "rtl,few", is_tainted=True),
    Look("tests/user/attack", "rtl,thousands", cycles=1_000_000_000),
)


class Searched:
    """A copy of the kernel that is searched for what it trusts."""

    def __init__(self, root: Path, iss: str) -> None:
        self.copy = taint.make_copy(root, *PARTS)
        self.iss = iss
        self.images: dict[tuple[str, str], Path] = {}
        self.numbers: dict[SeededFault, int] = {}

    def make_all(self) -> None:
        """All seeds that have a number; from here on nothing is built anew."""
        self.numbers = {seed: number for number, seed in make_all(self.copy, SEEDS).items()}

    def is_noticed(self, look: Look, seed: SeededFault) -> bool:
        conf = f"{look.conf},{seed.conf}".strip(",")
        elf = self.images.get((look.app, conf)) or taint.build(self.copy, look.app, conf)
        if self.numbers:
            self.images[look.app, conf] = elf
            write_number(elf, self.numbers[seed])
        command = [self.iss, "--elf", str(elf), "--max-cycles", str(look.cycles)]
        if look.is_tainted:
            command += ["--taint", str(elf.parent / "taint.txt")]
        done = subprocess.run(command, capture_output=True, timeout=600, check=False)
        return done.returncode != 0

    def is_noticed_by_any(self, seed: SeededFault) -> bool:
        return any(self.is_noticed(look, seed) for look in LOOKS)


@pytest.fixture(scope="session")
def numbered(tmp_path_factory: pytest.TempPathFactory, iss: str) -> Searched:
    """Those that have a number."""
    searched = Searched(tmp_path_factory.mktemp("numbered"), iss)
    searched.make_all()
    return searched


@pytest.fixture(scope="session")
def single(tmp_path_factory: pytest.TempPathFactory, iss: str) -> Searched:
    """One at a time."""
    return Searched(tmp_path_factory.mktemp("single"), iss)


def is_noticed_alone(searched: Searched, seed: SeededFault) -> bool:
    copy: Copy = searched.copy
    if seed.on:
        return finds(copy, seed) != ""
    path = copy.root / seed.file
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(make(text, seed, path.suffix), encoding="utf-8")
        swept = seed.swept != "" and is_noticed_by_sweep(copy, seed.swept, searched.iss)
        return swept or searched.is_noticed_by_any(seed)
    finally:
        path.write_text(text, encoding="utf-8")


def test_arguments_of_every_form_are_found_in_the_sources():
    """Where a form changes, its seeds would be gone, and nobody would miss them."""
    forms = {"kind of VERIFY_": 45, "right of VERIFY_": 45, "readiness of VERIFY_": 45,
             "kind of verify_thread": 15, "life of verify_thread": 15, "right of IS_USABLE": 19,
             "length of verify_timeout": 25, "right of verify_init_begin": 5,
             "all of verify_init_again": 3}  # fmt: skip
    texts = [seed.what + seed.old.strip() for seed in SEEDS]
    found = {form: sum(text.startswith(form) for text in texts) for form in forms}
    assert all(found[form] >= least for form, least in forms.items()), found


def test_what_is_not_noticed_is_few_and_says_why():
    """Issue 21: 95 of a hundred seeds at least are noticed."""
    silent = [seed for seed in SEEDS if seed.why]
    assert 0 < len(silent) <= len(SEEDS) * 5 // 100


def test_most_seeds_have_a_number():
    assert sum(map(is_by_number, SEEDS)) > len(SEEDS) * 3 // 4


@pytest.mark.slow
@pytest.mark.board("ibex")
def test_a_field_that_is_read_once_more_is_noticed(single):
    """Of all of them one: the test of all is --long."""
    (seed,) = (seed for seed in SEEDS if "kept.prio = args->prio" in seed.new)
    assert is_noticed_alone(single, seed)


@pytest.mark.long
@pytest.mark.board("ibex")
def test_the_image_with_all_seeds_and_none_made_holds(numbered):
    none = SeededFault("", "", 0, "", "")
    numbered.numbers[none] = 0
    assert not numbered.is_noticed_by_any(none)


@pytest.mark.long
@pytest.mark.board("ibex", "mps2_an385")
@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_each_field_and_argument_that_is_trusted_is_noticed(request, seed):
    """Where there is a reason why nobody can, nobody does."""
    if is_by_number(seed):
        noticed = request.getfixturevalue("numbered").is_noticed_by_any(seed)
    else:
        noticed = is_noticed_alone(request.getfixturevalue("single"), seed)
    assert noticed == (seed.why == ""), seed.why or "nobody noticed anything"

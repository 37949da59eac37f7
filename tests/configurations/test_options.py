# SPDX-License-Identifier: Apache-2.0
"""Every option is tried: some configuration sets it to another value than its default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KCONFIGS = [path for room in ("kernel", "arch", "suites", "boards", "lib", "drivers")
            for path in (ROOT / room).rglob("Kconfig")]  # fmt: skip
CONFS = [path for room in ("boards", "conf", "samples", "suites", "tests")
         for path in (ROOT / room).rglob("*.conf")]  # fmt: skip
OPTION = re.compile(
    r"^config (\w+)\n\t(bool|int|hex|string) \"[^\n]*\n((?:(?!\nconfig ).)*)",
    re.MULTILINE | re.DOTALL,
)


def options(text: str) -> dict[str, str]:
    """The options that a user may set, with their defaults; of a bool that has none: n."""
    found = {}
    for name, kind, rest in OPTION.findall(text):
        default = re.search(r"^\tdefault (\S+)", rest, re.MULTILINE)
        found[name] = default[1] if default else "n" if kind == "bool" else ""
    return found


def untried(kconfig: str, confs: list[str]) -> list[str]:
    values = [pair for conf in confs for pair in re.findall(r"^CONFIG_(\w+)=(\S+)", conf, re.M)]
    return [
        name
        for name, default in options(kconfig).items()
        if not any(name == option and value != default for option, value in values)
    ]


def run(foliot, application: str, board: str, conf: str) -> str:
    done = foliot.run(application, board, conf, limit_s=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_option_is_untried():
    confs = [path.read_text() for path in CONFS]
    found = {name for path in KCONFIGS for name in options(path.read_text())}
    assert {"ASSERT", "MUTEX_CHAIN_MAX", "MEASURE_SAMPLES"} <= found
    assert [name for path in KCONFIGS for name in untried(path.read_text(), confs)] == []


@pytest.mark.parametrize(
    ("conf", "said"),
    [
        ("", ["A", "N"]),
        ("CONFIG_A=n\nCONFIG_N=8\n", ["A", "N"]),
        ("CONFIG_A=y\n", ["N"]),
        ("# CONFIG_N=9\nCONFIG_NN=9\nCONFIG_A=y\n", ["N"]),
        ("CONFIG_A=y\nCONFIG_N=9\n", []),
    ],
)
def test_an_option_at_its_default_is_untried(conf, said):
    kconfig = 'config A\n\tbool "a"\n\nconfig HIDDEN\n\tbool\n\nconfig N\n\tint "n"\n\tdefault 8\n'
    assert untried(kconfig, [conf]) == said


@pytest.mark.board
@pytest.mark.long
@pytest.mark.parametrize("board", ["mps2_an385", "qemu_riscv32"])
def test_every_object_behaves_with_other_sizes(foliot, board):
    assert "PROJECT EXECUTION SUCCESSFUL" in run(foliot, "tests/kernel", board, "values")


@pytest.mark.board("qemu_riscv32")
def test_all_lines_of_a_row_are_printed(foliot):
    printed = run(foliot, "suites/interrupt", "qemu_riscv32", "all-lines")
    for ending in ("min", "p99", "max"):
        assert re.search(rf"^isr\.empty\.kernel\.{ending} ", printed, re.M)


@pytest.mark.board("mps2_an385")
def test_the_periodic_suite_leaves_out_what_does_not_fit(foliot):
    printed = run(foliot, "suites/periodic", "mps2_an385", "small")
    assert "periodic.tick.64_of_64 " in printed
    assert "_of_256" not in printed
    assert "behind_64" not in printed
    assert "periodic.tick.16_rising_priority " in printed


@pytest.mark.board
@pytest.mark.parametrize(
    ("application", "board", "conf", "there", "left_out"),
    [
        ("suites/growth", "mps2_an385", "few", r"growth\.ready\.add\.16 ", r"\.(64|256) "),
        ("suites/time", "mps2_an385", "few", r"^\S+16\S* ", r"^\S+(64|256)\S* +-"),
        ("suites/thread_metric", "qemu_riscv32", "short", "Interval: 5 ms", "Interval: 10 ms"),
        pytest.param("tests/user", "qemu_riscv32", "values", "PASS user_", "FAIL",
                     marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_with_fewer_or_shorter(foliot, application, board, conf, there, left_out):
    printed = run(foliot, application, board, conf)
    assert "PROJECT EXECUTION SUCCESSFUL" in printed
    assert re.search(there, printed, re.M)
    assert not re.search(left_out, printed, re.M)

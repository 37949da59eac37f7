# SPDX-License-Identifier: Apache-2.0
"""User mode and the PMP on the simulated core, whose address check is Foliot's own."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SIM = HERE.parents[1] / "sim"
SETTINGS = 40_000

FETCH, ILLEGAL, LOAD, STORE, ECALL_FROM_USER = 1, 2, 5, 7, 8
DENIED = 0x80001000
ALLOWED = 0x80001040
USER = 0


def test_denials(passes):
    rows = passes("user").numbers
    assert [row[0] for row in rows] == [ECALL_FROM_USER, LOAD, STORE, FETCH, LOAD, STORE, ILLEGAL]
    assert [row[1] for row in rows[1:5]] == [DENIED, DENIED, DENIED, ALLOWED + 4]
    assert all(row[2] == USER for row in rows)


@pytest.fixture
def pair(core_data, tmp_path):
    """Compare a text of ibex_pmp with Ibex's own; give the comparison's end."""

    def pair(text):
        lowrisc = core_data / "vendor" / "lowrisc_ip"
        rtl = (core_data / "rtl" / "ibex_pmp.sv").read_text()
        (tmp_path / "own.sv").write_text(text)
        (tmp_path / "rtl.sv").write_text(rtl.replace("module ibex_pmp ", "module ibex_pmp_rtl "))
        subprocess.run(
            [
                "verilator", "--cc", "--exe", "--build", "-O3", "-Wno-lint", "-Wno-fatal",
                "-DSYNTHESIS", "-j", "2",
                "-MAKEFLAGS", "VM_PARALLEL_BUILDS=0 OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
                "--Mdir", tmp_path / "model", "-o", tmp_path / "pair", "--top-module", "pmp_pair",
                f"+incdir+{lowrisc}/ip/prim/rtl", f"+incdir+{lowrisc}/dv/sv/dv_utils",
                core_data / "rtl" / "ibex_pkg.sv", tmp_path / "own.sv", tmp_path / "rtl.sv",
                HERE / "pmp_pair.sv", HERE / "pmp_pair.cpp",
            ],
            check=True, timeout=300, capture_output=True,
        )  # fmt: skip
        command = [tmp_path / "pair", str(SETTINGS)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    return pair


def test_the_address_check_is_ibex_s(pair):
    done = pair((SIM / "cores" / "ibex" / "pmp" / "ibex_pmp.sv").read_text())
    assert done.returncode == 0, done.stdout
    denied, granted = (int(word) for word in done.stdout.split() if word.isdigit())
    assert min(denied, granted) > SETTINGS


@pytest.mark.long
def test_not_a_cycle_differs_with_ibex_s_own(sim, build, core_data, tmp_path):
    subprocess.run(
        ["make", "-C", SIM, "PMP=rtl", f"CORE_DATA={core_data}", f"OUT={tmp_path / 'rtl'}"],
        check=True,
        timeout=600,
        capture_output=True,
    )
    for name in ("user", "timing", "sleep"):
        elf, own, rtl = build(name), tmp_path / "own.trace", tmp_path / "rtl.trace"
        run = sim(elf, "--trace", own)
        command = [tmp_path / "rtl" / "sim", "--elf", elf, "--trace", rtl]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.stdout, done.stderr) == (run.stdout, run.stderr)
        assert own.read_bytes() == rtl.read_bytes()


@pytest.mark.long
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("address < entry;", "address <= entry;"),
        ("address >= entry_below", "address > entry_below"),
        ("entry ^ (entry + 32'd1)", "entry & ~(entry + 32'd1)"),
        ("machine == cfg.lock", "machine != cfg.lock"),
        ("granted || (machine && !cfg.lock)", "granted || machine"),
        ("csr_pmp_mseccfg_i.mmwp ||", ""),
        ("permits = kind != PMP_ACC_EXEC;", "permits = 1'b1;"),
        ("n < used", "n + 1 < used"),
        ("denied && !in_debug_module", "denied"),
    ],
)
def test_the_comparison_finds_mistakes(pair, right, wrong):
    text = (SIM / "cores" / "ibex" / "pmp" / "ibex_pmp.sv").read_text()
    assert text.count(right) == 1
    assert pair(text.replace(right, wrong)).returncode == 1

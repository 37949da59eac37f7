# SPDX-License-Identifier: Apache-2.0
"""Thread-local storage: tests/kernel/tls, and where it is refused."""

from __future__ import annotations

import pytest

from foliot.target import configure, paths
from foliot.target.boards import load

BOARDS = (
    "qemu_riscv32",
    "qemu_riscv64",
    "mps2_an385",
    "mps2_an521",
    "microbit",
    "qemu_aarch64",
    "qemu_x86_64",
)

# Which prints a variable of each thread's that is zero at the start, once it has been raised.
MAIN = """\
#include <zephyr/kernel.h>

static __thread int raised;
static __thread char aligned __aligned(64);

int main(void)
{
\traised++;
\tprintk("%d, %d past 64\\n", raised + aligned, (int)((uintptr_t)&aligned % 64));
\tk_exit(0);
}
"""
OPTION = "CONFIG_THREAD_LOCAL_STORAGE=y\n"


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [
        ("qemu_riscv32", "default"),
        *(pytest.param(board, "default", marks=pytest.mark.long) for board in BOARDS[1:]),
        *(
            pytest.param(board, "more", marks=pytest.mark.long)
            for board in BOARDS
            if board != "microbit"  # whose RAM is too small for all that
        ),
    ],
)
def test_each_thread_has_its_own_copy_in_every_kind_of_switch(foliot, board, conf):
    done = foliot.run("tests/kernel/tls", board, conf, limit_s=100)
    assert "PROJECT EXECUTION SUCCESSFUL" in done.stdout, done.stdout + done.stderr


def write_program(app, prj: str) -> None:
    app.mkdir()
    (app / "CMakeLists.txt").write_text("target_sources(app PRIVATE main.c)\n")
    (app / "main.c").write_text(MAIN)
    (app / "prj.conf").write_text(prj)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_variables_that_are_all_zero_at_the_start_are_so(foliot, tmp_path, board):
    write_program(tmp_path / "zeros", f"{OPTION}CONFIG_IDLE_STACK_SIZE=1024\n")
    done = foliot.run(tmp_path / "zeros", board, "default", limit_s=100)
    assert done.stdout == "1, 0 past 64\n", done.stderr


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "prj", "said"),
    [
        ("qemu_riscv32", "", "thread-local variables need CONFIG_THREAD_LOCAL_STORAGE=y"),
        ("qemu_aarch64", "", "thread-local variables need CONFIG_THREAD_LOCAL_STORAGE=y"),
        ("qemu_x86_64", "", "thread-local variables need CONFIG_THREAD_LOCAL_STORAGE=y"),
        ("mps2_an385", "", "undefined reference to `__aeabi_read_tp'"),
        (
            "qemu_riscv64",
            OPTION + "CONFIG_IDLE_STACK_SIZE=384\n",
            "CONFIG_IDLE_STACK_SIZE or CONFIG_MAIN_STACK_SIZE: too small",
        ),
    ],
)
def test_what_would_not_be_sound_is_not_linked(foliot, tmp_path, board, prj, said):
    write_program(tmp_path / "refused", prj)
    done = foliot("build", str(tmp_path / "refused"), "--board", board)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize(
    ("board", "conf"),
    [("host", []), *((board, ["userspace"]) for board in ("ibex", "mps2_an385", "qemu_aarch64"))],
)
def test_where_it_is_not_there_the_option_is_refused(tmp_path, board, conf):
    app = tmp_path / "app"
    write_program(app, OPTION)
    for name in conf:
        (app / f"prj.{name}.conf").write_text("CONFIG_USERSPACE=y\n")
    with pytest.raises(configure.UsageError, match="CONFIG_THREAD_LOCAL_STORAGE=y has no effect"):
        configure.resolve(app, load(board), conf)


def test_an_option_of_zephyrs_is_not_refused_that_there_is():
    text = (paths.ROOT / "data" / "zephyr" / "options.toml").read_text(encoding="utf-8")
    assert "\nTHREAD_LOCAL_STORAGE =" not in text

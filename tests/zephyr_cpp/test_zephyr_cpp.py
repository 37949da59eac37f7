# SPDX-License-Identifier: Apache-2.0
"""All of the API from C++17, and a program as Zephyr's users have them: its build, its options."""

from __future__ import annotations

import pytest

from foliot.model.errors import UsageError
from foliot.target import boards, configure, zephyr

TABLE = """
[implied]
PRINTK = ["y", "it is linked where it is called"]
CLOCK_HZ = ["*", "the board's"]
SMP = ["n", "one core"]

[absent]
SMP = "one core"
"NET*" = "no network"
"""

LISTS = """\
cmake_minimum_required(VERSION 3.20.0)
find_package(Zephyr 3.7 REQUIRED HINTS $ENV{ZEPHYR_BASE})
project(away VERSION 1.0 LANGUAGES C CXX)
target_sources(app PRIVATE src/main.c)
target_sources_ifdef(CONFIG_ASSERT app PRIVATE src/checked.c)
target_sources_ifdef(CONFIG_TRACE app PRIVATE src/not_there.c)
target_include_directories(app PRIVATE inc)
zephyr_include_directories(inc2)
zephyr_compile_definitions(ANSWER=42)
add_subdirectory(part)
"""

MAIN = """\
#include <stdio.h>
#include <string.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>
#include "one.h"
#include "two.h"
int twice(int x);
int checked(void);
int main(void)
{
\tprintf("%d %d %d %d\\n", ONE, TWO, twice(ANSWER), checked());
\tk_exit(0);
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "conf"),
    [
        ("host", "features"),
        pytest.param("mps2_an385", "default", marks=pytest.mark.long),
        pytest.param("mps2_an385", "user", marks=pytest.mark.long),
        pytest.param("qemu_riscv32", "features", marks=pytest.mark.long),
        pytest.param("qemu_riscv64", "default", marks=pytest.mark.long),
        pytest.param("qemu_aarch64", "default", marks=pytest.mark.long),
        pytest.param("qemu_x86_64", "default", marks=pytest.mark.long),
        pytest.param("ibex", "default", marks=pytest.mark.long),
        pytest.param("qemu_riscv32", "tls", marks=pytest.mark.long),
        pytest.param("mps2_an385", "tls", marks=pytest.mark.long),
    ],
)
@pytest.mark.board
def test_the_api_is_whole_in_cpp(foliot, board, conf):
    done = foliot.run("tests/zephyr_cpp", board, conf, limit_s=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "0 failures\nPROJECT EXECUTION SUCCESSFUL\n"


def write_program(app, lists: str = LISTS, prj: str = "") -> None:
    for name, text in {
        "CMakeLists.txt": lists,
        "prj.conf": prj,
        "boards/host.conf": "CONFIG_ASSERT=y\n",
        "Kconfig": 'source "Kconfig.zephyr"\n\nconfig MINE\n\tbool "mine"\n',
        "src/main.c": MAIN,
        "src/checked.c": "int checked(void);\nint checked(void)\n{\n\treturn 7;\n}\n",
        "inc/one.h": "#define ONE 1\n",
        "inc2/two.h": "#define TWO 2\n",
        "part/CMakeLists.txt": "zephyr_library()\nzephyr_library_sources(twice.c)\n",
        "part/twice.c": "int twice(int x);\nint twice(int x)\n{\n\treturn 2 * x;\n}\n",
    }.items():
        (app / name).parent.mkdir(parents=True, exist_ok=True)
        (app / name).write_text(text)


@pytest.mark.slow
@pytest.mark.board("host")
def test_a_program_builds_as_zephyrs_users_write_it(foliot, tmp_path):
    write_program(tmp_path / "away", prj="CONFIG_PRINTK=y\nCONFIG_MINE=y\n")
    done = foliot.run(tmp_path / "away", "host")
    assert done.stdout == "1 2 84 7\n", done.stderr
    said = foliot("build", str(tmp_path / "away"), "--board", "host").stderr
    assert "ignored: " in said
    assert "CONFIG_PRINTK=y is implied: printk() is linked where it is called" in said


@pytest.mark.slow
@pytest.mark.board("host")
def test_a_program_of_static_threads_needs_no_main(foliot, tmp_path):
    app = tmp_path / "threads"
    app.mkdir()
    (app / "CMakeLists.txt").write_text("target_sources(app PRIVATE thread.c)\n")
    (app / "thread.c").write_text(
        "#include <zephyr/kernel.h>\n\nvoid run(void *a, void *b, void *c)\n{\n"
        '\tprintk("ran on %s\\n", CONFIG_BOARD);\n\tk_exit(0);\n}\n'
        "K_THREAD_DEFINE(thread, 1024, run, NULL, NULL, NULL, 5, 0, 1);\n"
    )
    assert foliot.run(app, "host").stdout == "ran on host\n"
    assert "warning" not in foliot("build", str(app), "--board", "host").stderr


@pytest.mark.board("host")
def test_a_later_zephyr_is_refused(foliot, tmp_path):
    write_program(tmp_path / "away", LISTS.replace("Zephyr 3.7", "Zephyr 4.3"))
    done = foliot("build", str(tmp_path / "away"), "--board", "host")
    assert done.returncode == 1
    assert "4.3" in done.stderr


@pytest.mark.board("host")
def test_what_zephyr_has_and_we_have_not_is_refused_by_name(foliot, tmp_path):
    write_program(tmp_path / "away", prj="CONFIG_NETWORKING=y\n")
    done = foliot("build", str(tmp_path / "away"), "--board", "host")
    assert done.returncode == 2
    assert "prj.conf:1: CONFIG_NETWORKING=y is not supported: there is no network" in done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("CONFIG_PRINTK=y", "CONFIG_PRINTK=y is implied: it is linked where it is called"),
        ("CONFIG_CLOCK_HZ=12", "CONFIG_CLOCK_HZ=12 is implied: the board's"),
        ("CONFIG_SMP=n", "CONFIG_SMP=n is implied: one core"),
        ("# CONFIG_NET_TCP is not set", "CONFIG_NET_TCP=n is off anyway"),
    ],
)
def test_what_holds_anyway_is_ignored_with_a_line(tree, line, said):
    tree.write("data/zephyr/options.toml", TABLE)
    tree.write("suites/latency/prj.more.conf", f"{line}\nCONFIG_LIMIT=2\n")
    resolved = configure.resolve(tree.suite("latency", ""), boards.load("fake"), ["more"])
    assert resolved.values["LIMIT"] == "2"
    assert [note.partition(".conf:1: ")[2] for note in resolved.notes] == [said]


def test_a_random_stack_pointer_is_refused_by_name():
    asked = zephyr.judge("STACK_POINTER_RANDOM", "64")
    assert not asked.ignored and "a thread begins at its stack's end" in asked.why
    assert zephyr.judge("STACK_POINTER_RANDOM", "0").ignored


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("CONFIG_PRINTK=n", "is not supported (it is always y): it is linked where it is called"),
        ("CONFIG_SMP=y", "CONFIG_SMP=y is not supported: one core"),
        ("CONFIG_NET_TCP=y", "CONFIG_NET_TCP=y is not supported: no network"),
        ("CONFIG_PRINKT=y", "there is no option CONFIG_PRINKT"),
    ],
)
def test_what_is_not_supported_is_refused(tree, line, said):
    tree.write("data/zephyr/options.toml", TABLE)
    tree.write("suites/latency/prj.more.conf", f"{line}\n")
    with pytest.raises(UsageError) as mistake:
        configure.resolve(tree.suite("latency", ""), boards.load("fake"), ["more"])
    assert said in mistake.value.message

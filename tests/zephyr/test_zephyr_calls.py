# SPDX-License-Identifier: Apache-2.0
"""System calls that an application declares by __syscall: what is made of which declaration.

That they work in kernel and in user mode is what samples/zephyr/meter checks.
"""

from __future__ import annotations

import pytest

HEADER = """\
#ifndef CALLS_H
#define CALLS_H
#include <zephyr/kernel.h>

/* __syscall int not_one(void); */
// __syscall int nor_this(void);
__syscall unsigned   int
	add(unsigned int first, const char *text, k_timeout_t timeout);
__syscall void nothing(void);
#include <syscalls/calls.h>
#endif
"""
MAIN = """\
extern "C" {
#include "calls.h"
unsigned int z_impl_add(unsigned int first, const char *text, k_timeout_t timeout)
{
	return first + (unsigned int)text[0] + (unsigned int)timeout.ticks;
}
void z_impl_nothing(void)
{
}
}

int main(void)
{
	nothing();
	printk("sum %u\\n", add(2, "A", K_TICKS(7)));
	k_exit(0);
	return 0;
}
"""


@pytest.fixture
def application(tmp_path):
    lines = "target_sources(app PRIVATE main.cpp)\nzephyr_syscall_header(inc/calls.h)\n"
    (tmp_path / "CMakeLists.txt").write_text(lines)
    (tmp_path / "prj.conf").write_text("CONFIG_CPP=y\n")
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "calls.h").write_text(HEADER)
    (tmp_path / "main.cpp").write_text(MAIN.replace('"calls.h"', '"inc/calls.h"'))
    return tmp_path


@pytest.mark.slow
@pytest.mark.board("host")
def test_a_header_that_is_named_is_read_without_user_mode_and_in_cpp_too(foliot, application):
    done = foliot.run(application, "host")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "sum 74"


@pytest.mark.slow
@pytest.mark.board("host")
@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("__syscall int add(int);", "an argument is a type and a name"),
        ("__syscall int add(int (*told)(int a), int b);", "not a call that can be made"),
        ("__syscall int add(int a[4]);", "an argument is a type and a name"),
    ],
)
def test_a_declaration_that_nothing_can_be_made_of_is_reported(foliot, application, declared, said):
    (application / "inc" / "calls.h").write_text(declared + "\n")
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 1
    assert said in " ".join(done.stderr.split())
    assert "calls.h" in done.stderr


@pytest.mark.slow
@pytest.mark.board("host")
def test_two_headers_of_one_name_are_reported(foliot, application):
    other = application / "other"
    other.mkdir()
    (other / "calls.h").write_text("__syscall int another(void);\n")
    with (application / "prj.conf").open("a") as conf:
        conf.write("CONFIG_APPLICATION_DEFINED_SYSCALL=y\n")
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 1
    assert "two headers of this name declare system calls" in " ".join(done.stderr.split())

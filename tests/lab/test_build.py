# SPDX-License-Identifier: Apache-2.0
"""Applications outside of the repository: what the compiler warns of is reported: no error."""

import pytest

CMAKE = "target_sources(app PRIVATE main.c)\n"
WARNED = """#include <foliot/kernel.h>

int main(void)
{
	uint32_t ticks = 7;

	printk("%lu\\n", ticks);
	return 0;
}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """One place for all programs of this file, so that a board's kernel is compiled once."""
    return tmp_path_factory.mktemp("application")


@pytest.fixture
def application(place):
    (place / "CMakeLists.txt").write_text(CMAKE)
    (place / "main.c").write_text(WARNED)
    (place / "prj.conf").write_text("")
    return place


@pytest.mark.slow
@pytest.mark.board("host")
def test_a_warning_in_somebody_elses_application_is_shown_and_builds(foliot, application):
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 0, done.stderr
    assert "main.c:7:" in done.stderr
    assert "warning: format" in done.stderr


@pytest.mark.slow
@pytest.mark.board("host")
def test_an_error_in_it_is_one_all_the_same(foliot, application):
    (application / "main.c").write_text(WARNED.replace("ticks = 7", 'ticks = "7" * 2'))
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 1
    assert "the firmware does not compile" in done.stderr


@pytest.mark.slow
@pytest.mark.board("host")
def test_many_warnings_are_cut_short(foliot, application):
    lines = "".join(f'\tprintk("%lu {n}\\n", ticks);\n' for n in range(15))
    (application / "main.c").write_text(WARNED.replace("\treturn 0;", lines + "\treturn 0;"))
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(": warning: ") == 10
    assert "6 more of them" in done.stderr


@pytest.mark.slow
@pytest.mark.board("host")
def test_the_address_of_a_blocks_pointer_is_refused_where_the_block_is_meant(foliot, application):
    """k_mem_slab_free() took it up to Zephyr 3.4; as the block it would ruin the slab."""
    source = """#include <foliot/kernel.h>

K_MEM_SLAB_DEFINE(slab, 16, 2, 8);

int main(void)
{
	void *block = NULL;

	(void)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	k_mem_slab_free(&slab, &block);
	return 0;
}
"""
    (application / "main.c").write_text(source)
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 1
    assert "k_mem_slab_free() takes the block, not the address of its pointer" in done.stderr
    (application / "main.c").write_text(
        source.replace("&slab, &block);\n\treturn", "&slab, block);\n\treturn")
    )
    assert foliot("build", application, "--board", "host").returncode == 0


@pytest.mark.slow
@pytest.mark.board("qemu_riscv32")
@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_an_access_to_what_is_no_kernel_object_does_not_compile(foliot, application, suffix):
    source = """
#include <zephyr/kernel.h>

K_HEAP_DEFINE(heap, 64);
K_SEM_DEFINE(sem, 0, 1);
K_THREAD_STACK_DEFINE(stack, 512);

int main(void)
{
	k_thread_access_grant(k_current_get(), &sem, &heap, &stack);
	return 0;
}
"""
    (application / "prj.conf").write_text("CONFIG_USERSPACE=y\nCONFIG_CPP=y\n")
    lists = application / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("main.c", f"main.{suffix}"))
    written = application / f"main.{suffix}"
    written.write_text(source)
    done = foliot("build", application, "--board", "qemu_riscv32")
    assert done.returncode == 1
    assert "k_object_kind_" in done.stderr if suffix == "cpp" else "_Generic" in done.stderr
    written.write_text(source.replace(" &heap,", ""))
    assert foliot("build", application, "--board", "qemu_riscv32").returncode == 0


@pytest.mark.slow
@pytest.mark.board("host")
def test_an_absolute_timeout_does_not_compile_and_says_why(foliot, application):
    source = WARNED.replace('printk("%lu\\n", ticks)', "k_sleep(K_TIMEOUT_ABS_MS(ticks))")
    (application / "main.c").write_text(source)
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 1
    assert "(K_TIMEOUT_ABS_...) need time-outs of 64 bits: CONFIG_TIMEOUT_64BIT=y" in done.stderr

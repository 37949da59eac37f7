# SPDX-License-Identifier: Apache-2.0
"""Applications outside of the repository: what the compiler warns of is told, and is no error."""

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


@pytest.fixture
def application(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "main.c").write_text(WARNED)
    return tmp_path


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
@pytest.mark.board("host")
def test_an_absolute_timeout_does_not_compile_and_says_why(foliot, application):
    source = WARNED.replace('printk("%lu\\n", ticks)', "k_sleep(K_TIMEOUT_ABS_MS(ticks))")
    (application / "main.c").write_text(source)
    done = foliot("build", application, "--board", "host")
    assert done.returncode == 1
    assert "(K_TIMEOUT_ABS_...) need time-outs of 64 bits: CONFIG_TIMEOUT_64BIT=y" in done.stderr

# SPDX-License-Identifier: Apache-2.0
"""The compiler's cache: what it saves, what it must not take for the same, and what it changes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from foliot.show.terminal import Progress
from foliot.target import boards, build, cache, configure, made_for, paths

QUIET = Progress(quiet=True)
KERNEL_FILES = 3  # of the miniature project: core/init.c, printk.c, boot.c
there = pytest.mark.skipif(not shutil.which(cache.PROGRAM), reason="ccache is not installed")


def made(tree, name: str) -> build.Firmware:
    tree.suite(name, name)
    return build.build(tree.root / "suites" / name, boards.load("fake"), QUIET)


def counted(what: str) -> int:
    """Return one of ccache's own counts: `direct_cache_hit`, `cache_miss`."""
    said = subprocess.run(
        [cache.PROGRAM, "--print-stats"], env={**os.environ, **cache.environment()},
        capture_output=True, text=True, check=True, timeout=60,
    ).stdout  # fmt: skip
    return int(re.search(rf"^{what}\t(\d+)$", said, re.MULTILINE)[1])


@there
@pytest.mark.slow
def test_the_second_applications_kernel_is_the_firsts(tree):
    made(tree, "one")
    assert (counted("direct_cache_hit"), counted("cache_miss")) == (0, KERNEL_FILES)
    made(tree, "two")
    assert (counted("direct_cache_hit"), counted("cache_miss")) == (KERNEL_FILES, KERNEL_FILES)


@there
@pytest.mark.slow
@pytest.mark.parametrize("change", ["a source", "an option", "a new header", "another's own cache"])
def test_what_is_not_the_same_is_compiled(tree, change, monkeypatch):
    made(tree, "one")
    expected = 0
    if change == "a source":
        tree.write("kernel/start/init.c", "void kernel_start(void);\nvoid kernel_start(void) {}\n")
        expected = KERNEL_FILES - 1
    elif change == "an option":
        tree.write("boards/fake/board.conf", "CONFIG_ASSERT=y\n")
    elif change == "a new header":  # which may stand in front of another
        tree.write("include/new.h", "")
    else:
        monkeypatch.setenv("CCACHE_DIR", str(tree.root / "elsewhere"))
        monkeypatch.setenv("CCACHE_BASEDIR", str(tree.root))
        monkeypatch.setenv("CCACHE_SLOPPINESS", "include_file_mtime")
        expected = KERNEL_FILES
    made(tree, "two")
    assert counted("direct_cache_hit") == expected
    assert not (tree.root / "elsewhere").exists()


@there
@pytest.mark.slow
def test_an_image_is_the_same_with_it_and_without(tree, monkeypatch):
    made(tree, "one")
    hit = made(tree, "two")
    image = hit.image.read_bytes()
    made_for.forget(hit.directory)
    monkeypatch.setenv("CCACHE_DISABLE", "1")
    again = made(tree, "two")
    assert counted("direct_cache_hit") == KERNEL_FILES
    assert again.image.read_bytes() == image


@pytest.mark.slow
def test_a_build_made_with_it_is_made_anew_where_it_is_gone(tree, monkeypatch):
    before = made(tree, "one")
    monkeypatch.setattr(cache, "PROGRAM", "no-such-cache")
    assert (cache.words(), cache.environment()) == ([], {})
    shutil.rmtree(paths.BUILD / "ccache", ignore_errors=True)
    after = made(tree, "one")
    assert after.image.read_bytes() == before.image.read_bytes()
    assert "ccache" not in (after.directory / "CMakeFiles" / "rules.ninja").read_text()


def test_the_kernel_sees_all_options_but_the_applications_own(tree):
    suite = tree.suite("latency", "")
    tree.write("suites/latency/Kconfig", "config OWN\n\tint\n\tdefault 3\n")
    resolved = configure.resolve(suite, boards.load("fake"))
    lines = resolved.header.splitlines()
    assert {"#define CONFIG_OWN 3", "#define CONFIG_LIMIT 4"} <= set(lines)
    assert resolved.kernel_header.splitlines() == [
        line for line in lines if not re.search(r"CONFIG_(OWN|MEASURE_SAMPLES) ", line)
    ]


def test_tests_and_logs_of_zephyrs_kind_make_no_kernel_of_their_own():
    app, board = paths.ROOT / "tests/ztest/broken", boards.load("host")
    found = [configure.resolve(app, board, conf) for conf in ((), ("fast",), ("strict",))]
    assert len({one.header for one in found}) == 3
    assert len({one.kernel_header for one in found}) == 1
    app = paths.ROOT / "tests/zephyr_log"
    found = [configure.resolve(app, board, conf) for conf in (("all",), ("few",), ("off",))]
    assert len({one.kernel_header for one in found}) == 1


ROOMS = ("arch", "boards", "drivers", "kernel", "lib", "include/foliot")
OTHERS = ("samples", "suites", "tests")


def options_in(*rooms: str) -> set[str]:
    files = [path for room in rooms for path in (paths.ROOT / room).rglob("Kconfig*")]
    found = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return set(re.findall(r"^\s*(?:menu)?config (\w+)$", found, re.MULTILINE))


def test_no_file_of_the_kernel_asks_for_an_option_that_it_can_not_see():
    beside = {name for name in options_in("lib") if name.startswith(("LOG", "ZTEST"))}
    own = (options_in(*OTHERS) - options_in(*ROOMS)) | beside
    assert {"MEASURE_SAMPLES", "EVERYWHERE_STEP", "LOG", "ZTEST_FAIL_FAST"} <= own
    sources = [  # a linker script sees all options
        path for room in ROOMS for path in (paths.ROOT / room).rglob("*")
        if path.suffix in {".c", ".h", ".S", ".inc"} and "ztest" not in path.parts
    ]  # fmt: skip
    asked = {
        f"{path.relative_to(paths.ROOT)}: {name}"
        for path in sources
        for name in re.findall(r"\bCONFIG_(\w+)", path.read_text(encoding="utf-8"))
        if name in own
    }
    assert asked == set()

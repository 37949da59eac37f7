# SPDX-License-Identifier: Apache-2.0
"""`foliot test` itself: what it picks out and sets up, what it says, what its style checks see."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest

import conftest
from foliot.model.errors import UsageError
from foliot.project import analysis, choice, style, testing, times
from foliot.project.choice import Request
from foliot.show.terminal import Progress
from foliot.target import boards, configure, paths, provision

QUIET = Progress(quiet=True)
ONE_FILE = "tests/lab/test_ui.py"


def tracked(*patterns: str) -> set[str]:
    """Return git's files; not templates (@name@), which are no C before they are filled in."""
    words = ["git", "-C", str(paths.ROOT), "ls-files", *patterns]
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    return {name for name in said.stdout.split() if "@" not in name}


def test_a_check_that_is_content_says_nothing(capsys):
    assert style.run("true", ["true"], QUIET) == []
    assert capsys.readouterr().err == ""


def test_a_check_that_objects_is_quoted_and_named(capsys):
    assert style.run("tidy", ["sh", "-c", "echo 'a.c: bad'; exit 1"], QUIET) == ["tidy"]
    assert capsys.readouterr().err == "a.c: bad\ntidy: not right\n"


def test_no_source_in_c_is_missing_from_the_check_of_its_layout():
    checked = {str(path.relative_to(paths.ROOT)) for path in style.c_sources()}
    assert tracked("*.c", "*.h", "*.cpp") <= checked


def analysed(commands) -> list[str]:
    return [str(Path(str(one["file"])).relative_to(paths.ROOT)) for one in commands]


needs_all = pytest.mark.board(
    "host", "ibex", "mps2_an385", "qemu_aarch64", "qemu_riscv32", "qemu_riscv64", "qemu_x86_64"
)


@pytest.mark.slow
@needs_all
def test_no_source_in_c_is_missing_from_the_analysis():
    found = analysed(analysis.database(analysis.SHIPPED, whole=False))
    core = ("kernel/", "lib/", "arch/", "drivers/")
    assert set(found) == {name for name in tracked("*.c") if name.startswith(core)}
    assert len(found) == len(set(found))


@pytest.mark.long
@needs_all
def test_no_test_in_c_is_missing_from_the_analysis_nor_any_build_of_the_kernel():
    found = analysed([*analysis.database(analysis.BUILDS), *analysis.programs()])
    # Programs of this host, compiled by their tests with flags of their own.
    unread = ("tests/clocks/", "tests/host/every/", "tests/lab/store_fire.c")
    assert {name for name in tracked("*.c") if not name.startswith(unread)} <= set(found)
    assert found.count("kernel/objects/sem.c") == sum(one.core for one in analysis.BUILDS)


# Their counter is too narrow for CONFIG_THREAD_USAGE: arch/cortex_m/Kconfig, CORTEX_M_SYSTICK.
NARROW = {"rpi_pico"}


@pytest.mark.parametrize("board", sorted({one.board for one in analysis.BUILDS} - NARROW))
def test_everything_means_every_option_of_the_kernel(board):
    configuration = configure.resolve(
        paths.ROOT / "tests/kernel", boards.load(board), analysis.EVERYTHING
    )
    rare = {"STACK_CANARIES_ALL", "SIZE_OPTIMIZATIONS"}  # flags of the compiler
    rare.add("TIMEOUT_LIST")  # in place of the wheel: samples/minimal
    rare.add("TIMEOUT_64BIT")  # of another meaning: tests/kernel and tests/host, wide
    rare.add("SCHED_DEADLINE")  # as rare: tests/kernel and tests/host, deadline
    rare.add("FAULT_REPORT_ALWAYS")  # no matter where there is printk(): prj.values.conf
    rare.add("THREAD_LOCAL_STORAGE")  # not on every board: tests/kernel/tls
    rare |= {"TRACE_RING", "TRACE_STREAM"}  # not on every board: tests/lab/test_trace.py
    rare.add("USERSPACE")  # not together with stack checks: tests/user
    rare.add("APPLICATION_DEFINED_SYSCALL")  # an application's: samples/zephyr/meter
    rare |= {
        "CPP",
        "SYSTEM_WORKQUEUE_NO_YIELD",
    }  # tests/zephyr_cpp; a thread's option, prj.values.conf
    texts = [path.read_text() for path in (paths.ROOT / "kernel").rglob("Kconfig*")]
    options = {
        lines.split("\n", 1)[0].strip()
        for text in texts
        for lines in text.split("\nconfig ")[1:]
        if '\n\tbool "' in lines
    }
    assert len(options) > 10
    assert {name for name in options if configuration.values.get(name) != "y"} == rare


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("/usr/bin/arm-none-eabi-gcc -mcpu=cortex-m3", ["--target=arm-none-eabi"]),
        ("riscv64-unknown-elf-gcc -march=rv32imc_zicsr", ["--target=riscv32-unknown-elf"]),
        ("riscv64-unknown-elf-gcc -march=rv64imac", ["--target=riscv64-unknown-elf"]),
        ("gcc -O2", []),
    ],
)
def test_clang_reads_for_the_target_that_gcc_compiles_for(words, target):
    first, *rest = words.split()
    assert analysis.clangs([first, *rest, "-fno-schedule-insns"]) == [first, *target, *rest]


@pytest.mark.slow  # pytest collects in each
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tests/nothing"], "there is no tests/nothing"),
        (["lab"], "lab is not in tests/"),
        ([""], "there is no path of no name"),
        (["tests/kernel/sem.c"], "tests/kernel/sem.c is no test_*.py"),
        ([ONE_FILE, "-k", "nosuchword"], f"no test matches {ONE_FILE} -k 'nosuchword'"),
        ([ONE_FILE, "--board", "ibex"], f"no test matches {ONE_FILE} --board ibex"),
        ([ONE_FILE, "-k", "(("], "Wrong expression passed to '-k'"),
        ([f"{ONE_FILE}::test_nothing"], "not found: "),
        (["--board", "ibexx"], "unknown board 'ibexx'"),
        (["--quick", "--long"], "--quick and --long can't be given together"),
    ],
)
def test_wrong_use_is_said_before_anything_is_set_up(foliot, words, said):
    done = foliot("test", *words, "--quiet")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"foliot: {said}")
    assert len(done.stderr.splitlines()) <= 2
    assert done.stdout == ""


@pytest.fixture
def prepared(monkeypatch):
    """What would be set up, instead of setting it up."""
    made = []
    monkeypatch.setattr(provision, "prepare", lambda board, _: made.append(board.name))
    monkeypatch.setattr(provision, "install", lambda packages, _: made.extend(packages))
    monkeypatch.setattr(testing, "_run", lambda *_: 0)
    monkeypatch.setattr(style, "check", lambda *_, analyse, whole: [f"{analyse}, {whole}"])
    return made


@pytest.mark.slow  # the same
@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (Request((ONE_FILE,)), set()),
        (Request(("tests/lab/test_provision.py",)), {"gcc", "cmake", "ninja-build", "ccache"}),
        (Request(("tests/sim/test_sim_uart2.py",)), {"ibex", "ccache"}),
        (Request(("tests/kernel",), "mps2_an385"), {"mps2_an385", "ccache"}),
        (Request(("tests/kernel",), boards=("qemu_riscv32",)), {"qemu_riscv32", "ccache"}),
        (Request(("tests/kernel",), quick=True), {"host", "ccache"}),
        (Request(("tests/lab/test_report_browser.py",), "keyboard"), {"chromium"}),
    ],
)
def test_only_what_the_tests_need_is_set_up(prepared, request_, expected):
    assert testing.test(request_) == 0
    assert set(prepared) == expected


def test_without_the_compilers_cache_it_takes_longer_and_no_more(monkeypatch, prepared):
    def refuse(packages, _):
        if "ccache" in packages:
            raise testing.FoliotError("no network")

    monkeypatch.setattr(provision, "install", refuse)
    monkeypatch.setattr(choice, "choose", lambda *_: choice.Chosen(1, ("host",), ()))
    assert testing.test(Request((ONE_FILE,))) == 0


def test_a_whole_run_sets_everything_up_and_checks_the_style(prepared):
    with pytest.raises(testing.FoliotError, match="the style is not right: True, False"):
        testing.test(Request())
    assert {*testing.usual_boards(long=False), "chromium", "clang-tidy-19", "doxygen"} <= set(
        prepared
    )


@pytest.mark.parametrize(
    ("status", "minutes", "ends"), [(0, 30, 0), (0, 80, None), (1, 80, 1)]
)  # fmt: skip
def test_a_whole_run_that_takes_too_long_fails(
    prepared, monkeypatch, capsys, status, minutes, ends
):
    """Where tests failed, that is told alone: a run that ended early says nothing of times."""
    monkeypatch.setattr(style, "check", lambda *_, analyse, whole: [])
    monkeypatch.setattr(testing, "_run", lambda *_: status)
    taken = times.Taken({"tests/kernel/test_a.py::b": minutes * 60})
    monkeypatch.setattr(times, "read", lambda _: taken)
    if ends is None:
        with pytest.raises(testing.FoliotError, match="take too long") as error:
            testing.test(Request())
        assert "those of kernel take 80.0 min" in error.value.lines[1]
    else:
        assert testing.test(Request()) == ends
    assert f"{minutes}.0" in capsys.readouterr().out
    assert testing.test(Request(long=True)) == status  # the campaigns have no limit


def test_a_board_of_no_name_is_none():
    with pytest.raises(UsageError):
        choice.pytest_words(Request(boards=("",)))


class Item:
    """A test as pytest collects it: its file, and what it needs."""

    def __init__(self, file: str, *markers: str) -> None:
        self.path, self.markers = conftest.HERE / file, markers
        self.fixturenames = []

    def iter_markers(self, name):
        return [pytest.mark.board("host").mark] * (name in self.markers)


def test_the_files_whose_tests_take_long_are_first_and_stay_together():
    items = [
        Item("lab/test_few.py", "board"), Item("lab/test_few.py"), Item("lab/test_quick.py"),
        Item("lab/test_many.py", "slow"), Item("lab/test_many.py", "board"),
        *[Item("sim/test_short.py", "board")] * 3, Item("user/test_attack.py", "slow"),
        Item("kernel/test_boards.py", "board"), Item("kernel/test_boards.py", "board"),
        Item("kernel/test_names.py"), Item("lab/test_quick.py"),
    ]  # fmt: skip
    conftest.longest_first(items)
    in_order = list(dict.fromkeys(item.path.name for item in items))
    assert in_order == ["test_boards.py", "test_attack.py", "test_short.py", "test_many.py",
                        "test_few.py", "test_quick.py", "test_names.py"]  # fmt: skip
    assert [name for name, _ in itertools.groupby(item.path.name for item in items)] == in_order


@pytest.mark.parametrize(("places", "by_file"), [((), True), ((ONE_FILE,), False)])
def test_many_files_are_shared_out_by_file_and_one_files_tests_one_by_one(
    monkeypatch, places, by_file
):
    started = []

    class Child:
        def __init__(self, command, **_):
            started.extend(command)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def wait(self, timeout):
            return 0

    monkeypatch.setattr(testing.subprocess, "Popen", Child)
    monkeypatch.setattr(testing.os, "cpu_count", lambda: 2)
    assert testing._run(["pytest"], Request(places), choice.Chosen(99, ("host",), ())) == 0
    assert started[started.index("-n") + 1] == "2"
    assert ("--dist=loadfile" in started) == ("--longest-first" in started) == by_file


@pytest.mark.slow
def test_a_run_ends_with_its_slowest_tests_and_its_status(foliot, tmp_path):
    done = foliot("test", f"{ONE_FILE}::test_live_on_a_terminal_and_then_one_line")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "slowest 10 durations" in done.stdout
    assert "1 passed" in done.stdout


# ---- which changes make an image dirty (cmake/build_info.cmake) ----


@pytest.fixture
def repository(tmp_path):
    """A clean repository with a directory for every one that holds firmware sources here."""
    tops = {name.split("/")[0] for name in tracked("*.c", "*.h", "*.S") if "/" in name}
    for name in (*tops, "tests/app", "tests/check", "elsewhere/app"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "x.c").write_text("")
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, timeout=60)
    return tmp_path, tops


def dirty(root, app, tmp_path) -> bool:
    made = tmp_path / "generated"
    made.mkdir(exist_ok=True)
    (made / "config.cmake").write_text("set(FOLIOT_CONFIGURATION x)\n")
    (made / "facts.cmake").write_text(f"set(FOLIOT_ROOT {root})\nset(FOLIOT_APP {app})\n")
    words = [f"-DFOLIOT_FACTS={made}/facts.cmake", f"-DFOLIOT_GENERATED={made}", "-P"]
    script = paths.ROOT / "cmake" / "build_info.cmake"
    subprocess.run(["cmake", *words, str(script)], check=True, timeout=60, capture_output=True)
    (line,) = [line for line in (made / "build_info.h").read_text().splitlines() if "DIRTY" in line]
    return line.split()[-1] == "1"


@pytest.mark.needs("compiler")
def test_every_directory_of_firmware_makes_an_image_dirty(repository, tmp_path_factory):
    root, tops = repository
    out = tmp_path_factory.mktemp("out")
    not_in_images = {"sim", "tests", "samples", "lab", "docs", "data"}
    assert not dirty(root, root / "samples", out)
    for name in tops - not_in_images:
        (root / name / "x.c").write_text("/* changed */")
        assert dirty(root, root / "samples", out), name
        (root / name / "x.c").write_text("")
    (root / "sim" / "new.c").write_text("")
    assert not dirty(root, root / "samples", out)
    (root / "samples" / "new.c").write_text("")
    assert dirty(root, root / "samples", out)
    assert not dirty(root, root / "suites", out)


@pytest.mark.needs("compiler")
def test_tests_share_sources_that_count_for_them_alone(repository, tmp_path_factory):
    root, _ = repository
    out = tmp_path_factory.mktemp("out")
    (root / "tests" / "check" / "x.c").write_text("/* changed */")
    assert dirty(root, root / "tests" / "app", out)
    assert not dirty(root, root / "samples", out)


@pytest.mark.needs("compiler")
def test_an_application_in_no_repository_hides_no_change(repository, tmp_path_factory):
    root, _ = repository
    out = tmp_path_factory.mktemp("out")
    assert not dirty(root, out, out)
    (root / "kernel" / "x.c").write_text("/* changed */")
    assert dirty(root, out, out)

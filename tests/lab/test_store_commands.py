# SPDX-License-Identifier: Apache-2.0
"""The commands about recorded runs, as a user starts them: output, exit status, errors."""

from __future__ import annotations

import json
import os
import sys
import time

import pages
import pytest

import logs
from foliot.store.sqlite import Store


@pytest.fixture
def article(tmp_path):
    path = tmp_path / "article.txt"
    path.write_text(pages.article())
    return path


@pytest.mark.slow
def test_three_commands_from_a_page_to_its_true_values(foliot, article, own_store):
    done = foliot("import", str(article))
    assert done.returncode == 0, done.stderr
    assert "article.txt: 8 runs, 376 rows;" in done.stdout
    assert "117592 is 151.5 + 7 x 2^24/1000" in done.stdout
    assert "imply\n      400 MHz" in done.stdout or "imply 400 MHz" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    done = foliot("compare", "article", "--overview")
    assert done.returncode == 0, done.stderr
    assert "teensy4.1 >> stm32h747i >> rpi_pico2" in done.stdout
    done = foliot("show", "article/rpi_pico")
    assert done.returncode == 0, done.stderr
    assert "counter-wrapped" in done.stdout
    assert "lines        " in done.stdout


@pytest.mark.slow
def test_runs_and_show(foliot, article):
    assert "no runs yet" in foliot("runs").stdout
    foliot("import", str(article), "--name", "boards", "-q")
    listed = foliot("runs")
    assert len(listed.stdout.splitlines()) == 9
    assert "boards/teensy4.1" in listed.stdout
    assert max(map(len, listed.stdout.splitlines())) <= 100
    as_json = json.loads(foliot("runs", "--json").stdout)
    assert as_json[0]["name"] == "boards/teensy4.1"
    shown = json.loads(foliot("show", as_json[0]["id"], "--json").stdout)
    assert shown["kernel"] == "Zephyr v4.3.0-3523-g588d22464d13"
    assert len(shown["rows"]) == 47
    assert "zephyr-3.3@mps2_an385" in foliot("runs", "--references").stdout


@pytest.mark.slow
def test_from_standard_input(foliot, own_store):
    given = pages.log(pages.published("rpi_pico"))
    done = foliot("import", "-", "--name", "piped", "-b", "mine", given=given)
    assert done.returncode == 0, done.stderr
    (kept,) = Store(own_store).runs()
    assert (kept.name, kept.board, kept.source) == ("piped", "mine", "stdin")


@pytest.mark.slow
def test_an_own_log(foliot, tmp_path, own_store):
    path = tmp_path / "own.log"
    path.write_text(logs.log([logs.row("a.b", [9] * 200)]))
    assert foliot("import", str(path)).returncode == 0
    (kept,) = Store(own_store).runs()
    assert (kept.name, kept.kernel) == ("own", "Foliot")
    assert Store(own_store).log_path(kept.log_sha256).read_text() == path.read_text()


@pytest.mark.parametrize(
    ("content", "status", "what"),
    [
        (b"\x7fELF\0\0\0\0", 1, "a binary file"),
        (b"", 1, "the file is empty"),
        (b"words\n", 1, "no row in 1 lines"),
        (None, 2, "is a directory"),
        ("missing", 2, "No such file"),
        (b"a.b - T : 99999999999999999999 cycles , 1 ns :", 1, "beyond 64 bits"),
        (logs.log([logs.row("a.b", [9] * 200)])[:-60].encode(), 1, "line"),
    ],
)
def test_what_can_not_be_imported(foliot, tmp_path, own_store, content, status, what):
    path = tmp_path / "file"
    if content is None:
        path.mkdir()
    elif content != "missing":
        path.write_bytes(content)
    done = foliot("import", str(path))
    assert done.returncode == status
    assert what in done.stderr
    assert "Traceback" not in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("foliot: ")]) == 1
    assert done.stdout == ""
    assert not (own_store / "foliot.db").exists()


def test_one_bad_file_among_good_ones(foliot, article, tmp_path, own_store):
    (tmp_path / "bad").write_text("nothing")
    done = foliot("import", str(tmp_path / "bad"), str(article))
    assert done.returncode == 1
    assert "foliot: bad: no row" in done.stderr
    assert len(Store(own_store).runs()) == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["show", "nothing"], "there is no run 'nothing'"),
        (["show", "zephyr-3.3@mps2_an386"], "did you mean zephyr-3.3@mps2_an385"),
        (["compare", "zephyr-3.3@ibex"], "only one run"),
        (["compare", "zephyr-3.3@ibex", "zephyr-3.3@mps2_an385"], "units differ"),
        (["compare", "--sort", "age"], "--sort 'age' is none of"),
        (["compare", "--sort", "ratoi"], "did you mean ratio?"),
        (["compare", "a", "b", "--json", "--csv"], "can't be given together"),
        (["export", "zephyr-3.3@ibex", "-f", "xml"], "unknown form 'xml'"),
        (["gate", "--board", "nowhere"], "unknown board 'nowhere'"),
        (["gate", "--allow", "x", "--board", "ibex"], "--allow takes PATTERN=N"),
        (["import", "x", "--name", "a b"], "'a b' is no name"),
    ],
)  # fmt: skip
def test_wrong_use(foliot, words, what):
    done = foliot(*words)
    assert done.returncode == 2
    assert what in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.slow
def test_another_store(foliot, article, tmp_path, own_store):
    place = tmp_path / "elsewhere"
    assert foliot("import", str(article), "--store", str(place)).returncode == 0
    assert not own_store.joinpath("foliot.db").exists()
    assert len(Store(place).runs()) == 8
    (tmp_path / "file").write_text("")
    done = foliot("import", str(article), "--store", str(tmp_path / "file"))
    assert done.returncode == 1
    assert "can't be used" in done.stderr
    assert "--store DIR" in done.stderr


@pytest.mark.slow
def test_help_is_quick(foliot):
    def cost() -> float:
        before = os.times()
        assert foliot("--help").returncode == 0
        after = os.times()
        return after.children_user + after.children_system - before.children_user - (
            before.children_system
        )  # fmt: skip

    assert min(cost() for _ in range(3)) < 0.3


@pytest.mark.slow
def test_a_large_log_in_bounded_memory(foliot, tmp_path, own_store):
    """A tenth of 100 MB; the whole with --long."""
    _import_large(foliot, tmp_path, 10, 5)


@pytest.mark.long
def test_a_hundred_megabytes(foliot, tmp_path, own_store):
    _import_large(foliot, tmp_path, 100, 50)


def _import_large(foliot, tmp_path, megabytes, limit_s):
    path = tmp_path / "large.log"
    noise = "".join(f"[00:00:{n % 60:02}.123] <inf> main: step {n} - nothing new, really\n"
                    for n in range(3000))  # fmt: skip
    block = (noise + pages.article()) * 3
    path.write_text(block * (megabytes * 1_000_000 // len(block.encode()) + 1))
    script = ("import sys; from foliot.cli import application; "
              "application('import')(['import', sys.argv[1], '-q'], standalone_mode=False); "
              "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
              )  # fmt: skip
    began, before = time.monotonic(), os.times()
    done = foliot.program(sys.executable, "-c", script, path, limit_s=300)
    assert done.returncode == 0, done.stderr
    after = os.times()
    cpu_s = after.children_user - before.children_user
    assert cpu_s < limit_s, f"{cpu_s} s of CPU, {time.monotonic() - began} s"
    assert int(done.stdout.splitlines()[-1]) < 120_000, "KiB"

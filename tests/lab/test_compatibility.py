# SPDX-License-Identifier: Apache-2.0
"""docs/compatibility.md: Zephyr's kernel API as the headers have it, and its kernel's options."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from foliot.model.errors import UsageError
from foliot.project import compatibility
from foliot.target import boards, configure, zephyr

ROOT = Path(__file__).resolve().parents[2]
DATA = tomllib.loads((ROOT / "data" / "zephyr" / "api.toml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
ENTRIES = [entry for _, group in compatibility.groups() for entry in group]
ROW = re.compile(r"^\| `(\w+)` \| (there|different|not there) \| (.*) \| .* \|$", re.MULTILINE)
SYSCALLS = (ROOT / "kernel" / "base" / "syscalls.h").read_text(encoding="utf-8")


def test_the_page_says_what_the_headers_do():
    assert "\n".join(compatibility.lines()) in PAGE, "write it anew: ./foliot docs"
    rows = {name: (state, user) for name, state, user in ROW.findall(PAGE)}
    assert len(rows) > 700
    assert rows == {entry.name: (entry.state, entry.user) for entry in ENTRIES}


def test_what_is_different_or_not_there_has_its_reason():
    assert [entry.name for entry in ENTRIES if entry.state != "there" and not entry.note] == []


def test_no_reason_is_given_for_a_name_that_no_group_has():
    names = {entry.name for entry in ENTRIES}
    given = [*DATA["different"], *DATA["noted"], *DATA["absent"], *DATA["user"]]
    assert [one for one in given if not any(fnmatchcase(name, one) for name in names)] == []


def test_a_name_is_in_one_group_only_or_said_twice_alike():
    assert len({(e.name, e.state) for e in ENTRIES}) == len({e.name for e in ENTRIES})


def test_every_system_call_is_user_modes_and_what_is_said_of_it_is_not_what_the_sources_say():
    calls = set(re.findall(r"^SYSCALL\w*\((\w+)\)", SYSCALLS, re.MULTILINE))
    users = {entry.name: entry.user for entry in ENTRIES if entry.state != "not there"}
    assert len(calls & users.keys()) > 90
    assert [name for name in calls & users.keys() if users[name] in ("no", "")] == []
    modes = compatibility.Modes.read()
    idle = [n for n, said in DATA["user"].items() if said == ("yes" if modes.may_call(n) else "no")]
    assert idle == [], "the sources say it already"


def test_what_user_mode_may_call_follows_from_what_it_is_made_of(tmp_path, monkeypatch):
    for room in ("include/foliot", "kernel/base", "lib"):
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "kernel/base/syscalls.h").write_text("SYSCALL_QUICK(k_a)\nSYSCALL(k_b)\n")
    (tmp_path / "lib/x.c").write_text("int helps(int a)\n{\n\treturn a;\n}\n")
    (tmp_path / "include/foliot/x.h").write_text(
        "#define k_both(x) (k_a(x) + \\\n\tk_b(x))\n#define k_other k_a\n"
        "#define k_mixed(x) (k_a(x) + k_kernel(x))\nint k_kernel(int x);\n"
        "static inline int k_helped(int x)\n{\n\tif (x) {\n\t\treturn helps(k_both(x));\n\t}\n"
        "\treturn 0;\n}\n"
        "static inline int k_spoilt(int x)\n{\n\treturn k_mixed(x); /* k_a() */\n}\n"
    )
    monkeypatch.setattr(compatibility.paths, "ROOT", tmp_path)
    modes = compatibility.Modes.read()
    names = ("k_a", "k_both", "k_other", "k_helped", "k_mixed", "k_kernel", "k_spoilt", "k_none")
    assert [name for name in names if modes.may_call(name)] == list(names[:4])


def test_a_word_in_a_comment_is_no_declaration(tmp_path, monkeypatch):
    (tmp_path / "include/foliot").mkdir(parents=True)
    (tmp_path / "include/foliot/x.h").write_text("/* k_poll() is not there */\nint k_x(void);\n")
    monkeypatch.setattr(compatibility.paths, "ROOT", tmp_path)
    assert compatibility.declared() == {"int", "k_x", "void"}


# ---- options ----

OPTIONS = [option for _, group in zephyr.groups() for option in group]


def resolve(tmp_path, text: str, board: str = "mps2_an385"):
    (tmp_path / "prj.conf").write_text(text)
    return configure.resolve(tmp_path, boards.load(board))


def test_each_option_of_zephyrs_kernel_is_ours_or_ignored_or_refused_and_why():
    assert len(OPTIONS) > 300
    assert [one.name for one in OPTIONS if one.state not in ("same", "ignored", "refused")] == []
    assert [one.name for one in OPTIONS if one.state != "same" and not one.note] == []
    assert len({one.name for one in OPTIONS}) == len(OPTIONS)


def test_the_page_has_each_option():
    for one in OPTIONS:
        assert f"| `{one.name}` | {one.state} | {one.note} |" in PAGE


def test_an_option_that_is_refused_is_refused_when_it_is_asked_for(tmp_path):
    for one in OPTIONS:
        verdict = zephyr.judge(one.name, "y", ("STACK_GUARD",)) if one.state != "same" else None
        if one.state == "refused":
            assert verdict is not None
            assert not verdict.ignored, one.name
        elif one.state == "ignored" and not one.note.startswith("at "):
            assert verdict is not None
            assert verdict.ignored, one.name
    with pytest.raises(UsageError, match="CONFIG_SYMTAB=y is not supported"):
        resolve(tmp_path, "CONFIG_SYMTAB=y\n")


def test_one_of_ours_by_another_name_takes_effect_and_is_said(tmp_path):
    resolved = resolve(tmp_path, "CONFIG_HW_STACK_PROTECTION=y\nCONFIG_MPU_STACK_GUARD=n\n")
    assert resolved.values["STACK_GUARD"] == "y"
    assert "#define CONFIG_HW_STACK_PROTECTION 1" in resolved.header
    assert "CONFIG_MPU_STACK_GUARD" not in resolved.header
    assert resolved.notes[0].endswith("CONFIG_HW_STACK_PROTECTION=y is CONFIG_STACK_GUARD here")
    assert resolved.notes[1].startswith("ignored: ")
    assert "STACK_GUARD" not in resolve(tmp_path, "CONFIG_HW_STACK_PROTECTION=n\n").values


def test_ours_by_its_own_name_has_the_last_word(tmp_path):
    resolved = resolve(tmp_path, "CONFIG_STACK_GUARD=n\nCONFIG_HW_STACK_PROTECTION=y\n")
    assert "STACK_GUARD" not in resolved.values
    assert "CONFIG_HW_STACK_PROTECTION" not in resolved.header


def test_the_samples_options_are_taken_as_they_are(tmp_path):
    asked = ("SCHED_CPU_MASK", "DEBUG_THREAD_INFO", "TEST_RANDOM_GENERATOR", "TEST")
    resolved = resolve(tmp_path, "".join(f"CONFIG_{name}=y\n" for name in asked))
    assert len(resolved.notes) == len(asked)
    assert all("is implied: " in note for note in resolved.notes)


def test_what_holds_anyway_is_defined_in_c(tmp_path):
    header = resolve(tmp_path, "CONFIG_MAX_THREAD_BYTES=3\nCONFIG_SCHED_CPU_MASK=y\n").header
    for line in ("MULTITHREADING 1", "MP_MAX_NUM_CPUS 1", "COOP_ENABLED 1", "MAX_THREAD_BYTES 3",
                 "TEST_EXTRA_STACK_SIZE 0", "ARM 1", "QEMU_TARGET 1"):  # fmt: skip
        assert f"#define CONFIG_{line}\n" in header
    assert "CONFIG_SMP" not in header
    assert "CONFIG_SCHED_CPU_MASK" not in header  # its calls are not there
    assert "CONFIG_RISCV 1" in resolve(tmp_path, "", "qemu_riscv32").header


def test_user_tests_are_in_user_mode_where_a_board_has_it(tmp_path):
    text = "CONFIG_ZTEST=y\nCONFIG_TEST_USERSPACE=y\n"
    assert resolve(tmp_path, text).values["USERSPACE"] == "y"
    assert "USERSPACE" not in resolve(tmp_path, text, "microbit").values


def test_more_priorities_than_there_are_is_reported_in_a_line(tmp_path):
    text = "CONFIG_NUM_COOP_PRIORITIES=29\nCONFIG_NUM_PREEMPT_PRIORITIES={}\n"
    assert resolve(tmp_path, text.format(34)).values["NUM_PREEMPT_PRIORITIES"] == "34"
    with pytest.raises(UsageError, match="at most 63 priorities"):
        resolve(tmp_path, text.format(40))


def test_what_zephyrs_tests_take_for_granted_is_on_with_ztest(tmp_path):
    assert "TIMESLICING" not in resolve(tmp_path, "").values
    values = resolve(tmp_path, "CONFIG_ZTEST=y\n").values
    assert values["TIMESLICING"] == values["TIMEOUT_64BIT"] == "y"
    assert "TIMEOUT_64BIT" not in resolve(tmp_path, "CONFIG_ZTEST=y\nCONFIG_USERSPACE=y\n").values

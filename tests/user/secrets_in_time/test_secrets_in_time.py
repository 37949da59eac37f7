# SPDX-License-Identifier: Apache-2.0
"""What one domain's secret changes in another's time, on a core without a cache.

docs/security.md has the table; a run has to find nothing that is not in it.
"""

from __future__ import annotations

import re

import pytest
from reported import Summary, known, latest_beginning, rows, summary, table, told

from support.command import ROOT

HERE = ROOT / "tests" / "user" / "secrets_in_time"
SEEDED = {
    "k_sem_give(foreign)",
    "k_timer_start(timer, K_TICKS(due), K_TICKS(1))",
    "leave_a_hole()",
    "k_object_alloc_size(K_OBJ_SEM, SIZE_MAX)",
}
# What is not tried, and why.
NOT_TRIED = {
    "console_putc": "the console is everybody's",
    "k_fatal_raise": "A's end by its own fault is tried",
    "user_thread_create_packed": "it is what k_thread_create() calls",
    "user_uptime_read": "it is what k_uptime_ticks() calls",
    "user_ipc_call": "it is what k_ipc_call() calls",
    "user_ipc_reply_receive": "it is what k_ipc_reply_receive() calls",
    "k_atomic_update_": "an instruction, on all cores but some",
    "k_thread_deadline_set": "an option",
    "k_thread_absolute_deadline_set": "an option",
    "k_thread_custom_data_set": "an option",
    "k_thread_custom_data_get": "an option",
    "k_object_revoke_": "it is what k_object_access_revoke() calls",
}


def run(foliot, *conf: str) -> tuple[str, Summary]:
    """Run it; each leak that is seeded has been noticed."""
    words = ("run", str(HERE), "--board", "ibex", *conf, "--quiet", "--timeout", "7200")
    done = foliot(*words, limit_s=7200)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert done.stdout.splitlines()[-1] == "PROJECT EXECUTION SUCCESSFUL", done.stdout[-2000:]
    assert set(told(done.stdout.splitlines(), "LEAK")) == SEEDED
    said = summary(done.stdout)
    assert said.of_a >= 50
    assert said.of_b >= 50
    return done.stdout, said


@pytest.mark.long  # held to the cycle: the table is of the kernel before messages went in steps
@pytest.mark.board("ibex")
def test_what_a_domain_does_in_its_turn_tells_another_nothing_new(foliot):
    text, said = run(foliot)
    assert said.pairs > 300
    listed, beginning = known()
    for call, one in told(text.splitlines()).items():
        assert call in listed, f"{call} tells {one}"
        assert one.cycles <= listed[call].cycles, (call, one)
    assert latest_beginning(text.splitlines())[1] <= beginning


@pytest.mark.board("ibex")
@pytest.mark.long
def test_what_a_domain_does_in_its_turn_tells_another_what_the_table_says(foliot, capsys):
    texts = [run(foliot, "--conf", conf)[0] for conf in ("all", "more")]
    said, text = summary(*texts), "".join(texts)
    with capsys.disabled():
        print(f"\n{said.pairs} pairs of runs compared, {said.differing} differ")
    assert said.pairs >= 10_000
    assert rows(text) == table(), "reported.py writes the table anew"


def test_the_table_has_what_a_run_prints(monkeypatch):
    lines = (
        "TOLD k_a(me->x) | once | 2 | k_b(me->y) | 3",
        "TOLD k_a(me->x) | late | 1 | k_c(me->y) | 5",
        "TOLD k_d(me->x) | late | 2 | k_c(me->y) | 5",
        "BEGINS k_a(me->x) | once | 7",
        "BEGINS k_d(me->x) | once | 9",
    )
    text = (
        "| `k_a(x)`, `k_d(x)` | 2 | 5 | `k_c(y)` |\n"
        "| `k_d(x)` | 0 | 9 | `its first instruction` |\n"
    )
    assert rows("\n".join(lines)) == text
    monkeypatch.setattr("reported.table", lambda: text)
    assert known() == (told(lines), 9)
    with pytest.raises(ValueError, match="made again"):
        told(["TOLD k_a(me->x) | nothing | 1 | k_b(me->y) | 3"])
    with pytest.raises(ValueError, match="its end"):
        summary("PROJECT EXECUTION SUCCESSFUL")


def test_each_system_call_is_tried_or_said_not_to_be():
    calls = (ROOT / "kernel" / "base" / "syscalls.h").read_text(encoding="utf-8")
    names = set(re.findall(r"^SYSCALL\w*\((\w+)\)", calls, re.MULTILINE))
    cases = (HERE / "cases.c").read_text(encoding="utf-8")
    tried = {name for name in names if re.search(rf"\b{name}\(", cases)}
    assert names - tried == set(NOT_TRIED) - tried
    assert not tried & set(NOT_TRIED)

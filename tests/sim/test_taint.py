# SPDX-License-Identifier: Apache-2.0
"""Taint: the kernel uses nothing that user mode says but through checks of sim/iss/checks.txt.

Where a check is emptied in a copy of the kernel, the simulator stops, and so it does where
the three defects are made again by which user mode wrote kernel memory until 19e0f6c. Without any
one line of checks.txt it stops, too, but for three that are come to by chance.
"""

from __future__ import annotations

import contextlib

import pytest

from support import taint
from support.command import ROOT
from support.takeovers import ENDED_IS_NAMED, LINKS_COME_IN

PASSED, FAILED, FOUND = 0, 1, 7
TESTS, MESSAGES = ("tests/user", "fast"), ("tests/ipc", "user")
ATTACK, ATTACKS = ("tests/user/attack", "rtl,few"), ("tests/user/attack", "rtl,thousands")
FEATURES = ("tests/user", "features")
APPS = [
    TESTS, MESSAGES, ATTACK,
    *(pytest.param(app, conf, marks=pytest.mark.long) for app, conf in (
        ("tests/user", "stackguard,fast"), ("tests/user", "canaries-all,stackguard,fast"),
        FEATURES, ("tests/user", "checked"), ("tests/kernel", "user"),
        ATTACKS, ("tests/user/attack", "rtl,few,stackguard"))),
]  # fmt: skip


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """The tree with its checks out of line."""
    return taint.make_copy(tmp_path_factory.mktemp("taint"), "tests/user", "tests/kernel",
                           "tests/ipc", "tests/check")  # fmt: skip


@pytest.fixture
def run(copy, iss):
    """Build an application in the copy, and run it under taint."""

    def run(app, conf, *options):
        return taint.run(iss, taint.build(copy, app, conf), *options)

    return run


@pytest.fixture
def changed(copy):
    """Change a text of the copy for as long as it takes."""

    @contextlib.contextmanager
    def changed(*changes):
        before = {path: (copy.root / path).read_text(encoding="utf-8") for path, _, _ in changes}
        try:
            for path, old, new in changes:
                text = (copy.root / path).read_text(encoding="utf-8")
                assert text.count(old) == 1, f"{path} has no more, or more than one: {old}"
                (copy.root / path).write_text(text.replace(old, new), encoding="utf-8")
            yield
        finally:
            for path, text in before.items():
                (copy.root / path).write_text(text, encoding="utf-8")

    return changed


@pytest.mark.board("ibex")
@pytest.mark.slow
@pytest.mark.parametrize(("app", "conf"), APPS)
def test_the_kernel_uses_nothing_of_user_modes_unchecked(run, app, conf):
    done = run(app, conf)
    assert done.returncode == PASSED, done.stderr[-3000:]
    assert "SUCCESSFUL" in done.stdout or "ATTACK HELD" in done.stdout


@pytest.mark.board("ibex")
@pytest.mark.slow
@pytest.mark.parametrize("conf", ["", "calling", "polling"])
def test_a_kernel_that_is_right_holds_against_the_takeovers(run, conf):
    done = run("tests/user/takeover", conf)
    assert (done.returncode, done.stdout) == (PASSED, "held\n"), done.stderr


@pytest.mark.board("ibex")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("conf", "defect"),
    [("", [ENDED_IS_NAMED]), ("polling", LINKS_COME_IN), ("calling", [ENDED_IS_NAMED])],
    ids=["mutex_ghost", "poll_link", "ipc_ghost"],
)
def test_a_defect_that_there_was_is_found(run, changed, conf, defect):
    with changed(*defect):
        done = run("tests/user/takeover", conf)
    assert done.returncode == FOUND, done.stdout + done.stderr
    assert "stored by user mode at" in done.stderr


# What only longer runs come to.
SELDOM = {
    "verify_k_thread_name_set": ATTACKS, "heap_take": ATTACKS, "object_find": ATTACKS,
    "k_thread_name_set": FEATURES, "strcmp": FEATURES, "k_thread_stack_space_get": ATTACKS,
}  # fmt: skip
# What the attackers' random calls come to on some kernels, and not on each.
BY_CHANCE = {"slot_announce_many", "strlen", "wrapped"}


@pytest.fixture
def needs(copy, iss, tmp_path):
    """Tell whether the simulator stops without a line of checks.txt, in one of some programs."""

    def needs(line, *programs):
        return any(
            taint.run(iss, elf, known=taint.write_without(elf, line, tmp_path / "table")).returncode
            == FOUND
            for elf in (taint.build(copy, *program) for program in programs)
        )

    return needs


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_a_line_of_the_list_is_needed(needs):
    """Of all of them one; each is --long."""
    assert needs(next(line for line in taint.lines() if line.name == "queue_of"), TESTS)


@pytest.mark.long
@pytest.mark.board("ibex")
@pytest.mark.parametrize("line", [line for line in taint.lines() if line.name not in BY_CHANCE],
                         ids=lambda line: f"{line.kind}-{line.name}")  # fmt: skip
def test_each_line_of_the_list_is_needed(needs, line):
    programs = (TESTS, MESSAGES, ATTACK)
    assert needs(line, *([SELDOM[line.name]] if line.name in SELDOM else programs))


OBJECTS = "&object_table[object_index_at((uintptr_t){0}{1})]"
# What a checking function returns at once where it is emptied: else `true`.
RETURNS = {
    "permitted": OBJECTS.format("object", " + tag_offset"),
    "usable_stack": OBJECTS.format("stack", ""),
    "index_from": "(unsigned int)when",
    "earliest_of_top": "(unsigned int)wheel.base",
    "queue_of": "(_wait_q_t *)(uintptr_t)futex",
    "size_for": "(bytes + 15U) & ~(size_t)7",
}
# What has no result that would do, and comparisons.
TEXTS = {
    "object_index_at": [
        ("kernel/base/object_table.h", "index % CONFIG_USER_OBJECTS;", "index;")],
    "riscv_user_exception": [
        ("arch/riscv/user.S", "\tbgeu a7, a4, .Lno_such_call\n", "")],
    "object_find": [("kernel/access/object_rights.c", "object == NULL || kind >= K_OBJ_LAST_)",
                     "object == NULL)")],
    "verify_k_poll": [("kernel/syscall/verify_poll.c",
                       "num_events < 0 || num_events > CONFIG_POLL_USER_EVENTS)", "false)")],
    "verify_user_thread_create_packed": [
        ("kernel/syscall/verify_create.c",
         "(kept.options & ~(uint32_t)K_INHERIT_PERMS) != K_USER ||", "")],
    "object_size": [("kernel/access/object_rights.c",
                     "kind < K_OBJ_THREAD_STACK_ELEMENT ? sizes[kind]", "true ? sizes[kind]")],
    "heap_alloc_fast": [("kernel/memory/sys_heap.h", "over >= HEAP_EXACT * HEAP_UNIT", "false")],
    "msgq_peek_at": [("kernel/objects/msgq_copy.c", "is_there = idx < msgq->used_msgs,",
                      "is_there = true,")],
    "verify_k_atomic_update_": [("include/zephyr/sys/atomic.h", "default:",
                                 "default: __builtin_unreachable();")],
    "verify_k_thread_name_set": [("kernel/syscall/verify_thread.c",
                                  "named != k_cpu.current && !verify_thread(named)", "false")],
}  # fmt: skip
# One place for both.
TOO_LONG = (
    "size > IPC_FAST_MAX || size % sizeof(uintptr_t) != 0 ||\n\t\t\t     "
    "size > IPC_WORDS(to)->capacity ||"
)
for of in ("ipc_call_fast_bytes", "ipc_reply_receive_fast_bytes"):
    TEXTS[of] = [("kernel/ipc/fast_bytes.c", old, new) for old, new in (
        (TOO_LONG, ""), ("\n\t    unlikely(current->ipc.own_size < size)", " false"))]  # fmt: skip
# Of messages; the others are seen in tests/user, but for a few.
OF_MESSAGES = ("ipc_", "fast_is_known")
SEEN_IN = {"verify_k_thread_name_set": FEATURES}
# Not emptied: a library's; a switch, whose cases are what it does: that each is needed is tried.
LEFT = {"__umoddi3", "verify_event"}
# Where the kernel's own values are beyond it, too, and it faults on these first.
ENDS = {"heap_alloc_fast", "heap_take", "index_from"}
CHECKED = sorted({line.name for line in taint.lines() if line.kind in ("check", "compare")}
                 - LEFT - BY_CHANCE)  # fmt: skip


def emptied(copy, name):
    """Return what makes a check accept everything."""
    if name in TEXTS:
        return TEXTS[name]
    path, match = taint.definition(copy.root, name)
    text = path.read_text(encoding="utf-8")
    at = text.index("{", match.end())
    body = text[match.start() : at + 1]
    return [(str(path.relative_to(copy.root)), body,
             f"{body}\n\treturn {RETURNS.get(name, 'true')};")]  # fmt: skip


def stops_without(copy, run, changed, name):
    usual = MESSAGES if name.startswith(OF_MESSAGES) else TESTS
    with changed(*emptied(copy, name)):
        done = run(*SEEN_IN.get(name, usual))
    stops = {FOUND, FAILED} if name in ENDS else {FOUND}
    assert done.returncode in stops, done.stdout[-1000:] + done.stderr[-2000:]


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_a_check_that_is_emptied_is_noticed(copy, run, changed):
    """Of all of them one; each is --long."""
    stops_without(copy, run, changed, "object_is_usable_with_tag")


@pytest.mark.long
@pytest.mark.board("ibex")
@pytest.mark.parametrize("name", CHECKED)
def test_each_check_that_is_emptied_is_noticed(copy, run, changed, name):
    stops_without(copy, run, changed, name)


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_each_check_is_there_and_each_clears_something(copy, iss, tmp_path):
    """A name of checks.txt that is no function's any more would stand for nothing."""
    elf = taint.build(copy, *TESTS)
    names = set((elf.parent / "taint.txt").read_text(encoding="utf-8").split())
    there = {line.name for line in taint.lines() if not line.name.startswith(OF_MESSAGES)}
    assert there - names <= {"put_number", "strcmp", "__umoddi3"}
    counts = tmp_path / "counts"
    taint.run(iss, elf, "--taint-counts", str(counts))
    cleared = dict(line.split() for line in counts.read_text(encoding="utf-8").splitlines())
    assert int(cleared["object_is_usable_with_tag"]) > MANY


MANY = 1000


def test_wrong_tables_are_one_line(iss, tmp_path):
    wrong = tmp_path / "table"
    wrong.write_text("nonsense 0 0\n", encoding="utf-8")
    image = str(ROOT / "README.md")
    done = taint.subprocess.run([iss, "--elf", image, "--taint", str(wrong)], capture_output=True,
                                text=True, check=False)  # fmt: skip
    assert done.returncode == WRONG_USE
    assert len(done.stderr.splitlines()) == 1


WRONG_USE = 2

# SPDX-License-Identifier: Apache-2.0
"""Explaining samples: traces read, waits named, builds compared, and the floor for real."""

from __future__ import annotations

import io
import json

import pytest

import logs
from foliot.explain import builds, difference, imported, show
from foliot.explain.code import Place
from foliot.explain.sample import Sample, Step, choose, cut
from foliot.explain.trace import Retired, read_qemu, read_verilator, trace
from foliot.explain.waits import Wait, is_stamp, kind, waits
from foliot.log.reader import parse
from foliot.model.errors import FoliotError, UsageError
from foliot.model.run import Row
from foliot.show.terminal import Progress
from foliot.store.selection import reference
from foliot.target import boards, build, paths, runner

BOARDS = ("ibex", "mps2_an385", "qemu_riscv32")


def steps(*lines):
    """Read (pc, size, took, empty, event, text) into what waits() takes."""
    retired = [Retired(i, pc, *rest) for i, (pc, *rest, _) in enumerate(lines)]
    return retired[0], retired[1:], [line[-1] for line in lines]


def test_the_simulators_trace_is_read():
    lines = [b"7 100 80000010 00a12023 1 0 -\n", b"7 103 80000100 4505 3 2 i11\n"]
    assert list(read_verilator(lines)) == [
        (7, Retired(100, 0x80000010, 4)),
        (7, Retired(103, 0x80000100, 2, 3, 2, "i11")),
    ]


def test_qemus_log_counts_what_was_carried_out():
    """A block that was left before its first instruction doesn't count."""
    log = [
        "Trace 0: 0x7f [0/00000050/0/ff] before",
        "Trace 0: 0x7f [0/00000100/0/ff] measure_anchor",
        "Trace 0: 0x7f [0/00000104/0/ff] measure_anchor",
        "cpu_io_recompile: rewound execution of TB to 00000104",
        "Trace 0: 0x7f [0/00000104/0/ff] measure_anchor",
        "Trace 0: 0x7f [0/00000200/0/ff] take",
        "Stopped execution of TB chain before 0x7f [00000200]",
        "Trace 0: 0x7f [0/00000300/0/ff] handler",
        "Trace 0: 0x7f [0/00000400/0/ff] stamps_print",
        "Trace 0: 0x7f [0/00000404/0/ff] stamps_print",
        "Trace 0: 0x7f [0/00000100/0/ff] measure_anchor",
        "Trace 0: 0x7f [0/00000400/0/ff] stamps_print",
    ]
    read = list(read_qemu([line.encode() for line in log], 0x100, 0x400))
    assert [(marker, step.at, step.pc) for marker, step in read] == [
        (1, 0, 0x100), (1, 1, 0x104), (1, 2, 0x300), (2, 0, 0x100),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("lw a4,4(a0)", "load"), ("sw zero,0(sp)", "store"), ("sltu a0,a1,a2", "arithmetic"),
        ("beqz a4,<f+0x14>", "branch"), ("j <f>", "jump"), ("jr a5", "jump"), ("jr ra", "return"),
        ("jal <f>", "call"), ("ret", "return"), ("csrrc a2,mstatus,8", "system"),
        ("lui a5,0x80013", "arithmetic"), ("li a5,0", "arithmetic"), ("mul a0,a0,a1", "arithmetic"),
        ("ldr.w sp, [r1]", "load"), ("ldmia.w sp!, {r2, r4, lr}", "load"),
        ("ldmia.w sp!, {r4, pc}", "return"), ("pop {r4, r5}", "load"), ("pop {r4, pc}", "return"),
        ("push {r4, lr}", "store"), ("strd r1, r2, [r0]", "store"),
        ("bic.w r0, r0, #3", "arithmetic"), ("sbcs r0, r1", "arithmetic"),
        ("bl <f>", "call"), ("blx r3", "call"), ("ble.n <f>", "branch"), ("b.w <f>", "jump"),
        ("bx lr", "return"), ("cbz r3, <f>", "branch"), ("mrs r2, PRIMASK", "system"),
        ("rdcycle a0", "system"),
        ("lsls r0, r0, #2", "arithmetic"), ("subs r0, #1", "arithmetic"),
        ("mov 0x8(%rdi),%rax", "load"), ("mov %rsp,(%rdi)", "store"),
        ("mov %eax,%ebx", "arithmetic"),
        ("mov 0x1e869(%rip),%rax <k_cpu>", "load"), ("movq $0x0,0x1e8(%rip) <k_cpu+0x10>", "store"),
        ("cmpb $0x1,0x2a(%rsi)", "load"), ("lea 0x8(%rsp),%rdi", "arithmetic"),
        ("add (%rax,%rcx,8),%rdx", "load"), ("jne <f+0x4>", "branch"), ("jae <f>", "branch"),
        ("jmp <f>", "jump"), ("call *(%rax)", "call"), ("iretq", "return"), ("sti", "system"),
        ("pop %rbx", "load"), ("push %rbx", "store"), ("pushf", "system"), ("rdtsc", "system"),
    ],
)  # fmt: skip
def test_kinds_of_instructions(text, what):
    assert kind(text) == what


def test_the_cost_of_a_jump_is_charged_to_the_jump():
    named = waits(*steps(
        (0x00, 4, 1, 0, "", "lw s0,8(s1)"),
        (0x04, 4, 1, 0, "", "jal <f>"),
        (0x40, 4, 2, 1, "", "csrrc a2,mstatus,8"),
        (0x44, 2, 1, 0, "", "beqz a0,<f+0x20>"),
        (0x62, 4, 3, 2, "", "csrs mstatus,a2"),
        (0x66, 2, 3, 2, "", "ret"),
    ))  # fmt: skip
    assert named == [
        (Wait("call", 1),), (), (Wait("taken branch", 1), Wait("split target", 1)),
        (Wait("csr write", 2),), (),
    ]  # fmt: skip


def test_a_held_instruction_keeps_its_wait():
    named = waits(*steps(
        (0x00, 4, 1, 0, "", "lw s0,8(s1)"),
        (0x04, 2, 1, 0, "", "lw a4,0(a0)"),
        (0x06, 2, 2, 0, "", "beqz a4,<f>"),
        (0x08, 4, 1, 0, "", "lbu a5,0(a0)"),
        (0x0C, 4, 3, 0, "", "lw a1,4(a0)"),
        (0x10, 4, 38, 0, "", "div a0,a1,a2"),
        (0x80, 4, 5, 4, "i16", "j <handler>"),
        (0x90, 4, 2, 1, "", "wfi"),
        (0x94, 4, 99, 98, "", "nop"),
    ))  # fmt: skip
    assert named == [
        (), (Wait("load-use", 1),), (), (Wait("memory", 2),), (Wait("division", 37),),
        (Wait("interrupt entry", 4), Wait("jump", 1)), (Wait("sleep", 98),), (),
    ]  # fmt: skip


def test_what_can_be_a_stamp():
    assert is_stamp("csrr a5,mcycle")
    assert is_stamp("rdcycle a0")  # in user mode
    assert is_stamp("lw a5,8(a5)")
    assert not is_stamp("ret")


@pytest.mark.parametrize(("which", "index"), [("typical", 4), ("first", 0), ("worst", 0), ("3", 3)])
def test_which_sample(which, index):
    assert choose([90, 70, 75, 80, 75], which)[0] == index


@pytest.mark.parametrize("which", ["5", "-1", "best", ""])
def test_unknown_sample(which):
    with pytest.raises(UsageError, match="typical, first, worst and 0 to 4"):
        choose([90, 70, 75, 80, 75], which)


def sample(*lines):
    """Make a sample of (function, source line, instruction, cycles)."""
    header = parse(logs.log([logs.row("a.row", [9] * 8)])).header
    row = parse(logs.log([logs.row("a.row", [9] * 8)])).rows[0]
    assert isinstance(row, Row)
    made = tuple(
        Step(i * 4, cycles, (Wait("load-use", cycles - 1),) if cycles > 1 else (), text,
             Place(function, i * 4, "a.c", "", "a.c", 10 + i, source))
        for i, (function, source, text, cycles) in enumerate(lines)
    )  # fmt: skip
    return Sample(row, header, 7, 8, "a typical one", sum(s.cycles for s in made), made)


def shown(call, *words):
    from rich.console import Console

    stream = io.StringIO()
    call(*words, Console(file=stream, width=100, highlight=False, markup=False))
    return stream.getvalue()


A = [("f", "x = y;", "lw a0,4(a1)", 1), ("f", "if (x)", "beqz a0,<f+0x8>", 2), ("f", "}", "ret", 1)]
B = [
    ("f", "x = y;", "lw a0,4(a1)", 1),
    ("f", "if (x)", "beqz a0,<f+0x20>", 1),
    ("f", "}", "ret", 1),
]


def test_a_difference_shows_only_what_differs():
    text = shown(difference.print_difference, ["one", "two"], [sample(*A), sample(*B)])
    assert "one: 1; two: 0 cycles; -1" in text
    assert "-   2  a.c:11  if (x)" in text
    assert "+   1  a.c:11  if (x)" in text
    assert "x = y" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_moved_code_is_no_difference():
    moved = [("f", "x = y;", "lui a5,0x80013", 1), ("f", "z();", "jal <z+0x4>", 1),
             ("f", "z = 1;", "add a5,a5,-1728 <kernel>", 1)]  # fmt: skip
    other = [("f", "x = y;", "lui a5,0x80014", 1), ("f", "z();", "jal <z+0x8>", 1),
             ("f", "z = 1;", "add a5,a5,16 <kernel>", 1)]  # fmt: skip
    text = shown(difference.print_difference, ["one", "two"], [sample(*moved), sample(*other)])
    assert "no difference" in text
    assert "the same instructions in the same time" in text


def test_lines_that_only_one_build_has():
    aligned = difference.pairs(sample(*A), sample(A[0], A[2]))
    assert [(pair.a is None, pair.b is None) for pair in aligned] == [
        (False, False), (False, True), (False, False),
    ]  # fmt: skip
    assert difference.as_json(["a", "b"], [sample(*A), sample(A[0], A[2])])["lines"] == [
        {"function": "f", "file": "a.c", "text": "if (x)", "cycles": [2, 0]}
    ]


def test_an_explanation_adds_up():
    one = sample(*A)
    assert sum(show.causes(one).values()) == one.raw == 4
    text = shown(lambda console: show.print_sample(one, sample(*B), console, whole=True))
    assert "wait: load-use" in text
    assert "the closing stamp" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    ("run", "row", "said"),
    [
        ("zephyr-4.3@rpi_pico", "lifo.put.immediate.kernel",
         ["imply a clock of 125 MHz, not the 133", "With 7 of them", "It is 151.5 cycles."]),
        ("zephyr-4.3@rpi_pico", "lifo.get.immediate.kernel", ["It is 113.5 cycles."]),
        ("zephyr-4.3@rpi_pico", "lifo.put.wake+ctx.k_to_k", ["With 14", "It is 609 cycles."]),
        ("zephyr-4.3@rpi_pico", "events.post.wake+ctx.k_to_k", ["With 14", "It is 779 cycles."]),
        ("zephyr-4.3@rpi_pico2", "stack.pop.blocking.k_to_k", ["With 16", "It is 361.5 cycles."]),
        ("zephyr-4.3@rpi_pico", "semaphore.take.blocking.k_to_k", ["nothing about it is strange"]),
        ("zephyr-4.3@teensy4.1", "thread.suspend.kernel.from.kernel", ["24 times", "row-far"]),
        ("zephyr-4.3@ty51822r3", "thread.yield.preemptive.ctx.k_to_k", ["no measurement"]),
        ("l4re-insn@n100", "ipc.intra", ["footnote 1", "It is 543 instructions."]),
    ],
)  # fmt: skip
def test_what_a_strange_figure_means(run, row, said):
    chosen = reference(run)
    text = " ".join(shown(lambda console: imported.print_reasoning(row, chosen, console)).split())
    for part in said:
        assert part in text
    made = imported.as_json(row, chosen)
    assert made["conclusion"] in text


@pytest.mark.slow
def test_runs_of_others_can_not_be_run(foliot, tmp_path):
    words = ("lifo.put.immediate.kernel", "zephyr-4.3@rpi_pico")
    result = foliot("explain", *words, "--store", str(tmp_path), "--quiet")
    assert result.returncode == 0, result.stderr
    assert result.stdout.rstrip().endswith("It is 151.5 cycles.")
    assert max(map(len, result.stdout.splitlines())) <= 100
    result = foliot("explain", *words, "default", "--store", str(tmp_path))
    assert result.returncode == 2
    assert "zephyr-4.3@rpi_pico can't be run" in result.stderr
    result = foliot("explain", "lifo.put.imediate.kernel", words[1], "--store", str(tmp_path))
    assert result.returncode == 2
    assert "did you mean lifo.put.immediate.kernel" in result.stderr


@pytest.mark.board
@pytest.mark.parametrize(
    "board",
    [board if board == "mps2_an385" else pytest.param(board, marks=pytest.mark.long)
     for board in BOARDS],
)  # fmt: skip
def test_the_floor_for_real(board):
    """Every row's sample is found, and its instructions add up to its figure."""
    name, board = board, boards.load(board)
    elf = builds.image("", board, "floor", (), Progress(quiet=True))
    traced = trace(board, elf, Progress(quiet=True))
    assert len(traced.run.rows) >= 10
    for row in traced.run.rows:
        found = cut(traced, row.id)
        assert found.net == row.p50
        assert sum(step.cycles for step in found.steps) == found.raw
        assert all(step.text != "?" for step in found.steps)
    take = cut(traced, "semaphore.take.immediate.kernel")
    assert "floor_sem_take" in [step.place.function for step in take.steps]
    assert any(step.place.text.startswith("MEASURE_WINDOW(take") for step in take.steps)
    assert (sum(len(step.waits) for step in take.steps) > 0) == (name == "ibex")


@pytest.mark.board("mps2_an385")
@pytest.mark.parametrize(
    "suite",
    [
        "heap",
        *(pytest.param(name, marks=pytest.mark.long)
          for name in ("growth", "interrupt", "objects", "states", "thread_metric", "time")),
    ],
)  # fmt: skip
def test_a_suite_is_built_with_as_few_samples(suite):
    board = boards.load("mps2_an385")
    assert builds.image("", board, suite, (), Progress(quiet=True)).exists()


def medians(board, suite, conf):
    """Return the medians of a suite, built in a configuration and run."""
    samples = 8 if conf else None  # as other tests build them
    elf = build.build(paths.SUITES / suite, board, Progress(quiet=True), conf, samples).elf
    log = []
    runner.run(board, elf, log.append)
    return {row.id: row.p50 for row in parse(b"\n".join(log)).rows}


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "suite"),
    [
        ("mps2_an385", "floor"),
        *(pytest.param(name, "floor", marks=pytest.mark.long) for name in BOARDS[::2]),
        *(pytest.param(name, "latency", marks=pytest.mark.long) for name in BOARDS),
    ],
)
def test_stamps_that_are_kept_change_no_figure(board, suite):
    board = boards.load(board)
    plain = medians(board, suite, ())
    assert len(plain) >= 10
    assert medians(board, suite, ("stamps",)) == plain


@pytest.mark.board("ibex")
def test_the_command(foliot, tmp_path):
    words = ("explain", "mutex.lock.immediate.recursive.kernel", "--suite", "floor", "--quiet")
    result = foliot(*words, "--json", str(tmp_path / "out.json"))
    assert result.returncode == 0, result.stderr
    assert "floor_mutex_lock" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100
    made = json.loads((tmp_path / "out.json").read_text())
    assert made["raw"] == sum(step["cycles"] for step in made["instructions"])
    assert made["net"] == made["raw"] - made["overhead"]


@pytest.mark.long
@pytest.mark.board("mps2_an385")
def test_a_commit_is_built_by_itself(foliot, tmp_path):
    """The commit that is checked out, beside the working tree: the same row, both explained."""
    row = "mutex.lock.immediate.recursive.kernel"
    words = ("explain", row, "HEAD", "default", "--suite", "floor", "--board", "mps2_an385")
    result = foliot(*words, "--quiet", "--store", str(tmp_path), "--json", "-")
    assert result.returncode == 0, result.stderr
    made = json.loads(result.stdout)
    assert made["builds"] == ["HEAD", "default"]
    assert all(net > 0 for net in made["net"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["nothing.here"], 2, "unknown row 'nothing.here'"),
        (["mutex.lock.immediate.recursive.kernel", "--sample", "99"], 2, "unknown sample '99'"),
        (["mutex.lock.immediate.recursive.kernel", "nowhere"], 2, "no configuration of floor"),
        (["mutex.lock.immediate.recursive.kernel", "a", "b", "c"], 2, "at most two builds"),
        (["mutex.lock.immediate.recursive.kernel", "--board", "host"], 1, "trace instructions"),
        (["mutex.lock.immediate.recursive.kernel", __file__], 2, "is no ELF file"),
    ],
)
def test_wrong_use(foliot, words, status, said):
    result = foliot("explain", *words, "--suite", "floor", "--quiet")
    assert result.returncode == status, result.stderr
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) <= 2


@pytest.mark.board("ibex")
def test_an_image_without_stamps(foliot):
    board = boards.load("ibex")
    elf = build.build(paths.SUITES / "floor", board, Progress(quiet=True), (), 8).elf
    result = foliot("explain", "mutex.lock.immediate.recursive.kernel", str(elf), "--quiet")
    assert result.returncode == 1
    assert "--conf stamps" in result.stderr


@pytest.mark.board("ibex")
def test_a_trace_that_does_not_fit_is_refused(monkeypatch):
    board = boards.load("ibex")
    elf = builds.image("", board, "floor", (), Progress(quiet=True))
    traced = trace(board, elf, Progress(quiet=True))
    whole = type(traced).row
    monkeypatch.setattr(
        type(traced), "row", lambda self, marker: [s for s in whole(self, marker) if s.pc % 8]
    )
    with pytest.raises(FoliotError, match=r"does not reach|don't agree"):
        cut(traced, "mutex.lock.immediate.recursive.kernel")

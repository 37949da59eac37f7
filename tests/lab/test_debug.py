# SPDX-License-Identifier: Apache-2.0
"""`foliot debug`: gdb on every board, and what it shows of the kernel.

Also what breaks first when the kernel's structures change: lab/inside_gdb/foliot_view is
then to follow (layout.py holds the names).
"""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATES = ROOT / "tests" / "lab" / "apps" / "states"
VIEW = ROOT / "lab" / "inside_gdb" / "foliot_view"
# QEMU's stub is that of mps2_an385, and the core's view that of ibex.
BOARDS = ["ibex", pytest.param("qemu_riscv32", marks=pytest.mark.long), "mps2_an385"]
STOPPED = ("break check_here", "continue")
AARCH64, RISCV64, X86_64 = (
    pytest.param(board, marks=pytest.mark.long)
    for board in ("qemu_aarch64", "qemu_riscv64", "qemu_x86_64")
)
ALL = pytest.mark.parametrize("board", [*BOARDS, AARCH64, RISCV64, X86_64])
SHOWN = (
    "echo @threads\\n", "foliot threads", "echo @backtraces\\n", "foliot threads -b",
    "echo @own\\n", "info threads", "echo @own_backtraces\\n", "thread apply all bt", "thread 1",
    "echo @own_registers\\n", "thread 5", "info registers sp", "set $sp = 0", "thread 1",
    "echo @timeouts\\n", "foliot timeouts", "echo @ready\\n", "foliot ready",
    "echo @objects\\n", "print empty_sem", "print held", "print letters", "print items",
    "print ticking", "print team[0]", "print held.wait_q",
    "echo @thread\\n", "foliot thread sleeper", "bt", "foliot thread", "bt 1",
    "echo @unknown\\n", "foliot thread nobody", "echo \\n",
)  # fmt: skip

pytestmark = [pytest.mark.board, pytest.mark.slow]


@pytest.fixture(scope="module")
def told(foliot):
    """Return what gdb prints at check_here() on a board, in sections; one run a board."""
    runs: dict[tuple[str, str], dict[str, str]] = {}

    def told(board, conf="default"):
        if (board, conf) not in runs:
            done = debug(foliot, board, *STOPPED, *SHOWN, conf=conf)
            assert done.returncode == 0, done.stderr
            parts = re.split(r"^@(\w+)\n", done.stdout + done.stderr, flags=re.MULTILINE)
            runs[board, conf] = dict(zip(parts[1::2], parts[2::2], strict=True))
        return runs[board, conf]

    return told


def debug(foliot, board, *commands, app=STATES, conf="default", options=()):
    words = [word for command in commands for word in ("--command", command)]
    return foliot(
        "debug", app, "--board", board, "--conf", conf, "--quiet", "--batch", *options, *words,
        limit_s=200,
    )  # fmt: skip


def rows(table):
    """{thread: the rest of its line}."""
    return {line.split("  ")[0]: line for line in table.splitlines()[1:]}


@ALL
def test_every_thread_is_listed_with_its_state(told, board):
    threads = rows(told(board)["threads"])
    states = {
        "main": "running",
        "on_sem": "waits for semaphore empty_sem",
        "on_msgq": "waits for message queue letters (empty)",
        "on_fifo": "waits for fifo items",
        "sleeper": "sleeps",
        "suspended": "suspended",
        "team[0]": "waits for mutex held of main",
        "team[1]": "joins sleeper",
        "hidden": "waits for mutex held of main",
        "late": "not started",
        "never": "not started",
        "ended": "ended",
        "spinner": "ready",
        "ready": "ready",
        "idle": "ready",
    }
    assert set(threads) == set(states), "all of them, and `never_created` not"
    for name, state in states.items():
        assert re.search(rf"\d\)?  +{re.escape(state)}(  |$)", threads[name]), threads[name]
    assert "3 (own 5)" in threads["main"], "inherited from team[0]"
    timed = {name for name, line in threads.items() if re.search(r"  \d+ ticks", line)}
    assert timed == {"on_sem", "sleeper", "late"}


@ALL
def test_backtraces_name_the_functions_that_wait(told, board):
    sections = re.split(r"^(?=\S)", told(board)["backtraces"], flags=re.MULTILINE)
    frames = {part.split(" (")[0]: part for part in sections if part}
    functions = {
        "main": "main", "on_sem": "wait_sem", "on_msgq": "wait_msgq", "on_fifo": "wait_fifo",
        "sleeper": "wait_sleep", "suspended": "suspend_self", "team[0]": "wait_mutex",
        "team[1]": "wait_join", "hidden": "wait_mutex", "spinner": "spin",
    }  # fmt: skip
    for name, function in functions.items():
        last = frames[name].rstrip().splitlines()[-1]
        assert re.search(rf"  #\d+ 0x\w+ {function} at main\.c:\d+$", last), frames[name]
    assert "check_here at main.c" in frames["main"].splitlines()[1]
    for name in ("late", "never", "ready"):
        assert frames[name].splitlines()[1].endswith("end_at_once (not begun)")
    assert len(frames["ended"].splitlines()) == 1
    assert "??" not in told(board)["backtraces"]


@ALL
def test_gdbs_own_list_has_every_thread(told, board):
    """All that are there but the ended one; thread 1 is the core, and says whom it runs."""
    shown = told(board)["own"].splitlines()[1:]
    threads = dict(re.findall(r"\(([^:()]+): (.*?)\) +\S", "\n".join(shown)))
    assert shown[0].startswith("* 1 ")
    assert "main: running" in shown[0]
    known = rows(told(board)["threads"])
    assert set(threads) == set(known) - {"ended"}
    assert "not started, not begun" in threads["late"]
    assert threads["on_sem"] == "waits for semaphore empty_sem"
    assert all(threads[name].partition(",")[0] in known[name] for name in threads)


@ALL
def test_gdbs_own_backtraces_end_where_a_thread_began(told, board):
    text = told(board)["own_backtraces"].partition("[Switching")[0]
    parts = re.split(r"^Thread \d+ \(.*?\(([^:()]+): .*$", text, flags=re.MULTILINE)
    last = {name: re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) \(", part, re.MULTILINE)[-1]
            for name, part in zip(parts[1::2], parts[2::2], strict=True)}  # fmt: skip
    assert last == {
        "main": "main", "on_sem": "wait_sem", "on_msgq": "wait_msgq", "on_fifo": "wait_fifo",
        "sleeper": "wait_sleep", "suspended": "suspend_self", "team[0]": "wait_mutex",
        "team[1]": "wait_join", "hidden": "wait_mutex", "spinner": "spin", "late": "end_at_once",
        "never": "end_at_once", "ready": "end_at_once", "idle": "idle",
    }  # fmt: skip
    assert "corrupt" not in text


@ALL
def test_a_thread_that_does_not_run_is_not_written_to(told, board):
    text = told(board)["own_registers"]
    sp = re.search(r"(?:sp|rsp) +(0x[0-9a-f]+)", text)
    assert int(sp[1], 16) > 0
    assert "Could not write register" in "".join(told(board).values())  # it is on stderr
    assert text.rstrip().endswith('__asm__ volatile("");')


@ALL
def test_timeouts_stand_in_the_order_of_expiry(told, board):
    lines = told(board)["timeouts"].splitlines()[2:]
    assert [line.split("  ")[-1].strip() for line in lines] == [
        "timer ticking", "thread on_sem", "thread sleeper", "thread late",
    ]  # fmt: skip
    ticks = [int(line.split()[0]) for line in lines]
    assert ticks == sorted(ticks)


@ALL
def test_the_ready_queue_by_priority(told, board):
    lines = told(board)["ready"].splitlines()
    assert lines[0] == "running: main"
    assert [line for line in lines if "main" not in line] == [
        "priority 9: spinner", "priority 10: ready", "priority 15: idle",
    ]  # fmt: skip


@ALL
def test_objects_are_printed_by_what_they_mean(told, board):
    sem, mutex, msgq, fifo, timer, thread, queue = told(board)["objects"].splitlines()
    assert "semaphore 0 of 1, waiting: on_sem = {" in sem
    assert "mutex of main, locked 1 times, waiting: team[0], hidden = {" in mutex
    assert "message queue, 0 of 2 messages of 8 bytes, waiting: on_msgq = {" in msgq
    assert "fifo, 0 items, waiting: on_fifo = {" in fifo
    assert re.search(r"timer, at tick \d+, then every \d+ ticks, waiting: nobody", timer)
    assert "thread team[0], priority 3 = {" in thread
    assert queue.endswith("= team[0], hidden")


@ALL
def test_one_thread_can_be_looked_at_with_gdbs_own_commands(told, board):
    part = told(board)["thread"]
    assert re.search(r"^#\d .* wait_sleep \(.*main\.c:\d+$", part, flags=re.MULTILINE)
    assert re.search(r"^#0  check_here \(\)", part.splitlines()[-2] + "\n" + part.splitlines()[-1],
                     flags=re.MULTILINE)  # fmt: skip
    assert "no thread nobody; there are ended, hidden, idle" in told(board)["unknown"]


@pytest.mark.parametrize("board", ["host"])
def test_a_process_is_debugged_without_a_stub(foliot, board):
    hello = ROOT / "samples" / "hello"
    done = debug(foliot, board, "bt", "continue", app=hello)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^#0  main \(\) at .*main\.c:\d+$", done.stdout, flags=re.MULTILINE)
    assert "exited normally" in done.stdout


@pytest.mark.parametrize(
    "conf",
    ["debug", *(pytest.param(one, marks=pytest.mark.long) for one in ("objcore", "stackguard"))],
)
@pytest.mark.parametrize(  # what moves the members moves them alike
    "board", ["mps2_an385", pytest.param("ibex", marks=pytest.mark.long)]
)
def test_features_that_add_to_the_structures_change_nothing(told, board, conf):
    threads = rows(told(board, conf)["threads"])
    assert len(threads) == 15
    assert "waits for semaphore empty_sem" in threads["on_sem"]
    assert "wait_sleep at main.c" in told(board, conf)["backtraces"]
    if conf == "debug":
        assert re.search(r"  \d+, \d+/1024$", threads["on_sem"]), "stacks are filled: the most, too"


@pytest.mark.parametrize("board", ["ibex"])
def test_the_same_output_with_and_without_the_debugger(foliot, board):
    app = ROOT / "samples" / "producer_consumer"
    alone = foliot.run(app, board)
    assert alone.returncode == 0 and alone.stdout
    debugged = debug(foliot, board, app=app, options=("--reset",), *["continue"])  # noqa: B026
    assert debugged.returncode == 0
    console = [line for line in debugged.stdout.splitlines() if line in alone.stdout.splitlines()]
    assert console == alone.stdout.splitlines()


@pytest.mark.parametrize("board", ["ibex", "qemu_riscv32"])
def test_another_gdb_can_attach_and_the_machine_ends_on_a_signal(foliot, board):
    command = [*foliot.words, "debug", STATES, "--board", board, "--no-gdb", "--quiet"]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=foliot.environment(), cwd=ROOT
    )
    try:
        said = [child.stdout.readline() for _ in range(5)]
        port = int(re.search(r"127\.0\.0\.1:(\d+)", said[0])[1])
        words = [word for line in said[1:4] for word in ("-ex", line.strip())]
        done = subprocess.run(
            ["gdb-multiarch", "-q", "-batch", *words, "-ex", "break check_here", "-ex", "continue",
             "-ex", "foliot threads", "-ex", "disconnect"],
            capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert "waits for semaphore empty_sem" in done.stdout, done.stdout + done.stderr
    finally:
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=30)
    assert child.returncode in (0, 128 + signal.SIGTERM, -signal.SIGTERM)
    assert not listening(port)


def listening(port):
    table = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    return any(
        line.split()[1] == f"0100007F:{port:04X}" and line.split()[3] == "0A" for line in table
    )


@pytest.mark.parametrize("board", ["ibex", "mps2_an385"])
def test_everything_that_was_started_ends_with_foliot(foliot, board, tmp_path):
    """Gdb and the machine, when foliot itself is ended by a signal."""
    wait = tmp_path / "wait.gdb"
    wait.write_text("echo @here\\n\npython gdb.flush(); import time; time.sleep(60)\n")
    child = subprocess.Popen(
        [*foliot.words, "debug", STATES, "--board", board, "--quiet", "-x", wait],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=foliot.environment(), cwd=ROOT,
    )  # fmt: skip
    deadline = time.monotonic() + 150
    while "@here" not in child.stdout.readline():
        assert time.monotonic() < deadline and child.poll() is None
    started = descendants(child.pid)
    assert len(started) >= 2, "gdb and the machine"
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)
    assert not [pid for pid in started if alive(pid)]


def descendants(pid):
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += [int(child), *descendants(int(child))]
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "either a directory or --elf"),
        ([STATES, "--elf", "x"], "either a directory or --elf"),
        (["/nowhere"], "/nowhere is not a directory"),
        (["--elf", "/nowhere.elf"], "is no file"),
        ([STATES, "-x", "/nowhere.gdb"], "is no file"),
        ([STATES, "--no-gdb", "--batch"], "--no-gdb starts no gdb"),
        ([STATES, "--board", "host", "--no-gdb"], "host is a process"),
        ([STATES, "--board", "host", "--port", "4711"], "host is a process"),
        ([STATES, "--port", "0"], "--port"),
    ],
)
@pytest.mark.parametrize("board", ["ibex"])
def test_wrong_use_is_reported_in_a_line(foliot, board, words, said):
    done = foliot("debug", *words)
    assert done.returncode == 2
    assert said in done.stderr and len(done.stderr.splitlines()) <= 2


@pytest.mark.parametrize("board", ["ibex"])
def test_a_port_that_is_taken_is_reported(foliot, board):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = foliot("debug", STATES, "--board", board, "--port", str(port))
    assert done.returncode == 2
    assert f"port {port}: " in done.stderr


@pytest.mark.parametrize("board", ["ibex"])
def test_numbers_copied_from_the_kernel_are_the_kernels(board):
    """Flags are macros, which debug information doesn't tell."""
    layout = (VIEW / "layout.py").read_text()
    thread = (ROOT / "include" / "foliot" / "thread.h").read_text()
    for name in ("PENDING", "SUSPENDED", "PRESTART", "DEAD", "TIMED", "PERIOD", "QUEUED"):
        ours = int(re.search(rf"^{name} = (\w+)$", layout, flags=re.MULTILINE)[1], 0)
        assert ours == int(re.search(rf"K_THREAD_{name}\s+(0x\w+)U", thread)[1], 0)
    sched = (ROOT / "kernel" / "sched" / "sched.h").read_text()
    for name in ("JOIN", "MUTEX"):
        ours = int(re.search(rf"^FLAG_{name} = (\w+)$", layout, flags=re.MULTILINE)[1], 0)
        assert ours == int(re.search(rf"WAIT_FLAG_{name}\s+(0x\w+)U", sched)[1], 0)
    queue = (ROOT / "kernel" / "objects" / "queue_link.h").read_text()
    assert re.search(r"QUEUE_CONTAINER_TAG\s+1U", queue) and "CONTAINER_TAG = 1\n" in layout

# SPDX-License-Identifier: Apache-2.0
"""The simulator under a debugger.

What it shows between two instructions is held against another implementation of the same
instruction set, QEMU; that looking changes nothing, against the run that nobody looked at.
"""

import json
import socket
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rsp import PC, Client, free_port

RAM = 0x80000000
LAST_REGISTER = 31
STEPS = 1000  # more than the program has
WAIT_STATES = ("0,0", "3,0", "0,4", "2,3")
# x1, sp, s0, s1, s8, s9 and s11 hold what the program needs to go on.
SCRATCH = [n for n in range(1, 32) if n not in (1, 2, 8, 9, 24, 25, 27)]


@pytest.fixture
def attach(simulator):
    """Start the simulator on an ELF with options, and a client on it; all ended afterwards."""
    clients = []

    def attach(elf, *options):
        clients.append(Client([simulator, "--elf", elf, "--gdb", 0, *options]))
        return clients[-1]

    yield attach
    for client in clients:
        client.process.kill()
        client.end()


@pytest.fixture
def qemu():
    """QEMU on an ELF; the same instruction set by other people."""
    clients = []

    def qemu(elf):
        port = free_port()
        command = (
            "qemu-system-riscv32", "-M", "virt", "-bios", "none", "-nographic", "-monitor", "none",
            "-serial", "none", "-S", "-gdb", f"tcp:127.0.0.1:{port}", "-kernel", elf,
        )  # fmt: skip
        clients.append(Client(command, port))
        clients[-1].ask("qXfer:features:read:target.xml:0,100")  # or it knows no single registers
        return clients[-1]

    yield qemu
    for client in clients:
        client.process.kill()
        client.end()


def symbols(elf):
    said = subprocess.run(
        ["riscv64-unknown-elf-nm", elf], capture_output=True, text=True, check=True, timeout=30
    )
    return {name: int(address, 16) for address, _, name in map(str.split, said.stdout.splitlines())}


def to_main(client, elf):
    """Run to main; both machines stand there alike but for what boot code left in registers."""
    main = symbols(elf)["main"]
    assert client.ask(f"Z0,{main:x},2") == "OK"
    assert client.ask("vCont;c").startswith(("S05", "T05"))
    assert client.pc() == main
    assert client.ask(f"z0,{main:x},2") == "OK"
    for number in SCRATCH:
        assert client.write(number, 0) == "OK"
    return client


def walk(client, last, change=lambda client, step, before, now: None):
    """The registers before each instruction from here to the one at `last`."""
    seen = [client.registers()]
    for step in range(STEPS):
        if seen[-1][PC] == last:
            return seen
        change(client, step, seen[-2] if step else seen[-1], seen[-1])
        client.ask("vCont;s:1")
        seen.append(client.registers())
    raise AssertionError("the program did not come to its end")


def agree(ours, theirs):
    for step, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        wrong = {n: (hex(mine[n]), hex(other[n])) for n in range(33) if mine[n] != other[n]}
        assert not wrong, f"step {step} at {mine[PC]:#x}: {wrong}"


@pytest.mark.board("qemu_riscv32", "ibex")
@pytest.mark.parametrize("waits", WAIT_STATES)
def test_every_step_shows_the_registers_that_another_implementation_shows(
    attach, qemu, build, waits
):
    elf = build("debug")
    last = symbols(elf)["_start"] + 0x16  # behind the call of main
    ours = walk(to_main(attach(elf, "--wait-states", waits), elf), last)
    theirs = walk(to_main(qemu(elf), elf), last)
    assert len(ours) > 180
    agree(ours, theirs)


@pytest.mark.board("qemu_riscv32", "ibex")
@pytest.mark.parametrize("waits", WAIT_STATES)
def test_registers_can_be_written_while_the_pipeline_is_about_to_write_them(
    attach, qemu, build, waits
):
    def rewrite(client, step, before, now):
        for number in SCRATCH:
            if before[number] != now[number]:
                value = (0x01234567 * (step + 1) + number) & 0xFFFFFFFF
                assert client.write(number, value) == "OK"
                assert client.registers()[number] == value

    elf = build("debug")
    last = symbols(elf)["_start"] + 0x16
    ours = walk(to_main(attach(elf, "--wait-states", waits), elf), last, rewrite)
    agree(ours, walk(to_main(qemu(elf), elf), last, rewrite))


@pytest.mark.board("qemu_riscv32", "ibex")
@pytest.mark.parametrize("waits", WAIT_STATES)
def test_pc_can_be_written_at_every_instruction(attach, qemu, build, waits):
    """Every third instruction is left out, where nothing but registers depends on it."""
    elf = build("debug")
    again = symbols(elf)["again"]

    def skip(client, step, before, now):
        if again <= now[PC] < again + 0x20 and step % 3 == 0:
            size = 2 if int(client.ask(f"m{now[PC]:x},1"), 16) & 3 != 3 else 4
            assert client.write(PC, now[PC] + size) == "OK"
            assert client.pc() == now[PC] + size

    last = symbols(elf)["_start"] + 0x16
    ours = walk(to_main(attach(elf, "--wait-states", waits), elf), last, skip)
    agree(ours, walk(to_main(qemu(elf), elf), last, skip))


def test_code_that_is_written_ahead_of_pc_is_what_is_executed(attach, build):
    elf = build("debug")
    client = to_main(attach(elf), elf)
    for _ in range(8):
        client.ask("s")
    pc = client.pc()
    twelve_nops = "0100" * 12
    assert client.ask(f"M{pc:x},18:{twelve_nops}") == "OK"
    before = client.registers()
    for step in range(12):
        assert client.pc() == pc + 2 * step
        client.ask("s")
    assert client.registers()[:PC] == before[:PC]


def everything(directory):
    return [
        str(word) for name in ("vcd", "trace", "uart2") for word in (f"--{name}", directory / name)
    ]


def left_behind(directory):
    return [(directory / name).read_bytes() for name in ("vcd", "trace", "uart2")]


@pytest.mark.parametrize("program", ["sleep", "inject", "signals", "user", "uart2"])
@pytest.mark.parametrize("way", ["continued", "stepped", "stopped"])
def test_a_run_under_the_debugger_is_the_same_run(attach, sim, build, tmp_path, program, way):
    """Also in its interrupts, sleeps and clocks; how often ever it is stopped."""
    elf = build(program)
    alone, debugged = tmp_path / "alone", tmp_path / "debugged"
    alone.mkdir()
    debugged.mkdir()
    run = sim(elf, *everything(alone))
    client = attach(elf, "--max-cycles", 2000000, *everything(debugged))
    if way == "stopped":
        for address in (symbols(elf)["main"], symbols(elf)["print_hex"], symbols(elf)["on_trap"]):
            client.ask(f"Z0,{address:x},2")
    said = client.ask("c")
    seen = []
    while not said.startswith("W"):
        if way == "stepped":
            seen.append(client.pc())
        client.registers()
        client.ask(f"m{RAM:x},100")
        said = client.ask("s" if way == "stepped" and len(seen) < 3000 else "c")
    status, output, errors = client.end()
    assert said == f"W{run.status:02x}" and status == run.status
    assert (output, errors) == (run.stdout, run.stderr)
    assert left_behind(debugged) == left_behind(alone)


def test_steps_are_the_instructions_of_the_trace(attach, build, tmp_path):
    elf = build("sleep")
    client = attach(elf, "--max-cycles", 2000000, "--trace", tmp_path / "trace")
    assert client.ask(f"Z0,{symbols(elf)['again']:x},2") == "OK"
    client.ask("c")
    stepped = []
    for _ in range(2000):
        stepped.append(client.pc())
        client.ask("s")
    client.ask(f"z0,{symbols(elf)['again']:x},2")
    assert client.ask("c") == "W00"
    assert client.end()[0] == 0
    traced = [int(line.split()[2], 16) for line in (tmp_path / "trace").read_text().splitlines()]
    start = traced.index(stepped[0])
    assert stepped == traced[start : start + len(stepped)]


def test_time_stands_still_while_stopped(attach, build):
    elf = build("sleep")
    client = to_main(attach(elf), elf)
    names = control_registers(client)
    before = client.cycle(), client.read(names["mcycle"]), client.read(names["minstret"])
    time.sleep(0.5)
    client.registers()
    client.ask(f"m{RAM:x},400")
    client.write(5, 77)
    client.write(PC, client.pc())
    assert (client.cycle(), client.read(names["mcycle"]), client.read(names["minstret"])) == before
    client.ask("s")
    assert before[0] < client.cycle() < before[0] + 8


def control_registers(client):
    """{name: number}, from the description that gdb reads."""
    text = ""
    while not text.startswith("l"):
        part = client.ask(f"qXfer:features:read:target.xml:{max(0, len(text) - 1):x},100")
        text = part[0] + text[1:] + part[1:]
    described = ElementTree.fromstring(text[1:])
    numbers = {}
    number = 0
    for register in described.iter("reg"):
        number = int(register.get("regnum", number))
        numbers[register.get("name")] = number
        number += 1
    return numbers


def test_control_registers_tell_of_a_trap(attach, build):
    elf = build("debug")
    client = to_main(attach(elf), elf)
    numbers = control_registers(client)
    assert client.read(numbers["mtvec"]) == symbols(elf)["vectors"] | 1
    assert client.read(numbers["mstatus"]) & 8 == 0
    client.ask(f"Z0,{symbols(elf)['on_trap']:x},2")
    seen = []
    for _ in range(5):
        client.ask("c")
        seen.append([client.read(numbers[name]) for name in ("mcause", "mtval", "mepc", "mstatus")])
    assert [cause for cause, *_ in seen] == [11, 5, 2, 7, 1]
    assert [value for _, value, *_ in seen] == [0, 0, 0, 0, 0]
    assert seen[4][2] == 0, "the fetch from address 0"
    assert all(status & 0x1800 == 0x1800 for *_, status in seen), "all came from machine mode"
    assert client.write(numbers["mepc"], 4) == "E16"
    assert client.ask("p99") == "E16"


def test_watchpoints_stop_behind_the_access(attach, build):
    elf = build("debug")
    client = to_main(attach(elf, "--wait-states", "0,2"), elf)
    words = symbols(elf)["words"]
    assert client.ask(f"Z2,{words + 2:x},1") == "OK"
    assert client.ask("c") == f"T05watch:{words + 2:x};"
    stored = client.ask(f"m{words:x},4")
    assert int.from_bytes(bytes.fromhex(stored), "little") == 0x12345678 + 5
    assert client.ask(f"z2,{words + 2:x},1") == "OK"
    assert client.ask(f"Z3,{words + 12:x},4") == "OK"
    assert client.ask("c") == f"T05rwatch:{words + 12:x};"
    assert client.registers()[8] == words, "the load that was waited for is done"
    assert client.ask(f"z3,{words + 12:x},4") == "OK"
    assert client.ask(f"Z4,{words + 24:x},4") == "OK"
    assert client.ask("c") == f"T05awatch:{words + 24:x};"


def test_an_interrupt_stops_a_program_that_spins(attach, build):
    client = attach(build("spin"))
    client.send("c")
    time.sleep(0.3)
    client.socket.sendall(b"\x03")
    assert client.answer() == "S02"
    assert RAM <= client.pc() < RAM + 0x1000
    cycle = client.cycle()
    assert cycle > 10000
    client.send("c")
    time.sleep(0.2)
    client.socket.sendall(b"\x03")
    assert client.answer() == "S02"
    assert client.cycle() > cycle


def test_an_interrupt_stops_a_program_that_sleeps(attach, build):
    elf = build("forever")
    client = attach(elf, "--step-through-sleep")
    client.send("c")
    time.sleep(0.3)
    client.socket.sendall(b"\x03")
    assert client.answer() == "S02"
    assert client.pc() == symbols(elf)["main"] + 4, "behind the wfi"
    assert client.write(10, 99) == "OK"
    assert client.read(10) == 99
    assert client.write(PC, RAM) == "E16", "a core that sleeps has nothing to jump from"


def test_a_limit_and_a_lock_up_can_be_looked_at(attach, build):
    elf = build("spin")
    client = attach(elf, "--max-cycles", 5000)
    assert client.ask("c") == "S18", "SIGXCPU"
    assert client.cycle() == 5000
    assert RAM <= client.pc() < RAM + 0x1000
    assert client.ask("c") == "W03"
    status, _, errors = client.end()
    assert status == 3 and json.loads(errors.removeprefix("@sim "))["cycle"] == 5000
    client = attach(build("lockup", KIND=1))
    assert client.ask("c") == "S0b", "SIGSEGV"
    assert client.read(control_registers(client)["mcause"]) == 7
    assert client.ask("c") == "W04"


@pytest.mark.parametrize("how", ["k", "gone", "gone while it runs"])
def test_it_ends_with_its_debugger(attach, build, how):
    client = attach(build("spin"))
    if how != "gone":
        client.send("k" if how == "k" else "c")
    status, _, errors = client.end()
    assert status == 5
    assert json.loads(errors.removeprefix("@sim "))["reason"] == "killed"


def test_it_goes_on_when_the_debugger_detaches(attach, build):
    client = attach(build("hello"))
    assert client.ask("D") == "OK"
    assert client.end()[:2] == (0, "hello, world\n")


def test_memory_is_the_ram_and_nothing_else(attach, build):
    client = attach(build("hello"))
    assert client.ask("m80010000,4") == "00000000"
    assert client.ask("M80010001,2:abcd") == "OK"
    assert client.ask("m80010000,4") == "00abcd00"
    assert client.ask("X80010000,3:\x01}\x03\x05") == "OK"
    assert client.ask("m80010000,4") == "01230500"
    assert client.ask("m800ffffe,10") == "0000"
    assert client.ask("m80100000,4") == "E0e"
    assert client.ask("m0,4") == "E0e"
    assert client.ask("M800ffffe,4:00000000") == "E0e"
    assert client.ask("M7ffffffe,4:00000000") == "E0e"
    assert client.ask("M80000000,4:0000") == "E16"
    assert client.ask("X0,0:") == "OK", "gdb's question whether X is known"


@pytest.mark.parametrize(
    "packet", ["G00", "P1", "P1=00", "Pfff=00000000", "mxyz", "Z0", "c80000000", "vCont;r", "M0"]
)
def test_a_packet_that_makes_no_sense_is_refused(attach, build, packet):
    client = attach(build("hello"))
    assert client.ask(packet) == "E16"
    assert client.ask("?") == "S05"


def test_an_unknown_packet_has_the_empty_answer(attach, build):
    client = attach(build("hello"))
    for packet in ("vMustReplyEmpty", "qOffsets", "!", "R00", ""):
        assert client.ask(packet) == ""


def test_a_damaged_packet_is_asked_for_again(simulator, build):
    process = subprocess.Popen(
        [simulator, "--elf", build("hello"), "--gdb", "0"], stderr=subprocess.PIPE
    )
    try:
        port = json.loads(process.stderr.readline().removeprefix(b"@sim "))["port"]
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(b"$?#00")
            assert connection.recv(1) == b"-"
            connection.sendall(b"$?#3f")
            assert connection.recv(8) in (b"+", b"+$S05#b8")
    finally:
        process.kill()
        process.communicate()


def test_it_listens_on_this_host_only(attach, build):
    client = attach(build("hello"))
    listening = subprocess.Popen(
        [client.process.args[0], "--elf", client.process.args[2], "--gdb", "0"],
        stderr=subprocess.PIPE,
    )
    try:
        port = json.loads(listening.stderr.readline().removeprefix(b"@sim "))["port"]
        table = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
        places = [line.split()[1] for line in table if line.split()[3] == "0A"]
        assert f"0100007F:{port:04X}" in places
        assert f"00000000:{port:04X}" not in places
    finally:
        listening.kill()
        listening.communicate()


def test_a_port_that_is_taken_is_said(sim, build):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run = sim(build("hello"), "--gdb", taken.getsockname()[1])
    assert run.status == 2
    assert run.stderr.startswith("sim: --gdb ") and "in use" in run.stderr
    assert sim(build("hello"), "--gdb", "70000").status == 2

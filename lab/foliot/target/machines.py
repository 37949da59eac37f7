# SPDX-License-Identifier: Apache-2.0
"""The kinds of machine an image runs on: RTL in Verilator, QEMU, a process on this host.

A machine says what to start, what the exit status means, and where the program counter
stands when asked. Serial boards join here.
"""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any, Protocol

from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import flashing, paths
from foliot.target.boards import Board

Judgement = tuple[str, int | None, int | None]


class Machine(Protocol):
    """What runner.py needs of a machine."""

    def command(self, elf: Path, limit_s: float, max_cycles: int | None) -> list[str]:
        """Return the command that runs `elf`, bounded where the machine can bound itself."""

    def debug_command(self, elf: Path, port: int) -> list[str]:
        """Return the command that waits for gdb on `port` of this host; UsageError if none."""

    def judge(self, status: int, record: bytes | None) -> Judgement:
        """Translate an exit status into (reason, cycles, pc); see runner.Outcome."""

    def program_counter(self) -> int | None:
        """Return where the core stands right now, or None."""

    def is_noise(self, line: bytes) -> bool:
        """Say whether a line is the machine's own chatter, no word of the firmware's."""


def machine_for(board: Board, scratch: Path) -> Machine:
    """Return the machine of a board; `scratch` is a directory for its sockets."""
    if board.kind == "verilator":
        return Verilator(board)
    if board.kind == "qemu":
        return Qemu(board, scratch)
    if board.emulated:
        return Rp2040js(board)
    if board.kind == "device":
        raise UsageError(
            f"{board.name} is a device, and this machine runs none",
            f"flash what `foliot build DIR --board {board.name}` makes; "
            f"`foliot bench --board {board.name} --port TTY` listens to it",
        )
    return Process(board)


class Verilator:
    """The RTL simulator: bounds itself and says in a last record where it stopped."""

    def __init__(self, board: Board) -> None:
        """Remember the board."""
        self.board = board

    def command(self, elf: Path, limit_s: float, max_cycles: int | None) -> list[str]:
        """Return the simulator's command line, limited in cycles."""
        cycles = max_cycles or max(1, round(limit_s * self.board.clock_hz))
        return [*self._simulator(elf), "--max-cycles", str(cycles)]

    def debug_command(self, elf: Path, port: int) -> list[str]:
        """Return the simulator's command line with its stub, unlimited."""
        return [*self._simulator(elf), "--gdb", str(port)]

    def _simulator(self, elf: Path) -> list[str]:
        simulator = paths.BUILD / "sim" / str(self.board.run["core"]) / "sim"
        options = [str(word) for word in self.board.run.get("options", [])]
        return [str(simulator), "--elf", str(elf), *options, *self._more_ram(elf)]

    def judge(self, status: int, record: bytes | None) -> Judgement:
        """Translate 0 pass, 1 fail, 2 refused, 3 cycle limit, 4 locked up, 6 stray access."""
        try:
            told: dict[str, Any] = json.loads(record or b"{}")
            cycles = told.get("cycle")
            pc = int(told["pc"], 16) if "pc" in told else None
        except ValueError:
            raise FoliotError("the simulator's last line is garbled") from None
        reasons = {0: "pass", 1: "fail", 2: "refused", 3: "limit", 4: "lockup", 6: "stray"}
        return reasons.get(status, "crash"), cycles, pc

    def _more_ram(self, elf: Path) -> list[str]:
        """Give an image that was linked for more RAM than the board has as much as it takes."""
        from foliot.image.elf import Image

        base, size = int(self.board.run["ram_base"]), int(self.board.run["ram_kib"])
        needed = (Image(elf).end() - base + 1023) // 1024
        if needed <= size:
            return []
        return ["--ram-kib", str(1 << (needed - 1).bit_length())]

    def program_counter(self) -> int | None:
        """Return None: the simulator tells at its end, and not before."""
        return None

    def is_noise(self, line: bytes) -> bool:
        """Return False: the simulator's only words are its last record."""
        return False


class Qemu:
    """QEMU: asked through its control socket (QMP) for the time and the program counter."""

    def __init__(self, board: Board, scratch: Path) -> None:
        """Remember the board and where the control socket goes."""
        self.board = board
        self.socket = scratch / "qmp"

    def command(self, elf: Path, limit_s: float, max_cycles: int | None) -> list[str]:
        """Return the board's command line, with the control socket."""
        if max_cycles is not None:
            raise UsageError(
                f"--max-cycles is for boards in RTL; {self.board.name} takes "
                "--timeout, in simulated seconds"
            )
        return [*self._qemu(elf), "-qmp", f"unix:{self.socket},server=on,wait=off"]

    def debug_command(self, elf: Path, port: int) -> list[str]:
        """Return the board's command line with QEMU's stub, stopped at reset.

        A CPU that the debugger holds is one that sleeps, and with `sleep=off` QEMU would
        jump to the next timeout at every stop. The price: a sleep takes its time.
        """
        return [word.replace("sleep=off", "sleep=on") for word in self.stub_command(elf, port)]

    def stub_command(self, elf: Path, port: int) -> list[str]:
        """Return the same with sleeps that are jumped over, as in a run: for few stops."""
        return [*self._qemu(elf), "-S", "-gdb", f"tcp:127.0.0.1:{port}"]

    def replay_command(self, elf: Path, port: int, recorded: Path) -> list[str]:
        """Return the command that runs a recorded run again, with QEMU's stub, stopped at reset.

        What was recorded decides when time goes on, so a debugger that holds the CPU changes
        nothing; runner.run() records with the options `record_options`.
        """
        again = ["-icount", f"rr=replay,rrfile={recorded}"]
        return [*self._qemu(elf), *again, "-S", "-gdb", f"tcp:127.0.0.1:{port}"]

    @staticmethod
    def record_options(recorded: Path) -> list[str]:
        """Return what has a run recorded into that file."""
        return ["-icount", f"rr=record,rrfile={recorded}"]

    def _qemu(self, elf: Path) -> list[str]:
        """Put the image in: the ELF file, or what the build has made of it for a loader."""
        image = elf.with_name(str(self.board.run.get("image", elf.name)))
        if "image" in self.board.run and not image.is_file():
            raise UsageError(f"{paths.shown(image)} is not there", "it is made beside the ELF file")
        places = {"{elf}": str(elf), "{image}": str(image)}
        return [places.get(str(word), str(word)) for word in self.board.run["command"]]

    def judge(self, status: int, record: bytes | None) -> Judgement:
        """Take the firmware's own exit status: 0 pass, else fail; below 0, a signal.

        A board whose way out can't say 0 names another status (`passes`): then 0 is of a core
        that was reset, and 1 of a QEMU that failed.
        """
        passes = int(self.board.run.get("passes", 0))
        if status == passes:
            return "pass", None, None
        if passes and status in (0, 1):
            return "lockup" if status == 0 else "crash", None, None
        return "fail" if status > 0 else "crash", None, None

    def is_noise(self, line: bytes) -> bool:
        """QEMU warns whenever the core sleeps with no timer armed: that is no mistake."""
        return line.startswith(b"qemu-system-") and b"icount sleep disabled and no active" in line

    def simulated_s(self) -> float | None:
        """Return the simulated time in seconds, read from the board's clock, or None.

        None while it stands at 0: a PC's stands still until the firmware starts it.
        """
        clock = self.board.run.get("clock")
        if clock is None:
            return None
        said = self._ask(f"xp /1{'g' if clock['bytes'] == 8 else 'w'}x {clock['address']:#x}")
        match = re.search(r": 0x([0-9a-f]+)", said)
        return int(match[1], 16) / clock["hz"] or None if match else None

    def may_sleep(self) -> bool:
        """Return False where the core is known to run.

        A clock that stands still says so by itself, unless it counts seconds: then the board
        names its instruction that waits for an interrupt, and the last one before pc is asked.
        """
        waits = self.board.run["clock"].get("waits")
        pc = None if waits is None else self.program_counter()
        if pc is None:
            return True
        match = re.search(r": 0x([0-9a-f]+)", self._ask(f"xp /1wx {pc - 4:#x}"))
        return match is not None and int(match[1], 16) == waits

    def program_counter(self) -> int | None:
        """Return the core's program counter, or None."""
        registers = self._ask("info registers")
        # R15 is Arm's of 32 bits: x86 has one of 64 in front of its RIP.
        match = re.search(r"\b(?:pc|R15(?==.{8}\b)|PC|RIP)\s*=?\s*([0-9a-f]{8,16})", registers)
        return int(match[1], 16) if match else None

    def _ask(self, line: str) -> str:
        """Give QEMU's monitor one command; return its answer, empty where there is none."""
        try:
            with socket.socket(socket.AF_UNIX) as control:
                control.settimeout(5)
                control.connect(str(self.socket))
                stream = control.makefile("rw")
                stream.readline()
                for command, arguments in (
                    ("qmp_capabilities", {}),
                    ("human-monitor-command", {"command-line": line}),
                ):
                    json.dump({"execute": command, "arguments": arguments}, stream)
                    stream.write("\n")
                    stream.flush()
                    answer: dict[str, Any] = {}
                    while "return" not in answer and "error" not in answer:
                        answer = json.loads(stream.readline())
                return str(answer.get("return", ""))
        except (OSError, ValueError):
            return ""


class Rp2040js(Verilator):
    """The RP2040's emulator, which takes the image that is flashed; judged as the simulator is.

    It knows no cycles of the chip, so nothing is measured there and none are reported.
    """

    def command(self, elf: Path, limit_s: float, max_cycles: int | None) -> list[str]:
        """Return the emulator's command line, limited in its own seconds."""
        if max_cycles is not None:
            raise UsageError(
                f"--max-cycles is for boards in RTL; {self.board.name} takes --timeout"
            )
        image = flashing.make_image(self.board, elf, Progress(quiet=True))
        return [
            "node", str(paths.RP2040JS / "run.mjs"), "--uf2", str(image), "--limit-s",
            f"{limit_s:g}", "--modules", str(paths.BUILD / "npm" / "rp2040js"),
        ]  # fmt: skip

    def debug_command(self, elf: Path, port: int) -> list[str]:
        """Refuse: nothing of ours connects gdb to it."""
        raise UsageError(
            f"{self.board.name} is a device, and its emulator waits for no gdb here",
            "a debugger's own server does, at its port: gdb-multiarch firmware.elf",
        )


class Process:
    """The fake machine: the firmware is a process of this host."""

    def __init__(self, board: Board) -> None:
        """Remember the board."""
        self.board = board

    def command(self, elf: Path, limit_s: float, max_cycles: int | None) -> list[str]:
        """Return the program itself."""
        if max_cycles is not None:
            raise UsageError(f"--max-cycles is for boards in RTL, not for {self.board.name}")
        words = [str(word) for word in self.board.run.get("arguments", [])]
        return [str(elf), *(word.replace("{limit_s}", f"{limit_s:g}") for word in words)]

    def debug_command(self, elf: Path, port: int) -> list[str]:
        """Refuse: gdb starts a process by itself."""
        raise UsageError(f"{self.board.name} is a process, and waits for no gdb")

    def judge(self, status: int, record: bytes | None) -> Judgement:
        """Take the program's own exit status; a signal is a crash, a record its limit."""
        if record is not None:
            return "limit", None, None
        reason = "pass" if status == 0 else "fail" if status > 0 else "crash"
        return reason, None, None

    def program_counter(self) -> int | None:
        """Return None: nobody asks a process."""
        return None

    def is_noise(self, line: bytes) -> bool:
        """Return False: a process says nothing but what the firmware says."""
        return False

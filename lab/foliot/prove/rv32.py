# SPDX-License-Identifier: Apache-2.0
"""RV32's instructions on symbols: all paths of a piece of an image, for all registers and memory.

Registers, control registers and memory begin as symbols of 32 bits; an instruction makes terms of
them (SMT-LIB), a branch makes two paths of one. What holds at the end of each path is then a
question for Z3. Read as objdump reads the linked image's bytes. An instruction that is not known
here ends it with an error: nothing is passed over.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from foliot.model.errors import FoliotError

OBJDUMP = "riscv64-unknown-elf-objdump"
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)(?:\s+([^#<]*?))?\s*(?:[#<].*)?$")
_SYMBOL = re.compile(r"^([0-9a-f]{8}) <([^>]+)>:$")
_OFFSET = re.compile(r"(-?\d+)\((\w+)\)")
_LAST = re.compile(r" #x[0-9a-f]{8}\)$")
_MOST_STEPS = 2000
_LONGEST = 1_000_000  # of a term
_LONGEST_S = 240  # by the clock: others may be there
_LENGTH_OF_COMPRESSED = 2
_ARITHMETIC = {
    "add": "bvadd", "sub": "bvsub", "and": "bvand", "or": "bvor", "xor": "bvxor",
    "sll": "bvshl", "srl": "bvlshr", "sra": "bvashr",
}  # fmt: skip
_LESS = {"slt": "bvslt", "slti": "bvslt", "sltu": "bvult", "sltiu": "bvult"}
_BITS = {"sb": 8, "sh": 16, "lb": 8, "lh": 16}
_KEPT_BY_CALLS = ("x2", "x3", "x4", "x8", "x9", *(f"x{number}" for number in range(18, 28)))
_BRANCHES = {
    "beq": "(= {} {})", "bne": "(not (= {} {}))", "bltu": "(bvult {} {})",
    "bgeu": "(bvuge {} {})", "blt": "(bvslt {} {})", "bge": "(bvsge {} {})",
}  # fmt: skip


def literal(number: int) -> str:
    """Return a word."""
    return f"#x{number & 0xFFFFFFFF:08x}"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One of an image."""

    address: int
    name: str
    operands: tuple[str, ...]
    length: int


class Image:
    """An image's instructions and symbols."""

    def __init__(self, elf: Path) -> None:
        """Read it. Raises FoliotError where objdump can't."""
        done = subprocess.run(
            [OBJDUMP, "-d", "--no-show-raw-insn", "-M", "no-aliases,numeric", str(elf)],
            check=False, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        if done.returncode != 0:
            raise FoliotError(f"{OBJDUMP} can't read {elf}", lines=done.stderr.splitlines()[:3])
        self.elf = elf
        self.code: dict[int, Instruction] = {}
        found: list[tuple[int, str, tuple[str, ...]]] = []
        for line in done.stdout.splitlines():
            match = _LINE.match(line)
            if match and not _SYMBOL.match(line):
                operands = tuple(one.strip() for one in (match[3] or "").split(",") if one.strip())
                found.append((int(match[1], 16), match[2], operands))
        for address, name, operands in found:
            is_short = name.startswith("c.")
            length = _LENGTH_OF_COMPRESSED if is_short else 2 * _LENGTH_OF_COMPRESSED
            self.code[address] = Instruction(address, name.removeprefix("c."), operands, length)
        found_symbols = _symbols(elf)
        self.symbols = {name: value for name, (value, _) in found_symbols.items()}
        self.sizes = {name: size for name, (_, size) in found_symbols.items()}

    def word(self, address: int) -> int:
        """Return a word of what is linked. Raises FoliotError where there is none."""
        from elftools.elf.elffile import ELFFile

        with self.elf.open("rb") as file:
            for part in ELFFile(file).iter_segments("PT_LOAD"):
                begin = address - part["p_vaddr"]
                if 0 <= begin <= part["p_filesz"] - 4:
                    return int.from_bytes(part.data()[begin : begin + 4], "little")
        raise FoliotError(f"{self.elf} has nothing at {address:#x}")


def _symbols(elf: Path) -> dict[str, tuple[int, int]]:
    """Return each symbol's value and size."""
    from elftools.elf.elffile import ELFFile

    with elf.open("rb") as file:
        table: Any = ELFFile(file).get_section_by_name(".symtab")
        if table is None:
            raise FoliotError(f"{elf} has no symbols")
        return {
            one.name: (int(one["st_value"]), int(one["st_size"]))
            for one in table.iter_symbols() if one.name
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of memory: from a term on, or (of the term "") from an address."""

    base: str
    start: int
    size: int

    def has(self, base: str, offset: int) -> bool:
        """Say whether a word lies in it, of which only its place from a term is known."""
        return base == self.base and 0 <= offset - self.start <= self.size - 4


@dataclass(frozen=True, slots=True)
class State:
    """A place on a path: what each register is, and what was taken for it."""

    pc: int
    registers: dict[str, str] = field(default_factory=dict)
    controls: dict[str, str] = field(default_factory=dict)
    memory: str = "memory"
    conditions: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()  # addresses
    end: str = ""  # mret, call, or what was jumped to
    to: str = ""  # what a call calls
    before: str = ""  # memory before `writes`, where there are any
    writes: tuple[tuple[str, str], ...] = ()  # addresses and words, the last last
    apart: tuple[Piece, ...] = ()  # what is known to have no byte in common
    frame: str = ""  # of which nothing but itself leads to what is stored there

    def register(self, name: str) -> str:
        """Return its term; `x0` is 0."""
        return literal(0) if name == "x0" else self.registers.get(name, name)

    def control(self, name: str) -> str:
        """Return a control register's."""
        return self.controls.get(name, name)

    def written(self, name: str, value: str, length: int) -> State:
        """Return the next place, with a register written."""
        registers = self.registers if name == "x0" else {**self.registers, name: value}
        return replace(self, pc=self.pc + length, registers=registers)


def beginning(image: Image, name: str, has_gp: bool = True) -> State:
    """Return the state at a symbol of which nothing is known but gp, which never changes.

    In user mode it may: `has_gp` is false of what user mode leads to.
    """
    gp = image.symbols.get("__global_pointer$") if has_gp else None
    return State(image.symbols[name], {} if gp is None else {"x3": literal(gp)})


def returned(call: State, number: int, kept: Sequence[str], changed: Sequence[str]) -> State:
    """Return what is known where a function comes back: what its ABI keeps, and `kept` of memory.

    All else is anything: the other registers, memory, and of the control registers `changed`.
    """
    memory = f"memory{number}"
    registers = {f"x{n}": f"c{number}x{n}" for n in range(1, 32)}
    registers |= {name: call.register(name) for name in _KEPT_BY_CALLS}
    same = tuple(f"(= (select {memory} {at}) (select {call.memory} {at}))" for at in kept)
    controls = call.controls | {name: f"c{number}{name}" for name in changed}
    return State(
        int(call.register("x1")[2:], 16), registers, controls, memory,
        (*call.conditions, *same), call.stores, apart=call.apart, frame=call.frame,
    )  # fmt: skip


def paths(
    image: Image, begin: State, stop: Callable[[State], bool] = lambda _: False
) -> list[State]:
    """Return the ends of all paths from there: at an mret, a jump by a register, or at `stop`."""
    done: list[State] = []
    todo, steps = [begin], 0
    while todo:
        now = todo.pop()
        steps += 1
        if steps > _MOST_STEPS:
            raise FoliotError("a path of the image does not end")
        if now.end or stop(now):
            done.append(now)
            continue
        if now.pc not in image.code:
            raise FoliotError(f"a path leaves the image's code, for {now.pc:#x}")
        todo += list(_step(image.code[now.pc], now))
    return done


def _step(one: Instruction, now: State) -> Iterator[State]:
    name, at = one.name, one.operands
    following = replace(now, pc=now.pc + one.length)
    if name in {"beqz", "bnez"}:
        name, at = name[:-1], (at[0], "x0", at[1])
    if name in _BRANCHES:
        to = int(at[2], 16)
        terms = now.register(at[0]), now.register(at[1])
        if all(one.startswith("#x") for one in terms):
            is_taken = _decided(name, *(int(one[2:], 16) for one in terms))
            yield replace(now, pc=to) if is_taken else following
            return
        condition = _BRANCHES[name].format(*terms)
        yield replace(now, pc=to, conditions=(*now.conditions, condition))
        yield replace(following, conditions=(*now.conditions, f"(not {condition})"))
    elif name == "ebreak":  # reported, as a fault is
        yield replace(now, end="ebreak")
    elif name in {"mret", "j", "jal", "jr", "jalr"}:
        yield _away(one, now)
    elif name in {"sw", "swsp", "sb", "sh"}:
        yield _stored(name, _address(at[1], now), now.register(at[0]), now, following)
    elif name.startswith("csr"):
        yield _control(one, now)
    else:
        yield now.written(at[0], _value(one, now), one.length)


def _stored(name: str, address: str, value: str, now: State, following: State) -> State:
    """Return the next place, with a word written, or what a byte or half of one makes of it."""
    place = address
    if name in _BITS:
        place, shift = _within_word(address)
        mask = f"(bvshl {literal(2 ** _BITS[name] - 1)} {shift})"
        old = f"(bvand {read(now, place)} (bvnot {mask}))"
        value = f"(bvor {old} (bvand (bvshl {value} {shift}) {mask}))"
    return replace(
        following, memory=f"(store {now.memory} {place} {value})",
        stores=(*now.stores, address), before=now.before or now.memory,
        writes=(*now.writes, (place, value)),
    )  # fmt: skip


def _within_word(address: str) -> tuple[str, str]:
    """Return the word's address, and by how many bits a byte or a half of it is shifted."""
    if address.startswith("#x"):
        number = int(address[2:], 16)
        return literal(number & -4), literal(8 * (number & 3))
    return (
        f"(bvand {address} {literal(-4)})", f"(bvshl (bvand {address} {literal(3)}) {literal(3)})",
    )  # fmt: skip


def _decided(name: str, one: int, other: int) -> bool:
    """Say whether a branch by two numbers is taken: the bounded loops of a function in C."""
    if name in {"beq", "bne"}:
        return (one == other) == (name == "beq")
    if not name.endswith("u"):
        one, other = (number ^ 0x80000000 for number in (one, other))
    return (one < other) == name.startswith("blt")


def _away(one: Instruction, now: State) -> State:
    """Return where a jump leads, or the path's end."""
    name, at = one.name, one.operands
    if name == "mret":
        return replace(now, end="mret")
    if name in {"j", "jal"}:
        alone = "x0" if name == "j" else "x1"
        link, to = (alone, at[0]) if len(at) == 1 else (at[0], at[1])
        told = now.written(link, literal(now.pc + one.length), one.length)
        return replace(told, pc=int(to, 16))
    if name == "jr":
        return _jumped(now, now.register(at[0]))
    link, place = ("x1", f"0({at[0]})") if len(at) == 1 else (at[0], at[-1])
    offset = _OFFSET.match(place)
    if link not in {"x0", "x1"} or offset is None or offset[1] != "0":
        raise FoliotError(f"{one.address:#x}: jalr {', '.join(at)} is not known")
    if link == "x0":
        return _jumped(now, now.register(offset[2]))
    told = now.written(link, literal(now.pc + one.length), one.length)
    return replace(told, end="call", to=now.register(offset[2]))


def _jumped(now: State, to: str) -> State:
    """Return where a jump by a register leads: on, where that is a constant."""
    if to.startswith("#x"):
        return replace(now, pc=int(to[2:], 16))
    return replace(now, end=to)


def _address(operand: str, now: State) -> str:
    found = _OFFSET.match(operand)
    if found is None:
        raise FoliotError(f"{now.pc:#x}: no address: {operand}")
    base = now.register(found[2])
    return plus(base, int(found[1]))


def plus(base: str, by: int) -> str:
    """Return a word that lies so far behind another one."""
    if base.startswith("#x"):
        return literal(int(base[2:], 16) + by)
    base, further = split(base)
    by = (by + further) & 0xFFFFFFFF
    return base if by == 0 else f"(bvadd {base} {literal(by)})"


def split(address: str) -> tuple[str, int]:
    """Return a term, or "" of a constant, and how far behind it an address is."""
    if address.startswith("#x"):
        return "", int(address[2:], 16)
    if address.startswith("(bvadd ") and _LAST.search(address):
        base = address[len("(bvadd ") : -len(" #x00000000)")]
        if _is_one_term(base):
            by = int(address[-9:-1], 16)
            return base, by - (by >> 31 << 32)
    return address, 0


def _is_one_term(text: str) -> bool:
    if not text.startswith("("):
        return " " not in text
    depth = 0
    for number, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return number == len(text) - 1
    return False


def read(state: State, address: str) -> str:
    """Return the word at an address: what was written there last, where that is plain to see."""
    wanted = split(address)
    left = list(state.writes)
    while left:
        there, value = left[-1]
        if there == address:
            return value
        if not _are_apart(state, split(there), wanted):
            break
        left.pop()
    memory = state.before or state.memory
    for there, value in left:
        memory = f"(store {memory} {there} {value})"
        if len(memory) > _LONGEST:
            raise FoliotError("what a path reads has no end")
    return f"(select {memory} {address})"


def _are_apart(state: State, one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Say whether two words are apart: by their places from one term, or as parts of two pieces."""
    if one[0] == other[0]:
        return (one[1] - other[1]) % 4 == 0 and one[1] != other[1]
    if state.frame and state.frame in {one[0], other[0]}:
        return True
    found = [[piece for piece in state.apart if piece.has(*place)] for place in (one, other)]
    return bool(found[0] and found[1] and found[0][0] != found[1][0])


def _value(one: Instruction, now: State) -> str:
    """Return what an instruction that writes a register writes there."""
    name, at = one.name, one.operands
    if name in {"auipc", "lui", "li"}:
        number = int(at[1], 0) if name == "li" else int(at[1], 0) << 12
        return literal(number + now.pc if name == "auipc" else number)
    if name == "mv":
        return now.register(at[1])
    if name in {"lw", "lwsp"}:
        return read(now, _address(at[1], now))
    if name in {"lb", "lbu", "lh", "lhu"}:
        return _loaded(name, _address(at[1], now), now)
    return _computed(one, now)


def _computed(one: Instruction, now: State) -> str:
    """Return what it computes of registers."""
    name, at = one.name, one.operands
    sources = at[1:] if len(at) == 3 else at
    if name in {"addi", "addi16sp", "addi4spn"}:
        return plus(now.register(sources[0]), int(sources[1], 0))
    if name in _LESS:
        by = literal(int(sources[1], 0)) if "i" in name else now.register(sources[1])
        less = f"({_LESS[name]} {now.register(sources[0])} {by})"
        return f"(ite {less} {literal(1)} {literal(0)})"
    if name in _ARITHMETIC:
        by = now.register(sources[1])
        by = f"(bvand {by} {literal(31)})" if name in {"sll", "srl", "sra"} else by
        return f"({_ARITHMETIC[name]} {now.register(sources[0])} {by})"
    if name.endswith("i") and name[:-1] in _ARITHMETIC:
        by = literal(int(sources[1], 0))
        return f"({_ARITHMETIC[name[:-1]]} {now.register(sources[0])} {by})"
    raise FoliotError(f"{one.address:#x}: the instruction {name} is not known to proofs")


def _loaded(name: str, address: str, now: State) -> str:
    """Return a byte or half a word, in the lowest place."""
    place, shift = _within_word(address)
    unused = literal(32 - _BITS[name.removesuffix("u")])
    high = f"(bvshl (bvlshr {read(now, place)} {shift}) {unused})"
    return f"({'bvlshr' if name.endswith('u') else 'bvashr'} {high} {unused})"


def _control(one: Instruction, now: State) -> State:
    name, (to, control, source) = one.name, one.operands
    old = now.control(control)
    new = literal(int(source, 0)) if name.endswith("i") else now.register(source)
    operation = name.removesuffix("i")[-1]
    is_read_only = operation in "sc" and source in {"x0", "0"}
    value = {"w": new, "s": f"(bvor {old} {new})", "c": f"(bvand {old} (bvnot {new}))"}[operation]
    following = now.written(to, old, one.length)
    if is_read_only:
        return following
    return replace(following, controls={**now.controls, control: value})


def holds(state: State, given: Sequence[str], claim: str) -> bool:
    """Say whether a claim holds at the end of a path, if what is given does. Z3 decides."""
    terms = " ".join([*state.conditions, *given, claim])
    names = sorted(set(re.findall(r"(?<![#\w])[a-z][a-z0-9_]*(?!\w)", terms)) - _WORDS)
    word, words = "(_ BitVec 32)", "(Array (_ BitVec 32) (_ BitVec 32))"
    declared = [
        f"(declare-const {name} {words if name.startswith('memory') else word})" for name in names
    ]
    text = "\n".join(
        [
            *declared,
            *(f"(assert {one})" for one in (*state.conditions, *given)),
            f"(assert (not {claim}))",
            "(check-sat)",
        ]
    )
    return not _is_satisfied(text)


@lru_cache(maxsize=4096)
def _is_satisfied(text: str) -> bool:
    done = subprocess.run(
        ["z3", "-in", f"-T:{_LONGEST_S}"], input=text, check=False, capture_output=True, text=True,
        timeout=_LONGEST_S + 30,
    )  # fmt: skip
    answer = done.stdout.strip()
    if answer not in {"sat", "unsat"}:
        raise FoliotError("Z3 has no answer", lines=answer.splitlines()[:3])
    return answer == "sat"


def is_possible(state: State, given: Sequence[str]) -> bool:
    """Say whether anything takes that path: claims about one that nothing takes say nothing."""
    return not holds(state, given, "false")


_WORDS = frozenset(
    {"select", "store", "not", "and", "or", "false", "true", "ite", "extract",
     *_ARITHMETIC.values(), "bvult", "bvuge", "bvslt", "bvsge", "bvnot", "bvule"}
)  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""What is proved of RV32's messages in registers: riscv_ipc, on all of its ways.

The caller's stack of system calls ends at x2, and mscratch is its stack in user mode, as the way in
leaves them (traps.py). What the fast functions in C decide, and whom they name, is anything.

* Who goes on at once has its frame's registers, its stacks, its regions, and the sender's four
  words; everything else of the kernel's and of the sender's is wiped.
* Whose fault was told, and who is to go on, has all registers that were saved then.
* Who waits has all that a call must keep in its frame, and nothing is stored outside.
* What is not fast comes to its function with object, time-out and words, and goes back as any call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from foliot.prove.claims import MIE, MPIE, MPP, Claim, claims_of
from foliot.prove.rv32 import (
    Image,
    Piece,
    State,
    beginning,
    is_possible,
    literal,
    paths,
    read,
    returned,
)
from foliot.prove.traps import (
    BY_CALLEE,
    PMP,
    USER_FRAME,
    offset,
    own_pieces,
    own_words,
    regions,
    word_at,
)

_WORDS = ("x28", "x29", "x30", "x31")
_FAST = ("ipc_call_fast", "ipc_reply_receive_fast")
_BYTES = ("ipc_call_fast_bytes", "ipc_reply_receive_fast_bytes")
_SLOW = ("user_call_words", "user_reply_receive_words")
SAVED = "riscv_switch_saved"
_NO_SUCH = "riscv_no_such_call"
_WIPED = ("x5", "x6", "x7", *(f"x{n}" for n in range(13, 18)))
FRAME = 64  # of a switch: a key, the return address, s0 to s11
BLOCK = 256  # of a thread, as far as assembly has any of it
FRAME_RA, FRAME_S = 4, 8
_USER_RA, _USER_SP = 4, 8


@dataclass(frozen=True, slots=True)
class End:
    """A path's end, whom the fast functions named last, and the words of the message."""

    state: State
    thread: str = ""
    memory: str = "memory"  # as it was then
    words: tuple[str, ...] = _WORDS


def _apart(one: str, size: int, other: str, other_size: int) -> str:
    """Say that two pieces of memory have no byte in common."""
    return (
        f"(and (bvuge (bvsub {one} {other}) {literal(other_size)}) "
        f"(bvuge (bvsub {other} {one}) {literal(size)}))"
    )


def _follow(image: Image, given: Sequence[str]) -> tuple[list[tuple[str, State]], list[End]]:
    """Return the calls of what is slow, and the ends; behind a call what it leaves is anything."""
    stops = {image.symbols[name]: name for name in (*_FAST, *_BYTES, *_SLOW, SAVED, _NO_SUCH)}
    frame = [word_at("x2", -FRAME - USER_FRAME + word) for word in range(0, FRAME + USER_FRAME, 4)]
    kept = [*frame, literal(image.symbols["k_cpu"])]
    calls: list[tuple[str, State]] = []
    ends: list[End] = []
    begin = replace(beginning(image, "riscv_ipc"), apart=_pieces(image))
    todo = [End(begin)]
    number = 0
    while todo:
        now = todo.pop()
        for end in paths(image, now.state, lambda state: state.pc in stops):
            if not is_possible(end, given):
                continue
            name = "" if end.end else stops[end.pc]
            if name in {"", SAVED, _NO_SUCH}:
                ends.append(replace(now, state=end))
                continue
            number += 1
            if name in _SLOW:
                calls.append((name, end))
                after = returned(end, number, kept[-1 - USER_FRAME // 4 : -1],
                                 ("mepc", "mstatus", *PMP))  # fmt: skip
                todo.append(End(after))
                continue
            after = returned(end, number, kept, ())
            own = {one: end.register(one) for one in _WORDS}
            if name in _BYTES:  # which leave the words, too, but not these two
                own |= {one: f"c{number}{one}" for one in ("x9", "x18")}
            after = replace(after, registers=after.registers | own)
            thread = f"c{number}x10"
            other = f"(select {after.memory} {thread})"  # where its frame is
            above = max(USER_FRAME, offset(image, "KEPT_SIZE"))
            pieces = (Piece(thread, 0, BLOCK), Piece(other, 0, FRAME + above))
            apart = (*_pieces(image, after.memory), *pieces)
            todo.append(End(replace(after, apart=apart), thread, after.memory))
    return calls, ends


def _pieces(image: Image, memory: str = "memory") -> tuple[Piece, ...]:
    """Return the caller's frames, its block and the kernel's own words."""
    size = 2 * USER_FRAME + FRAME
    own = tuple(Piece("", int(at[2:], 16), size) for at, size in own_pieces(image))
    return (Piece("x2", -size, size), Piece(running(image, memory), 0, BLOCK), *own)


def _term(piece: Piece) -> str:
    return word_at(piece.base, piece.start) if piece.base else literal(piece.start)


def message(image: Image) -> list[Claim]:
    """Follow a call or an answer of four words, with bytes or without."""
    given = [
        "(= (bvand x2 #x00000003) #x00000000)",
        f"(= (bvand mstatus {literal(MPP | MIE | MPIE)}) {literal(MPIE)})",
        *all_apart(_pieces(image)),
    ]
    calls, ends = _follow(image, given)
    found: list[Claim] = []
    for name, call in calls:
        found += claims_of(f"slow, {name}", call, given, _slow(call))
    for end in ends:
        if end.state.end == "" and end.state.pc == image.symbols[_NO_SUCH]:
            found += claims_of("no such call", end.state, given, _as_it_came(end.state))
        elif not _has_switched(image, end.state):
            found += claims_of("back", end.state, given, _back(image, end.state))
        else:
            apart = all_apart(end.state.apart)
            name, claims = receiver(image, end)
            told = _waits(image, end) | claims
            found += claims_of(name, end.state, [*given, *apart], told)
    return found


def receiver(image: Image, end: End) -> tuple[str, dict[str, str]]:
    """Return how whoever a message came to goes on, and what has to hold of that."""
    if not end.state.end:
        return "goes on in the kernel", _in_the_kernel(image, end)
    if end.state.pc > image.symbols["riscv_user_fault"]:
        return "resumes behind a fault", _resumes(image, end)
    return "goes on", _goes_on(image, end)


def _has_switched(image: Image, end: State) -> bool:
    return literal(image.symbols["k_cpu"]) in end.stores


def running(image: Image, memory: str) -> str:
    """Return the thread that runs, as memory has it."""
    return f"(select {memory} {literal(image.symbols['k_cpu'])})"


def all_apart(pieces: Sequence[Piece]) -> list[str]:
    """Return what is assumed of blocks, stacks and the kernel's words: none lies in another."""
    return [
        _apart(_term(one), one.size, _term(two), two.size)
        for n, one in enumerate(pieces)
        for two in pieces[n + 1 :]
        if one.base or two.base
    ]


def _slow(call: State) -> dict[str, str]:
    words = word_at("x2", -2 * USER_FRAME)
    claims = {one: f"(= {call.register(one)} {one})" for one in BY_CALLEE}
    claims |= {
        f"word {n}": f"(= {read(call, word_at(words, 4 * n))} {one})"
        for n, one in enumerate(_WORDS)
    }
    return claims | {
        "its object": f"(= {call.register('x10')} x10)",
        "its time-out": f"(= {call.register('x11')} x12)",
        "where its words are": f"(= {call.register('x12')} {words})",
        "its stack": f"(= {call.register('x2')} {words})",
        "mscratch is 0": f"(= {call.control('mscratch')} {literal(0)})",
        "stores": "(and " + " ".join(
            f"(bvult (bvsub {to} {word_at('x2', -FRAME - USER_FRAME)}) "
            f"{literal(FRAME + USER_FRAME)})" for to in call.stores
        ) + ")",
    }  # fmt: skip


def _as_it_came(end: State) -> dict[str, str]:
    names = (*BY_CALLEE, "x1", "x2", "x10", "x11", "x12", "x13", *_WORDS)
    claims = {one: f"(= {end.register(one)} {one})" for one in names}
    return claims | {"mscratch": f"(= {end.control('mscratch')} mscratch)"}


def user_mode(end: State) -> dict[str, str]:
    """Return what holds wherever a message leads to user mode."""
    status = end.control("mstatus")
    return {
        "by mret": "true" if end.end == "mret" else "false",
        "no machine rights": f"(= (bvand {status} {literal(MPP)}) {literal(0)})",
        "masked until then": f"(= (bvand {status} {literal(MIE)}) {literal(0)})",
        "interrupts open": f"(= (bvand {status} {literal(MPIE)}) {literal(MPIE)})",
        "tp tells user mode": f"(= {end.register('x4')} {literal(1)})",
    }


def _wiped(end: State) -> dict[str, str]:
    return {f"{one} is wiped": f"(= {end.register(one)} {literal(0)})" for one in _WIPED}


def _back(image: Image, end: State) -> dict[str, str]:
    """Return what holds where the caller itself comes back: by the slow way, or refused."""
    result = end.register("x10")
    nothing = " ".join(f"(= {end.register(one)} {literal(0)})" for one in _WORDS)
    badge = end.register("x11")
    told = f"(or (= {badge} {literal(0)}) (and (= {result} {literal(1)}) (= {badge} x10)))"
    claims = {one: f"(= {end.register(one)} {one})" for one in BY_CALLEE}
    claims |= user_mode(end) | _wiped(end)
    claims |= {
        "its stack": f"(= {end.register('x2')} mscratch)",
        "its calls' stack": f"(= {end.control('mscratch')} x2)",
        "where it goes on": f"(= {end.control('mepc')} x1)",
        "no words where nothing came": f"(or (= {result} {literal(0)}) (and {nothing} {told}))",
    }
    if _has_been_away(end):
        claims["regions"] = regions(image, end)
    return claims


def _has_been_away(end: State) -> bool:
    return any(one.startswith("pmpaddr") or one == "mstatus" for one in end.controls)


def _waits(image: Image, end: End) -> dict[str, str]:
    """Return what holds of the sender, which waits from now on."""
    state = end.state
    frame = word_at("x2", -FRAME - USER_FRAME)
    claims = {
        f"its {one} is in its frame":
            f"(= {read(state, word_at(frame, FRAME_S + 4 * n))} {one})"
        for n, one in enumerate(BY_CALLEE)
    }  # fmt: skip
    claims |= waits_in(image, end, frame, FRAME + USER_FRAME)
    return claims | {
        "where it goes back to": f"(= {read(state, word_at('x2', -USER_FRAME + _USER_RA))} x1)",
        "its stack": f"(= {read(state, word_at('x2', -USER_FRAME + _USER_SP))} mscratch)",
    }


def waits_in(image: Image, end: End, frame: str, size: int) -> dict[str, str]:
    """Return what holds of whoever waits in a frame: so many bytes are its own from there on."""
    state, current = end.state, running(image, end.memory)
    block = offset(image, "THREAD_MESSAGE")
    wake = literal(offset(image, "THREAD_WAKE_VALUE"))
    stores = " ".join(
        f"(or (bvult (bvsub {to} {frame}) {literal(size)}) (= {to} {current}) "
        f"(bvult (bvsub {to} {word_at(end.thread, block)}) {literal(28)}) "
        f"(= {to} (bvadd {end.thread} {wake})) "
        + " ".join(f"(= {to} {word})" for word in own_words(image)) + ")"
        for to in state.stores
    )  # fmt: skip
    return {
        "where its frame is": f"(= {read(state, current)} {frame})",
        "its key": f"(= {read(state, frame)} {literal(0)})",
        "who runs": f"(= {read(state, literal(image.symbols['k_cpu']))} {end.thread})",
        "stores": f"(and {stores})",
    }


def _waits_fast(image: Image, frame: str, is_fault: bool) -> str:
    """Say that a frame is of a fast wait: a fault's, or of a message, by where it goes on."""
    behind = image.symbols["riscv_user_fault"]
    places = [
        literal(place) for place in _places(image) if (place >= behind) == is_fault
    ]  # fmt: skip
    return f"(or false {' '.join(f'(= {frame} {place})' for place in places)})"


def _places(image: Image) -> set[int]:
    """Return what is loaded as a place of riscv_ipc and riscv_user_fault, in these two."""
    found: set[int] = set()
    first = image.symbols["riscv_ipc"]
    last = image.symbols["riscv_user_fault"] + image.sizes["riscv_user_fault"]
    at = first
    while at < last:
        one = image.code[at]
        next_ = image.code.get(at + one.length)
        if one.name == "auipc" and next_ and next_.name == "addi" and one.operands[0] == "x12":
            place = at + (int(one.operands[1], 0) << 12) + int(next_.operands[2], 0)
            found |= {place & 0xFFFFFFFF} if first <= place & 0xFFFFFFFF < last else set()
        at += one.length
    return found


def _goes_on(image: Image, end: End) -> dict[str, str]:
    """Return what holds of the receiver, which goes on in user mode at once."""
    state = end.state
    frame = read(state, end.thread)
    above = word_at(frame, FRAME)
    claims = {
        one: f"(= {state.register(one)} {read(state, word_at(frame, FRAME_S + 4 * n))})"
        for n, one in enumerate(BY_CALLEE)
    }
    claims |= {
        f"{one} is the word": f"(= {state.register(one)} {word})"
        for one, word in zip(_WORDS, end.words, strict=True)
    }
    to = read(state, word_at(above, _USER_RA))
    badge = offset(image, "THREAD_MESSAGE") + 16
    return claims | user_mode(state) | _wiped(state) | {
        "it has waited so": _waits_fast(image, read(state, word_at(frame, FRAME_RA)), False),
        "its result": f"(= {state.register('x10')} {literal(0)})",
        "its badge": f"(= {state.register('x11')} {read(state, word_at(end.thread, badge))})",
        "its stack in user mode":
            f"(= {state.register('x2')} {read(state, word_at(above, _USER_SP))})",
        "its calls' stack": f"(= {state.control('mscratch')} {word_at(above, USER_FRAME)})",
        "where it goes on": f"(= {state.control('mepc')} {to})",
        "its return address": f"(= {state.register('x1')} {to})",
        "regions": regions(image, state, end.thread),
    }  # fmt: skip


def _resumes(image: Image, end: End) -> dict[str, str]:
    """Return what holds of a thread whose fault was told, and which its handler has go on."""
    state = end.state
    frame = read(state, end.thread)
    above = word_at(frame, FRAME)
    kept = offset(image, "KEPT_REGISTERS")
    claims = {
        f"x{n}": f"(= {state.register(f'x{n}')} {read(state, word_at(above, kept + 4 * n))})"
        for n in range(1, 32)
        if n != 4
    }
    size = offset(image, "KEPT_SIZE")
    return claims | user_mode(state) | {
        "it has waited so": _waits_fast(image, read(state, word_at(frame, FRAME_RA)), True),
        "its calls' stack": f"(= {state.control('mscratch')} {word_at(above, size)})",
        "where the answer says": f"(= {state.control('mepc')} {end.words[2]})",
        "the answer is to resume": f"(= {end.words[0]} {literal(0)})",
        "regions": regions(image, state, end.thread),
    }  # fmt: skip


def _in_the_kernel(image: Image, end: End) -> dict[str, str]:
    """Return what holds where the receiver takes its words out of its block."""
    state = end.state
    block = offset(image, "THREAD_MESSAGE")
    claims = {
        f"word {n} is in its block":
            f"(= {read(state, word_at(end.thread, block + 4 * n))} {word})"
        for n, word in enumerate(end.words)
    }  # fmt: skip
    return claims | {
        "it is switched to": f"(= {state.register('x11')} {end.thread})",
        "its frame": f"(= {state.register('x2')} {read(state, end.thread)})",
        "mscratch is 0": f"(= {state.control('mscratch')} {literal(0)})",
    }

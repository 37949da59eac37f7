# SPDX-License-Identifier: Apache-2.0
"""What is proved of a user thread's fault, from its trap to its handler and back: riscv_user_fault.

From the trap on, with what user mode has left in the registers: mscratch is the end of the stack of
system calls, x2 the user's. riscv_fault_is_saved() is followed as the image has it; of the other
functions in C what the ABI says, and that the fast one leaves what was saved alone.

* A fault that has no gate comes to its report with each register, on the handlers' stack.
* Else each register is saved at the end of the thread's own stack, and nothing is stored elsewhere.
  The words go straight to a handler, which goes on with them and its own registers alone; or the
  thread makes the call itself, with interrupts open.
* However it is answered, it goes on with the registers that are saved there then, where the answer
  says, in user mode, with its regions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foliot.model.errors import FoliotError
from foliot.prove.claims import MIE, MPIE, MPP, Claim, claims_of
from foliot.prove.messages import (
    BLOCK,
    FRAME,
    FRAME_RA,
    SAVED,
    End,
    all_apart,
    receiver,
    running,
    user_mode,
    waits_in,
)
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

_TOP = "mscratch"  # at the trap
_FAST = "ipc_fault_fast"  # an image without gates has none
_SLOW = ("riscv_fault_deliver", "riscv_fault_answered")
_REPORT = "riscv_fault"
_NO_FAULT = ("riscv_ipc", "riscv_exception", "arch_user_call_verified")
_REPORTED = 34  # words of a report
_WORDS = 4
_TP = 4  # which user mode does not choose


_TOLD, _BACK = "told", "goes on"


def _pieces(image: Image, memory: str = "memory", top: str = _TOP) -> tuple[Piece, ...]:
    """Return what has no byte in common: its frames, its block, the kernel's words, a report's."""
    size = offset(image, "KEPT_SIZE") + FRAME
    own = tuple(Piece("", int(at[2:], 16), length) for at, length in own_pieces(image))
    report = Piece("", image.symbols["riscv_fault_frame"], 4 * _REPORTED)
    return (Piece(top, -size, size), Piece(running(image, memory), 0, BLOCK), *own, report)


def _follow(image: Image, begin: State, given: Sequence[str]) -> Iterator[tuple[str, End]]:
    """Yield the calls and the ends of all paths, each with what it is."""
    names = (_FAST, *_SLOW, _REPORT, SAVED, *_NO_FAULT)
    stops = {image.symbols[name]: name for name in names if name in image.symbols}
    size = offset(image, "KEPT_SIZE")
    kept = [word_at(_TOP, -size + word) for word in range(0, size, 4)]
    todo = [End(begin)]
    number = 0
    while todo:
        now = todo.pop()
        for end in paths(image, now.state, lambda state: state.pc in stops):
            name = "" if end.end else stops[end.pc]
            if name in _NO_FAULT or not is_possible(end, given):
                continue
            number += 1
            if end.end == "call" and end.to == literal(0) and _FAST not in image.symbols:
                continue  # there is no gate that could have been set
            if name in _SLOW:
                after = returned(end, number, (), ("mepc", "mstatus", *PMP))
                todo.append(End(replace(after, stores=())))
            elif name == _FAST:
                todo.append(_behind_fast(image, end, number, kept))
            elif now.thread and literal(image.symbols["k_cpu"]) in end.stores:
                name = _TOLD
            elif end.end == "mret":
                name = _BACK
            elif name != _REPORT:
                raise FoliotError(f"a fault's path ends at {end.end or name}")
            yield name, replace(now, state=end)


def _behind_fast(image: Image, call: State, number: int, kept: Sequence[str]) -> End:
    """Return what is known where the words have a receiver, or none."""
    after = returned(call, number, [*kept, literal(image.symbols["k_cpu"])], ())
    thread = f"c{number}x10"
    other = f"(select {after.memory} {thread})"  # where its frame is
    above = max(USER_FRAME, offset(image, "KEPT_SIZE"))
    pieces = (Piece(thread, 0, BLOCK), Piece(other, 0, FRAME + above))
    apart = (*_pieces(image, after.memory), *pieces)
    words = tuple(f"(select {after.memory} {at})" for at in kept[:_WORDS])
    return End(replace(after, apart=apart), thread, after.memory, words)


def fault(image: Image) -> list[Claim]:
    """Follow a fault of user mode on all of its ways."""
    return list(each(image))


def each(image: Image) -> Iterator[Claim]:
    """Do the same, a claim at a time."""
    begin = replace(
        beginning(image, "riscv_user_exception", has_gp=False), apart=_pieces(image)
    )  # fmt: skip
    given = [
        f"(not (= {_TOP} {literal(0)}))", f"(= (bvand {_TOP} #x00000003) #x00000000)",
        f"(= (bvand mstatus {literal(MPP | MIE | MPIE)}) {literal(MPIE)})",
        f"(not (= mcause {literal(8)}))", *all_apart(_pieces(image)),
    ]  # fmt: skip
    came: set[str] = set()
    for name, end in _follow(image, begin, given):
        if name == _TOLD:
            apart = [*given, *all_apart(end.state.apart)]
            how, said = receiver(image, end)
            yield from claims_of(f"told, {how}", end.state, apart, _waits(image, end) | said)
            came.add(read(end.state, word_at(_TOP, FRAME_RA - FRAME - offset(image, "KEPT_SIZE"))))
        elif name == _BACK:
            said = _goes_on(image, end.state, _kept(image))
            yield from claims_of("answered", end.state, given, said)
        elif name == _REPORT:
            yield from claims_of("reported", end.state, given, _reported(image, end.state))
        else:
            yield from claims_of(f"a call, {name}", end.state, given, _call(image, end.state))
    for place in came:
        yield from _answered(image, place)


def _kept(image: Image) -> str:
    """Return where a struct riscv_saved begins: at the end of the stack of system calls."""
    return word_at(_TOP, -offset(image, "KEPT_SIZE"))


def _answered(image: Image, place: str) -> Iterator[Claim]:
    """Follow a thread that has waited, from where its frame says on: x2 is what was saved.

    It comes there by arch_switch(), as any thread of the kernel's middle, x10 the call's result.
    """
    if not place.startswith("#x"):
        raise FoliotError("where a fault that waits goes on is not plain to see")
    begin = replace(beginning(image, "riscv_user_fault"), pc=int(place[2:], 16))
    size = offset(image, "KEPT_SIZE")
    begin = replace(begin, apart=_pieces(image, top="x2"))
    given = [
        f"(= mscratch {literal(0)})", f"(= x4 {literal(0)})",
        "(= (bvand x2 #x00000003) #x00000000)",
        f"(= (bvand mstatus {literal(MPP | MIE)}) {literal(0)})",
        *(f"(not (bvult (bvsub {word} x2) {literal(size)}))" for word in own_words(image)),
    ]  # fmt: skip
    names: set[str] = set()
    for name, end in _follow(image, begin, given):
        names.add(name)
        if name == _BACK:
            said = _goes_on(image, end.state, "x2")
            yield from claims_of("woken, answered", end.state, given, said)
            continue
        call = end.state
        said = {
            "what was saved": f"(= {call.register('x10')} x2)",
            "its result": f"(= {call.register('x11')} x10)",
            "its stack": f"(= {call.register('x2')} x2)",
            "nothing is stored": "true" if not call.stores else "false",
        }
        yield from claims_of(f"woken, {name}", call, given, said | _in_kernel(image, call))
    yield Claim("woken: it is answered, and goes on", names == {_SLOW[1], _BACK})


def _in_kernel(image: Image, call: State) -> dict[str, str]:
    """Return what holds of a call with interrupts open, as in a system call."""
    return {
        "gp": f"(= {call.register('x3')} {beginning(image, 'k_cpu').register('x3')})",
        "tp": f"(= {call.register('x4')} {literal(0)})",
        "mscratch is 0": f"(= {call.control('mscratch')} {literal(0)})",
        "interrupts open": f"(= {call.control('mstatus')} (bvor mstatus {literal(MIE)}))",
    }


def _is_saved(image: Image, end: State) -> dict[str, str]:
    """Return that each register of user mode is in its frame, and where it was."""
    begin = word_at(_kept(image), offset(image, "KEPT_REGISTERS"))
    claims = {
        f"x{n} is saved": f"(= {read(end, word_at(begin, 4 * n))} {was})"
        for n, was in _registers(image).items()
    }
    return claims | {"where it was": f"(= {read(end, begin)} mepc)"}


def _registers(image: Image) -> dict[int, str]:
    """Return what is told of user mode's: what it left in gp and tp is lost."""
    gp = beginning(image, "k_cpu").register("x3")
    return {n: f"x{n}" for n in range(1, 32)} | {3: gp, 4: literal(1)}


def _stores(end: State, kept: str, size: int) -> str:
    own = " ".join(f"(bvult (bvsub {to} {kept}) {literal(size)})" for to in end.stores)
    return f"(and true {own})"


def _call(image: Image, call: State) -> dict[str, str]:
    kept = _kept(image)
    claims = {one: f"(= {call.register(one)} {one})" for one in BY_CALLEE}
    claims |= _is_saved(image, call) | _in_kernel(image, call)
    if call.pc == image.symbols.get(_FAST):
        claims["masked"] = f"(= {call.control('mstatus')} mstatus)"
        del claims["interrupts open"]
    return claims | {
        "what was saved": f"(= {call.register('x10')} {kept})",
        "its stack": f"(= {call.register('x2')} {kept})",
        "stores": _stores(call, kept, offset(image, "KEPT_SIZE")),
    }


def _reported(image: Image, end: State) -> dict[str, str]:
    frame = image.symbols["riscv_fault_frame"]
    claims = {
        f"x{n} is told": f"(= {read(end, literal(frame + 4 * n))} {was})"
        for n, was in _registers(image).items()
    }
    size = offset(image, "KEPT_SIZE")
    words = own_words(image)
    stores = " ".join(
        f"(or (bvult (bvsub {to} {_kept(image)}) {literal(size)}) "
        f"(bvult (bvsub {to} {literal(frame)}) {literal(4 * _REPORTED)}) "
        + " ".join(f"(= {to} {word})" for word in words) + ")"
        for to in end.stores
    )  # fmt: skip
    return claims | _in_kernel(image, end) | {
        "where is told": f"(= {read(end, literal(frame))} mepc)",
        "interrupts open": f"(= {end.control('mstatus')} mstatus)",  # they are masked
        "the handlers' stack":
            f"(= {end.register('x2')} {literal(image.symbols['riscv_isr_stack_top'])})",
        "stores": f"(and {stores})",
    }  # fmt: skip


def _waits(image: Image, end: End) -> dict[str, str]:
    """Return what holds of a thread whose words have gone to its handler at once."""
    size = offset(image, "KEPT_SIZE")
    frame = word_at(_TOP, -size - FRAME)
    return _is_saved(image, end.state) | waits_in(image, end, frame, FRAME + size)


def _goes_on(image: Image, end: State, kept: str) -> dict[str, str]:
    """Return what holds where it resumes, by what is saved there then: a handler changes that."""
    begin = word_at(kept, offset(image, "KEPT_REGISTERS"))
    claims = {
        f"x{n}": f"(= {end.register(f'x{n}')} {read(end, word_at(begin, 4 * n))})"
        for n in range(1, 32) if n != _TP
    }  # fmt: skip
    words = " ".join(
        "(or " + " ".join(f"(= {to} {word})" for word in own_words(image)) + ")"
        for to in end.stores
    )
    answer = [one for one in end.controls.values() if one.startswith("c") and one.endswith("x10")]
    return claims | user_mode(end) | {
        "where the answer says": f"(= {end.control('mepc')} {answer[0] if answer else 'x10'})",
        "its calls' stack":
            f"(= {end.control('mscratch')} {word_at(kept, offset(image, 'KEPT_SIZE'))})",
        "stores": f"(and true {words})",
        "regions": regions(image, end),
    }  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""What is proved of RV32's assembly, on an image's bytes: claims about the ends of all paths.

* `switch`: a thread that is switched away and back has its callee-saved registers, its stack and
  its key; nothing is stored but in its frame and in its own block, and nothing at all where a
  stack guard finds that its stack has run over.
* `domain`: after the switch of domains the PMP has the new domain's entries, all of them and
  nothing else, whatever was there before.
* `trap`: whom an interrupt came to goes on with all its registers, in its mode, by a switch or not.
* `exception`: all registers are told; a guarded copy goes on in the kernel.
* `call`, `fast`: a system call's way in and out: what must survive does, what must be wiped is.
* `user`: user mode begins with the registers that it is given and no other of the kernel's,
  without machine rights, and with interrupts open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from foliot.prove.rv32 import (
    Image,
    State,
    beginning,
    holds,
    is_possible,
    literal,
    paths,
    returned,
)  # fmt: skip

_SAVED = ("x1", "x8", "x9", *(f"x{number}" for number in range(18, 28)))
_WIPED = (*(f"x{number}" for number in (5, 6, 7, 8, 9)), *(f"x{n}" for n in range(13, 32)))
_FRAME = 64
_IN_A_WORD = 4  # entries of the PMP
ENTRIES = 16
_MIE, _MPIE, _MPP = 0x8, 0x80, 0x1800


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that has to hold at a path's end, and whether it does."""

    name: str
    does_hold: bool


def _claims(name: str, end: State, given: list[str], claims: dict[str, str]) -> Iterator[Claim]:
    yield Claim(f"{name}: it is taken", is_possible(end, given))
    do_all_hold = holds(end, given, f"(and {' '.join(claims.values())})")
    for title, claim in claims.items():
        yield Claim(f"{name}: {title}", do_all_hold or holds(end, given, claim))


def switch(image: Image) -> list[Claim]:
    """Away by arch_switch(), and back where riscv_switch_saved takes the thread up again."""
    found: list[Claim] = []
    middle = image.symbols["riscv_switch_saved"]
    away = paths(image, beginning(image, "arch_switch"), lambda now: now.pc == middle)
    given = [
        "(= (bvand x2 #x00000003) #x00000000)", "(= (bvand x10 #x00000003) #x00000000)",
        f"(bvuge x2 {literal(_FRAME)})",
        # The thread's block does not lie in its frame.
        f"(not (bvult (bvsub x10 (bvsub x2 {literal(_FRAME)})) {literal(_FRAME)}))",
    ]  # fmt: skip
    for end in away:
        if end.end == "ebreak":  # its stack has run over, which is told before anything is stored
            told = {
                "nothing is stored": "true" if not end.stores else "false",
                "its stack pointer is as it was": f"(= {end.register('x2')} x2)",
            }
            found += _claims("overflow", end, given, told)
            continue
        if not end.stores:  # nor room, but it has ended, and never comes back
            found += _claims("away for ever", end, given, {"another goes on": "true"})
            continue
        bounds = " ".join(
            f"(or (= {to} x10) (bvult (bvsub {to} (bvsub x2 {literal(_FRAME)})) {literal(_FRAME)}))"
            for to in end.stores
        )
        found += _claims("away", end, given, {"stores": f"(and {bounds})"})
        # Back: nothing is known of the registers but the thread's address; the key is x12.
        others = {f"x{number}": f"other{number}" for number in range(1, 32)}
        back = replace(end, pc=middle, registers={**others, "x11": "x10"}, controls={})
        for last in paths(image, back):
            claims = {one: f"(= {last.register(one)} {one})" for one in (*_SAVED, "x2")}
            claims["returns to its caller"] = f"(= {last.end} x1)"
            # With user threads it is all of mstatus, else a bit that is set.
            key = "x12" if "riscv_load_domain" in image.symbols else "(bvor mstatus x12)"
            claims["key"] = f"(= {last.control('mstatus')} {key})"
            found += _claims("back", last, given, claims)
    return found


def domain(image: Image) -> list[Claim]:
    """Ask for noninterference of the switch of domains: x29 is the new one."""
    loaded = literal(image.symbols["riscv_domain_loaded"])
    if "riscv_long_is_loaded" not in image.symbols:
        return _short_domain(image, loaded)
    long_loaded = literal(image.symbols["riscv_long_is_loaded"])
    ends = paths(image, beginning(image, "riscv_load_domain"))
    first = min(
        int(name.removeprefix("pmpaddr"))
        for end in ends for name in end.controls if name.startswith("pmpaddr")
    )  # fmt: skip
    size = 4 * (ENTRIES - first + ENTRIES // _IN_A_WORD - first // _IN_A_WORD + 1)

    def word(number: int) -> str:
        return f"(select memory (bvadd x29 {literal(4 * number)}))"

    configurations = ENTRIES - first
    is_long = configurations + ENTRIES // _IN_A_WORD - first // _IN_A_WORD
    given = [
        *(f"(not (bvult (bvsub {one} x29) {literal(size)}))" for one in (long_loaded, loaded)),
        "(= (bvand x29 #x00000003) #x00000000)",
    ]  # fmt: skip
    short = " ".join(
        f"(= {word(configurations + number - first // _IN_A_WORD)} #x00000000)"
        for number in range(2, ENTRIES // _IN_A_WORD)
    )
    # arch_domain_update()'s: one that is not long has nothing behind the eighth entry; and what
    # this function itself keeps up: where nothing long is loaded, nothing is open there.
    given.append(f"(or (not (= {word(is_long)} #x00000000)) (and {short}))")
    given.append(
        f"(or (not (= (select memory {long_loaded}) #x00000000)) "
        "(and (= pmpcfg2 #x00000000) (= pmpcfg3 #x00000000)))"
    )
    found: list[Claim] = []
    for end in ends:
        claims = {
            "returns": f"(= {end.end} x5)",
            "is said to be loaded": f"(= (select {end.memory} {loaded}) x29)",
        }
        for number in range(first // _IN_A_WORD, ENTRIES // _IN_A_WORD):
            name = f"pmpcfg{number}"
            wanted = word(configurations + number - first // _IN_A_WORD)
            claims[name] = f"(= {end.control(name)} {wanted})"
        for number in range(first, ENTRIES):
            name = f"pmpaddr{number}"
            wanted = word(number - first)
            same = f"(= {end.control(name)} {wanted})"
            # Of an entry that is off the address says nothing.
            off = f"(= {end.control(f'pmpcfg{number // _IN_A_WORD}')} #x00000000)"
            claims[name] = same if number < 2 * _IN_A_WORD else f"(or {same} {off})"
        claims["what is kept up"] = (
            f"(or (not (= (select {end.memory} {long_loaded}) #x00000000)) "
            f"(and (= {end.control('pmpcfg2')} #x00000000) "
            f"(= {end.control('pmpcfg3')} #x00000000)))"
        )
        found += _claims("domain", end, given, claims)
    return found


def _short_domain(image: Image, loaded: str) -> list[Claim]:
    """Ask for the same of a PMP of eight entries, all of which are written."""
    found: list[Claim] = []
    for end in paths(image, beginning(image, "riscv_load_domain")):
        addresses = sorted(one for one in end.controls if one.startswith("pmpaddr"))
        first = min(int(name.removeprefix("pmpaddr")) for name in addresses)
        count = 2 * _IN_A_WORD - first
        given = [
            f"(not (bvult (bvsub {loaded} x29) {literal(4 * count + 4)}))",
            "(= (bvand x29 #x00000003) #x00000000)",
        ]
        claims = {
            "returns": f"(= {end.end} x5)",
            "is said to be loaded": f"(= (select {end.memory} {loaded}) x29)",
        }
        for number in range(count + 1):
            name = f"pmpaddr{first + number}" if number < count else "pmpcfg1"
            wanted = f"(select memory (bvadd x29 {literal(4 * number)}))"
            claims[name] = f"(= {end.control(name)} {wanted})"
        found += _claims("domain", end, given, claims)
    return found


def user(image: Image) -> list[Claim]:
    """Follow a thread into user mode: arch_user_enter(what it begins with, two stacks)."""
    found: list[Claim] = []
    begin = beginning(image, "arch_user_enter")
    far = [
        f"(not (bvult (bvsub {literal(image.symbols[name])} x10) #x00000010))"
        for name in ("riscv_domain_loaded", "riscv_long_is_loaded")
        if name in image.symbols
    ]
    for end in paths(image, begin):
        claims = {f"{one} is wiped": f"(= {end.register(one)} #x00000000)" for one in _WIPED}
        for number, name in enumerate(("x10", "x11", "x12"), 1):
            given = f"(select memory (bvadd x10 {literal(4 * number)}))"
            claims[f"{name} is given"] = f"(= {end.register(name)} {given})"
        status = end.control("mstatus")
        claims |= {
            "by mret": "(= #x00000000 #x00000000)" if end.end == "mret" else "false",
            "no machine rights": f"(= (bvand {status} {literal(_MPP)}) #x00000000)",
            "interrupts open": f"(= (bvand {status} {literal(_MPIE)}) {literal(_MPIE)})",
            "masked until then": f"(= (bvand {status} {literal(_MIE)}) #x00000000)",
            "its stack": f"(= {end.register('x2')} x11)",
            "its calls' stack": f"(= {end.control('mscratch')} x12)",
            "its entry": f"(= {end.control('mepc')} (select memory x10))",
            "tp tells user mode": f"(= {end.register('x4')} #x00000001)",
            "it returns in user mode":
                f"(= {end.register('x1')} {literal(image.symbols['riscv_user_return'])})",
            "gp": f"(= {end.register('x3')} {begin.register('x3')})",
        }  # fmt: skip
        found += _claims("user", end, far, claims)
    return found


_BY_CALLER = ("x1", "x5", "x6", "x7", *(f"x{n}" for n in range(10, 18)),
              *(f"x{n}" for n in range(28, 32)))  # fmt: skip
_BY_CALLEE = ("x8", "x9", *(f"x{n}" for n in range(18, 28)))
_USER_FRAME, _INTERRUPT_FRAME, _TRAP_STATE = 16, 64, 16
_PREEMPTION = 4 * 28  # with a stack guard: as far below as check_room_for_preemption tries
_BLOCK = 256  # bytes of a thread that assembly reads, at most
_CPU_WORDS = 16  # of k_cpu, as far as assembly has any of it
_IN_ISR, _SWITCH = 8, 12
_CLEARED = (*(f"x{n}" for n in range(11, 18)), "x5", "x6", "x7", *(f"x{n}" for n in range(28, 32)))
_PMP = tuple(f"pmpaddr{n}" for n in range(ENTRIES)) + tuple(f"pmpcfg{n}" for n in range(4))


def _at(base: str, offset: int) -> str:
    return f"(bvadd {base} {literal(offset)})"


def _frame(top: str, size: int) -> list[str]:
    """Return the addresses of the words below a stack's place."""
    return [_at(top, -size + offset) for offset in range(0, size, 4)]


def _is_in(address: str, top: str, size: int) -> str:
    return f"(bvult (bvsub {address} {_at(top, -size)}) {literal(size)})"


def _own_words(image: Image) -> list[str]:
    """Return where the kernel's words lie that assembly reads and writes: in no thread's stack."""
    cpu = image.symbols["k_cpu"]
    names = ("riscv_domain_loaded", "riscv_long_is_loaded", "riscv_isr_stack")
    places = [image.symbols[name] for name in names if name in image.symbols]
    return [literal(place) for place in (*range(cpu, cpu + 4 * _CPU_WORDS, 4), *places)]


def _through(
    image: Image,
    begin: State,
    functions: Sequence[str],
    kept: Sequence[str],
    changed: Callable[[State], Sequence[str]],
    given: Sequence[str],
) -> tuple[list[State], list[State]]:
    """Return the calls on all paths, and the ends: behind each call what it leaves is anything.

    Paths that nothing takes are left out.
    """
    stops = {image.symbols[name] for name in functions if name in image.symbols}
    calls: list[State] = []
    ends: list[State] = []
    todo = [begin]
    while todo:
        for end in paths(image, todo.pop(), lambda now: now.pc in stops):
            if not is_possible(end, given):
                continue
            if end.end == "call" or (not end.end and end.register("x1").startswith("#x")):
                calls.append(end)
                todo.append(returned(end, len(calls), kept, changed(end)))
            else:
                ends.append(end)
    return calls, ends


def trap(image: Image) -> list[Claim]:
    """Follow an interrupt: its way in, its handler, and its way out, by a switch or not."""
    found: list[Claim] = []
    cpu = literal(image.symbols["k_cpu"])
    for is_user in (False, True):
        begin = beginning(image, "riscv_interrupt", has_gp=not is_user)
        top = "mscratch" if is_user else "x2"
        room = _INTERRUPT_FRAME + _TRAP_STATE + (_USER_FRAME if is_user else 0)
        below = room + (_PREEMPTION if "riscv_preempt_check" in image.symbols else 0)
        mode = literal(0 if is_user else _MPP)
        given = [
            f"(= (bvand {top} #x00000003) #x00000000)",
            f"(= (bvand mstatus {literal(_MPP)}) {mode})",
            f"(not (= mscratch {literal(0)}))" if is_user else f"(= mscratch {literal(0)})",
            *(f"(not {_is_in(word, top, below)})" for word in _own_words(image)),
        ]  # fmt: skip
        kept = [*_frame(top, room), _at(cpu, _IN_ISR)]

        def changed(call: State) -> Sequence[str]:
            return () if call.end == "call" else ("mepc", "mstatus", *_PMP)

        calls, ends = _through(image, begin, ("sched_preempt", "arch_switch"), kept, changed, given)
        name = "interrupt of user mode" if is_user else "interrupt"
        for call in calls:
            claims = {one: f"(= {call.register(one)} {one})" for one in _BY_CALLEE}
            claims["mscratch is 0"] = f"(= {call.control('mscratch')} {literal(0)})"
            claims["gp"] = f"(= {call.register('x3')} {beginning(image, 'k_cpu').register('x3')})"
            claims["tp"] = f"(= {call.register('x4')} {literal(0) if is_user else 'x4'})"
            found += _claims(f"{name}, a call", call, given, claims)
        for end in ends:
            claims = {one: f"(= {end.register(one)} {one})" for one in (*_BY_CALLER, *_BY_CALLEE)}
            claims |= {
                "by mret": "true" if end.end == "mret" else "false",
                "its stack": f"(= {end.register('x2')} x2)",
                "mscratch": f"(= {end.control('mscratch')} mscratch)",
                "where it was": f"(= {end.control('mepc')} mepc)",
                "as it was, and in its mode": f"(= {end.control('mstatus')} mstatus)",
                "tp": f"(= {end.register('x4')} {literal(1) if is_user else 'x4'})",
                "stores":
                    f"(and {' '.join(_store(one, top, below, image) for one in end.stores)})",
            }  # fmt: skip
            if is_user:
                claims["regions"] = _regions(image, end)
            found += _claims(name, end, given, claims)
    return found


def _store(address: str, top: str, room: int, image: Image) -> str:
    """Say that it goes into the frame, or into a word of the kernel's own."""
    words = " ".join(f"(= {address} {word})" for word in _own_words(image))
    return f"(or {_is_in(address, top, room)} {words})"


def _regions(image: Image, end: State) -> str:
    """Say that the stack's entries are the running thread's, and its domain's if they changed.

    Where the thread's block has what, riscv_resume_user's own loads say.
    """
    at = image.symbols["riscv_resume_user"]
    at += image.code[at].length
    start = int(image.code[at].operands[1].split("(")[0])
    entry = image.code[at + image.code[at].length].operands[1]
    current = f"(select {end.memory} {literal(image.symbols['k_cpu'])})"
    loaded = f"(select {end.memory} {literal(image.symbols['riscv_domain_loaded'])})"
    words = _own_words(image)
    apart = " ".join(f"(not (bvult (bvsub {word} {current}) {literal(_BLOCK)}))" for word in words)
    is_there = f"(= {end.control(entry)} (select {end.memory} {_at(current, start)}))"
    if entry not in end.controls or end.controls[entry].startswith("c"):
        return f"(or (not (and {apart})) {is_there})"
    after = f"pmpaddr{int(entry.removeprefix('pmpaddr')) + 1}"
    stack_end = f"(= {end.control(after)} (select {end.memory} {_at(current, start + 4)}))"
    is_loaded = f"(= {loaded} (select {end.memory} {_at(current, start - 4)}))"
    return f"(or (not (and {apart})) (and {is_there} {stack_end} {is_loaded}))"


def exception(image: Image) -> list[Claim]:
    """Follow an exception: all registers to its report; or to whoever copied for somebody."""
    found: list[Claim] = []
    frame = image.symbols["riscv_fault_frame"]
    begin = beginning(image, "riscv_exception")
    stop = image.symbols["riscv_fault"]
    for end in paths(image, begin, lambda now: now.pc == stop):
        if end.end == "mret":
            claims = {one: f"(= {end.register(one)} {one})" for one in (*_BY_CALLEE, "x2")}
            claims["it was the kernel's"] = f"(= (bvand mstatus {literal(_MPP)}) {literal(_MPP)})"
        else:
            claims = {
                f"x{n} is told": f"(= (select {end.memory} {literal(frame + 4 * n)}) "
                f"{begin.register(f'x{n}')})"
                for n in range(1, 32)
            }
            claims["where is told"] = f"(= (select {end.memory} {literal(frame)}) mepc)"
            top = literal(image.symbols["riscv_isr_stack_top"])
            claims["its own stack"] = f"(= {end.register('x2')} {top})"
        claims["tp"] = f"(= {end.register('x4')} {literal(0)})"
        claims["mscratch is 0"] = f"(= {end.control('mscratch')} {literal(0)})"
        upper, lower = (f"(bvand mstatus {literal(bit)})" for bit in (0x1000, 0x800))
        modes = f"(= {upper} (bvshl {lower} #x00000001))"  # user's and machine's, no other
        found += _claims("exception", end, [modes], claims)
    return found


def call(image: Image) -> list[Claim]:
    """Follow a system call: its way in, to the fast path or the function; and out of that."""
    begin = beginning(image, "riscv_user_exception", has_gp=False)
    given = [
        f"(not (= mscratch {literal(0)}))", "(= (bvand mscratch #x00000003) #x00000000)",
        f"(= (bvand mstatus {literal(_MPP | _MIE)}) {literal(0)})",
        *(f"(not {_is_in(word, 'mscratch', _USER_FRAME)})" for word in _own_words(image)),
    ]  # fmt: skip
    kept = [_at("mscratch", -_USER_FRAME + 4), _at("mscratch", -_USER_FRAME + 8)]
    calls, ends = _through(
        image,
        begin,
        ("riscv_exception",),
        kept,
        lambda _: ("mepc", "mstatus", *_PMP),
        given[1:],
    )
    gp = beginning(image, "k_cpu").register("x3")
    found: list[Claim] = []
    for one in calls:
        claims = {name: f"(= {one.register(name)} {name})"
                  for name in (*_BY_CALLEE, *(f"x{n}" for n in range(10, 14)))}  # fmt: skip
        claims |= {
            "its stack": f"(= {one.register('x2')} {_at('mscratch', -_USER_FRAME)})",
            "mscratch is 0": f"(= {one.control('mscratch')} {literal(0)})",
            "gp": f"(= {one.register('x3')} {gp})",
            "tp": f"(= {one.register('x4')} {literal(0)})",
            "it is a call": f"(= mcause {literal(8)})",
            "of the table": _is_of_table(image, one, "syscall_table"),
            "stores": "(and "
            + " ".join(_is_in(to, "mscratch", _USER_FRAME) for to in one.stores) + ")",
        }  # fmt: skip
        found += _claims("call", one, given, claims)
    for end in ends:
        if end.end == "mret":
            found += _claims("return", end, given, _return(image, end, "mscratch", "x2", "x1"))
        elif end.end:
            found += _claims("fast path", end, given, _fast(image, end, gp))
        else:  # no call: an exception of either mode
            claims = {f"x{n}": f"(= {end.register(f'x{n}')} x{n})" for n in range(1, 32)
                      if n not in {3, 4}}  # fmt: skip
            claims["no call"] = f"(or (= mscratch {literal(0)}) (not (= mcause {literal(8)})))"
            claims["mscratch"] = f"(= {end.control('mscratch')} mscratch)"
            found += _claims("no call", end, [], claims)
    return found


def _is_of_table(image: Image, one: State, table: str) -> str:
    """Say that what is called stands in the table, at the number given or behind all."""
    place = f"(bvadd {literal(image.symbols[table])} (bvshl x17 #x00000002))"
    last = literal(image.symbols[table] + 4 * image.symbols["NUM_SYSCALLS"])
    return (
        f"(or (and (bvult x17 {literal(image.symbols['NUM_SYSCALLS'])}) "
        f"(= {one.to} (select memory {place}))) (= {one.to} (select {one.memory} {last})) "
        f"(= {one.to} (select memory {last})))"
    )


def _fast(image: Image, end: State, gp: str) -> dict[str, str]:
    """Return what has to hold where a fast path begins."""
    place = f"(bvadd {literal(image.symbols['fast_table'])} (bvshl x17 #x00000002))"
    names = [f"x{n}" for n in range(1, 32) if n not in {2, 3, 4, 14, 15}]
    return {name: f"(= {end.register(name)} {name})" for name in names} | {
        "of the table": f"(= {end.end} (select memory {place}))",
        "a number of the table": f"(bvult x17 {literal(image.symbols['NUM_FAST'])})",
        "its stack": f"(= {end.register('x2')} mscratch)",
        "the user's": f"(= {end.control('mscratch')} x2)",
        "gp": f"(= {end.register('x3')} {gp})",
        "tp": f"(= {end.register('x4')} {literal(0)})",
        "masked": f"(= {end.control('mstatus')} mstatus)",
        "nothing is stored": "true" if not end.stores else "false",
    }


def _return(image: Image, end: State, stack: str, own: str, to: str) -> dict[str, str]:
    """Return what has to hold where a call goes back: by its registers at the way in."""
    status = end.control("mstatus")
    claims = {f"{one} is wiped": f"(= {end.register(one)} {literal(0)})" for one in _CLEARED}
    claims |= {one: f"(= {end.register(one)} {one})" for one in _BY_CALLEE}
    return claims | {
        "no machine rights": f"(= (bvand {status} {literal(_MPP)}) {literal(0)})",
        "masked until then": f"(= (bvand {status} {literal(_MIE)}) {literal(0)})",
        "interrupts open": f"(= (bvand {status} {literal(_MPIE)}) {literal(_MPIE)})",
        "its stack": f"(= {end.register('x2')} {own})",
        "its calls' stack": f"(= {end.control('mscratch')} {stack})",
        "where it goes on": f"(= {end.control('mepc')} {to})",
        "tp tells user mode": f"(= {end.register('x4')} {literal(1)})",
        "regions": _regions(image, end),
    }


# Ends of fast paths, and whether they wipe all that a function may change.
_FAST_ENDS = {
    "arch_user_call_done": False, "arch_user_call_cleared": True, "arch_user_call_masked": True,
    "arch_user_call_masked_throughout": True, "arch_user_call_checked": True,
    "arch_user_call_switch": True, "arch_user_call_switch_and_store": True,
}  # fmt: skip


def fast(image: Image) -> list[Claim]:
    """Follow the ends of fast paths to user mode: x2 is the calls' stack, mscratch the user's."""
    found: list[Claim] = []
    given = [
        "(= (bvand x2 #x00000003) #x00000000)",
        f"(= (bvand mstatus {literal(_MPP | _MIE | _MPIE)}) {literal(_MPIE)})",
        *(f"(not {_is_in(word, 'x2', _USER_FRAME)})" for word in _own_words(image)),
    ]
    kept = _frame("x2", _USER_FRAME)

    def changed(call: State) -> Sequence[str]:
        if call.pc == image.symbols["arch_switch"] and not call.end:
            return _PMP  # and mstatus: the key, as arch_switch's own claims say
        return _changed_by(symbol)

    for symbol, wipes in _FAST_ENDS.items():
        _, ends = _through(
            image, beginning(image, symbol), ("arch_switch", "store_word_waited_for"), kept,
            changed, given,
        )  # fmt: skip
        for end in ends:
            claims = _return(image, end, "x2", "mscratch", "x1")
            if symbol in {"arch_user_call_done", "arch_user_call_cleared",
                          "arch_user_call_masked_throughout"}:  # fmt: skip
                del claims["regions"]  # nobody else was there
            if not wipes:
                for name in ("x16", "x17", "x5", "x6", "x7", "x28", "x29", "x30", "x31"):
                    claims[f"{name} is wiped"] = f"(= {end.register(name)} {name})"  # the user's
            found += _claims(symbol, end, given, claims)
    return found


def _changed_by(symbol: str) -> Sequence[str]:
    """Return what the function that a fast path ends in may leave otherwise."""
    if symbol in {"arch_user_call_masked_throughout", "arch_user_call_switch_and_store"}:
        return ()
    return ("mepc", "mstatus", *_PMP)


PARTS = {
    "switch": switch, "domain": domain, "user": user, "trap": trap, "exception": exception,
    "call": call, "fast": fast,
}  # fmt: skip

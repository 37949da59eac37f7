# SPDX-License-Identifier: Apache-2.0
"""What is proved of RV32's traps: interrupts, exceptions and system calls, in and out.

* `trap`: whom an interrupt came to goes on with all its registers, in its mode, by a switch or not.
* `exception`: all registers are told; a guarded copy goes on in the kernel.
* `call`, `fast`: a system call's way in and out: what must survive does, what must be wiped is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from foliot.model.errors import FoliotError
from foliot.prove.claims import ENTRIES, MIE, MPIE, MPP, Claim, claims_of
from foliot.prove.rv32 import (
    Image,
    State,
    beginning,
    is_possible,
    literal,
    paths,
    plus,
    read,
    returned,
)

_BY_CALLER = ("x1", "x5", "x6", "x7", *(f"x{n}" for n in range(10, 18)),
              *(f"x{n}" for n in range(28, 32)))  # fmt: skip
BY_CALLEE = ("x8", "x9", *(f"x{n}" for n in range(18, 28)))
USER_FRAME, _INTERRUPT_FRAME, _TRAP_STATE = 16, 64, 16
_PREEMPTION = 4 * 28  # with a stack guard: as far below as check_room_for_preemption tries
_BLOCK = 256  # bytes of a thread that assembly reads, at most
_CPU_WORDS = 16  # of k_cpu, as far as assembly has any of it
_IN_ISR, _SWITCH = 8, 12
_SHORT = 8  # entries of the PMP
_TRACE = ("trace_isr_enter", "trace_thread_in")  # with a trace's hook
_CLEARED = (*(f"x{n}" for n in range(11, 18)), "x5", "x6", "x7", *(f"x{n}" for n in range(28, 32)))
PMP = tuple(f"pmpaddr{n}" for n in range(ENTRIES)) + tuple(f"pmpcfg{n}" for n in range(4))


def offset(image: Image, name: str) -> int:
    """Return where the build's own offsets.h has it."""
    text = (image.elf.parent / "generated" / "offsets.h").read_text(encoding="utf-8")
    found = re.search(rf"^#define {name} (\w+)$", text, re.MULTILINE)
    if found is None:
        raise FoliotError(f"{image.elf}: offsets.h has no {name}")
    return int(found[1], 0)


def word_at(base: str, offset: int) -> str:
    """Return the address so far behind another one."""
    return plus(base, offset)


def _frame(top: str, size: int) -> list[str]:
    """Return the addresses of the words below a stack's place."""
    return [word_at(top, -size + offset) for offset in range(0, size, 4)]


def _is_in(address: str, top: str, size: int) -> str:
    return f"(bvult (bvsub {address} {word_at(top, -size)}) {literal(size)})"


def own_words(image: Image) -> list[str]:
    """Return where the kernel's words lie that assembly reads and writes: in no thread's stack."""
    cpu = image.symbols["k_cpu"]
    names = ("riscv_domain_loaded", "riscv_long_is_loaded", "riscv_isr_stack")
    places = [image.symbols[name] for name in names if name in image.symbols]
    return [literal(place) for place in (*range(cpu, cpu + 4 * _CPU_WORDS, 4), *places)]


def own_pieces(image: Image) -> list[tuple[str, int]]:
    """Return the same as where each piece begins, and its bytes."""
    names = ("riscv_domain_loaded", "riscv_long_is_loaded", "riscv_isr_stack")
    words = [(literal(image.symbols[name]), 4) for name in names if name in image.symbols]
    return [(literal(image.symbols["k_cpu"]), 4 * _CPU_WORDS), *words]


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
    has_users = "riscv_resume_user" in image.symbols
    for is_user in (False, True) if has_users else (False,):
        begin = beginning(image, "riscv_interrupt", has_gp=not is_user)
        top = "mscratch" if is_user else "x2"
        room = _INTERRUPT_FRAME + _TRAP_STATE + (USER_FRAME if is_user else 0)
        below = room + (_PREEMPTION if "riscv_preempt_check" in image.symbols else 0)
        mode = literal(0 if is_user else MPP)
        given = [
            f"(= (bvand {top} #x00000003) #x00000000)",
            f"(= (bvand mstatus {literal(MPP)}) {mode})",
            f"(not (= mscratch {literal(0)}))" if is_user else f"(= mscratch {literal(0)})",
            *(f"(not {_is_in(word, top, below)})" for word in own_words(image)),
        ]  # fmt: skip
        kept = [*_frame(top, room), word_at(cpu, _IN_ISR)]

        def changed(call: State) -> Sequence[str]:
            is_told = call.pc in {image.symbols.get(name) for name in _TRACE}
            return () if call.end == "call" or is_told else ("mepc", "mstatus", *PMP)

        functions = ("sched_preempt", "arch_switch", *_TRACE)
        calls, ends = _through(image, begin, functions, kept, changed, given)
        name = "interrupt of user mode" if is_user else "interrupt"
        for call in calls:
            claims = {one: f"(= {call.register(one)} {one})" for one in BY_CALLEE}
            claims["mscratch is 0"] = f"(= {call.control('mscratch')} {literal(0)})"
            claims["gp"] = f"(= {call.register('x3')} {beginning(image, 'k_cpu').register('x3')})"
            claims["tp"] = f"(= {call.register('x4')} {literal(0) if is_user else 'x4'})"
            found += claims_of(f"{name}, a call", call, given, claims)
        for end in ends:
            claims = {one: f"(= {end.register(one)} {one})" for one in (*_BY_CALLER, *BY_CALLEE)}
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
                claims["regions"] = regions(image, end)
            found += claims_of(name, end, given, claims)
    return found


def _store(address: str, top: str, room: int, image: Image) -> str:
    """Say that it goes into the frame, or into a word of the kernel's own."""
    words = " ".join(f"(= {address} {word})" for word in own_words(image))
    return f"(or {_is_in(address, top, room)} {words})"


def regions(image: Image, end: State, thread: str = "") -> str:
    """Say that the stack's entries are the running thread's, and its domain's if they changed.

    Where the thread's block has what, riscv_resume_user's own loads say. `thread`: it is known to
    run, and that nothing of the kernel's lies in its block is given.
    """
    at = image.symbols["riscv_resume_user"]
    at += image.code[at].length
    start = int(image.code[at].operands[1].split("(")[0])
    entry = image.code[at + image.code[at].length].operands[1]
    current = thread or read(end, literal(image.symbols["k_cpu"]))
    loaded = read(end, literal(image.symbols["riscv_domain_loaded"]))
    words = own_words(image) if not thread else []
    apart = " ".join(f"(not (bvult (bvsub {word} {current}) {literal(_BLOCK)}))" for word in words)
    known = f"(and true {apart})"
    is_there = f"(= {end.control(entry)} {read(end, word_at(current, start))})"
    if entry not in end.controls or end.controls[entry].startswith("c"):
        return f"(or (not {known}) {is_there})"
    after = f"pmpaddr{int(entry.removeprefix('pmpaddr')) + 1}"
    stack_end = f"(= {end.control(after)} {read(end, word_at(current, start + 4))})"
    is_loaded = f"(= {loaded} {read(end, word_at(current, start - 4))})"
    entries = _entries(image, end, loaded)
    return f"(or (not {known}) (and {is_there} {stack_end} {is_loaded} {entries}))"


def _entries(image: Image, end: State, domain: str) -> str:
    """Say that the PMP has the entries of a domain that was loaded; nothing was stored there.

    Those behind the eighth where they were written: `domain` (assembly.py) says when.
    """
    if literal(image.symbols["riscv_domain_loaded"]) not in end.stores:
        return "true"
    configurations, is_long = (
        offset(image, name) // 4 for name in ("DOMAIN_CONFIGURATIONS", "DOMAIN_IS_LONG")
    )
    last = 4 * (is_long - configurations + 1)
    names = [f"pmpaddr{n}" for n in range(last - configurations, last)]
    names += [f"pmpcfg{n}" for n in range(1, last // 4)]
    words = {name: read(end, word_at(domain, 4 * n)) for n, name in enumerate(names)}
    said = "true"
    if last > _SHORT and literal(image.symbols["riscv_long_is_loaded"]) not in end.stores:
        short = {f"pmpaddr{n}" for n in range(_SHORT)} | {"pmpcfg1"}
        words = {name: word for name, word in words.items() if name in short}
        said = f"(= {read(end, word_at(domain, 4 * is_long))} {literal(0)})"
    size = literal(4 * is_long + 4)
    stored = " ".join(f"(bvult (bvsub {to} {domain}) {size})" for to in end.stores)
    same = " ".join(f"(= {end.control(name)} {word})" for name, word in words.items())
    return f"(or {stored} (and {said} {same}))"


def exception(image: Image) -> list[Claim]:
    """Follow an exception: all registers to its report; or to whoever copied for somebody."""
    found: list[Claim] = []
    frame = image.symbols["riscv_fault_frame"]
    begin = beginning(image, "riscv_exception")
    stop = image.symbols["riscv_fault"]
    for end in paths(image, begin, lambda now: now.pc == stop):
        if end.end == "mret":
            claims = {one: f"(= {end.register(one)} {one})" for one in (*BY_CALLEE, "x2")}
            claims["it was the kernel's"] = f"(= (bvand mstatus {literal(MPP)}) {literal(MPP)})"
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
        found += claims_of("exception", end, [modes], claims)
    return found


def call(image: Image) -> list[Claim]:
    """Follow a system call: its way in, to the fast path or the function; and out of that."""
    begin = beginning(image, "riscv_user_exception", has_gp=False)
    given = [
        f"(not (= mscratch {literal(0)}))", "(= (bvand mscratch #x00000003) #x00000000)",
        f"(= (bvand mstatus {literal(MPP | MIE)}) {literal(0)})",
        *(f"(not {_is_in(word, 'mscratch', USER_FRAME)})" for word in own_words(image)),
    ]  # fmt: skip
    kept = [word_at("mscratch", -USER_FRAME + 4), word_at("mscratch", -USER_FRAME + 8)]
    calls, ends = _through(
        image,
        begin,
        ("riscv_exception",),
        kept,
        lambda _: ("mepc", "mstatus", *PMP),
        given[1:],
    )
    gp = beginning(image, "k_cpu").register("x3")
    found: list[Claim] = []
    for one in calls:
        claims = {name: f"(= {one.register(name)} {name})"
                  for name in (*BY_CALLEE, *(f"x{n}" for n in range(10, 14)))}  # fmt: skip
        claims |= {
            "its stack": f"(= {one.register('x2')} {word_at('mscratch', -USER_FRAME)})",
            "mscratch is 0": f"(= {one.control('mscratch')} {literal(0)})",
            "gp": f"(= {one.register('x3')} {gp})",
            "tp": f"(= {one.register('x4')} {literal(0)})",
            "it is a call": f"(= mcause {literal(8)})",
            "of the table": _is_of_table(image, one, "syscall_table"),
            "stores": "(and "
            + " ".join(_is_in(to, "mscratch", USER_FRAME) for to in one.stores) + ")",
        }  # fmt: skip
        found += claims_of("call", one, given, claims)
    for end in ends:
        if end.end == "mret":
            found += claims_of("return", end, given, _return(image, end, "mscratch", "x2", "x1"))
        elif end.end:
            found += claims_of("fast path", end, given, _fast(image, end, gp))
        else:  # no call: an exception of either mode
            claims = {f"x{n}": f"(= {end.register(f'x{n}')} x{n})" for n in range(1, 32)
                      if n not in {3, 4}}  # fmt: skip
            claims["no call"] = f"(or (= mscratch {literal(0)}) (not (= mcause {literal(8)})))"
            claims["mscratch"] = f"(= {end.control('mscratch')} mscratch)"
            found += claims_of("no call", end, [], claims)
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
    claims |= {one: f"(= {end.register(one)} {one})" for one in BY_CALLEE}
    return claims | {
        "no machine rights": f"(= (bvand {status} {literal(MPP)}) {literal(0)})",
        "masked until then": f"(= (bvand {status} {literal(MIE)}) {literal(0)})",
        "interrupts open": f"(= (bvand {status} {literal(MPIE)}) {literal(MPIE)})",
        "its stack": f"(= {end.register('x2')} {own})",
        "its calls' stack": f"(= {end.control('mscratch')} {stack})",
        "where it goes on": f"(= {end.control('mepc')} {to})",
        "tp tells user mode": f"(= {end.register('x4')} {literal(1)})",
        "regions": regions(image, end),
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
        f"(= (bvand mstatus {literal(MPP | MIE | MPIE)}) {literal(MPIE)})",
        *(f"(not {_is_in(word, 'x2', USER_FRAME)})" for word in own_words(image)),
    ]
    kept = _frame("x2", USER_FRAME)

    def changed(call: State) -> Sequence[str]:
        if call.pc == image.symbols["arch_switch"] and not call.end:
            return PMP  # and mstatus: the key, as arch_switch's own claims say
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
            found += claims_of(symbol, end, given, claims)
    return found


def _changed_by(symbol: str) -> Sequence[str]:
    """Return what the function that a fast path ends in may leave otherwise."""
    if symbol in {"arch_user_call_masked_throughout", "arch_user_call_switch_and_store"}:
        return ()
    return ("mepc", "mstatus", *PMP)

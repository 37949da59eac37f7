# SPDX-License-Identifier: Apache-2.0
"""What is proved of RV32's assembly, on an image's bytes: claims about the ends of all paths.

* `switch`: a thread that is switched away and back has its callee-saved registers, its stack and
  its key; nothing is stored but in its frame and in its own block, and nothing at all where a
  stack guard finds that its stack has run over.
* `domain`: after the switch of domains the PMP has the new domain's entries, all of them and
  nothing else, whatever was there before.
* `user`: user mode begins with the registers that it is given and no other of the kernel's,
  without machine rights, and with interrupts open.

Traps are traps.py's; PARTS has all but messages' (messages.py) and verifiers' (verifiers.py), which
other images have.
"""

from __future__ import annotations

from dataclasses import replace

from foliot.prove.claims import ENTRIES, MIE, MPIE, MPP, Claim, claims_of
from foliot.prove.rv32 import Image, beginning, literal, paths
from foliot.prove.traps import call, exception, fast, trap

_SAVED = ("x1", "x8", "x9", *(f"x{number}" for number in range(18, 28)))
_WIPED = (*(f"x{number}" for number in (5, 6, 7, 8, 9)), *(f"x{n}" for n in range(13, 32)))
_FRAME = 64
_IN_A_WORD = 4  # entries of the PMP


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
            found += claims_of("overflow", end, given, told)
            continue
        if not end.stores:  # nor room, but it has ended, and never comes back
            found += claims_of("away for ever", end, given, {"another goes on": "true"})
            continue
        bounds = " ".join(
            f"(or (= {to} x10) (bvult (bvsub {to} (bvsub x2 {literal(_FRAME)})) {literal(_FRAME)}))"
            for to in end.stores
        )
        found += claims_of("away", end, given, {"stores": f"(and {bounds})"})
        # Back: nothing is known of the registers but the thread's address; the key is x12.
        others = {f"x{number}": f"other{number}" for number in range(1, 32)}
        back = replace(end, pc=middle, registers={**others, "x11": "x10"}, controls={})
        for last in paths(image, back):
            claims = {one: f"(= {last.register(one)} {one})" for one in (*_SAVED, "x2")}
            claims["returns to its caller"] = f"(= {last.end} x1)"
            # With user threads it is all of mstatus, else a bit that is set.
            key = "x12" if "riscv_load_domain" in image.symbols else "(bvor mstatus x12)"
            claims["key"] = f"(= {last.control('mstatus')} {key})"
            found += claims_of("back", last, given, claims)
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
        found += claims_of("domain", end, given, claims)
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
        found += claims_of("domain", end, given, claims)
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
            "no machine rights": f"(= (bvand {status} {literal(MPP)}) #x00000000)",
            "interrupts open": f"(= (bvand {status} {literal(MPIE)}) {literal(MPIE)})",
            "masked until then": f"(= (bvand {status} {literal(MIE)}) #x00000000)",
            "its stack": f"(= {end.register('x2')} x11)",
            "its calls' stack": f"(= {end.control('mscratch')} x12)",
            "its entry": f"(= {end.control('mepc')} (select memory x10))",
            "tp tells user mode": f"(= {end.register('x4')} #x00000001)",
            "it returns in user mode":
                f"(= {end.register('x1')} {literal(image.symbols['riscv_user_return'])})",
            "gp": f"(= {end.register('x3')} {begin.register('x3')})",
        }  # fmt: skip
        found += claims_of("user", end, far, claims)
    return found


PARTS = {
    "switch": switch, "domain": domain, "user": user, "trap": trap, "exception": exception,
    "call": call, "fast": fast,
}  # fmt: skip

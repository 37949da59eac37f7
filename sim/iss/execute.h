// SPDX-License-Identifier: Apache-2.0
//
// The loop. `Watch` sees what each instruction does with whose values (taint.h); Nobody sees
// nothing and costs nothing. `Hook` is asked before each instruction where it says so, and else
// never.

#pragma once

#include <cstring>
#include <limits>
#include <optional>

#include "../stop.h"
#include "hart.h"
#include "trace.h"

namespace foliot::iss {

// Who watches nothing.
struct Nobody {
    void clean(unsigned) {}
    void copy(unsigned, unsigned) {}
    void merge(unsigned, unsigned, unsigned) {}
    void address(unsigned, uint32_t, unsigned, bool) {}
    void loaded(unsigned, uint32_t, unsigned) {}
    void stored(unsigned, uint32_t, unsigned) {}
    void jump(unsigned, uint32_t, bool) {}
    void compare(unsigned, unsigned, const Decoded &, bool) {}
    void csr(unsigned, unsigned, uint32_t, bool) {}
    void trapped(bool) {}
    void returned(bool) {}
    void at(uint32_t) {}
};

// Who asks to be called: sweep.h.
struct Hook {
    virtual ~Hook() = default;
    // Before the instruction at hart.pc; true: before the next, too.
    virtual bool before(Hart &hart) = 0;
    // The marker was written.
    virtual bool marked(Hart &hart) = 0;
};

template <class Watch>
class Executor {
  public:
    Executor(Hart &hart, Watch &watch, Trace *trace, Hook *hook, uint64_t max_cycles)
        : hart_(hart), watch_(watch), trace_(trace), hook_(hook), max_cycles_(max_cycles) {}

    Stop run();

  private:
    template <class T>
    bool load(const Decoded &d);
    template <class T>
    bool store(const Decoded &d);
    bool branch(const Decoded &d, bool taken);
    bool change_csr(const Decoded &d);
    [[gnu::always_inline]] inline bool execute(const Decoded &d);
    bool sleep();
    std::optional<Stop> attend();
    void look_up_again();
    void trap(uint32_t cause, uint32_t value);

    Hart &hart_;
    Watch &watch_;
    Trace *trace_;
    Hook *hook_;
    const uint64_t max_cycles_;
    uint64_t attention_ = 0;
    bool hooked_ = false, sleeping_ = false;
};

template <class Watch>
void Executor<Watch>::look_up_again() {
    attention_ = hooked_ ? 0 : std::min(hart_.attention(), max_cycles_);
}

template <class Watch>
void Executor<Watch>::trap(uint32_t cause, uint32_t value) {
    const bool from_user = !hart_.machine;
    hart_.trap(cause, value);
    watch_.trapped(from_user);
    look_up_again();
}

template <class Watch>
template <class T>
bool Executor<Watch>::load(const Decoded &d) {
    const uint32_t address = hart_.x[d.rs1] + static_cast<uint32_t>(d.imm);
    const Window &window = hart_.windows[static_cast<size_t>(Access::load)];
    uint32_t value = 0;
    watch_.address(d.rs1, address, sizeof(T), false);
    if (hart_.in_ram(address, sizeof(T)) && window.allowed && address >= window.low &&
        address + (sizeof(T) - 1) <= window.last) {
        T plain;
        std::memcpy(&plain, &hart_.ram[address - ram_address], sizeof plain);
        value = static_cast<uint32_t>(static_cast<int32_t>(plain));
    } else {
        if (!hart_.load(address, sizeof(T), value)) {
            trap(exception_load, hart_.fault);
            return false;
        }
        value = static_cast<uint32_t>(static_cast<int32_t>(static_cast<T>(value)));
    }
    watch_.loaded(d.rd, address, sizeof(T));
    hart_.x[d.rd] = value;
    return true;
}

template <class Watch>
template <class T>
bool Executor<Watch>::store(const Decoded &d) {
    const uint32_t address = hart_.x[d.rs1] + static_cast<uint32_t>(d.imm);
    const Window &window = hart_.windows[static_cast<size_t>(Access::store)];
    watch_.address(d.rs1, address, sizeof(T), true);
    if (hart_.in_ram(address, sizeof(T)) && window.allowed && address >= window.low &&
        address + (sizeof(T) - 1) <= window.last) {
        const auto plain = static_cast<T>(hart_.x[d.rs2]);
        std::memcpy(&hart_.ram[address - ram_address], &plain, sizeof plain);
        hart_.forget_code(address - ram_address);
        watch_.stored(d.rs2, address, sizeof(T));
        return true;
    }
    hart_.devices.touched = false;
    if (!hart_.store(address, sizeof(T), hart_.x[d.rs2])) {
        trap(exception_store, hart_.fault);
        return false;
    }
    if (hart_.in_ram(address, sizeof(T))) {
        watch_.stored(d.rs2, address, sizeof(T));
    } else {
        hooked_ = hook_ && hook_->marked(hart_);
        look_up_again();
    }
    return true;
}

template <class Watch>
bool Executor<Watch>::branch(const Decoded &d, bool taken) {
    watch_.compare(d.rs1, d.rs2, d, taken);
    hart_.pc += taken ? static_cast<uint32_t>(d.imm) : d.length;
    return true;
}

// What traps in its very instruction changes nothing.
template <class Watch>
bool Executor<Watch>::change_csr(const Decoded &d) {
    const auto number = static_cast<uint32_t>(d.imm);
    const unsigned kind = (static_cast<unsigned>(d.op) - static_cast<unsigned>(Op::csrrw)) % 3;
    const bool immediate = d.op >= Op::csrrwi;
    const uint32_t operand = immediate ? d.rs1 : hart_.x[d.rs1];
    const bool writes = kind == 0 || d.rs1 != 0;
    uint32_t old = 0;
    if (!hart_.read_csr(number, old) || (writes && number >> 10 == 3)) {
        const uint32_t funct3 = kind + 1 + (immediate ? 4 : 0);
        trap(exception_illegal,
             number << 20 | uint32_t{d.rs1} << 15 | funct3 << 12 | uint32_t{d.rd} << 7 | 0x73);
        return false;
    }
    watch_.csr(d.rd, immediate ? 0 : d.rs1, number, writes);
    hart_.x[d.rd] = old;
    if (writes) {
        hart_.write_csr(number, kind == 0 ? operand : kind == 1 ? old | operand : old & ~operand);
        look_up_again();
    }
    return true;
}

// Jumps over clocks in which nothing happens, or to the limit where nothing ever will.
template <class Watch>
bool Executor<Watch>::sleep() {
    if (hart_.may_wake()) return true;
    const uint64_t next = std::min(hart_.devices.next_event(), max_cycles_);
    hart_.sleep_until(std::max(next, hart_.devices.cycle));
    hart_.devices.pass();
    return hart_.may_wake();
}

// False: it trapped, and has not retired.
template <class Watch>
inline bool Executor<Watch>::execute(const Decoded &d) {
    auto &x = hart_.x;
    const uint32_t a = x[d.rs1], b = x[d.rs2], imm = static_cast<uint32_t>(d.imm);
    const auto signed_a = static_cast<int32_t>(a), signed_b = static_cast<int32_t>(b);
    const auto put = [&](uint32_t value) {
        watch_.merge(d.rd, d.rs1, d.rs2);
        x[d.rd] = value;
    };
    const auto put_unary = [&](uint32_t value) {
        watch_.copy(d.rd, d.rs1);
        x[d.rd] = value;
    };
    const bool overflows = a == 0x80000000 && b == UINT32_MAX;
    switch (d.op) {
        case Op::lui:
            watch_.clean(d.rd), x[d.rd] = imm;
            break;
        case Op::auipc:
            watch_.clean(d.rd), x[d.rd] = hart_.pc + imm;
            break;
        case Op::jal:
            watch_.jump(0, hart_.pc + imm, d.rd != 0);
            watch_.clean(d.rd);
            x[d.rd] = hart_.pc + d.length;
            hart_.pc += imm;
            return true;
        case Op::jalr: {
            const uint32_t to = (a + imm) & ~1u;
            watch_.jump(d.rs1, to, d.rd != 0);
            watch_.clean(d.rd), x[d.rd] = hart_.pc + d.length;
            hart_.pc = to;
            return true;
        }
        case Op::beq:
            return branch(d, a == b);
        case Op::bne:
            return branch(d, a != b);
        case Op::blt:
            return branch(d, signed_a < signed_b);
        case Op::bge:
            return branch(d, signed_a >= signed_b);
        case Op::bltu:
            return branch(d, a < b);
        case Op::bgeu:
            return branch(d, a >= b);
        case Op::lb:
            if (!load<int8_t>(d)) return false;
            break;
        case Op::lh:
            if (!load<int16_t>(d)) return false;
            break;
        case Op::lw:
            if (!load<uint32_t>(d)) return false;
            break;
        case Op::lbu:
            if (!load<uint8_t>(d)) return false;
            break;
        case Op::lhu:
            if (!load<uint16_t>(d)) return false;
            break;
        case Op::sb:
            if (!store<uint8_t>(d)) return false;
            break;
        case Op::sh:
            if (!store<uint16_t>(d)) return false;
            break;
        case Op::sw:
            if (!store<uint32_t>(d)) return false;
            break;
        case Op::addi:
            put_unary(a + imm);
            break;
        case Op::slti:
            put_unary(signed_a < d.imm);
            break;
        case Op::sltiu:
            put_unary(a < imm);
            break;
        case Op::xori:
            put_unary(a ^ imm);
            break;
        case Op::ori:
            put_unary(a | imm);
            break;
        case Op::andi:
            put_unary(a & imm);
            break;
        case Op::slli:
            put_unary(a << imm);
            break;
        case Op::srli:
            put_unary(a >> imm);
            break;
        case Op::srai:
            put_unary(static_cast<uint32_t>(signed_a >> imm));
            break;
        case Op::add:
            put(a + b);
            break;
        case Op::sub:
            put(a - b);
            break;
        case Op::sll:
            put(a << (b & 31));
            break;
        case Op::slt:
            put(signed_a < signed_b);
            break;
        case Op::sltu:
            put(a < b);
            break;
        case Op::xor_:
            put(a ^ b);
            break;
        case Op::srl:
            put(a >> (b & 31));
            break;
        case Op::sra:
            put(static_cast<uint32_t>(signed_a >> (b & 31)));
            break;
        case Op::or_:
            put(a | b);
            break;
        case Op::and_:
            put(a & b);
            break;
        case Op::mul:
            put(a * b);
            break;
        case Op::mulh:
            put(static_cast<uint32_t>(int64_t{signed_a} * signed_b >> 32));
            break;
        case Op::mulhsu:
            put(static_cast<uint32_t>(int64_t{signed_a} * static_cast<int64_t>(b) >> 32));
            break;
        case Op::mulhu:
            put(static_cast<uint32_t>(uint64_t{a} * b >> 32));
            break;
        case Op::div:
            put(b == 0 ? UINT32_MAX : overflows ? a : static_cast<uint32_t>(signed_a / signed_b));
            break;
        case Op::divu:
            put(b == 0 ? UINT32_MAX : a / b);
            break;
        case Op::rem:
            put(b == 0 ? a : overflows ? 0 : static_cast<uint32_t>(signed_a % signed_b));
            break;
        case Op::remu:
            put(b == 0 ? a : a % b);
            break;
        case Op::fence:
            break;
        case Op::ecall:
            trap(hart_.machine ? exception_call_machine : exception_call_user, 0);
            return false;
        case Op::ebreak:
            trap(exception_break, 0);
            return false;
        case Op::mret:
            if (!hart_.machine) {
                trap(exception_illegal, 0x30200073);
                return false;
            }
            hart_.trap_return();
            watch_.returned(!hart_.machine);
            look_up_again();
            return true;
        case Op::wfi:
            if (!hart_.machine && (hart_.mstatus() & Hart::status_tw) != 0) {
                trap(exception_illegal, 0x10500073);
                return false;
            }
            sleeping_ = true;
            attention_ = 0;
            break;
        case Op::csrrw:
        case Op::csrrs:
        case Op::csrrc:
        case Op::csrrwi:
        case Op::csrrsi:
        case Op::csrrci:
            if (!change_csr(d)) return false;
            break;
        default:
            trap(exception_illegal, imm);
            return false;
    }
    hart_.pc += d.length;
    return true;
}

template <class Watch>
std::optional<Stop> Executor<Watch>::attend() {
    if (hart_.devices.finished) {
        return Stop{"finisher", hart_.devices.finish_value == 0x5555 ? 0 : 1};
    }
    if (hart_.locked_up) return Stop{"lockup", 4};
    hart_.devices.pass();
    while (sleeping_ && hart_.devices.cycle < max_cycles_) sleeping_ = !sleep();
    if (hart_.devices.cycle >= max_cycles_) return Stop{"limit", 3};
    if (hooked_) hooked_ = hook_->before(hart_);
    const uint32_t interrupt = hart_.due_interrupt();
    if (interrupt != 0) trap(interrupt, 0);
    else look_up_again();
    return std::nullopt;
}

template <class Watch>
Stop Executor<Watch>::run() {
    for (;;) {
        if (hart_.devices.cycle >= attention_) {
            const std::optional<Stop> stop = attend();
            if (stop) return *stop;
        }
        const uint32_t pc = hart_.pc, offset = pc - ram_address;
        const Window &window = hart_.windows[static_cast<size_t>(Access::fetch)];
        Decoded *d = nullptr;
        if (offset < hart_.ram_bytes && pc >= window.low && pc < window.last && window.allowed) {
            d = &hart_.code[offset / 2];
            if (d->op == Op::unknown || window.last - pc < 3) d = nullptr;
        }
        if (!d) {
            const bool from_user = !hart_.machine;
            if (!hart_.fetch(d)) {
                watch_.trapped(from_user);
                look_up_again();
                hart_.devices.cycle++;
                continue;
            }
        }
        watch_.at(pc);
        const Decoded instruction = *d;  // a store may take it away
        const uint32_t marker = trace_ ? hart_.devices.marker : 0;
        const bool done = execute(instruction);
        hart_.x[0] = 0;
        if (done) {
            hart_.retired++;
            if (trace_) trace_->retired(hart_, pc, instruction.length, marker);
            hart_.event = Hart::no_event;
        }
        hart_.devices.cycle++;
    }
}

}  // namespace foliot::iss

// SPDX-License-Identifier: Apache-2.0

#include "hart.h"

#include <algorithm>
#include <cstring>

namespace foliot::iss {

namespace {

constexpr uint32_t misa = 1u << 30 | 1 << 20 | 1 << 12 | 1 << 8 | 1 << 2;
constexpr uint32_t interrupts = 0x7FFF0000 | 1 << 11 | 1 << 7 | 1 << 3;
constexpr unsigned counters = 13;  // 0 to 12, 1 is none
constexpr uint32_t sync_exception = 1 << 6, double_fault = 1 << 7;

bool is_counter(uint32_t number) {
    const uint32_t n = number & 0x1F;
    return (number & 0xF60) == 0xB00 && n != 1;
}

}  // namespace

Hart::Hart(uint32_t bytes, uint8_t input_pins)
    : ram_bytes(bytes),
      ram(bytes),
      code(bytes / 2),
      code_blocks(bytes / code_block),
      devices(input_pins) {}

void Hart::start(uint32_t entry) {
    x[5] = (entry + 0x800) & 0xFFFFF000;  // what the boot code leaves
    pc = entry;
    retired = 4;
    devices.cycle = first_cycle;
}

//// Control registers

uint32_t Hart::counter(uint32_t number) const {
    const uint32_t n = number & 0x1F;
    const uint64_t passed = n == 0 ? devices.cycle - slept_ : n == 2 ? retired : 0;
    if (n != 0 && n != 2) return 0;  // what is Ibex's pipeline's alone is not counted
    const uint64_t value = passed + ahead_[n / 2];
    return static_cast<uint32_t>((number & 0x80) != 0 ? value >> 32 : value);
}

bool Hart::read_csr(uint32_t number, uint32_t &value) const {
    value = 0;
    if (!machine && (number >> 8 & 3) != 0) return false;
    if (number >= 0x3B0 && number < 0x3C0) {
        value = pmp.address_register(number - 0x3B0);
        return true;
    }
    if (number >= 0x3A0 && number < 0x3A4) {
        value = pmp.configuration_register(number - 0x3A0);
        return true;
    }
    if (number >= 0x323 && number < 0x340) {
        value = number - 0x320 < counters ? 1u << (number - 0x323) : 0;
        return true;
    }
    if (is_counter(number)) {
        value = counter(number);
        return true;
    }
    switch (number) {
        case 0x300:
            value = mstatus_;
            return true;
        case 0x301:
            value = misa;
            return true;
        case 0x304:
            value = mie_;
            return true;
        case 0x305:
            value = mtvec_;
            return true;
        case 0x320:
            value = mcountinhibit_;
            return true;
        case 0x340:
            value = mscratch_;
            return true;
        case 0x341:
            value = mepc_;
            return true;
        case 0x342:
            value = mcause_;
            return true;
        case 0x343:
            value = mtval_;
            return true;
        case 0x344:
            value = devices.lines();
            return true;
        case 0x747:
            value = pmp.security();
            return true;
        case 0x7C0:
            value = cpuctrl_;
            return true;
        case 0xF12:
            value = 22;
            return true;  // marchid: Ibex
        case 0x306:       // mcounteren: reads 0
        case 0x30A:
        case 0x310:
        case 0x31A:
        case 0x757:
        case 0x7C1:
        case 0xF11:
        case 0xF13:
        case 0xF14:
        case 0xF15:
            return true;
        default:
            return false;
    }
}

void Hart::write_csr(uint32_t number, uint32_t value) {
    const bool is_pmp = (number >= 0x3A0 && number < 0x3C0) || number == 0x747;
    if (is_pmp || ((number == 0x300) && ((mstatus_ | value) & status_mprv) != 0)) forget_windows();
    if (number >= 0x3B0 && number < 0x3C0) pmp.write_address(number - 0x3B0, value);
    if (number >= 0x3A0 && number < 0x3A4) pmp.write_configuration(number - 0x3A0, value);
    if (is_counter(number) && (number & 0x1D) == 0) {
        const uint32_t n = number & 0x1F;
        const bool high = (number & 0x80) != 0;
        const uint64_t passed = n == 0 ? devices.cycle - slept_ : retired;
        uint64_t now = passed + ahead_[n / 2];
        now = high ? (now & UINT32_MAX) | uint64_t{value} << 32
                   : (now & ~uint64_t{UINT32_MAX}) | value;
        ahead_[n / 2] = now - passed - 1;  // it counts this instruction's clock no more
    }
    switch (number) {
        case 0x300:
            mstatus_ = value & (status_mie | status_mpie | status_mpp | status_mprv | status_tw);
            if ((mstatus_ & status_mpp) != status_mpp) mstatus_ &= ~status_mpp;
            break;
        case 0x304:
            mie_ = value & interrupts;
            break;
        case 0x305:
            mtvec_ = (value & ~0xFFu) | 1;
            break;
        case 0x320:
            mcountinhibit_ = value & 0x1FFD;
            break;
        case 0x340:
            mscratch_ = value;
            break;
        case 0x341:
            mepc_ = value & ~1u;
            break;
        case 0x342:  // 11 on top: Ibex's own interrupts, all ones
            mcause_ = (value >> 30 == 3 ? 0xFFFFFFE0 : value & interrupt_bit) | (value & 0x1F);
            break;
        case 0x343:
            mtval_ = value;
            break;
        case 0x747:
            pmp.write_security(value);
            break;
        case 0x7C0:
            cpuctrl_ = value & 0xFF;
            break;
        default:
            break;
    }
}

//// Traps

void Hart::trap(uint32_t cause, uint32_t value) {
    if ((cause & interrupt_bit) == 0) {
        locked_up = lockup.exception(pc);
        cpuctrl_ |= sync_exception | ((cpuctrl_ & sync_exception) != 0 ? double_fault : 0);
    }
    if (!machine || (mstatus_ & status_mprv) != 0) forget_windows();
    mcause_ = cause;
    mtval_ = value;
    mepc_ = pc;
    mstatus_ = (mstatus_ & (status_mprv | status_tw)) |
               ((mstatus_ & status_mie) != 0 ? status_mpie : 0) | (machine ? status_mpp : 0);
    machine = true;
    pc = (mtvec_ & ~0xFFu) + ((cause & interrupt_bit) != 0 ? 4 * (cause & 0x1F) : 0);
    event = static_cast<int>((cause & 0x1F) | ((cause & interrupt_bit) != 0 ? 0x80 : 0));
}

void Hart::trap_return() {
    lockup.trap_return();
    cpuctrl_ &= ~sync_exception;
    machine = (mstatus_ & status_mpp) != 0;
    if (!machine || (mstatus_ & status_mprv) != 0) forget_windows();
    const bool open = (mstatus_ & status_mpie) != 0;
    mstatus_ = (mstatus_ & (status_tw | (machine ? status_mprv : 0))) | status_mpie |
               (open ? status_mie : 0);
    pc = mepc_;
}

uint32_t Hart::due_interrupt() const {
    const uint32_t pending = devices.lines() & mie_;
    if (pending == 0 || !interrupts_open()) return 0;
    const uint32_t fast = pending >> 16;
    if (fast != 0) return interrupt_bit | (16 + static_cast<uint32_t>(__builtin_ctz(fast)));
    for (const uint32_t line : {11u, 3u, 7u}) {
        if ((pending >> line & 1) != 0) return interrupt_bit | line;
    }
    return 0;
}

uint64_t Hart::attention() const {
    if (devices.finished || locked_up || due_interrupt() != 0) return 0;
    return devices.next_event();
}

void Hart::sleep_until(uint64_t cycle) {
    slept_ += cycle - devices.cycle;
    devices.cycle = cycle;
}

//// Memory

bool Hart::data_as_machine() const {
    return (mstatus_ & status_mprv) != 0 ? (mstatus_ & status_mpp) != 0 : machine;
}

void Hart::forget_windows() { windows.fill(Window{}); }

bool Hart::may(uint32_t address, Access access) {
    Window &window = windows[static_cast<size_t>(access)];
    if (!window.covers(address)) {
        const bool as_machine = access == Access::fetch ? machine : data_as_machine();
        window = pmp.window(address, access, as_machine);
    }
    return window.allowed;
}

bool Hart::load_part(uint32_t address, unsigned bytes, uint32_t &value) {
    uint32_t word = 0;
    if (!may(address, Access::load)) return false;
    if (in_ram(address, bytes)) {
        std::memcpy(&word, &ram[address - ram_address], bytes);
    } else {
        if (!devices.load(address, word)) return false;
        word >>= 8 * (address & 3);
    }
    value = bytes == 4 ? word : word & ((1u << (8 * bytes)) - 1);
    return true;
}

bool Hart::store_part(uint32_t address, unsigned bytes, uint32_t value) {
    if (!may(address, Access::store)) return false;
    if (in_ram(address, bytes)) {
        const uint32_t offset = address - ram_address;
        std::memcpy(&ram[offset], &value, bytes);
        forget_code(offset);
        return true;
    }
    const unsigned shift = address & 3;
    return devices.store(address, value << (8 * shift), ((1u << bytes) - 1) << shift);
}

// What crosses a word's end is two accesses; if the first is refused, the other is still made.
bool Hart::load(uint32_t address, unsigned bytes, uint32_t &value) {
    const unsigned first = std::min(bytes, 4 - (address & 3));
    uint32_t low = 0, high = 0;
    fault = address;
    const bool done = load_part(address, first, low);
    if (first == bytes) {
        value = low;
        return done;
    }
    const bool rest_done = load_part(address + first, bytes - first, high);
    if (done && !rest_done) fault = address + first;
    value = low | high << (8 * first);
    return done && rest_done;
}

bool Hart::store(uint32_t address, unsigned bytes, uint32_t value) {
    const unsigned first = std::min(bytes, 4 - (address & 3));
    fault = address;
    const bool done = store_part(address, first, value);
    if (first == bytes) return done;
    const bool rest_done = store_part(address + first, bytes - first, value >> (8 * first));
    if (done && !rest_done) fault = address + first;
    return done && rest_done;
}

bool Hart::fetch(Decoded *&decoded) {
    if (!may(pc, Access::fetch) || !in_ram(pc, 2)) {
        trap(exception_fetch, pc);
        return false;
    }
    const uint32_t offset = pc - ram_address;
    uint16_t low = 0, high = 0;
    std::memcpy(&low, &ram[offset], 2);
    if (!is_compressed(low)) {
        if (!may(pc + 2, Access::fetch) || !in_ram(pc + 2, 2)) {
            trap(exception_fetch, pc + 2);
            return false;
        }
        std::memcpy(&high, &ram[offset + 2], 2);
    }
    decoded = &code[offset / 2];
    *decoded = decode(low, high);
    code_blocks[offset / code_block] = 1;
    if (offset + 2 < ram_bytes) code_blocks[(offset + 2) / code_block] = 1;
    return true;
}

// An instruction that begins one halfword before may reach into it; a word's store takes three.
void Hart::forget_code_around(uint32_t offset) {
    const uint32_t first = offset / 2 == 0 ? 0 : offset / 2 - 1;
    const uint32_t last = std::min(offset / 2 + 2, ram_bytes / 2 - 1);
    for (uint32_t i = first; i <= last; i++) code[i].op = Op::unknown;
}

}  // namespace foliot::iss

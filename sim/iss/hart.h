// SPDX-License-Identifier: Apache-2.0
//
// The core's state and what is done seldom: control registers, traps, memory that is not plain RAM.
// What is done with each instruction is in execute.h. It is Ibex as software sees it, but that an
// instruction takes a clock.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../lockup.h"
#include "../memory_map.h"
#include "decode.h"
#include "devices.h"
#include "pmp.h"

namespace foliot::iss {

constexpr unsigned exception_fetch = 1, exception_illegal = 2, exception_break = 3,
                   exception_load = 5, exception_store = 7, exception_call_user = 8,
                   exception_call_machine = 11;
constexpr uint32_t interrupt_bit = 0x80000000;

class Hart {
  public:
    static constexpr uint64_t first_cycle = 9;  // the boot code's four instructions are behind it
    static constexpr int no_event = -1;

    Hart(uint32_t ram_bytes, uint8_t input_pins);

    void start(uint32_t entry);

    //// Control registers. False: there is none, or not in this mode.
    bool read_csr(uint32_t number, uint32_t &value) const;
    void write_csr(uint32_t number, uint32_t value);

    //// Traps. `cause` has the interrupt bit.
    void trap(uint32_t cause, uint32_t value);
    void trap_return();
    // The interrupt that is to be taken now, as mcause has it, or 0.
    uint32_t due_interrupt() const;
    bool may_wake() const { return (devices.lines() & mie_) != 0; }
    bool interrupts_open() const { return !machine || (mstatus_ & status_mie) != 0; }
    // When the loop has to look up next: 0 where something is to be done now.
    uint64_t attention() const;

    //// Memory. False: refused, `fault` says where.
    bool may(uint32_t address, Access access);
    bool load(uint32_t address, unsigned bytes, uint32_t &value);
    bool store(uint32_t address, unsigned bytes, uint32_t value);
    // False: refused, and it trapped.
    bool fetch(Decoded *&decoded);
    bool in_ram(uint32_t address, unsigned bytes) const {
        return address - ram_address <= ram_bytes - bytes && address >= ram_address;
    }
    // What was decoded there is not so any more.
    void forget_code(uint32_t offset) {
        if (code_blocks[offset / code_block]) forget_code_around(offset);
    }

    static constexpr uint32_t code_block = 64;

    const uint32_t ram_bytes;
    std::vector<uint8_t> ram;
    std::vector<Decoded> code;         // a halfword each
    std::vector<uint8_t> code_blocks;  // was anything decoded there?
    std::array<uint32_t, 32> x{};
    uint32_t pc = 0;
    bool machine = true;
    uint64_t retired = 0;
    uint32_t fault = 0;
    std::array<Window, 3> windows{};  // by Access: what was asked for last
    Pmp pmp;
    Devices devices;
    LockupDetector lockup;
    bool locked_up = false;
    int event = no_event;  // the trap before the next instruction

    static constexpr uint32_t status_mie = 1 << 3, status_mpie = 1 << 7, status_mpp = 3 << 11,
                              status_mprv = 1 << 17, status_tw = 1 << 21;
    uint32_t mstatus() const { return mstatus_; }
    uint32_t mepc() const { return mepc_; }
    void sleep_until(uint64_t cycle);

  private:
    bool data_as_machine() const;
    void forget_windows();
    void forget_code_around(uint32_t offset);
    bool load_part(uint32_t address, unsigned bytes, uint32_t &value);
    bool store_part(uint32_t address, unsigned bytes, uint32_t value);
    uint32_t counter(uint32_t number) const;

    uint32_t mstatus_ = status_mpie, mie_ = 0, mtvec_ = 0x40001001, mscratch_ = 0, mepc_ = 0;
    uint32_t mcause_ = 0, mtval_ = 0, mcountinhibit_ = 0, cpuctrl_ = 0;
    uint64_t slept_ = 0;
    std::array<uint64_t, 2> ahead_{};  // mcycle and minstret, against what passed
};

}  // namespace foliot::iss

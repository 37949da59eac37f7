// SPDX-License-Identifier: Apache-2.0
//
// The SoC's devices (../README.md has the map), as software sees them: an access takes no time of
// its own, and time passes an instruction a clock. What the RTL answers with a bus error is refused
// here, too.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>

namespace foliot::iss {

class Devices {
  public:
    static constexpr uint64_t never = UINT64_MAX;

    explicit Devices(uint8_t input_pins) : input_pins_(input_pins) {}

    // The word at `address`, whose bytes `enabled` are wanted; false: a bus error.
    bool load(uint32_t address, uint32_t &word);
    bool store(uint32_t address, uint32_t word, unsigned enabled);

    // Interrupt lines that are high, as bits of mip.
    uint32_t lines() const;
    // Raises that line until the firmware lowers it as the lines of its kind are: 3, 11 or 16
    // to 30.
    void raise(unsigned line);

    // The clock in which something happens by itself next, and to be called when it has come.
    uint64_t next_event() const;
    void pass();

    uint64_t cycle = 0;
    uint32_t marker = 0;
    bool finished = false;
    uint32_t finish_value = 0;
    bool touched = false;  // the last store may have changed lines or the marker
    std::function<void(uint8_t)> console, uart2;

  private:
    bool load_clint(uint32_t offset, uint32_t &word) const;
    bool store_clint(uint32_t offset, uint32_t word);
    uint32_t load_console(uint32_t address) const;
    void store_console(uint32_t address, uint32_t word, unsigned enabled);
    bool load_instruments(uint32_t offset, uint32_t &word);
    bool store_instruments(uint32_t offset, uint32_t word);
    bool load_uart2(uint32_t offset, uint32_t &word) const;
    bool store_uart2(uint32_t offset, uint32_t word);
    void send_next(uint64_t from);

    uint8_t input_pins_;
    bool software_ = false;
    uint64_t mtime_ahead_ = 0, mtimecmp_ = UINT64_MAX;  // mtime is the cycle and that
    uint8_t console_[8] = {}, divisor_[2] = {};
    uint32_t cycle_high_ = 0, pins_ = 0, raised_ = 0;
    uint64_t inject_at_ = never;
    bool injected_ = false;
    uint32_t inject_time_ = 0;
    std::deque<uint8_t> fifo_;
    bool sending_ = false, overrun_ = false, uart2_interrupts_ = false;
    uint8_t shift_ = 0;
    uint16_t uart2_divisor_ = 868;
    uint64_t byte_ends_ = never;
};

}  // namespace foliot::iss

// SPDX-License-Identifier: Apache-2.0

#include "devices.h"

#include <algorithm>

namespace foliot::iss {

namespace {

constexpr uint32_t finisher = 0x00100000, console_base = 0x10000000;
constexpr uint32_t instruments = 0x40000000, uart2_base = 0x40000100, input = 0x40000200;
constexpr unsigned whole = 0xF;
constexpr size_t fifo_depth = 32;
constexpr unsigned bits_a_byte = 10;

uint64_t with_low(uint64_t value, uint32_t word) { return (value & ~uint64_t{UINT32_MAX}) | word; }

uint64_t with_high(uint64_t value, uint32_t word) {
    return (value & UINT32_MAX) | uint64_t{word} << 32;
}

}  // namespace

bool Devices::load(uint32_t address, uint32_t &word) {
    address &= ~3u;
    word = 0;
    if (address >> 16 == 0x0200) return load_clint(address & 0xFFFF, word);
    if (address == finisher || (address >> 24 == 0x0C && (address >> 21 & 7) < 3)) return true;
    if ((address & ~7u) == console_base) {
        word = load_console(address);
        return true;
    }
    if (address >> 8 == instruments >> 8) return load_instruments(address & 0xFF, word);
    if (address >> 8 == uart2_base >> 8) return load_uart2(address & 0xFF, word);
    if (address != input) return false;
    word = input_pins_;
    return true;
}

bool Devices::store(uint32_t address, uint32_t word, unsigned enabled) {
    address &= ~3u;
    touched = true;
    if (address == finisher) {
        finished = true;
        finish_value = word;
        return true;
    }
    if (address >> 24 == 0x0C) return (address >> 21 & 7) < 3;
    if ((address & ~7u) == console_base) {
        store_console(address, word, enabled);
        return true;
    }
    if (enabled != whole) return false;
    if (address >> 16 == 0x0200) return store_clint(address & 0xFFFF, word);
    if (address >> 8 == instruments >> 8) return store_instruments(address & 0xFF, word);
    return address >> 8 == uart2_base >> 8 && store_uart2(address & 0xFF, word);
}

uint32_t Devices::lines() const {
    const bool timer = cycle + mtime_ahead_ >= mtimecmp_;
    const bool uart = uart2_interrupts_ && fifo_.empty();
    return (software_ ? 1u << 3 : 0) | (timer ? 1u << 7 : 0) | (injected_ ? 1u << 11 : 0) |
           raised_ << 16 | (uart ? 1u << 30 : 0);
}

void Devices::raise(unsigned line) {
    if (line == 3) software_ = true;
    else if (line == 11) injected_ = true;
    else raised_ |= 1u << (line - 16);
}

uint64_t Devices::next_event() const {
    const uint64_t mtime = cycle + mtime_ahead_;
    const uint64_t timer = mtimecmp_ > mtime && mtimecmp_ - mtime < never - cycle
                               ? cycle + (mtimecmp_ - mtime)
                               : never;
    return std::min({timer, inject_at_, byte_ends_});
}

void Devices::pass() {
    if (cycle >= inject_at_) {
        injected_ = true;
        inject_time_ = static_cast<uint32_t>(inject_at_);
        inject_at_ = never;
    }
    if (cycle >= byte_ends_) {
        if (sending_ && uart2) uart2(shift_);
        send_next(byte_ends_);
    }
}

//// CLINT

bool Devices::load_clint(uint32_t offset, uint32_t &word) const {
    const uint64_t mtime = cycle + mtime_ahead_;
    switch (offset) {
        case 0x0000:
            word = software_;
            return true;
        case 0x4000:
            word = static_cast<uint32_t>(mtimecmp_);
            return true;
        case 0x4004:
            word = static_cast<uint32_t>(mtimecmp_ >> 32);
            return true;
        case 0xBFF8:
            word = static_cast<uint32_t>(mtime);
            return true;
        case 0xBFFC:
            word = static_cast<uint32_t>(mtime >> 32);
            return true;
        default:
            return false;
    }
}

bool Devices::store_clint(uint32_t offset, uint32_t word) {
    const uint64_t mtime = cycle + mtime_ahead_;
    switch (offset) {
        case 0x0000:
            software_ = (word & 1) != 0;
            return true;
        case 0x4000:
            mtimecmp_ = with_low(mtimecmp_, word);
            return true;
        case 0x4004:
            mtimecmp_ = with_high(mtimecmp_, word);
            return true;
        // What is written is the time of the next clock.
        case 0xBFF8:
            mtime_ahead_ = with_low(mtime, word) - cycle - 1;
            return true;
        case 0xBFFC:
            mtime_ahead_ = with_high(mtime, word) - cycle - 1;
            return true;
        default:
            return false;
    }
}

//// Console: registers are bytes; 0 and 1 are the divisor's while bit 7 of 3 is set

uint32_t Devices::load_console(uint32_t address) const {
    if ((address & 4) != 0) return console_[4] | 0x60u << 8 | uint32_t{console_[7]} << 24;
    const bool divisor = (console_[3] & 0x80) != 0;
    return (divisor ? divisor_[0] : 0u) | uint32_t{divisor ? divisor_[1] : console_[1]} << 8 |
           1u << 16 | uint32_t{console_[3]} << 24;
}

void Devices::store_console(uint32_t address, uint32_t word, unsigned enabled) {
    const bool divisor = (console_[3] & 0x80) != 0;
    for (unsigned i = 0; i < 4; i++) {
        if ((enabled >> i & 1) == 0) continue;
        const unsigned n = (address & 4) + i;
        const auto byte = static_cast<uint8_t>(word >> (8 * i));
        if (n < 2 && divisor) divisor_[n] = byte;
        else if (n == 0 && console) console(byte);
        else console_[n] = byte;
    }
}

//// Instruments

bool Devices::load_instruments(uint32_t offset, uint32_t &word) {
    switch (offset) {
        case 0x00:
            word = 0x494C4F46;
            return true;
        case 0x04:
            word = 1;
            return true;
        case 0x08:
            word = static_cast<uint32_t>(cycle);
            cycle_high_ = static_cast<uint32_t>(cycle >> 32);
            return true;
        case 0x0C:
            word = cycle_high_;
            return true;
        case 0x10:
        case 0x18:
        case 0x1C:
            word = pins_;
            return true;
        case 0x14:
            word = marker;
            return true;
        case 0x20:
            word = inject_at_ == never ? 0 : static_cast<uint32_t>(inject_at_ - cycle);
            return true;
        case 0x24:
            word = injected_;
            return true;
        case 0x28:
        case 0x2C:
            word = raised_;
            return true;
        case 0x30:
            word = inject_time_;
            return true;
        default:
            return false;
    }
}

bool Devices::store_instruments(uint32_t offset, uint32_t word) {
    switch (offset) {
        case 0x10:
            pins_ = word;
            return true;
        case 0x14:
            marker = word;
            return true;
        case 0x18:
            pins_ |= word;
            return true;
        case 0x1C:
            pins_ &= ~word;
            return true;
        case 0x20:
            injected_ = false;
            inject_at_ = word == 0 ? never : cycle + word;
            return true;
        case 0x24:
            injected_ = false;
            return true;
        case 0x28:
            raised_ |= word & 0x7FFF;
            return true;
        case 0x2C:
            raised_ &= ~(word & 0x7FFF);
            return true;
        default:
            return offset <= 0x30;
    }
}

//// Second UART

void Devices::send_next(uint64_t from) {
    sending_ = !fifo_.empty();
    byte_ends_ = sending_ ? from + uint64_t{uart2_divisor_} * bits_a_byte : never;
    if (!sending_) return;
    shift_ = fifo_.front();
    fifo_.pop_front();
}

bool Devices::load_uart2(uint32_t offset, uint32_t &word) const {
    const bool empty = fifo_.empty();
    switch (offset) {
        case 0x0:
            return true;
        case 0x4:
            word = (fifo_.size() == fifo_depth ? 1u : 0) | (empty ? 2u : 0) |
                   (sending_ || !empty ? 4u : 0) | (overrun_ ? 8u : 0) |
                   static_cast<uint32_t>(fifo_.size()) << 8;
            return true;
        case 0x8:
            word = uart2_divisor_;
            return true;
        case 0xC:
            word = uart2_interrupts_;
            return true;
        default:
            return false;
    }
}

bool Devices::store_uart2(uint32_t offset, uint32_t word) {
    switch (offset) {
        case 0x0:
            if (fifo_.size() == fifo_depth) overrun_ = true;
            else fifo_.push_back(static_cast<uint8_t>(word));
            if (byte_ends_ == never) byte_ends_ = cycle + 2;  // then it is on the wire
            return true;
        case 0x4:
            overrun_ = false;
            return true;
        case 0x8:
            uart2_divisor_ = static_cast<uint16_t>(std::max(word & 0xFFFF, 1u));
            return true;
        case 0xC:
            uart2_interrupts_ = (word & 1) != 0;
            return true;
        default:
            return false;
    }
}

}  // namespace foliot::iss

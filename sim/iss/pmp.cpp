// SPDX-License-Identifier: Apache-2.0

#include "pmp.h"

#include <algorithm>

namespace foliot::iss {

namespace {

constexpr uint8_t read = 1, write = 2, exec = 4, lock = 0x80;
constexpr unsigned mode_tor = 1, mode_na4 = 2, mode_napot = 3;
constexpr uint32_t mml = 1, mmwp = 2, rlb = 4;

constexpr unsigned mode_of(uint8_t configuration) { return configuration >> 3 & 3; }

// Without mml as the privileged specification has it, with it as Smepmp: the lock bit says whose
// entry it is, and R = 0, W = 1 that it is shared.
bool permits(uint8_t cfg, Access access, bool machine, bool with_mml) {
    const uint8_t wanted = access == Access::fetch ? exec : access == Access::store ? write : read;
    const bool granted = (cfg & wanted) != 0, is_locked = (cfg & lock) != 0;
    if (!with_mml) return granted || (machine && !is_locked);
    if ((cfg & (read | write)) == write) {
        const bool executes = (cfg & exec) != 0;
        if (is_locked) {
            return access == Access::fetch || (executes && access == Access::load && machine);
        }
        if (executes) return access != Access::fetch;
        return access == Access::load || (access == Access::store && machine);
    }
    if ((cfg & (lock | read | write | exec)) == (lock | read | write | exec)) {
        return access == Access::load;
    }
    return granted && machine == is_locked;
}

// Lies an executable region of machine mode's in it? Such are not added once mml is set.
bool machine_executes(uint8_t cfg) {
    switch (cfg & (lock | read | write | exec)) {
        case lock | write:
        case lock | write | exec:
        case lock | exec:
        case lock | read | exec:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool Pmp::locked(unsigned n) const {
    return (configuration_[n] & lock) != 0 && (security_ & rlb) == 0;
}

uint32_t Pmp::configuration_register(unsigned n) const {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4 && n * 4 + i < regions; i++) {
        value |= uint32_t{configuration_[n * 4 + i]} << (8 * i);
    }
    return value;
}

void Pmp::write_configuration(unsigned n, uint32_t value) {
    const bool with_mml = (security_ & mml) != 0;
    changes_++;
    for (unsigned i = 0; i < 4 && n * 4 + i < regions; i++) {
        uint8_t cfg = static_cast<uint8_t>(value >> (8 * i) & 0x9F);
        if (!with_mml && (cfg & read) == 0) cfg &= static_cast<uint8_t>(~write);
        const bool suppressed = with_mml && (security_ & rlb) == 0 && machine_executes(cfg);
        if (!locked(n * 4 + i) && !suppressed) configuration_[n * 4 + i] = cfg;
    }
}

void Pmp::write_address(unsigned n, uint32_t value) {
    changes_++;
    if (n >= regions || locked(n)) return;
    const bool is_start = n + 1 < regions && mode_of(configuration_[n + 1]) == mode_tor;
    if (!(is_start && locked(n + 1))) address_[n] = value;
}

void Pmp::write_security(uint32_t value) {
    bool any_locked = false;
    changes_++;
    for (unsigned n = 0; n < regions; n++) any_locked |= locked(n);
    security_ = (security_ & (mml | mmwp)) | (value & (any_locked ? mml | mmwp : mml | mmwp | rlb));
}

// In units of 4 bytes, as the address registers are; 64 bits, so that ends are one behind.
Window Pmp::window(uint32_t address, Access access, bool machine) const {
    const uint64_t at = address >> 2;
    const bool with_mml = (security_ & mml) != 0;
    uint64_t low = 0, end = uint64_t{1} << 30;
    bool allowed = machine && (security_ & mmwp) == 0 && !(with_mml && access == Access::fetch);
    for (unsigned n = 0; n < regions; n++) {
        uint64_t from = 0, to = 0;
        const uint32_t ones = address_[n] ^ (address_[n] + 1);
        switch (mode_of(configuration_[n])) {
            case mode_tor:
                from = n == 0 ? 0 : address_[n - 1], to = address_[n];
                break;
            case mode_na4:
                from = address_[n], to = from + 1;
                break;
            case mode_napot:
                from = address_[n] & ~ones, to = from + ones + uint64_t{1};
                break;
            default:
                continue;
        }
        if (from >= to) continue;
        if (at >= from && at < to) {
            allowed = permits(configuration_[n], access, machine, with_mml);
            low = std::max(low, from), end = std::min(end, to);
            break;
        }
        if (to <= at) low = std::max(low, to);
        else end = std::min(end, from);
    }
    return {static_cast<uint32_t>(low << 2), static_cast<uint32_t>((end << 2) - 1), allowed};
}

}  // namespace foliot::iss

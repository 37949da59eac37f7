// SPDX-License-Identifier: Apache-2.0
//
// The PMP as Ibex has it: eight regions of the finest granularity, with Smepmp (mseccfg).

#pragma once

#include <array>
#include <cstdint>

namespace foliot::iss {

enum class Access { fetch, load, store };

// Addresses from `low` to `last`, in all of which the answer is `allowed`.
struct Window {
    uint32_t low = 1, last = 0;
    bool allowed = false;

    bool covers(uint32_t address) const { return address >= low && address <= last; }
};

class Pmp {
  public:
    static constexpr unsigned regions = 8;

    uint32_t address_register(unsigned n) const { return n < regions ? address_[n] : 0; }
    uint32_t configuration_register(unsigned n) const;
    uint32_t security() const { return security_; }

    // Grows with each write.
    uint64_t changes() const { return changes_; }

    void write_address(unsigned n, uint32_t value);
    void write_configuration(unsigned n, uint32_t value);
    void write_security(uint32_t value);

    // What holds at `address` and around it.
    Window window(uint32_t address, Access access, bool machine) const;

  private:
    bool locked(unsigned n) const;

    std::array<uint32_t, regions> address_{};
    std::array<uint8_t, regions> configuration_{};
    uint32_t security_ = 0;
    uint64_t changes_ = 1;
};

}  // namespace foliot::iss

// SPDX-License-Identifier: Apache-2.0
//
// How many instructions run in a row while no interrupt can come in, after the first time that one
// could: the longest such stretch of each place where it ends. Traps begin one, and a handler is
// one.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "execute.h"

namespace foliot::iss {

class Masked : public Nobody {
  public:
    explicit Masked(const Hart &hart) : hart_(hart) {}

    // Before each instruction.
    void at(uint32_t pc) {
        if (!hart_.interrupts_open()) {
            if (stretch_.size() < most) stretch_.push_back(pc);
        } else if (!stretch_.empty()) {
            end();
        }
    }

    // One JSON object a line: the instructions, the marker at their end, and each pc in order.
    std::string report() const;

  private:
    static constexpr size_t most = 1 << 20;  // what is masked for ever is no longer
    struct Longest {
        uint32_t marker;
        std::vector<uint32_t> pcs;
    };
    void end();

    const Hart &hart_;
    bool opened_ = false;
    std::vector<uint32_t> stretch_;
    std::map<uint32_t, Longest> longest_;  // by its last pc
};

}  // namespace foliot::iss

// SPDX-License-Identifier: Apache-2.0
//
// The command line of the instruction-set simulator.

#pragma once

#include <optional>
#include <string>

#include "sweep.h"

namespace foliot::iss {

struct Options {
    std::string elf, trace, uart2, taint, counts, masked;  // empty: none
    uint64_t max_cycles = UINT64_MAX;
    uint32_t ram_kib = 1024;
    uint8_t pins = 0;
    std::optional<SweepOptions> sweep;
    bool taint_all = false, help = false;
};

extern const char *const usage_text;

// Throws UsageError.
Options parse_options(int argc, char **argv);

}  // namespace foliot::iss

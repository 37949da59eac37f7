// SPDX-License-Identifier: Apache-2.0
//
// The simulator's command line.

#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace foliot {

// A mistake of whoever called us: reported in one line, exit status 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::string elf;
    std::string vcd;  // empty: none; so for trace, fold and uart2
    std::string trace;
    std::string fold;
    std::vector<uint32_t> fold_within;
    std::string fold_loops;
    std::vector<uint32_t> fold_path, fold_handler, fold_fault;
    std::string uart2;
    uint64_t max_cycles = UINT64_MAX;
    uint64_t vcd_from = 0;
    uint64_t vcd_to = UINT64_MAX;
    uint32_t ram_kib = 1024;
    std::optional<uint16_t> gdb;  // the port; 0: a free one
    uint8_t instr_wait = 0;
    uint8_t data_wait = 0;
    uint8_t pins = 0;
    bool step_through_sleep = false;
    bool help = false;
};

// The text of --help.
extern const char *const usage_text;

// Throws UsageError.
Options parse_options(int argc, char **argv);

}  // namespace foliot

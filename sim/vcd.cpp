// SPDX-License-Identifier: Apache-2.0

#include "vcd.h"

#include <algorithm>
#include <cinttypes>

namespace foliot {

namespace {

struct Signal {
    const char *name;
    unsigned bit;  // of the pin register; README.md has the same table for the firmware
};

constexpr Signal signals[] = {
    {"thread_any", 0}, {"scheduler", 1},  {"queueing", 2},   {"isr", 3},        {"syscall", 4},
    {"thread_0", 16},  {"thread_1", 17},  {"thread_2", 18},  {"thread_3", 19},  {"thread_4", 20},
    {"thread_5", 21},  {"thread_6", 22},  {"thread_7", 23},  {"thread_8", 24},  {"thread_9", 25},
    {"thread_10", 26}, {"thread_11", 27}, {"thread_12", 28}, {"thread_13", 29}, {"thread_14", 30},
    {"thread_15", 31},
};

// VCD identifiers are printable characters; '!' is the first.
char identifier(const Signal &signal) { return static_cast<char>('!' + signal.bit); }

}  // namespace

SignalDump::SignalDump(const std::string &path, uint64_t from, uint64_t to)
    : file_(path), from_(from), to_(to) {
    std::FILE *const out = file_.stream();
    std::fprintf(out, "$timescale 10 ns $end\n$scope module foliot $end\n");
    for (const Signal &signal : signals) {
        std::fprintf(out, "$var wire 1 %c %s $end\n", identifier(signal), signal.name);
    }
    std::fprintf(out, "$upscope $end\n$enddefinitions $end\n");
}

void SignalDump::change(uint64_t cycle, uint32_t pins) {
    const uint32_t changed = pins_ ^ pins;
    if (cycle > from_ && cycle <= to_) {
        begin(from_);
        std::fprintf(file_.stream(), "#%" PRIu64 "\n", cycle);
        pins_ = pins;
        write_values(changed);
    }
    pins_ = pins;
}

void SignalDump::close(uint64_t cycle) {
    if (cycle >= from_) {
        begin(from_);
        std::fprintf(file_.stream(), "#%" PRIu64 "\n", std::min(cycle, to_));
    }
    file_.close();
}

// The levels as they are when the dump begins.
void SignalDump::begin(uint64_t cycle) {
    if (begun_) return;
    begun_ = true;
    std::fprintf(file_.stream(), "#%" PRIu64 "\n$dumpvars\n", cycle);
    write_values(UINT32_MAX);
    std::fprintf(file_.stream(), "$end\n");
}

void SignalDump::write_values(uint32_t which) {
    for (const Signal &signal : signals) {
        if (which >> signal.bit & 1) {
            std::fprintf(file_.stream(), "%c%c\n", '0' + (pins_ >> signal.bit & 1),
                         identifier(signal));
        }
    }
}

}  // namespace foliot

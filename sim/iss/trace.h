// SPDX-License-Identifier: Apache-2.0
//
// The instruction trace, in the form that ../trace.h describes: here an instruction takes a clock,
// and the execute stage is never empty.

#pragma once

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "../output_file.h"
#include "hart.h"

namespace foliot::iss {

class Trace {
  public:
    explicit Trace(const std::string &path) : file_(path) {}

    // The instruction at `pc` has retired; `marker` is what it was before.
    void retired(const Hart &hart, uint32_t pc, unsigned length, uint32_t marker) {
        const uint64_t took = hart.devices.cycle - previous_;
        previous_ = hart.devices.cycle;
        if (marker == 0) return;
        uint32_t encoding = 0;
        char event[8] = "-";
        std::memcpy(&encoding, &hart.ram[pc - ram_address], length);
        if (hart.event != Hart::no_event) {
            const char kind = (hart.event & 0x80) != 0 ? 'i' : 'e';
            std::snprintf(event, sizeof event, "%c%d", kind, hart.event & 0x1F);
        }
        std::fprintf(file_.stream(),
                     "%" PRIu32 " %" PRIu64 " %08" PRIx32 " %0*" PRIx32 " %" PRIu64 " 0 %s\n",
                     marker, hart.devices.cycle, pc, static_cast<int>(2 * length), encoding, took,
                     event);
    }

    void close() { file_.close(); }

  private:
    OutputFile file_;
    uint64_t previous_ = Hart::first_cycle - 1;
};

}  // namespace foliot::iss

// SPDX-License-Identifier: Apache-2.0

#include "trace.h"

#include <cinttypes>

namespace foliot {

void InstructionTrace::take(const Retired &line) {
    if (line.marker == 0) return;
    char event[8] = "-";
    if (line.event != Retired::no_event) {
        const bool interrupt = (line.event & 0x80) != 0;
        std::snprintf(event, sizeof event, "%c%d", interrupt ? 'i' : 'e', line.event & 0x1f);
    }
    std::fprintf(file_.stream(),
                 "%" PRIu32 " %" PRIu64 " %08" PRIx32 " %0*" PRIx32 " %" PRIu64 " %" PRIu64 " %s\n",
                 line.marker, line.cycle, line.pc, line.compressed ? 4 : 8, line.insn,
                 line.cycle - line.previous_cycle, line.entered - line.previous_cycle - 1, event);
}

}  // namespace foliot

// SPDX-License-Identifier: Apache-2.0

#include "trace.h"

#include <cinttypes>

namespace foliot {

void InstructionTrace::trap(const Vsoc &soc) {
    if (soc.trap_late_o && held_) {
        previous_cycle_ = held_->previous_cycle;
        held_.reset();
    }
    event_ = soc.trap_cause_o;
}

void InstructionTrace::leave(const Vsoc &soc) {
    write_held();
    const bool compressed = soc.compressed_o != 0;
    held_ = Line{soc.cycle_o, previous_cycle_, entered_,   soc.marker_o,
                 soc.pc_o,    soc.insn_o,      compressed, event_};
    previous_cycle_ = soc.cycle_o;
    event_ = no_event;
}

void InstructionTrace::write_held() {
    if (!held_) return;
    const Line line = *held_;
    held_.reset();
    if (line.marker == 0) return;
    char event[8] = "-";
    if (line.event != no_event) {
        const bool interrupt = (line.event & 0x80) != 0;
        std::snprintf(event, sizeof event, "%c%d", interrupt ? 'i' : 'e', line.event & 0x1f);
    }
    std::fprintf(file_.stream(),
                 "%" PRIu32 " %" PRIu64 " %08" PRIx32 " %0*" PRIx32 " %" PRIu64 " %" PRIu64 " %s\n",
                 line.marker, line.cycle, line.pc, line.compressed ? 4 : 8, line.insn,
                 line.cycle - line.previous_cycle, line.entered - line.previous_cycle - 1, event);
}

}  // namespace foliot

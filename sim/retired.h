// SPDX-License-Identifier: Apache-2.0
//
// The instructions in the order in which they retire: what trace.h writes and fold.h counts.
//
// An instruction that traps does not retire and is not told. A load or store with a bus error is
// known to trap only after it has left the execute stage, so each instruction waits for the next.

#pragma once

#include <cstdint>
#include <optional>

#include "Vsoc.h"

namespace foliot {

struct Retired {
    static constexpr int no_event = -1;

    uint64_t cycle, previous_cycle, entered;
    uint32_t marker, pc, insn, sp;
    bool compressed;
    int event;  // the trap that was taken before it: bit 7 an interrupt, bits 4 to 0 its number
};

// `Sink` has take(const Retired &).
template <class Sink>
class RetiredStream {
  public:
    // To be called in every clock that is simulated, once its signals have settled.
    void observe(const Vsoc &soc) {
        if (soc.trap_o) trap(soc);
        if (soc.enter_o) entered_ = soc.cycle_o;
        if (soc.leave_o) leave(soc);
    }

  protected:
    void take_held() {
        if (!held_) return;
        const Retired told = *held_;
        held_.reset();
        static_cast<Sink *>(this)->take(told);
    }

  private:
    static constexpr uint64_t before_reset = UINT64_MAX;  // one clock before cycle 0

    void trap(const Vsoc &soc) {
        if (soc.trap_late_o && held_) {
            previous_cycle_ = held_->previous_cycle;
            held_.reset();
        }
        event_ = soc.trap_cause_o;
    }

    void leave(const Vsoc &soc) {
        take_held();
        const bool compressed = soc.compressed_o != 0;
        held_ = Retired{soc.cycle_o, previous_cycle_, entered_,   soc.marker_o, soc.pc_o,
                        soc.insn_o,  soc.sp_o,        compressed, event_};
        previous_cycle_ = soc.cycle_o;
        event_ = Retired::no_event;
    }

    std::optional<Retired> held_;
    uint64_t entered_ = 0;
    uint64_t previous_cycle_ = before_reset;
    int event_ = Retired::no_event;
};

}  // namespace foliot

// SPDX-License-Identifier: Apache-2.0
//
// The instruction trace: one line for each instruction retired while the marker is not 0.
//
//     MARKER CYCLE PC ENCODING TOOK EMPTY EVENT
//
// CYCLE is the clock in which the instruction left the execute stage, the one point that every
// instruction passes in order, alone in its clock, and where loads, stores and CSR accesses act: a
// load of the cycle counter returns the very CYCLE of its own line. TOOK is the distance to the
// instruction before, traced or not, so that the TOOKs of a stretch add up to its length. Time
// spent in write-back (a load's wait for memory) shows where it is felt, in the TOOK of the first
// instruction that had to wait. EMPTY is the part of TOOK in which nothing was in the execute
// stage: the refill after a jump, a trap's entry, sleep. EVENT is `-`, or the trap that was taken
// before this instruction: `e5` exception with mcause 5, `i11` interrupt 11.
//
// An instruction that traps does not retire and has no line. A load or store with a bus error is
// known to trap only after it has left the execute stage, so each line waits for the next.

#pragma once

#include <cstdint>
#include <optional>

#include "Vsoc.h"
#include "output_file.h"

namespace foliot {

class InstructionTrace {
  public:
    explicit InstructionTrace(const std::string &path) : file_(path) {}

    // To be called in every clock that is simulated, once its signals have settled.
    void observe(const Vsoc &soc) {
        if (soc.trap_o) trap(soc);
        if (soc.enter_o) entered_ = soc.cycle_o;
        if (soc.leave_o) leave(soc);
    }

    void close() {
        write_held();
        file_.close();
    }

  private:
    struct Line {
        uint64_t cycle, previous_cycle, entered;
        uint32_t marker, pc, insn;
        bool compressed;
        int event;
    };
    static constexpr int no_event = -1;
    static constexpr uint64_t before_reset = UINT64_MAX;  // one clock before cycle 0

    void trap(const Vsoc &soc);
    void leave(const Vsoc &soc);
    void write_held();

    OutputFile file_;
    std::optional<Line> held_;
    uint64_t entered_ = 0;
    uint64_t previous_cycle_ = before_reset;
    int event_ = no_event;
};

}  // namespace foliot

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

#pragma once

#include <string>

#include "output_file.h"
#include "retired.h"

namespace foliot {

class InstructionTrace : public RetiredStream<InstructionTrace> {
  public:
    explicit InstructionTrace(const std::string &path) : file_(path) {}

    void take(const Retired &line);

    void close() {
        take_held();
        file_.close();
    }

  private:
    OutputFile file_;
};

}  // namespace foliot

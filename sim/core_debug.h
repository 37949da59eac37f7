// SPDX-License-Identifier: Apache-2.0
//
// The core as a debugger sees it: the architectural state between two instructions, out of a
// pipeline that never stops there. Each core implements this in cores/NAME/debug.cpp, which is the
// only C++ that knows the names inside of a core.
//
// Nothing here gives the SoC a clock. A debugger stops the machine by not calling for the next one,
// so simulated time stands still meanwhile, and a run that is stopped and continued is the same
// run. That ruled out the core's own debug module: it executes instructions, and its clocks count.

#pragma once

#include <cstdint>

#include "Vsoc.h"

namespace foliot {

struct ControlRegister {
    const char *name;
    uint32_t (*read)(const Vsoc &soc);
};

class CoreDebug {
  public:
    explicit CoreDebug(Vsoc &soc) : soc_(soc) {}

    // To be called in every clock, once its signals have settled. True in the one clock of each
    // instruction in which all those before it are done, whatever they write is known, and it has
    // not yet done anything itself.
    bool at_boundary();

    // The rest is for a clock that is at a boundary, or in which the core sleeps.

    // The instruction that would be executed next.
    uint32_t pc() const;

    uint32_t read(unsigned number) const;  // x0 to x31

    // In any clock: the interrupts that are raised and enabled in mie, whether or not the core
    // takes any now; a bit each, by the number that mcause has of it.
    uint32_t raised() const;

    // False where the pipeline is about to write that register too: write it at the next boundary.
    bool write(unsigned number, uint32_t value);

    // Have a jump to `target` executed instead of the instruction at pc(), which is discarded; it
    // takes a jump's clocks and counts as an instruction. False where a jump does not reach that
    // far, or where there is no instruction to replace (the core sleeps).
    bool can_jump(uint32_t target) const;
    void jump(uint32_t target);

  private:
    bool asleep() const { return soc_.asleep_o != 0; }

    Vsoc &soc_;
    bool fresh_ = false;  // the instruction in the execute stage has not been at its boundary
};

// Those that a debugger can read, `control_register_count` of them.
extern const ControlRegister control_registers[];
extern const unsigned control_register_count;

}  // namespace foliot

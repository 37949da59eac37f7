// SPDX-License-Identifier: Apache-2.0
//
// The simulated machine: the Verilated SoC, its clock, and what is attached to it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "Vsoc.h"
#include "fold.h"
#include "gdb.h"
#include "lockup.h"
#include "options.h"
#include "output_file.h"
#include "stop.h"
#include "trace.h"
#include "vcd.h"

namespace foliot {

class Machine {
  public:
    // Loads the program, creates the output files, waits for a debugger. Throws UsageError.
    explicit Machine(const Options &options);
    ~Machine();

    // Runs from reset to the end. Throws UsageError where an output file cannot be written.
    Stop run();

    // Where and how it ended, as one JSON object.
    std::string report(const Stop &stop) const;

  private:
    void reset();
    void tick();
    std::optional<Stop> handle_events();
    void close_files();

    const Options options_;
    VerilatedContext context_;
    Vsoc soc_;
    LockupDetector lockup_;
    std::optional<SignalDump> vcd_;
    std::optional<InstructionTrace> trace_;
    std::optional<InstructionFold> fold_;
    std::optional<OutputFile> uart2_;
    std::optional<GdbStub> gdb_;
};

}  // namespace foliot

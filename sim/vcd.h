// SPDX-License-Identifier: Apache-2.0
//
// The signal pins as a VCD. Written by hand from the pin register because tracing by Verilator
// costs half the speed even when it traces one register.

#pragma once

#include <cstdint>

#include "output_file.h"

namespace foliot {

class SignalDump {
  public:
    // Dumps the cycles `from` to `to`, both included. Throws UsageError.
    SignalDump(const std::string &path, uint64_t from, uint64_t to);

    // The pins are `pins` from `cycle` on. Cycles must not go backwards.
    void change(uint64_t cycle, uint32_t pins);

    // The simulation ended in `cycle`.
    void close(uint64_t cycle);

  private:
    void begin(uint64_t cycle);
    void write_values(uint32_t which);

    OutputFile file_;
    uint64_t from_, to_;
    uint32_t pins_ = 0;
    bool begun_ = false;
};

}  // namespace foliot

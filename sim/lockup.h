// SPDX-License-Identifier: Apache-2.0
//
// Notices a core that is stuck in its own trap handler.
//
// Ibex reports a "double fault" itself, but on its second exception without an mret between, and a
// kernel may well leave an exception by switching to a thread that it resumes with a plain return.
// What no sound program does is take the same exception a thousand times from the same instruction
// without ever returning from one: a handler that faults, or a trap vector that cannot be fetched.

#pragma once

#include <cstdint>

namespace foliot {

class LockupDetector {
  public:
    // An exception (not an interrupt) was taken from `pc`: is the core locked up?
    bool exception(uint32_t pc) {
        count_ = pc == pc_ ? count_ + 1 : 1;
        pc_ = pc;
        return count_ == limit;
    }

    void trap_return() { count_ = 0; }

  private:
    static constexpr unsigned limit = 1000;
    uint32_t pc_ = 0;
    unsigned count_ = 0;
};

}  // namespace foliot

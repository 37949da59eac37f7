// SPDX-License-Identifier: Apache-2.0
//
// An interrupt at each instruction of a window that the program marks. The machine is forked in
// front of each instruction of kernel mode in which interrupts are open; the child raises the line
// there and runs on to its end, and the parent goes on without it. Where interrupts are masked, a
// line that rises is taken where they are opened next, so that nothing is left out by not trying
// there.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "execute.h"

namespace foliot::iss {

struct SweepOptions {
    std::optional<uint64_t> at;  // this one alone, in this process
    uint32_t marker = 0;         // 0: whichever
    unsigned line = 16;
    uint64_t step = 1, first = 0;
};

// What a child says to its parent, in memory that both see.
struct ChildReport;

class Sweep : public Hook {
  public:
    explicit Sweep(const SweepOptions &options);
    ~Sweep() override;

    bool before(Hart &hart) override;
    bool marked(Hart &hart) override;

    bool is_child() const { return is_child_; }
    // Of a child: how it ended. Does not return.
    [[noreturn]] void end_child(const Stop &stop, const Hart &hart);
    // A line of the console's, of a child.
    void console(uint8_t byte);
    // In place of the last line.
    void say(const char *text);

    // Of the parent: one JSON object; and whether all ended with 0.
    std::string report() const;
    bool passed() const { return failures_ == 0 && tried_ != 0; }

  private:
    struct Failure {
        uint64_t n;
        uint32_t marker, pc;
        int status;
        std::string reason, last_line;
    };
    void fork_child(Hart &hart);
    void judge(int status, uint64_t n, uint32_t pc, uint32_t marker);

    const SweepOptions options_;
    ChildReport *child_;
    bool in_window_ = false, is_child_ = false, raised_ = false;
    uint64_t n_ = 0, instructions_ = 0, tried_ = 0, failures_ = 0;
    std::vector<Failure> shown_;  // the first few
};

}  // namespace foliot::iss

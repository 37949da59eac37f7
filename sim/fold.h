// SPDX-License-Identifier: Apache-2.0
//
// A whole run's instruction trace, folded into counts while it runs: of 100 million lines a few
// thousand are left, and `foliot bound` holds each against its timing table and its bounds.
//
//     insn PC ENCODING
//     step PREVIOUS_PC PC TOOK EVENT COUNT
//     call ENTRY END MAX AT COUNT
//     within PC ENTRY COUNT
//     loop HEADER MAX COUNT
//     path ENTRY END PC CLOCKS COUNT
//
// A step is one instruction and the one before it, TOOK the clocks from that one's leaving the
// execute stage to its own; PREVIOUS_PC is 0 for the first of the run. EVENT as in trace.h.
//
// A call begins when the instruction that jumps leaves (jal or jalr that writes ra), and ends when
// the one that returns to behind it does, with the same sp: END is `return`. A `ret` that arrives
// elsewhere is a switch's: END is `switch`, for all calls that were under way. A call during which
// a trap is taken is not counted, but for a system call's, which is the caller's own: its mret is
// as a `ret`, and END has a `+`. A trap's own time is: ENTRY is its first instruction, or the one
// of the handlers asked for (--fold-handler) that it calls, and END is `mret` or `switch`; one that
// calls several is not counted. It begins when the last instruction before it leaves, which is the
// interrupt's own latency short of the whole, and includes the rest of what could not be
// interrupted.
//
// A trap that ends a sleep is not counted, nor a call in which an instruction ran that was asked
// for as one of a fault's report (--fold-fault).
//
// A call's longest masked stretch is told as one more END, `masked`: clocks without mstatus.MIE,
// from the instruction that took it away leaving to the one that gives it, or to the call's own
// end. It counts for each call under way that began before it, with interrupts open: what a
// caller has masked is the caller's. A system call's trap begins one, of the stub that was called
// (`masked+`), whatever table leads on behind it. AT is the clock in which the longest began.
//
// Within: while a call of ENTRY was under way the instruction at PC, one of those asked for, ran.
//
// A loop is one of those that a file names (--fold-loops), by lines `HEADER BACK...`: it begins
// anew where HEADER runs behind one of BACK (0: behind any return), and is come to where it runs
// behind another instruction, each stack by itself. MAX is how often it began anew, at most, each
// time it was come to, COUNT how often that was. A loop is not counted, until it is come to again,
// behind a trap or a switch: what others have changed is another matter (D of docs/bounds.md).
//
// A path is what the longest call of ENTRY to END was made of, where it was asked for
// (--fold-path): how often the instruction at PC ran in it, and how many clocks that took.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "output_file.h"
#include "retired.h"

namespace foliot {

class InstructionFold : public RetiredStream<InstructionFold> {
  public:
    InstructionFold(const std::string &path, const std::vector<uint32_t> &within,
                    const std::string &loops, const std::vector<uint32_t> &asked,
                    const std::vector<uint32_t> &handlers, const std::vector<uint32_t> &faults)
        : file_(path),
          within_(within.begin(), within.end()),
          asked_(asked.begin(), asked.end()),
          handlers_(handlers.begin(), handlers.end()),
          faults_(faults.begin(), faults.end()) {
        if (!loops.empty()) read_loops(loops);
    }

    void observe(const Vsoc &soc) {
        if (soc.masked_o != masked_) {
            masked_ = soc.masked_o;
            edges_.push_back({soc.cycle_o - 1, masked_});
        }
        RetiredStream::observe(soc);
    }

    void take(const Retired &line);
    void close();

  private:
    using Key = std::array<uint32_t, 4>;
    struct Hash {
        size_t operator()(const Key &key) const {
            uint64_t hash = 0;
            for (const uint32_t word : key) hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
            return hash ^ hash >> 32;
        }
    };
    struct Longest {
        uint64_t max = 0, at = 0, count = 0;
        bool add(uint64_t length, uint64_t begin) {  // says whether it is the longest
            const bool is_longest = length > max || count == 0;
            if (is_longest) max = length, at = begin;
            ++count;
            return is_longest;
        }
    };
    struct Call {
        uint32_t entry, back, sp;
        uint64_t begin;
        bool of_user;
        size_t logged;  // its first place in the log
        bool is_open;   // began with interrupts let in
    };
    struct Edge {
        uint64_t at;  // when what makes it leaves
        bool masks;
    };
    struct Logged {
        uint32_t pc, took;
    };
    struct Ran {
        uint64_t clocks = 0, count = 0;
    };
    struct Rounds {
        uint64_t count;
        uint64_t others;  // how often others had run when it was come to
    };
    struct Loop {
        std::unordered_set<uint32_t> back;
        bool back_by_return = false;
        uint64_t max = 0, count = 0;
        std::unordered_map<uint32_t, Rounds> rounds;  // by stack pointer; none: not known
    };
    enum End : uint32_t { end_return, end_switch, end_mret, end_masked, end_of_user };  // is added

    void follow_edges(uint64_t before);
    void add_masked(const Call &call, uint64_t now);
    void follow_trap(const Retired &line);
    void follow_return(const Retired &line);
    void follow_loop(const Retired &line);
    void leave_all(End end);
    void add(const Call &call, End end, uint64_t now);
    void read_loops(const std::string &path);

    OutputFile file_;
    const std::unordered_set<uint32_t> within_, asked_, handlers_, faults_;
    std::unordered_map<uint32_t, uint32_t> encodings_;
    std::unordered_map<Key, uint64_t, Hash> steps_, found_within_;
    std::unordered_map<Key, Longest, Hash> calls_;
    std::unordered_map<uint32_t, Loop> loops_;
    std::unordered_map<Key, std::unordered_map<uint32_t, Ran>, Hash> paths_;
    std::vector<Call> under_way_;
    std::vector<Logged> log_;  // what ran since the first of these began
    std::optional<Call> trap_;
    Retired previous_{};

    bool masked_ = true;       // a core begins so
    std::vector<Edge> edges_;  // that came behind what was taken
    bool is_masked_ = true;    // as of the instructions that were taken
    uint64_t masked_at_ = 0;
    uint64_t others_ = 0;  // traps, and returns to elsewhere: how often others may have run
};

}  // namespace foliot

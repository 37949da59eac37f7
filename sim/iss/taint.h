// SPDX-License-Identifier: Apache-2.0
//
// Where what user mode says goes in the kernel. Each byte of RAM and each register of machine mode
// bears a mark: whether its value came from memory that user mode wrote, or may write, or from user
// mode's registers at a trap. Marks go with loads, stores and arithmetic. A marked value that
// machine mode uses as an address, a jump's target, a control register, or to go round a loop once
// more, ends the run, unless a check has looked at that value and cleared it for that use. Which
// the checks are says a table that is made of checks.txt and the image's symbols.
//
// What has no mark: what is loaded from an address that has one (the kernel's own word of a table,
// say); what a branch decides. So a value that is chosen by a user's, and not made of it, goes
// unnoticed.

#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "hart.h"

namespace foliot::iss {

// A use without a check: what is written about it.
struct TaintFound : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The names of values: 0 is nobody's.
using Mark = uint32_t;

enum Kind : uint8_t { kind_address = 1, kind_index = 2, kind_length = 4 };

struct Cleared {
    uint8_t kinds;
    uint32_t low, last;  // of addresses
};

// How a check clears one of its arguments.
struct Clearing {
    enum class How { object, object_of, bytes, at, stack, index, length, below, within } how;
    unsigned argument;  // a0 to a7
    // below: what is returned is below that number; within: from the one to the other. Else:
    uint32_t second;  // object: the argument that is its kind; object_of: the kind; bytes: the
                      // argument that is the length; at: the argument that is an offset
};

struct Check {
    enum class Passes { returns, nonzero, zero, not_negative } passes;
    std::string name;
    std::vector<Clearing> clearings;
};

struct Range {
    uint32_t low, end;
    std::string name;
};

class Taint {
  public:
    // `all`: what is found is told once a place, and the run goes on.
    Taint(Hart &hart, const std::string &table, bool all);

    //// What the loop tells (execute.h)
    void clean(unsigned rd) { marks_[rd] = 0; }
    void copy(unsigned rd, unsigned rs) { marks_[rd] = marks_[rs]; }
    void merge(unsigned rd, unsigned a, unsigned b) {
        marks_[rd] =
            marks_[a] == marks_[b] || marks_[b] == 0 ? marks_[a] : join(marks_[a], marks_[b]);
    }
    void address(unsigned rs, uint32_t address, unsigned bytes, bool is_store) {
        if (marks_[rs] != 0) use_address(rs, address, bytes, is_store);
    }
    void loaded(unsigned rd, uint32_t address, unsigned bytes);
    void stored(unsigned rs, uint32_t address, unsigned bytes);
    void jump(unsigned rs, uint32_t to, bool calls);
    void compare(unsigned a, unsigned b, const Decoded &d, bool taken) {
        if ((marks_[a] | marks_[b]) != 0) compared(a, b, d, taken);
    }
    void csr(unsigned rd, unsigned rs, uint32_t number, bool writes);
    void trapped(bool from_user);
    void returned(bool to_user);
    void at(uint32_t pc) {
        marks_[0] = 0;
        if (!checking_.empty()) at_return(pc);
    }

    // How often each check cleared a value, one a line: NAME TIMES.
    std::string counts() const;
    size_t places() const { return places_.size(); }

  private:
    struct Origin {
        Mark mark;
        uint32_t where, pc;  // where: an address, or the register
        uint64_t cycle;
    };
    struct Frame {
        const Check *check;
        uint32_t back, sp;
        std::array<Mark, 8> marks;
        std::array<uint32_t, 8> values;
        uint32_t looked;  // at which arguments
    };

    void read_table(const std::string &path);
    void read_line(const std::string &line);
    Mark fresh(uint32_t where, uint32_t pc);
    Mark join(Mark a, Mark b);
    bool holds(Mark whole, Mark part) const;
    unsigned depth_of(Mark mark) const;
    bool may_be_address(Mark mark, uint32_t low, uint32_t last, unsigned depth = 0) const;
    bool has_kind(Mark mark, uint8_t kinds) const;
    void clear(Mark mark, Cleared cleared);
    void use_address(unsigned rs, uint32_t address, unsigned bytes, bool is_store);
    void compared(unsigned a, unsigned b, const Decoded &d, bool taken);
    void compare_clears(unsigned a, unsigned b, const Decoded &d, bool taken);
    void look(Mark mark);
    void believe();
    void at_return(uint32_t pc);
    void pass(const Frame &frame, Mark returned);
    void clear_argument(const Frame &frame, const Clearing &clearing);
    bool user_may_write(uint32_t address);
    bool is_untrusted(uint32_t pc) const;
    uint32_t object_size(uint32_t kind) const;
    std::string function_of(uint32_t pc) const;
    std::string origin_of(Mark mark, unsigned depth = 0) const;
    void found(const std::string &what, unsigned rs, uint32_t value);

    static constexpr Mark by_user = 1;  // of memory: as user mode stored it
    static constexpr Mark many = 2;
    static constexpr Mark made_of_two = 0x80000000;
    static constexpr size_t origins = 1 << 20;
    static constexpr size_t history = 16;

    Hart &hart_;
    bool user_ = false;
    std::array<Mark, 32> marks_{};
    Mark scratch_ = 0, epc_ = 0, value_ = 0;  // of mscratch, mepc, mtval
    std::vector<Mark> bytes_;                 // a mark a byte of RAM
    std::vector<uint32_t> writers_;           // user mode's pc that wrote a word last
    Mark next_ = 3;
    std::vector<Origin> origins_;
    std::unordered_map<Mark, std::vector<Cleared>> cleared_;
    struct Parents {
        Mark a, b;
        unsigned depth;
    };
    std::unordered_map<Mark, Parents> parents_;
    std::unordered_map<uint64_t, Mark> joined_;
    std::vector<Frame> checking_;
    std::vector<Range> user_windows_;
    uint64_t windows_of_ = 0;  // which of the PMP's states those are
    std::array<uint32_t, history> jumps_{};
    size_t jump_ = 0;
    // Of each branch back that a marked value decided: where its stack was, and in which stay.
    struct Round {
        uint32_t sp;
        uint64_t stay;
    };
    std::unordered_map<uint32_t, Round> rounds_;
    uint64_t stay_ = 0;  // in the kernel without a trap or a return from one
    uint32_t reserved_ = 0;
    uint32_t call_pc_ = 0, call_number_ = 0;
    const bool all_;
    std::unordered_map<uint32_t, uint64_t> places_;

    //// The table
    std::unordered_map<uint32_t, Check> checks_;
    std::vector<std::pair<Range, uint8_t>> compares_;
    std::vector<Range> functions_, untrusted_, loops_;
    std::vector<std::pair<Range, Range>> tables_;  // of which function what constants
    uint32_t sizes_ = 0, size_count_ = 0;
    std::unordered_map<std::string, uint64_t> counts_;
};

}  // namespace foliot::iss

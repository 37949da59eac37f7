// SPDX-License-Identifier: Apache-2.0
//
// A stub of gdb's remote serial protocol: registers, memory, breakpoints, watchpoints, one thread.
//
// It is asked in every clock whether the run goes on, and answers the debugger while it doesn't.
// Breakpoints are compared with pc at the boundary of each instruction; nothing is patched into the
// program, so there may be as many as you like, and what the program reads of itself is what was
// built. docs/debugging.md tells how it is used, README.md what it can't do.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core_debug.h"
#include "gdb_link.h"
#include "stop.h"

namespace foliot {

class GdbStub {
  public:
    // Waits for a debugger on `port`. `ram` holds the bytes from ram_address on. UsageError.
    GdbStub(uint16_t port, Vsoc &soc, uint8_t *ram, uint32_t ram_bytes);

    // In every clock, once its signals have settled. Returns how the run ends if the debugger ends
    // it here.
    std::optional<Stop> observe() {
        if (detached_) return std::nullopt;
        return look();
    }

    // The run came to its end: tell the debugger, who may look around first where the program did
    // not end by itself.
    void ended(const Stop &stop);

  private:
    enum class Next { wait, resume, kill };
    struct Watchpoint {
        char type;  // as in the packet: 2 write, 3 read, 4 access
        uint32_t address, length;
        auto operator<(const Watchpoint &other) const {
            return std::tie(type, address, length) <
                   std::tie(other.type, other.address, other.length);
        }
    };

    std::optional<Stop> look();
    std::optional<Stop> stop_if_due();
    void look_at_access();
    void look_at_interrupts();
    bool redo_finished();
    std::optional<std::string> reason_to_stop(bool boundary);
    Next converse();
    void resume();

    Next answer(const std::string &packet);
    std::string query(const std::string &packet);
    Next run(const std::string &packet);
    std::string registers() const;
    std::string set_registers(const std::string &hex);
    std::string read_register(const std::string &packet) const;
    std::string write_register(const std::string &packet);
    bool write_value(unsigned number, uint32_t value);
    std::string read_memory(const std::string &packet) const;
    std::string write_memory(const std::string &packet, bool binary);
    std::string set_point(const std::string &packet);
    uint32_t value(unsigned number) const;
    std::string monitor(const std::string &hex) const;
    std::string raised_interrupts() const;

    GdbLink link_;
    Vsoc &soc_;
    CoreDebug core_;
    uint8_t *const ram_;
    const uint32_t ram_bytes_;

    std::set<uint32_t> breakpoints_;
    std::set<Watchpoint> watchpoints_;
    std::optional<std::string> hit_;  // a watchpoint, in words of the protocol
    std::string last_stop_ = "S05";
    bool stepping_ = true;  // to the first instruction
    bool connected_ = false;
    bool detached_ = false;
    bool interrupted_ = false;
    bool movable_ = true;  // there is an instruction that a jump may replace
    unsigned clocks_ = 0;
    uint32_t raised_ = 0;       // interrupts, as CoreDebug has them
    uint64_t raised_at_[32]{};  // the clock in which each of them was raised last

    // What the core has still to be brought to when it goes on: a jump, and registers that can't
    // be written before it has been executed.
    std::optional<uint32_t> redo_;
    std::map<unsigned, uint32_t> redo_registers_;
};

}  // namespace foliot

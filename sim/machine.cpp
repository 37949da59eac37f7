// SPDX-License-Identifier: Apache-2.0
//
// Clock by clock: after tick() the signals of the new clock have settled, and everything that is
// observed is observed there, at the same point of every clock.

#include "machine.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "Vsoc___024root.h"
#include "memory_map.h"
#include "program.h"

namespace foliot {

namespace {

constexpr uint32_t finish_pass = 0x5555;

void put_console(uint8_t byte) {
    std::putchar(byte);
    if (byte == '\n') std::fflush(stdout);  // whoever reads us shows lines as they come
}

}  // namespace

Machine::Machine(const Options &options) : options_(options), soc_(&context_, "soc") {
    auto &words = soc_.rootp->soc__DOT__u_ram__DOT__words;
    static_assert(sizeof words == ram_max_bytes, "memory_map.h and devices/ram.sv disagree");
    const uint32_t ram_bytes = options_.ram_kib * 1024;
    const auto ram = reinterpret_cast<uint8_t *>(&words[0]);
    soc_.entry_i = load_elf(options_.elf, ram, ram_bytes);
    soc_.ram_bytes_i = ram_bytes;
    soc_.instr_wait_i = options_.instr_wait;
    soc_.data_wait_i = options_.data_wait;
    soc_.pins_i = options_.pins;
    soc_.skip_i = 0;
    if (!options_.vcd.empty()) vcd_.emplace(options_.vcd, options_.vcd_from, options_.vcd_to);
    if (!options_.trace.empty()) trace_.emplace(options_.trace);
    if (!options_.fold.empty()) {
        fold_.emplace(options_.fold, options_.fold_within, options_.fold_loops, options_.fold_path,
                      options_.fold_handler, options_.fold_fault);
    }
    if (!options_.uart2.empty()) uart2_.emplace(options_.uart2);
    if (options_.gdb) gdb_.emplace(*options_.gdb, soc_, ram, ram_bytes);
}

Machine::~Machine() { soc_.final(); }

// Reset has to be seen to fall: the core's clock is gated while it is low, so that a reset which is
// low from the beginning never reaches the core's registers.
void Machine::reset() {
    soc_.clk_i = 0;
    soc_.rst_ni = 1;
    soc_.eval();
    soc_.rst_ni = 0;
    soc_.eval();
    soc_.rst_ni = 1;
    soc_.eval();
}

void Machine::tick() {
    soc_.clk_i = 1;
    soc_.eval();
    soc_.clk_i = 0;
    soc_.eval();
}

std::optional<Stop> Machine::handle_events() {
    if (soc_.console_valid_o) put_console(soc_.console_byte_o);
    if (soc_.uart2_valid_o && uart2_) std::putc(soc_.uart2_byte_o, uart2_->stream());
    if (soc_.finish_o) return Stop{"finisher", soc_.finish_value_o == finish_pass ? 0 : 1};
    if (soc_.stray_o) return Stop{"stray", 6};
    if (soc_.trap_return_o) lockup_.trap_return();
    const bool interrupt = (soc_.trap_cause_o & 0x80) != 0;
    if (soc_.trap_o && !interrupt && lockup_.exception(soc_.trap_pc_o)) return Stop{"lockup", 4};
    return std::nullopt;
}

Stop Machine::run() {
    reset();
    uint32_t pins = 0;
    std::optional<Stop> stop;
    for (;;) {
        if (soc_.pins_o != pins) {
            pins = soc_.pins_o;
            if (vcd_) vcd_->change(soc_.cycle_o, pins);
        }
        if (trace_) trace_->observe(soc_);
        if (fold_) fold_->observe(soc_);
        if (soc_.event_o) stop = handle_events();
        if (stop) break;
        if (soc_.cycle_o >= options_.max_cycles) {
            stop = Stop{"limit", 3};
            break;
        }
        if (gdb_ && (stop = gdb_->observe())) break;
        // While the core's clock is stopped nothing but counters moves until an interrupt line
        // rises, so the clocks up to that one may pass in a single step.
        soc_.skip_i = 0;
        if (soc_.asleep_o && !options_.step_through_sleep) {
            soc_.skip_i = std::min<uint64_t>(soc_.quiet_o, options_.max_cycles - soc_.cycle_o) - 1;
        }
        tick();
    }
    if (gdb_) gdb_->ended(*stop);
    close_files();
    return *stop;
}

void Machine::close_files() {
    if (vcd_) vcd_->close(soc_.cycle_o);
    if (trace_) trace_->close();
    if (fold_) fold_->close();
    if (uart2_) uart2_->close();
    if (std::fflush(stdout) != 0) throw UsageError("standard output cannot be written");
}

std::string Machine::report(const Stop &stop) const {
    char text[256];
    int length = std::snprintf(text, sizeof text,
                               "{\"type\":\"stop\",\"reason\":\"%s\",\"cycle\":%" PRIu64
                               ",\"pc\":\"0x%08x\",\"ra\":\"0x%08x\",\"sp\":\"0x%08x\"",
                               stop.reason, static_cast<uint64_t>(soc_.cycle_o), soc_.pc_o,
                               soc_.ra_o, soc_.sp_o);
    std::string report(text, static_cast<size_t>(length));
    if (soc_.finish_o) {
        length = std::snprintf(text, sizeof text, ",\"value\":\"0x%x\"", soc_.finish_value_o);
        report.append(text, static_cast<size_t>(length));
    }
    return report + "}";
}

}  // namespace foliot

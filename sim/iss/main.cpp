// SPDX-License-Identifier: Apache-2.0
//
// The instruction-set simulator as a command: standard output is the program's console, the last
// line of standard error is about the end of the run or about what is wrong with the call.

#include <cinttypes>
#include <cstdio>
#include <memory>

#include "../options.h"
#include "../program.h"
#include "execute.h"
#include "masked.h"
#include "options.h"
#include "taint.h"

namespace foliot::iss {

namespace {

std::string report(const Stop &stop, const Hart &hart) {
    char text[256];
    std::snprintf(text, sizeof text,
                  "{\"type\":\"stop\",\"reason\":\"%s\",\"cycle\":%" PRIu64 ",\"pc\":\"0x%08" PRIx32
                  "\",\"ra\":\"0x%08" PRIx32 "\",\"sp\":\"0x%08" PRIx32 "\"",
                  stop.reason, hart.devices.cycle, hart.pc, hart.x[1], hart.x[2]);
    std::string out = text;
    if (hart.devices.finished) {
        std::snprintf(text, sizeof text, ",\"value\":\"0x%" PRIx32 "\"", hart.devices.finish_value);
        out += text;
    }
    return out + "}";
}

void put_console(uint8_t byte) {
    std::putchar(byte);
    if (byte == '\n') std::fflush(stdout);  // whoever reads us shows lines as they come
}

struct Parts {
    Hart &hart;
    Trace *trace;
    Sweep *sweep;
};

Stop run_watched(const Parts &parts, const Options &options) {
    Nobody nobody;
    return Executor<Nobody>(parts.hart, nobody, parts.trace, parts.sweep, options.max_cycles).run();
}

Stop run_masked(const Parts &parts, const Options &options) {
    Masked masked(parts.hart);
    OutputFile file(options.masked);
    const Stop stop =
        Executor<Masked>(parts.hart, masked, parts.trace, nullptr, options.max_cycles).run();
    std::fputs(masked.report().c_str(), file.stream());
    file.close();
    return stop;
}

Stop run_tainted(const Parts &parts, const Options &options) {
    const auto taint = std::make_unique<Taint>(parts.hart, options.taint, options.taint_all);
    Executor<Taint> executor(parts.hart, *taint, parts.trace, parts.sweep, options.max_cycles);
    Stop stop{"taint", 7};
    try {
        stop = executor.run();
    } catch (const TaintFound &found) {
        if (parts.sweep && parts.sweep->is_child()) parts.sweep->say(found.what());
        else std::fprintf(stderr, "iss: %s\n", found.what());
    }
    if (taint->places() != 0) stop = {"taint", 7};
    if (!options.counts.empty() && !(parts.sweep && parts.sweep->is_child())) {
        OutputFile file(options.counts);
        std::fputs(taint->counts().c_str(), file.stream());
        file.close();
    }
    return stop;
}

int run(const Options &options) {
    const auto hart = std::make_unique<Hart>(options.ram_kib * 1024, options.pins);
    hart->start(load_elf(options.elf, hart->ram.data(), hart->ram_bytes));
    std::optional<Trace> trace;
    std::optional<OutputFile> uart2;
    std::optional<Sweep> sweep;
    if (!options.trace.empty()) trace.emplace(options.trace);
    if (!options.uart2.empty()) uart2.emplace(options.uart2);
    if (options.sweep) sweep.emplace(*options.sweep);
    hart->devices.console = [&](uint8_t byte) {
        if (sweep && sweep->is_child()) sweep->console(byte);
        else put_console(byte);
    };
    hart->devices.uart2 = [&](uint8_t byte) {
        if (uart2 && !(sweep && sweep->is_child())) std::putc(byte, uart2->stream());
    };
    Parts parts{*hart, trace ? &*trace : nullptr, sweep ? &*sweep : nullptr};
    const Stop stop = !options.masked.empty() ? run_masked(parts, options)
                      : options.taint.empty() ? run_watched(parts, options)
                                              : run_tainted(parts, options);
    if (sweep && sweep->is_child()) sweep->end_child(stop, *hart);
    if (trace) trace->close();
    if (uart2) uart2->close();
    if (std::fflush(stdout) != 0) throw UsageError("standard output cannot be written");
    const bool sweeps = sweep && !options.sweep->at;
    if (sweeps) std::fprintf(stderr, "@sim %s\n", sweep->report().c_str());
    std::fprintf(stderr, "@sim %s\n", report(stop, *hart).c_str());
    return sweeps && stop.status == 0 && !sweep->passed() ? 1 : stop.status;
}

}  // namespace

}  // namespace foliot::iss

int main(int argc, char **argv) {
    try {
        const foliot::iss::Options options = foliot::iss::parse_options(argc, argv);
        if (options.help) {
            std::fputs(foliot::iss::usage_text, stdout);
            return 0;
        }
        return foliot::iss::run(options);
    } catch (const foliot::UsageError &error) {
        std::fprintf(stderr, "iss: %s\n", error.what());
        return 2;
    }
}

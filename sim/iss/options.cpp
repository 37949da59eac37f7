// SPDX-License-Identifier: Apache-2.0

#include "options.h"

#include <getopt.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "../memory_map.h"
#include "../options.h"

namespace foliot::iss {

const char *const usage_text =
    "usage: iss --elf FILE [OPTION VALUE]...\n"
    "Run a program of the simulated SoC instruction by instruction. Its console is standard output.\n"
    "\n"
    "  --elf FILE          program: 32-bit RISC-V ELF, loaded at its physical addresses\n"
    "  --max-cycles N      stop with status 3 after N clocks (default: no limit)\n"
    "  --ram-kib N         size of the RAM, 16 to 16384 (1024)\n"
    "  --pins X            level of the eight input pins, 0 to 0xff (0)\n"
    "  --trace FILE        write one line for each instruction retired while the marker is not 0\n"
    "  --uart2 FILE        write the bytes that the second UART sends\n"
    "  --interrupt LINE    which line the two below raise: 3, 11 or 16 to 30 (16)\n"
    "  --interrupt-at N    raise it before instruction N of machine mode of the window\n"
    "  --sweep             fork before each of them, and raise it there in the child\n"
    "  --sweep-step N      ... before each Nth (1)\n"
    "  --sweep-first N     ... from number N on, below the step (0)\n"
    "  --window MARKER     the window is while the marker is that (any but 0)\n"
    "  --taint TABLE       stop with status 7 where the kernel uses what user mode says unchecked\n"
    "  --taint-all         ... go on, and tell each place once\n"
    "  --taint-counts FILE  write how often each check cleared a value\n"
    "  --masked FILE       write the longest runs of instructions that no interrupt can interrupt\n"
    "  --help              this text\n"
    "\n"
    "Numbers are decimal or 0x-hexadecimal. The last line on standard error says where it stopped, as\n"
    "  @sim {\"type\":\"stop\",\"reason\":\"limit\",\"cycle\":N,\"pc\":\"0x...\",...}\n"
    "with the reason finisher, limit, lockup or taint. Exit status: 0 the program passed (a sweep: at\n"
    "each instruction), 1 it failed, 2 wrong usage or unreadable file, 3 limit, 4 locked up, 7 taint.\n";

namespace {

uint64_t number(const std::string &option, const std::string &text, uint64_t low, uint64_t high) {
    errno = 0;
    char *end = nullptr;
    const bool hexadecimal = text.size() > 2 && text[0] == '0' && std::tolower(text[1]) == 'x';
    const uint64_t value = std::strtoull(text.c_str(), &end, hexadecimal ? 16 : 10);
    const bool is_number = std::isdigit(static_cast<unsigned char>(text.c_str()[0])) != 0;
    if (!is_number || *end != '\0' || errno != 0 || value < low || value > high) {
        throw UsageError("--" + option + " takes a number from " + std::to_string(low) + " to " +
                         std::to_string(high) + ", not '" + text + "'");
    }
    return value;
}

unsigned line(const std::string &text) {
    const uint64_t value = number("interrupt", text, 3, 30);
    if (value != 3 && value != 11 && value < 16) {
        throw UsageError("--interrupt takes 3, 11 or 16 to 30, not '" + text + "'");
    }
    return static_cast<unsigned>(value);
}

struct Parsed {
    Options options;
    SweepOptions sweep;
    bool sweeps = false, needs_sweep = false;
};

void set_option(Parsed &parsed, const std::string &name, const std::string &value) {
    Options &options = parsed.options;
    parsed.needs_sweep |=
        name == "interrupt" || name == "window" || name == "sweep-step" || name == "sweep-first";
    if (name == "elf") options.elf = value;
    else if (name == "trace") options.trace = value;
    else if (name == "uart2") options.uart2 = value;
    else if (name == "taint") options.taint = value;
    else if (name == "taint-all") options.taint_all = true;
    else if (name == "taint-counts") options.counts = value;
    else if (name == "masked") options.masked = value;
    else if (name == "max-cycles") options.max_cycles = number(name, value, 1, UINT64_MAX);
    else if (name == "ram-kib") {
        options.ram_kib = static_cast<uint32_t>(number(name, value, 16, ram_max_bytes / 1024));
    } else if (name == "pins") options.pins = static_cast<uint8_t>(number(name, value, 0, 255));
    else if (name == "interrupt") parsed.sweep.line = line(value);
    else if (name == "interrupt-at") parsed.sweep.at = number(name, value, 0, UINT64_MAX);
    else if (name == "sweep") parsed.sweeps = true;
    else if (name == "sweep-step") parsed.sweep.step = number(name, value, 1, UINT32_MAX);
    else if (name == "sweep-first") parsed.sweep.first = number(name, value, 0, UINT32_MAX);
    else if (name == "window") {
        parsed.sweep.marker = static_cast<uint32_t>(number(name, value, 1, UINT32_MAX));
    } else options.help = true;
}

}  // namespace

Options parse_options(int argc, char **argv) {
    static const option long_options[] = {
        {"elf", required_argument, nullptr, 0},
        {"max-cycles", required_argument, nullptr, 0},
        {"ram-kib", required_argument, nullptr, 0},
        {"pins", required_argument, nullptr, 0},
        {"trace", required_argument, nullptr, 0},
        {"uart2", required_argument, nullptr, 0},
        {"interrupt", required_argument, nullptr, 0},
        {"interrupt-at", required_argument, nullptr, 0},
        {"sweep", no_argument, nullptr, 0},
        {"sweep-step", required_argument, nullptr, 0},
        {"sweep-first", required_argument, nullptr, 0},
        {"window", required_argument, nullptr, 0},
        {"taint", required_argument, nullptr, 0},
        {"taint-all", no_argument, nullptr, 0},
        {"taint-counts", required_argument, nullptr, 0},
        {"masked", required_argument, nullptr, 0},
        {"help", no_argument, nullptr, 0},
        {nullptr, 0, nullptr, 0},
    };
    Parsed parsed;
    opterr = 0;  // getopt would report in its own words, and in more than one line
    for (;;) {
        int index = 0;
        const int result = getopt_long(argc, argv, ":", long_options, &index);
        if (result == -1) break;
        if (result == ':') throw UsageError(std::string(argv[optind - 1]) + " needs a value");
        if (result != 0) {
            throw UsageError(std::string("unknown option '") + argv[optind - 1] + "', see --help");
        }
        set_option(parsed, long_options[index].name, optarg ? optarg : "");
    }
    Options &options = parsed.options;
    if (options.help) return options;
    if (optind < argc) {
        throw UsageError(std::string("unexpected argument '") + argv[optind] + "', see --help");
    }
    if (options.elf.empty()) throw UsageError("which program? --elf FILE, see --help");
    const bool sweeps = parsed.sweeps || parsed.sweep.at;
    if (parsed.sweeps && parsed.sweep.at) throw UsageError("--sweep or --interrupt-at, not both");
    if (parsed.needs_sweep && !sweeps) {
        throw UsageError("--interrupt and --window are for --sweep and --interrupt-at");
    }
    if (parsed.sweep.first >= parsed.sweep.step) {
        throw UsageError("--sweep-first takes a number below --sweep-step");
    }
    if (sweeps) options.sweep = parsed.sweep;
    if ((options.taint_all || !options.counts.empty()) && options.taint.empty()) {
        throw UsageError("--taint-counts and --taint-all are for --taint");
    }
    if (!options.masked.empty() && (sweeps || !options.taint.empty())) {
        throw UsageError("--masked is of one run, without --sweep and --taint");
    }
    if (parsed.sweeps && !options.trace.empty()) {
        throw UsageError("--trace is of one run, not of a --sweep");
    }
    return options;
}

}  // namespace foliot::iss

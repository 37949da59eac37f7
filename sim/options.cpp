// SPDX-License-Identifier: Apache-2.0

#include "options.h"

#include <getopt.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "memory_map.h"

namespace foliot {

const char *const usage_text =
    "usage: sim --elf FILE [OPTION VALUE]...\n"
    "Run a program on the simulated SoC, cycle by cycle. Its console is standard output.\n"
    "\n"
    "  --elf FILE          program: 32-bit RISC-V ELF, loaded at its physical addresses\n"
    "  --max-cycles N      stop with status 3 after N cycles (default: no limit)\n"
    "  --wait-states I,D   wait states of the RAM on the instruction and the data port (0,0)\n"
    "  --ram-kib N         size of the RAM, 16 to 16384 (1024)\n"
    "  --pins X            level of the eight input pins, 0 to 0xff (0)\n"
    "  --vcd FILE          write the signal pins as a VCD\n"
    "  --vcd-from M        ... from cycle M (0)\n"
    "  --vcd-to M          ... to cycle M (the end)\n"
    "  --trace FILE        write one line for each instruction retired while the marker is not 0\n"
    "  --fold FILE         write counts of all instructions of the run, by what each took, of calls\n"
    "                      and masked stretches the longest (fold.h)\n"
    "  --fold-within PC    ... and in which calls the instruction at PC ran; may be repeated\n"
    "  --fold-path PC      ... and what the longest call of the function at PC was made of; the same\n"
    "  --fold-handler PC   ... interrupts by the one of these handlers that they call; the same\n"
    "  --fold-fault PC     ... but for calls that get to the instruction at PC; the same\n"
    "  --fold-loops FILE   ... and how often each of the file's loops began anew\n"
    "  --uart2 FILE        write the bytes that the second UART sends\n"
    "  --gdb PORT          wait for gdb on that port of 127.0.0.1 (0: a free one, told on standard\n"
    "                      error), stopped before the first instruction\n"
    "  --step-through-sleep  simulate every clock of a WFI instead of jumping to its end; slower,\n"
    "                      with the same result\n"
    "  --help              this text\n"
    "\n"
    "Numbers are decimal or 0x-hexadecimal. One line on standard error says where it stopped, as\n"
    "  @sim {\"type\":\"stop\",\"reason\":\"limit\",\"cycle\":N,\"pc\":\"0x...\",...}\n"
    "with the reason finisher, limit, lockup, killed or stray. Exit status: 0 the program passed, 1\n"
    "it failed, 2 wrong usage or unreadable file, 3 cycle limit, 4 the core locked up, 5 gdb ended\n"
    "it, 6 an access to an address where nothing is, on a core that takes no bus errors.\n";

namespace {

// The whole of `text` as a number in [low, high], or a UsageError that names the option.
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

void set_wait_states(Options &options, const std::string &text) {
    const size_t comma = text.find(',');
    if (comma == std::string::npos) {
        throw UsageError("--wait-states takes two numbers, I,D, not '" + text + "'");
    }
    options.instr_wait = number("wait-states", text.substr(0, comma), 0, 255);
    options.data_wait = number("wait-states", text.substr(comma + 1), 0, 255);
}

void set_option(Options &options, const std::string &name, const std::string &value) {
    if (name == "elf") options.elf = value;
    else if (name == "vcd") options.vcd = value;
    else if (name == "trace") options.trace = value;
    else if (name == "fold") options.fold = value;
    else if (name == "fold-loops") options.fold_loops = value;
    else if (name == "fold-path") {
        options.fold_path.push_back(number(name, value, 0, UINT32_MAX));
    } else if (name == "fold-fault") {
        options.fold_fault.push_back(number(name, value, 0, UINT32_MAX));
    } else if (name == "fold-handler") {
        options.fold_handler.push_back(number(name, value, 0, UINT32_MAX));
    } else if (name == "fold-within") {
        options.fold_within.push_back(number(name, value, 0, UINT32_MAX));
    } else if (name == "uart2") options.uart2 = value;
    else if (name == "max-cycles") options.max_cycles = number(name, value, 1, UINT64_MAX);
    else if (name == "vcd-from") options.vcd_from = number(name, value, 0, UINT64_MAX);
    else if (name == "vcd-to") options.vcd_to = number(name, value, 0, UINT64_MAX);
    else if (name == "ram-kib") options.ram_kib = number(name, value, 16, ram_max_bytes / 1024);
    else if (name == "pins") options.pins = number(name, value, 0, 255);
    else if (name == "gdb") options.gdb = number(name, value, 0, 65535);
    else if (name == "wait-states") set_wait_states(options, value);
    else if (name == "step-through-sleep") options.step_through_sleep = true;
    else options.help = true;
}

}  // namespace

Options parse_options(int argc, char **argv) {
    static const option long_options[] = {
        {"elf", required_argument, nullptr, 0},
        {"max-cycles", required_argument, nullptr, 0},
        {"wait-states", required_argument, nullptr, 0},
        {"ram-kib", required_argument, nullptr, 0},
        {"pins", required_argument, nullptr, 0},
        {"vcd", required_argument, nullptr, 0},
        {"vcd-from", required_argument, nullptr, 0},
        {"vcd-to", required_argument, nullptr, 0},
        {"trace", required_argument, nullptr, 0},
        {"fold", required_argument, nullptr, 0},
        {"fold-within", required_argument, nullptr, 0},
        {"fold-path", required_argument, nullptr, 0},
        {"fold-handler", required_argument, nullptr, 0},
        {"fold-fault", required_argument, nullptr, 0},
        {"fold-loops", required_argument, nullptr, 0},
        {"uart2", required_argument, nullptr, 0},
        {"gdb", required_argument, nullptr, 0},
        {"step-through-sleep", no_argument, nullptr, 0},
        {"help", no_argument, nullptr, 0},
        {nullptr, 0, nullptr, 0},
    };
    Options options;
    opterr = 0;  // getopt would report in its own words, and in more than one line
    for (;;) {
        int index = 0;
        const int result = getopt_long(argc, argv, ":", long_options, &index);
        if (result == -1) break;
        if (result == ':') throw UsageError(std::string(argv[optind - 1]) + " needs a value");
        if (result != 0) {
            throw UsageError(std::string("unknown option '") + argv[optind - 1] + "', see --help");
        }
        set_option(options, long_options[index].name, optarg ? optarg : "");
    }
    if (options.help) return options;
    if (optind < argc) {
        throw UsageError(std::string("unexpected argument '") + argv[optind] + "', see --help");
    }
    if (options.elf.empty()) throw UsageError("which program? --elf FILE, see --help");
    if (options.vcd_from > options.vcd_to) throw UsageError("--vcd-from is behind --vcd-to");
    return options;
}

}  // namespace foliot

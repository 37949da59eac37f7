// SPDX-License-Identifier: Apache-2.0
//
// The simulator as a command: standard output is the program's console, standard error is one line
// about the end of the run or about what is wrong with the call.

#include <cstdio>
#include <memory>

#include "machine.h"
#include "options.h"

int main(int argc, char **argv) {
    try {
        const foliot::Options options = foliot::parse_options(argc, argv);
        if (options.help) {
            std::fputs(foliot::usage_text, stdout);
            return 0;
        }
        // On the heap: the RAM is a part of it.
        const auto machine = std::make_unique<foliot::Machine>(options);
        const foliot::Stop stop = machine->run();
        std::fprintf(stderr, "@sim %s\n", machine->report(stop).c_str());
        return stop.status;
    } catch (const foliot::UsageError &error) {
        std::fprintf(stderr, "sim: %s\n", error.what());
        return 2;
    }
}

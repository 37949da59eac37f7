// SPDX-License-Identifier: Apache-2.0
//
// Loads a program. Only what a loader needs of ELF is read here; symbols are the lab's business.

#pragma once

#include <cstdint>
#include <string>

namespace foliot {

// Copies the loadable segments of the 32-bit RISC-V executable `path` into `ram` (the `ram_bytes`
// bytes at ram_address, all zero before), and returns its entry point. Throws UsageError where the
// file cannot be read, is something else, or does not fit.
uint32_t load_elf(const std::string &path, uint8_t *ram, uint32_t ram_bytes);

}  // namespace foliot

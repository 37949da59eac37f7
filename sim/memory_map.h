// SPDX-License-Identifier: Apache-2.0
//
// The two facts of the memory map that the C++ side needs; soc.sv and devices/ram.sv say the same.

#pragma once

#include <cstdint>

namespace foliot {

constexpr uint32_t ram_address = 0x80000000;
constexpr uint32_t ram_max_bytes = 16 * 1024 * 1024;

}  // namespace foliot

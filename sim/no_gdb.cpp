// SPDX-License-Identifier: Apache-2.0
//
// In place of gdb.cpp where a core has no debug.cpp: --gdb is refused.

#include "gdb.h"
#include "options.h"

namespace foliot {

namespace {

uint16_t refused() { throw UsageError("gdb sees nothing of this core: it has no debug.cpp"); }

}  // namespace

GdbStub::GdbStub(uint16_t, Vsoc &soc, uint8_t *ram, uint32_t ram_bytes)
    : link_(refused()), soc_(soc), core_(soc), ram_(ram), ram_bytes_(ram_bytes) {}

std::optional<Stop> GdbStub::look() { return std::nullopt; }

void GdbStub::ended(const Stop &) {}

}  // namespace foliot

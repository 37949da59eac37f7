// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace foliot {

// Why a run ended. `status` is the simulator's exit status.
struct Stop {
    const char *reason;
    int status;
};

}  // namespace foliot

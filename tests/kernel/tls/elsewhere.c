/* SPDX-License-Identifier: Apache-2.0 */
#include "elsewhere.h"

_Thread_local int elsewhere = 7;

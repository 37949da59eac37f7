# SPDX-License-Identifier: Apache-2.0
#
# Ibex once more, in another configuration. Where a debugger may look is not known of it: its loads
# write their register from the execute stage.

include cores/ibex/core.mk

CORE_DEBUG :=

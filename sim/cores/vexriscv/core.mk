# SPDX-License-Identifier: Apache-2.0
#
# VexRiscv's source, for sim/Makefile. CORE_DATA is pythondata_cpu_vexriscv.data_location.
#
# The variant is Full, with one parameter of its generator turned round, which is one line of the
# generated Verilog: that which says where memory is not cached. As delivered, data from 0x80000000
# on goes past the cache, and there this SoC has its RAM. What it tells Verilator in comments is taken
# out, too: signals for others to see keep a model from being made one.

CORE_MADE := $(OUT_ABSOLUTE)/rtl/VexRiscv.v
CORE_FILES := cores/vexriscv/waivers.vlt $(CORE_MADE)
CORE_FLAGS := -y cores/vexriscv

UNCACHED := assign DBusCachedPlugin_mmuBus_rsp_isIoAccess =

$(CORE_MADE): $(CORE_DATA)/VexRiscv_Full.v cores/vexriscv/core.mk
	@mkdir -p $(@D)
	@test "$$(grep -c '$(UNCACHED) .*\[31\];' $<)" = 1 || { echo "$<: not as expected" >&2; exit 1; }
	sed 's/$(UNCACHED)/& !/; s|/\* verilator public \*/||' $< >$@

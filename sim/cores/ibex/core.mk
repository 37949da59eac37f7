# SPDX-License-Identifier: Apache-2.0
#
# Ibex's sources, for sim/Makefile and for each core that is an Ibex (cores/$(CORE)/core_config.sv says
# which). CORE_DATA is pythondata_cpu_ibex.data_location. Verilator finds
# modules by file name; packages have to be named, in order of use.

# The address check of the PMP: Foliot's (the default, twice as fast to simulate) or Ibex's own
# (PMP=rtl). cores/ibex/pmp/ibex_pmp.sv says why.
PMP ?= fast
ifeq ($(PMP),fast)
CORE_PMP := -y cores/ibex/pmp
else ifneq ($(PMP),rtl)
$(error PMP is fast or rtl)
endif

CORE_SHARED := cores/ibex
CORE_DEBUG := cores/ibex/debug.cpp

CORE_PRIM := $(CORE_DATA)/vendor/lowrisc_ip/ip/prim/rtl

CORE_FILES := \
	cores/ibex/waivers.vlt \
	cores/ibex/debug.vlt \
	$(addprefix $(CORE_PRIM)/prim_, util_pkg.sv mubi_pkg.sv cipher_pkg.sv count_pkg.sv \
		ram_1p_pkg.sv secded_pkg.sv) \
	$(CORE_DATA)/rtl/ibex_pkg.sv \
	cores/$(CORE)/core_config.sv

# SYNTHESIS leaves out the assertions and a $display on every illegal instruction.
CORE_FLAGS := \
	-DSYNTHESIS \
	$(CORE_PMP) \
	-y cores/ibex/prim \
	-y $(CORE_DATA)/rtl \
	-y $(CORE_PRIM) \
	+incdir+$(CORE_PRIM) \
	+incdir+$(CORE_DATA)/vendor/lowrisc_ip/dv/sv/dv_utils

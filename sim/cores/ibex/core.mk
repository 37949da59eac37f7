# SPDX-License-Identifier: Apache-2.0
#
# Ibex's sources, for sim/Makefile. CORE_DATA is pythondata_cpu_ibex.data_location. Verilator finds
# modules by file name; packages have to be named, in order of use.

CORE_PRIM := $(CORE_DATA)/vendor/lowrisc_ip/ip/prim/rtl

CORE_FILES := \
	cores/ibex/waivers.vlt \
	$(addprefix $(CORE_PRIM)/prim_, util_pkg.sv mubi_pkg.sv cipher_pkg.sv count_pkg.sv \
		ram_1p_pkg.sv secded_pkg.sv) \
	$(CORE_DATA)/rtl/ibex_pkg.sv

# SYNTHESIS leaves out the assertions and a $display on every illegal instruction.
CORE_FLAGS := \
	-DSYNTHESIS \
	-y cores/ibex/prim \
	-y $(CORE_DATA)/rtl \
	-y $(CORE_PRIM) \
	+incdir+$(CORE_PRIM) \
	+incdir+$(CORE_DATA)/vendor/lowrisc_ip/dv/sv/dv_utils

# SPDX-License-Identifier: Apache-2.0
#
# CV32E40P's sources, for sim/Makefile. CORE_DATA is pythondata_cpu_cv32e40p.data_location. The
# register file's module does not bear its file's name.

CORE_FILES := \
	cores/cv32e40p/waivers.vlt \
	$(addprefix $(CORE_DATA)/rtl/include/cv32e40p_, apu_core_pkg.sv fpu_pkg.sv pkg.sv) \
	$(CORE_DATA)/rtl/cv32e40p_register_file_ff.sv

# SYNTHESIS leaves out the assertions. The core has arrays that are written in two ways, and vectors
# that go round in a circle, each bit to another: Verilator must allow both.
CORE_FLAGS := \
	-DSYNTHESIS -Wno-BLKANDNBLK -Wno-UNOPTFLAT \
	-y cores/cv32e40p/prim \
	-y $(CORE_DATA)/rtl

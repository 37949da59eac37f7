// SPDX-License-Identifier: Apache-2.0
//
// lowRISC's configuration "maxperf" (single-cycle multiply, branch target ALU, write-back stage, no
// instruction cache) with PMP and performance counters added, because the project measures user
// mode and explains its cycles.

package core_config;
  localparam bit               PmpEnable       = 1'b1;
  localparam int unsigned      PmpRegions      = 8;
  localparam int unsigned      Counters        = 10;
  localparam ibex_pkg::rv32m_e Multiplier      = ibex_pkg::RV32MSingleCycle;
  localparam bit               BranchTargetAlu = 1'b1;
  localparam bit               WritebackStage  = 1'b1;
endpackage

// SPDX-License-Identifier: Apache-2.0
//
// lowRISC's configuration "small", as ibex_configs.yaml has it: two stages, a multiplier of three to
// four cycles, no PMP, no counters but mcycle and minstret.

package core_config;
  localparam bit               PmpEnable       = 1'b0;
  localparam int unsigned      PmpRegions      = 4;
  localparam int unsigned      Counters        = 0;
  localparam ibex_pkg::rv32m_e Multiplier      = ibex_pkg::RV32MFast;
  localparam bit               BranchTargetAlu = 1'b0;
  localparam bit               WritebackStage  = 1'b0;
endpackage

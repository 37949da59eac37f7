// SPDX-License-Identifier: Apache-2.0
//
// The clock gate that stops the core in WFI. A register on the falling edge instead of the latch of
// the original, which its authors mean for simulation only: nothing in this SoC changes while the
// clock is low, so both see the same value, and Verilator need not evaluate a latch again and again.

module cv32e40p_clock_gate (
  input  logic clk_i,
  input  logic en_i,
  input  logic scan_cg_en_i,
  output logic clk_o
);

  logic open_q;

  always_ff @(negedge clk_i) begin
    open_q <= en_i | scan_cg_en_i;
  end

  assign clk_o = clk_i & open_q;

endmodule

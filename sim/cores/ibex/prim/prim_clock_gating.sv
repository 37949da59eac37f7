// SPDX-License-Identifier: Apache-2.0
//
// Ibex primitive: the clock gate that stops the core (and mcycle with it) in WFI.
//
// A real gate holds its enable in a latch that is open while the clock is low. Nothing in this SoC
// changes while the clock is low, so a register on the falling edge sees the same value, and it
// spares Verilator the latch's repeated evaluation.

module prim_clock_gating (
  input  logic clk_i,
  input  logic en_i,
  input  logic test_en_i,
  output logic clk_o
);

  logic open_q;

  always_ff @(negedge clk_i) begin
    open_q <= en_i | test_en_i;
  end

  assign clk_o = clk_i & open_q;

endmodule

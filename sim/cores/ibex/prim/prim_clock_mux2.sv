// SPDX-License-Identifier: Apache-2.0
//
// Ibex primitive: a clock multiplexer. Only the lock-step variant, which Foliot does not build,
// instantiates it, but Verilator resolves the name before it drops that variant.

module prim_clock_mux2 #(
  parameter bit NoFpgaBufG = 1'b0
) (
  input  logic clk0_i,
  input  logic clk1_i,
  input  logic sel_i,
  output logic clk_o
);

  assign clk_o = sel_i ? clk1_i : clk0_i;

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// Ibex takes its technology primitives from whoever builds it; the files in this directory are
// Foliot's. This one stands for a buffer that synthesis must keep: in simulation, a wire.

module prim_buf #(
  parameter int Width = 1
) (
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);

  assign out_o = in_i;

endmodule

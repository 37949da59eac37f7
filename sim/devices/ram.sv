// SPDX-License-Identifier: Apache-2.0
//
// The RAM: one array, read on two ports in the same clock. The array has the largest size that can
// be asked for (untouched pages cost the host nothing); soc.sv decides how much of it answers.

module ram (
  input  logic        clk_i,

  input  logic [21:0] instr_index_i,
  output logic [31:0] instr_word_o,

  input  logic        write_i,
  input  logic [21:0] index_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] word_o
);

  localparam int unsigned Words = 16 * 1024 * 1024 / 4;

  logic [31:0] words [Words] /* verilator public_flat_rw */;   // the loader writes the program here
  logic [31:0] mask;

  assign mask         = {{8{be_i[3]}}, {8{be_i[2]}}, {8{be_i[1]}}, {8{be_i[0]}}};
  assign instr_word_o = words[instr_index_i];
  assign word_o       = words[index_i];

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      words[index_i] <= (word_o & ~mask) | (wdata_i & mask);
    end
  end

endmodule

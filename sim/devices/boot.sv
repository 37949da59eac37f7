// SPDX-License-Identifier: Apache-2.0
//
// The boot code: four instructions that jump to the program's entry point with what QEMU's virt
// machine hands over, a0 = hart number and a1 = device tree (none). It exists because cores have
// fixed ideas of where they begin (Ibex: 0x80 behind a 256-byte boundary) and images have theirs.

module boot (
  input  logic [31:0] entry_i,
  input  logic [1:0]  index_i,
  output logic [31:0] word_o
);

  localparam logic [4:0] X0 = 5'd0, T0 = 5'd5, A0 = 5'd10, A1 = 5'd11;
  localparam logic [6:0] OpImm = 7'h13, Lui = 7'h37, Jalr = 7'h67;

  // jalr adds its sign-extended 12 bits to what lui loaded.
  logic [19:0] high;
  assign high = entry_i[31:12] + 20'(entry_i[11]);

  always_comb begin
    case (index_i)
      2'd0:    word_o = {high, T0, Lui};                       // lui  t0, %hi(entry)
      2'd1:    word_o = {12'd0, X0, 3'b000, A0, OpImm};         // li   a0, 0
      2'd2:    word_o = {12'd0, X0, 3'b000, A1, OpImm};         // li   a1, 0
      default: word_o = {entry_i[11:0], T0, 3'b000, X0, Jalr};  // jalr zero, %lo(entry)(t0)
    endcase
  end

endmodule

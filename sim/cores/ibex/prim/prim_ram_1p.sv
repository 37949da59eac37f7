// SPDX-License-Identifier: Apache-2.0
//
// Ibex primitive: the single-port RAM of the instruction cache. Foliot's configuration has no
// cache, so the array is never elaborated; the behaviour is complete all the same.

module prim_ram_1p #(
  parameter  int Width           = 32,
  parameter  int Depth           = 128,
  parameter  int DataBitsPerMask = 1,
  parameter      MemInitFile     = "",    // part of the interface; nobody sets it
  localparam int Aw              = $clog2(Depth)
) (
  input  logic                         clk_i,
  input  logic                         req_i,
  input  logic                         write_i,
  input  logic [Aw-1:0]                addr_i,
  input  logic [Width-1:0]             wdata_i,
  input  logic [Width-1:0]             wmask_i,
  output logic [Width-1:0]             rdata_o,
  input  prim_ram_1p_pkg::ram_1p_cfg_t cfg_i
);

  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (req_i && write_i) begin
      mem[addr_i] <= (mem[addr_i] & ~wmask_i) | (wdata_i & wmask_i);
    end else if (req_i) begin
      rdata_o <= mem[addr_i];
    end
  end

  logic unused_cfg;
  assign unused_cfg = ^cfg_i;

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// The console: what a polling ns16550 driver needs, and no more. It takes a byte in one access and
// is always ready for the next, so that printing costs no simulated time beyond the store itself;
// it has no input and raises no interrupt. Registers are bytes, as on QEMU's virt machine.

module console (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        sel_i,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic        high_i,      // registers 4 to 7
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,

  output logic        byte_valid_o,
  output logic [7:0]  byte_o
);

  localparam logic [7:0] LsrAlwaysReady = 8'h60;
  localparam logic [7:0] IirNonePending = 8'h01;

  logic [7:0] ier_q, lcr_q, mcr_q, scratch_q, divisor_low_q, divisor_high_q;
  logic       divisor_access;
  logic       write_low, write_high;

  assign divisor_access = lcr_q[7];
  assign write_low      = sel_i && we_i && !high_i;
  assign write_high     = sel_i && we_i && high_i;

  assign byte_valid_o = write_low && be_i[0] && !divisor_access;
  assign byte_o       = wdata_i[7:0];

  always_comb begin
    if (high_i) begin
      rdata_o = {scratch_q, 8'h00, LsrAlwaysReady, mcr_q};
    end else begin
      rdata_o = {lcr_q, IirNonePending,
                 divisor_access ? divisor_high_q : ier_q,
                 divisor_access ? divisor_low_q : 8'h00};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ier_q          <= 8'h00;
      lcr_q          <= 8'h00;
      mcr_q          <= 8'h00;
      scratch_q      <= 8'h00;
      divisor_low_q  <= 8'h00;
      divisor_high_q <= 8'h00;
    end else if (write_low) begin
      if (be_i[0] && divisor_access)  divisor_low_q  <= wdata_i[7:0];
      if (be_i[1] && divisor_access)  divisor_high_q <= wdata_i[15:8];
      if (be_i[1] && !divisor_access) ier_q          <= wdata_i[15:8];
      if (be_i[3])                    lcr_q          <= wdata_i[31:24];
    end else if (write_high) begin
      if (be_i[0])                    mcr_q          <= wdata_i[7:0];
      if (be_i[3])                    scratch_q      <= wdata_i[31:24];
    end
  end

  logic unused;
  assign unused = ^{be_i[2], wdata_i[23:16]};   // the line status register is read only

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// The core-local interruptor of one hart: software interrupt, timer compare, and time at core
// clock. Only the five words that exist answer; the rest of QEMU's 64 KiB window is absent here.

module clint (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        sel_i,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic [15:2] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        err_o,

  input  logic [63:0] step_i,          // clocks that pass at this edge
  output logic        irq_software_o,
  output logic        irq_timer_o,
  output logic [63:0] quiet_o          // clocks until irq_timer_o rises by itself
);

  localparam logic [13:0] Msip         = 14'(16'h0000 >> 2);
  localparam logic [13:0] MtimecmpLow  = 14'(16'h4000 >> 2);
  localparam logic [13:0] MtimecmpHigh = 14'(16'h4004 >> 2);
  localparam logic [13:0] MtimeLow     = 14'(16'hBFF8 >> 2);
  localparam logic [13:0] MtimeHigh    = 14'(16'hBFFC >> 2);

  logic        msip_q;
  logic [63:0] mtime_q, mtimecmp_q;
  logic        write;

  assign irq_software_o = msip_q;
  assign irq_timer_o    = mtime_q >= mtimecmp_q;
  assign quiet_o        = irq_timer_o ? '1 : mtimecmp_q - mtime_q;

  assign write = sel_i && we_i && !err_o;

  always_comb begin
    rdata_o = 32'd0;
    err_o   = we_i && be_i != 4'b1111;
    case (addr_i)
      Msip:         rdata_o = {31'd0, msip_q};
      MtimecmpLow:  rdata_o = mtimecmp_q[31:0];
      MtimecmpHigh: rdata_o = mtimecmp_q[63:32];
      MtimeLow:     rdata_o = mtime_q[31:0];
      MtimeHigh:    rdata_o = mtime_q[63:32];
      default:      err_o   = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      msip_q     <= 1'b0;
      mtime_q    <= 64'd0;
      mtimecmp_q <= '1;
    end else begin
      mtime_q <= mtime_q + step_i;
      if (write) begin
        case (addr_i)
          Msip:         msip_q            <= wdata_i[0];
          MtimecmpLow:  mtimecmp_q[31:0]  <= wdata_i;
          MtimecmpHigh: mtimecmp_q[63:32] <= wdata_i;
          MtimeLow:     mtime_q[31:0]     <= wdata_i;
          MtimeHigh:    mtime_q[63:32]    <= wdata_i;
          default: ;
        endcase
      end
    end
  end

endmodule

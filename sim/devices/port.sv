// SPDX-License-Identifier: Apache-2.0
//
// The handshake of one core port: one access at a time, its answer 1 + wait_i clocks after the
// grant, the next grant together with the answer (as AHB does it). With no wait states that is a
// grant in the clock of the request and the answer in the next, back to back.
//
// The answer is computed at the grant and held: a device sees an access in one clock only.

module port (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  output logic        gnt_o,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,

  input  logic [7:0]  wait_i,    // for the access that is granted in this clock
  input  logic [31:0] rdata_i,   // its answer
  input  logic        err_i
);

  logic       busy_q;
  logic [7:0] left_q;

  assign rvalid_o = busy_q && left_q == 8'd0;
  assign gnt_o    = req_i && (!busy_q || rvalid_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      left_q  <= 8'd0;
      rdata_o <= 32'd0;
      err_o   <= 1'b0;
    end else if (gnt_o) begin
      busy_q  <= 1'b1;
      left_q  <= wait_i;
      rdata_o <= rdata_i;
      err_o   <= err_i;
    end else if (rvalid_o) begin
      busy_q  <= 1'b0;
    end else begin
      left_q  <= left_q - 8'd1;
    end
  end

endmodule

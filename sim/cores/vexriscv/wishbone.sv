// SPDX-License-Identifier: Apache-2.0
//
// From Wishbone to a port of the socket. One access at a time: it is asked for, granted at once, and
// answered a clock or more later, which is the acknowledgement. In a burst that counts up (a line of
// a cache, eight words) the next word is asked for in the clock of the answer, as the master
// announces it; so a line without wait states takes nine clocks. Otherwise the master needs a clock
// to show its next address, and an access takes two.

module wishbone (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        stb_i,
  input  logic        we_i,
  input  logic [29:0] adr_i,
  input  logic [2:0]  cti_i,
  output logic        ack_o,

  output logic        req_o,
  input  logic        gnt_i,
  input  logic        rvalid_i,
  output logic [31:0] addr_o
);

  localparam logic [2:0] CountsUp = 3'b010;

  logic busy_q, goes_on;

  assign ack_o   = busy_q && rvalid_i;
  assign goes_on = ack_o && cti_i == CountsUp && !we_i;
  assign req_o   = stb_i && (!busy_q || goes_on);
  assign addr_o  = {adr_i[29:3], adr_i[2:0] + 3'(goes_on), 2'b00};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    busy_q <= 1'b0;
    else if (gnt_i) busy_q <= 1'b1;
    else if (ack_o) busy_q <= 1'b0;
  end

endmodule

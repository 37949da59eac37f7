// SPDX-License-Identifier: Apache-2.0
//
// Foliot's measuring instruments: the clock, the signal pins, the marker and the interrupt sources
// whose timing the firmware chooses to the cycle. All of them act on whole words, so that a
// narrower write is a bus error rather than a measurement gone quietly wrong.

module instruments (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        sel_i,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic [7:2]  addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        err_o,

  input  logic [63:0] step_i,          // clocks that pass at this edge
  output logic [63:0] cycle_o,
  output logic [31:0] pins_o,
  output logic [31:0] marker_o,
  output logic        irq_injected_o,
  output logic [14:0] irq_raised_o,
  output logic [63:0] quiet_o          // clocks until irq_injected_o rises by itself
);

  localparam logic [31:0] IdValue      = 32'h494C4F46;  // the bytes F O L I in memory
  localparam logic [31:0] VersionValue = 32'd1;

  localparam logic [5:0] Id         = 6'(8'h00 >> 2);
  localparam logic [5:0] Version    = 6'(8'h04 >> 2);
  localparam logic [5:0] CycleLow   = 6'(8'h08 >> 2);
  localparam logic [5:0] CycleHigh  = 6'(8'h0C >> 2);
  localparam logic [5:0] Pins       = 6'(8'h10 >> 2);
  localparam logic [5:0] Marker     = 6'(8'h14 >> 2);
  localparam logic [5:0] PinsSet    = 6'(8'h18 >> 2);
  localparam logic [5:0] PinsClear  = 6'(8'h1C >> 2);
  localparam logic [5:0] Inject     = 6'(8'h20 >> 2);
  localparam logic [5:0] InjectAck  = 6'(8'h24 >> 2);
  localparam logic [5:0] Raise      = 6'(8'h28 >> 2);
  localparam logic [5:0] Lower      = 6'(8'h2C >> 2);
  localparam logic [5:0] InjectTime = 6'(8'h30 >> 2);

  logic [63:0] cycle_q;
  logic [31:0] cycle_high_q;     // taken when the low word is read
  logic [31:0] pins_q, marker_q;
  logic [31:0] inject_left_q;    // clocks until the line rises, 0: not armed
  logic        inject_line_q;
  logic [31:0] inject_time_q;
  logic [14:0] raised_q;

  logic write, read;
  logic inject_rises;

  assign cycle_o        = cycle_q;
  assign pins_o         = pins_q;
  assign marker_o       = marker_q;
  assign irq_injected_o = inject_line_q;
  assign irq_raised_o   = raised_q;

  assign quiet_o      = inject_left_q == 32'd0 ? '1 : 64'(inject_left_q);
  assign inject_rises = inject_left_q != 32'd0 && 64'(inject_left_q) <= step_i;

  assign write = sel_i && we_i && !err_o;
  assign read  = sel_i && !we_i;

  always_comb begin
    rdata_o = 32'd0;
    err_o   = we_i && be_i != 4'b1111;
    case (addr_i)
      Id:                        rdata_o = IdValue;
      Version:                   rdata_o = VersionValue;
      CycleLow:                  rdata_o = cycle_q[31:0];
      CycleHigh:                 rdata_o = cycle_high_q;
      Pins, PinsSet, PinsClear:  rdata_o = pins_q;
      Marker:                    rdata_o = marker_q;
      Inject:                    rdata_o = inject_left_q;
      InjectAck:                 rdata_o = {31'd0, inject_line_q};
      Raise, Lower:              rdata_o = {17'd0, raised_q};
      InjectTime:                rdata_o = inject_time_q;
      default:                   err_o   = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q       <= 64'd0;
      cycle_high_q  <= 32'd0;
      pins_q        <= 32'd0;
      marker_q      <= 32'd0;
      inject_left_q <= 32'd0;
      inject_line_q <= 1'b0;
      inject_time_q <= 32'd0;
      raised_q      <= 15'd0;
    end else begin
      cycle_q <= cycle_q + step_i;
      if (read && addr_i == CycleLow) begin
        cycle_high_q <= cycle_q[63:32];
      end

      if (inject_rises) begin
        inject_left_q <= 32'd0;
        inject_line_q <= 1'b1;
        inject_time_q <= 32'(cycle_q + step_i);
      end else if (inject_left_q != 32'd0) begin
        inject_left_q <= inject_left_q - 32'(step_i);
      end

      if (write) begin
        case (addr_i)
          Pins:      pins_q   <= wdata_i;
          PinsSet:   pins_q   <= pins_q | wdata_i;
          PinsClear: pins_q   <= pins_q & ~wdata_i;
          Marker:    marker_q <= wdata_i;
          Raise:     raised_q <= raised_q | wdata_i[14:0];
          Lower:     raised_q <= raised_q & ~wdata_i[14:0];
          InjectAck: inject_line_q <= 1'b0;
          Inject: begin
            // The clock of the write is the first of the N.
            inject_left_q <= wdata_i == 32'd0 ? 32'd0 : wdata_i - 32'd1;
            inject_line_q <= wdata_i == 32'd1;
            if (wdata_i == 32'd1) inject_time_q <= 32'(cycle_q + step_i);
          end
          default: ;
        endcase
      end
    end
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// The second UART: a transmitter that takes its time, for suites in which the UART itself is the
// subject. 32 bytes of FIFO, 10 bits a byte (8N1), DIVISOR clocks a bit.

module uart2 (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        sel_i,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic [7:2]  addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        err_o,

  output logic        irq_o,           // FIFO empty, while enabled
  output logic        busy_o,          // anything queued or on the wire
  output logic        byte_valid_o,    // in the clock that ends the stop bit
  output logic [7:0]  byte_o
);

  localparam logic [5:0] Data    = 6'(8'h00 >> 2);
  localparam logic [5:0] Status  = 6'(8'h04 >> 2);
  localparam logic [5:0] Divisor = 6'(8'h08 >> 2);
  localparam logic [5:0] Control = 6'(8'h0C >> 2);

  localparam int unsigned Depth        = 32;
  localparam logic [15:0] DivisorReset = 16'd868;   // 115200 baud at the nominal 100 MHz
  localparam logic [3:0]  BitsPerByte  = 4'd10;

  logic [7:0]  fifo_q [Depth];
  logic [4:0]  read_q, write_q;
  logic [5:0]  count_q;
  logic        overrun_q;
  logic        irq_enable_q;
  logic [15:0] divisor_q;

  logic        sending_q;
  logic [7:0]  shift_q;
  logic [3:0]  bits_left_q;
  logic [15:0] clocks_left_q;   // of the bit on the wire, this clock included

  logic write, push, pop, full, empty, bit_ends, byte_ends;

  assign full  = count_q == 6'(Depth);
  assign empty = count_q == 6'd0;
  assign write = sel_i && we_i && !err_o;
  assign push  = write && addr_i == Data && !full;

  assign bit_ends  = sending_q && clocks_left_q == 16'd1;
  assign byte_ends = bit_ends && bits_left_q == 4'd1;
  assign pop       = !empty && (!sending_q || byte_ends);

  assign irq_o        = irq_enable_q && empty;
  assign busy_o       = sending_q || !empty;
  assign byte_valid_o = byte_ends;
  assign byte_o       = shift_q;

  always_comb begin
    rdata_o = 32'd0;
    err_o   = we_i && be_i != 4'b1111;
    case (addr_i)
      Data:    rdata_o = 32'd0;
      Status:  rdata_o = {18'd0, count_q, 4'd0, overrun_q, busy_o, empty, full};
      Divisor: rdata_o = {16'd0, divisor_q};
      Control: rdata_o = {31'd0, irq_enable_q};
      default: err_o   = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q        <= 5'd0;
      write_q       <= 5'd0;
      count_q       <= 6'd0;
      overrun_q     <= 1'b0;
      irq_enable_q  <= 1'b0;
      divisor_q     <= DivisorReset;
      sending_q     <= 1'b0;
      shift_q       <= 8'd0;
      bits_left_q   <= 4'd0;
      clocks_left_q <= 16'd0;
    end else begin
      if (push) begin
        fifo_q[write_q] <= wdata_i[7:0];
        write_q         <= write_q + 5'd1;
      end
      count_q <= count_q + 6'(push) - 6'(pop);

      if (pop) begin
        sending_q     <= 1'b1;
        shift_q       <= fifo_q[read_q];
        read_q        <= read_q + 5'd1;
        bits_left_q   <= BitsPerByte;
        clocks_left_q <= divisor_q;
      end else if (byte_ends) begin
        sending_q     <= 1'b0;
      end else if (bit_ends) begin
        bits_left_q   <= bits_left_q - 4'd1;
        clocks_left_q <= divisor_q;
      end else if (sending_q) begin
        clocks_left_q <= clocks_left_q - 16'd1;
      end

      if (write) begin
        case (addr_i)
          Data:    if (full) overrun_q <= 1'b1;
          Status:  overrun_q    <= 1'b0;
          Divisor: divisor_q    <= wdata_i[15:0] == 16'd0 ? 16'd1 : wdata_i[15:0];
          Control: irq_enable_q <= wdata_i[0];
          default: ;
        endcase
      end
    end
  end

  logic unused;
  assign unused = ^wdata_i[31:16];

endmodule

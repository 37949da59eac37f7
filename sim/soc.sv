// SPDX-License-Identifier: Apache-2.0
//
// The SoC: one core on two ports, RAM on both, devices on the data port. It keeps the addresses of
// QEMU's RISC-V virt machine where a foreign kernel needs them, and answers nothing but what
// exists: every other address is a bus error, on both ports, because an SoC that read as 0
// everywhere once hid a foreign kernel's use of freed memory. README.md has the map.
//
// Nothing here depends on the core: it comes in by the module name `core` (cores/NAME/core.sv).

module soc (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Set before reset and constant from then on
  input  logic [31:0] entry_i,         // first instruction of the program
  input  logic [31:0] ram_bytes_i,
  input  logic [7:0]  instr_wait_i,    // wait states of the RAM, on either port
  input  logic [7:0]  data_wait_i,
  input  logic [7:0]  pins_i,

  // Clocks to jump over at the next edge, beside the one that passes anyway: 0 except while
  // `asleep_o`, and then less than `quiet_o`
  input  logic [63:0] skip_i,
  output logic        asleep_o,        // nothing but counters moves until a line rises
  output logic [63:0] quiet_o,         // clocks until one may

  output logic [63:0] cycle_o,         // of this clock, 0 in the first after reset
  output logic [31:0] pins_o,
  output logic [31:0] marker_o,

  // Events of this clock
  output logic        event_o,         // any of the next six
  output logic        console_valid_o,
  output logic        uart2_valid_o,
  output logic        finish_o,
  output logic        stray_o,         // an access to nothing that the core can't be told of
  output logic        trap_o,
  output logic        trap_return_o,
  output logic [7:0]  console_byte_o,
  output logic [7:0]  uart2_byte_o,
  output logic [31:0] finish_value_o,

  // The core, as its socket shows it
  output logic        trap_late_o,
  output logic [7:0]  trap_cause_o,
  output logic [31:0] trap_pc_o,
  output logic        enter_o,
  output logic        leave_o,
  output logic        compressed_o,
  output logic [31:0] pc_o,
  output logic [31:0] insn_o,
  output logic [31:0] ra_o,
  output logic [31:0] sp_o,
  output logic        masked_o
);

  // The boot address is the start of the boot code's page; cores begin at that or, Ibex, 0x80
  // behind it. Traps before mtvec is set go there too and are bus errors.
  localparam logic [31:0] BootAddress = 32'h4000_1000;
  localparam logic [31:0] RamAddress  = 32'h8000_0000;

  //// Core

  logic        instr_req, instr_gnt, instr_rvalid, instr_err;
  logic [31:0] instr_addr, instr_rdata;
  logic        data_req, data_gnt, data_rvalid, data_err, we;
  logic [3:0]  be;
  logic [31:0] data_addr, data_rdata, wdata;
  logic        irq_software, irq_timer, irq_injected, irq_uart2, core_sleep, core_deaf;
  logic [14:0] irq_raised;

  core u_core (
    .clk_i, .rst_ni,
    .boot_addr_i    (BootAddress),
    .instr_req_o    (instr_req),
    .instr_gnt_i    (instr_gnt),
    .instr_rvalid_i (instr_rvalid),
    .instr_addr_o   (instr_addr),
    .instr_rdata_i  (instr_rdata),
    .instr_err_i    (instr_err),
    .data_req_o     (data_req),
    .data_gnt_i     (data_gnt),
    .data_rvalid_i  (data_rvalid),
    .data_we_o      (we),
    .data_be_o      (be),
    .data_addr_o    (data_addr),
    .data_wdata_o   (wdata),
    .data_rdata_i   (data_rdata),
    .data_err_i     (data_err),
    .irq_software_i (irq_software),
    .irq_timer_i    (irq_timer),
    .irq_external_i (irq_injected),
    .irq_fast_i     ({irq_raised[14] | irq_uart2, irq_raised[13:0]}),
    .sleep_o        (core_sleep),
    .enter_o, .leave_o, .compressed_o, .pc_o, .insn_o,
    .trap_o, .trap_late_o, .trap_cause_o, .trap_pc_o, .trap_return_o,
    .deaf_o         (core_deaf),
    .ra_o, .sp_o, .masked_o
  );

  //// Instruction port: RAM and the boot code

  logic        instr_in_ram, instr_in_boot;
  logic [31:0] instr_ram_offset, instr_ram_word, boot_word;

  assign instr_ram_offset = instr_addr - RamAddress;
  assign instr_in_ram     = instr_ram_offset < ram_bytes_i;
  assign instr_in_boot    = instr_addr[31:4] == 28'(BootAddress >> 4) + 28'h8;

  boot u_boot (
    .entry_i,
    .index_i (instr_addr[3:2]),
    .word_o  (boot_word)
  );

  port u_instr_port (
    .clk_i, .rst_ni,
    .req_i    (instr_req),
    .gnt_o    (instr_gnt),
    .rvalid_o (instr_rvalid),
    .rdata_o  (instr_rdata),
    .err_o    (instr_err),
    .wait_i   (instr_in_ram ? instr_wait_i : 8'd0),
    .rdata_i  (instr_in_ram ? instr_ram_word : boot_word),
    .err_i    (!(instr_in_ram || instr_in_boot))
  );

  //// Data port: RAM and devices

  logic        in_ram, in_console, in_clint, in_finisher, in_plic, in_foliot;
  logic        in_instruments, in_uart2, in_pins;
  logic [31:0] ram_offset, ram_word;
  logic [31:0] console_rdata, clint_rdata, instruments_rdata, uart2_rdata;
  logic        clint_err, instruments_err, uart2_err;
  logic [31:0] rdata;
  logic        err;

  assign ram_offset  = data_addr - RamAddress;
  assign in_ram      = ram_offset < ram_bytes_i;
  assign in_finisher = data_addr[31:2] == 30'(32'h0010_0000 >> 2);
  assign in_clint    = data_addr[31:16] == 16'h0200;
  assign in_plic     = data_addr[31:24] == 8'h0C && data_addr[23:21] < 3'd3;
  assign in_console  = data_addr[31:3] == 29'(32'h1000_0000 >> 3);
  assign in_foliot   = data_addr[31:12] == 20'h40000;

  assign in_instruments = in_foliot && data_addr[11:8] == 4'h0;
  assign in_uart2       = in_foliot && data_addr[11:8] == 4'h1;
  assign in_pins        = in_foliot && data_addr[11:2] == 10'(12'h200 >> 2) && !we;

  always_comb begin
    rdata = 32'd0;
    err   = 1'b0;
    case (1'b1)
      in_ram:         rdata = ram_word;
      in_console:     rdata = console_rdata;
      in_clint:       begin rdata = clint_rdata;       err = clint_err;       end
      in_instruments: begin rdata = instruments_rdata; err = instruments_err; end
      in_uart2:       begin rdata = uart2_rdata;       err = uart2_err;       end
      in_pins:        rdata = {24'd0, pins_i};
      in_finisher,
      in_plic:        ;
      default:        err = 1'b1;
    endcase
  end

  port u_data_port (
    .clk_i, .rst_ni,
    .req_i    (data_req),
    .gnt_o    (data_gnt),
    .rvalid_o (data_rvalid),
    .rdata_o  (data_rdata),
    .err_o    (data_err),
    .wait_i   (in_ram ? data_wait_i : 8'd0),
    .rdata_i  (rdata),
    .err_i    (err)
  );

  ram u_ram (
    .clk_i,
    .instr_index_i (instr_ram_offset[23:2]),
    .instr_word_o  (instr_ram_word),
    .index_i       (ram_offset[23:2]),
    .write_i       (data_gnt && in_ram && we),
    .be_i          (be),
    .wdata_i       (wdata),
    .word_o        (ram_word)
  );

  //// Devices

  logic [63:0] step, clint_quiet, instruments_quiet;
  logic        uart2_busy;

  assign step     = skip_i + 64'd1;
  assign asleep_o = core_sleep && !uart2_busy;
  assign quiet_o  = clint_quiet < instruments_quiet ? clint_quiet : instruments_quiet;

  console u_console (
    .clk_i, .rst_ni,
    .sel_i        (data_gnt && in_console),
    .we_i         (we),
    .be_i         (be),
    .high_i       (data_addr[2]),
    .wdata_i      (wdata),
    .rdata_o      (console_rdata),
    .byte_valid_o (console_valid_o),
    .byte_o       (console_byte_o)
  );

  clint u_clint (
    .clk_i, .rst_ni,
    .sel_i          (data_gnt && in_clint),
    .we_i           (we),
    .be_i           (be),
    .addr_i         (data_addr[15:2]),
    .wdata_i        (wdata),
    .rdata_o        (clint_rdata),
    .err_o          (clint_err),
    .step_i         (step),
    .irq_software_o (irq_software),
    .irq_timer_o    (irq_timer),
    .quiet_o        (clint_quiet)
  );

  instruments u_instruments (
    .clk_i, .rst_ni,
    .sel_i          (data_gnt && in_instruments),
    .we_i           (we),
    .be_i           (be),
    .addr_i         (data_addr[7:2]),
    .wdata_i        (wdata),
    .rdata_o        (instruments_rdata),
    .err_o          (instruments_err),
    .step_i         (step),
    .cycle_o,
    .pins_o,
    .marker_o,
    .irq_injected_o (irq_injected),
    .irq_raised_o   (irq_raised),
    .quiet_o        (instruments_quiet)
  );

  uart2 u_uart2 (
    .clk_i, .rst_ni,
    .sel_i        (data_gnt && in_uart2),
    .we_i         (we),
    .be_i         (be),
    .addr_i       (data_addr[7:2]),
    .wdata_i      (wdata),
    .rdata_o      (uart2_rdata),
    .err_o        (uart2_err),
    .irq_o        (irq_uart2),
    .busy_o       (uart2_busy),
    .byte_valid_o (uart2_valid_o),
    .byte_o       (uart2_byte_o)
  );

  assign finish_o       = data_gnt && in_finisher && we;
  assign finish_value_o = wdata;
  assign stray_o        = data_gnt && err && core_deaf;
  assign event_o        = console_valid_o || uart2_valid_o || finish_o || stray_o || trap_o ||
                          trap_return_o;

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// VexRiscv Full behind the SoC's core socket (the contract is in sim/README.md, "Adding a core"):
// RV32IM, machine mode only, with 4 KiB of instruction cache and 4 KiB of data cache, each of one way
// with lines of 32 bytes. The data cache writes through, so memory is never older than it. What is
// below 0x80000000 is not cached (core.mk).
//
// Its bridges to Wishbone report no errors, so it is deaf: the simulator ends a run that touches
// nothing (deaf_o). What it fetches from nowhere reads as 0, which is no instruction.
//
// Interrupts: it has the software's and the timer's line, and 32 external ones behind a mask (CSR
// 0xBC0) and what is pending of them (0xFC0), all of cause 11. The socket's fast lines are those of the
// numbers that are their causes elsewhere, 16 to 30; its external one is number 12.
//
// Instructions are observed in the last stage, which each passes in order, and where loads and
// stores are made. A load that is not cached is answered some clocks after it was made, and leaves
// only then.

module core
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] boot_addr_i,

  // Instruction port
  output logic        instr_req_o,
  input  logic        instr_gnt_i,
  input  logic        instr_rvalid_i,
  output logic [31:0] instr_addr_o,
  input  logic [31:0] instr_rdata_i,
  input  logic        instr_err_i,

  // Data port
  output logic        data_req_o,
  input  logic        data_gnt_i,
  input  logic        data_rvalid_i,
  output logic        data_we_o,
  output logic [3:0]  data_be_o,
  output logic [31:0] data_addr_o,
  output logic [31:0] data_wdata_o,
  input  logic [31:0] data_rdata_i,
  input  logic        data_err_i,

  // Interrupt lines, level sensitive
  input  logic        irq_software_i,
  input  logic        irq_timer_i,
  input  logic        irq_external_i,
  input  logic [14:0] irq_fast_i,

  // Observation
  output logic        sleep_o,
  output logic        enter_o,
  output logic        leave_o,
  output logic        compressed_o,
  output logic [31:0] pc_o,
  output logic [31:0] insn_o,
  output logic        trap_o,
  output logic        trap_late_o,
  output logic [7:0]  trap_cause_o,
  output logic [31:0] trap_pc_o,
  output logic        trap_return_o,
  output logic        deaf_o,
  output logic [31:0] ra_o,
  output logic [31:0] sp_o,
  output logic        masked_o
);

  // Its reset is taken at a clock edge, and the socket's is over before the first.
  logic reset_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_q <= 1'b1;
    else         reset_q <= 1'b0;
  end

  logic        instr_stb, instr_ack, data_stb, data_ack;
  logic [29:0] instr_adr, data_adr;
  logic [2:0]  instr_cti, data_cti;
  logic [31:0] lines;

  assign lines = {1'b0, irq_fast_i, 3'b0, irq_external_i, 12'b0};

  VexRiscv u_vex (
    .clk                    (clk_i),
    .reset                  (reset_q),
    .externalResetVector    (boot_addr_i + 32'h80),

    .timerInterrupt         (irq_timer_i),
    .softwareInterrupt      (irq_software_i),
    .externalInterruptArray (lines),

    .iBusWishbone_CYC       (),
    .iBusWishbone_STB       (instr_stb),
    .iBusWishbone_ACK       (instr_ack),
    .iBusWishbone_WE        (),
    .iBusWishbone_ADR       (instr_adr),
    .iBusWishbone_DAT_MISO  (instr_err_i ? 32'd0 : instr_rdata_i),
    .iBusWishbone_DAT_MOSI  (),
    .iBusWishbone_SEL       (),
    .iBusWishbone_ERR       (1'b0),
    .iBusWishbone_CTI       (instr_cti),
    .iBusWishbone_BTE       (),

    .dBusWishbone_CYC       (),
    .dBusWishbone_STB       (data_stb),
    .dBusWishbone_ACK       (data_ack),
    .dBusWishbone_WE        (data_we_o),
    .dBusWishbone_ADR       (data_adr),
    .dBusWishbone_DAT_MISO  (data_rdata_i),
    .dBusWishbone_DAT_MOSI  (data_wdata_o),
    .dBusWishbone_SEL       (data_be_o),
    .dBusWishbone_ERR       (1'b0),
    .dBusWishbone_CTI       (data_cti),
    .dBusWishbone_BTE       ()
  );

  wishbone u_instr (
    .clk_i, .rst_ni,
    .stb_i    (instr_stb && !reset_q),
    .we_i     (1'b0),
    .adr_i    (instr_adr),
    .cti_i    (instr_cti),
    .ack_o    (instr_ack),
    .req_o    (instr_req_o),
    .gnt_i    (instr_gnt_i),
    .rvalid_i (instr_rvalid_i),
    .addr_o   (instr_addr_o)
  );

  wishbone u_data (
    .clk_i, .rst_ni,
    .stb_i    (data_stb && !reset_q),
    .we_i     (data_we_o),
    .adr_i    (data_adr),
    .cti_i    (data_cti),
    .ack_o    (data_ack),
    .req_o    (data_req_o),
    .gnt_i    (data_gnt_i),
    .rvalid_i (data_rvalid_i),
    .addr_o   (data_addr_o)
  );

  // Its clock does not stop in WFI, but once the stages behind it are empty and what was being
  // fetched is there, nothing moves except mcycle, which misses the clocks that are jumped over. A
  // line that will wake it is seen here in the clock in which it rises, two clocks before the core.
  localparam logic [5:0] Settled = 6'd63;
  logic       waits, wakes;
  logic [5:0] waited_q;

  assign wakes = (irq_timer_i && u_vex.CsrPlugin_mie_MTIE) ||
                 (irq_software_i && u_vex.CsrPlugin_mie_MSIE) ||
                 (|(lines & u_vex._zz_CsrPlugin_csrMapping_readDataInit) &&
                  u_vex.CsrPlugin_mie_MEIE);
  assign waits = u_vex.when_CsrPlugin_l1108 && u_vex.when_CsrPlugin_l1110 && !wakes &&
                 !instr_stb && !data_stb &&
                 !u_vex.memory_arbitration_isValid && !u_vex.writeBack_arbitration_isValid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                  waited_q <= 6'd0;
    else if (!waits)              waited_q <= 6'd0;
    else if (waited_q != Settled) waited_q <= waited_q + 6'd1;
  end

  assign sleep_o = waits && waited_q == Settled;

  logic stays_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stays_q <= 1'b0;
    else         stays_q <= u_vex.lastStageIsValid && u_vex.writeBack_arbitration_isStuck;
  end

  assign enter_o      = u_vex.lastStageIsValid && !stays_q;
  assign leave_o      = u_vex.lastStageIsFiring;
  assign compressed_o = 1'b0;
  assign pc_o         = u_vex.lastStagePc;
  assign insn_o       = u_vex.lastStageInstruction;

  assign trap_o        = u_vex.CsrPlugin_hadException || u_vex.CsrPlugin_interruptJump;
  assign trap_late_o   = 1'b0;
  assign trap_cause_o  = {!u_vex.CsrPlugin_hadException, 3'b000, u_vex.CsrPlugin_trapCause};
  assign trap_pc_o     = u_vex.lastStagePc;
  assign trap_return_o = u_vex.when_CsrPlugin_l1064 && leave_o;

  assign deaf_o = 1'b1;

  assign ra_o = u_vex.RegFilePlugin_regFile[1];
  assign sp_o = u_vex.RegFilePlugin_regFile[2];

  assign masked_o = ~u_vex.CsrPlugin_mstatus_MIE;

endmodule

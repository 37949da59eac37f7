// SPDX-License-Identifier: Apache-2.0
//
// CV32E40P behind the SoC's core socket (the contract is in sim/README.md, "Adding a core"): RV32IMC,
// machine mode only, without PULP's instructions, floating point and counters.
//
// It has no input for bus errors, so it is deaf: the simulator ends a run that touches nothing
// (deaf_o), because an access that silently reads 0 hides a program's mistake. What it
// fetches from nowhere reads as 0, which is no instruction.
//
// What is observed has no ports, so it is read by hierarchical reference. An instruction acts on
// what is outside in the EX stage, of which the core keeps neither address nor encoding: `ex_q` goes along
// with it from ID, and `raw_q` with ID's, which has it decompressed.

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

  logic core_sleep;
  logic [31:0] irq;

  // The lines are where its manual has them: 3, 7, 11, and 16 to 31.
  assign irq = {1'b0, irq_fast_i, 4'b0, irq_external_i, 3'b0, irq_timer_i, 3'b0,
                irq_software_i, 3'b0};

  cv32e40p_core #(
    .NUM_MHPMCOUNTERS (1)
  ) u_cv32e40p (
    .clk_i,
    .rst_ni,

    .pulp_clock_en_i     (1'b0),
    .scan_cg_en_i        (1'b0),

    .boot_addr_i         (boot_addr_i + 32'h80),
    .mtvec_addr_i        (boot_addr_i),
    .dm_halt_addr_i      (boot_addr_i),
    .hart_id_i           (32'd0),
    .dm_exception_addr_i (boot_addr_i),

    .instr_req_o,
    .instr_gnt_i,
    .instr_rvalid_i,
    .instr_addr_o,
    .instr_rdata_i       (instr_err_i ? 32'd0 : instr_rdata_i),

    .data_req_o,
    .data_gnt_i,
    .data_rvalid_i,
    .data_we_o,
    .data_be_o,
    .data_addr_o,
    .data_wdata_o,
    .data_rdata_i,

    .apu_busy_o          (),
    .apu_req_o           (),
    .apu_gnt_i           (1'b0),
    .apu_operands_o      (),
    .apu_op_o            (),
    .apu_flags_o         (),
    .apu_rvalid_i        (1'b0),
    .apu_result_i        ('0),
    .apu_flags_i         ('0),

    .irq_i               (irq),
    .irq_ack_o           (),
    .irq_id_o            (),

    .debug_req_i         (1'b0),
    .debug_havereset_o   (),
    .debug_running_o     (),
    .debug_halted_o      (),

    .fetch_enable_i      (1'b1),
    .core_sleep_o        (core_sleep)
  );

  // Asleep once its own clock stands, which it does from the clock after core_sleep on.
  logic asleep_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asleep_q <= 1'b0;
    else         asleep_q <= core_sleep;
  end

  assign sleep_o = core_sleep && asleep_q;

  // What is in EX. ID hands on what is neither illegal nor a call of the environment.
  typedef struct packed {
    logic        valid;
    logic        fresh;
    logic        compressed;
    logic [31:0] pc;
    logic [31:0] insn;
  } stage_t;

  stage_t ex_q;
  logic   leaves_id;
  logic   compressed;

  // As the IF stage hands it on.
  logic [31:0] raw_q;

  always_ff @(posedge clk_i) begin
    if (u_cv32e40p.if_stage_i.if_valid && u_cv32e40p.if_stage_i.instr_valid) begin
      raw_q <= u_cv32e40p.if_stage_i.instr_aligned;
    end
  end

  assign leaves_id  = u_cv32e40p.id_stage_i.minstret;
  assign compressed = u_cv32e40p.is_compressed_id;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ex_q <= '0;
    end else if (leaves_id) begin
      ex_q <= '{valid: 1'b1, fresh: 1'b1, compressed: compressed, pc: u_cv32e40p.pc_id,
                insn: compressed ? {16'b0, raw_q[15:0]} : raw_q};
    end else begin
      ex_q.fresh <= 1'b0;
      ex_q.valid <= ex_q.valid && !leave_o;
    end
  end

  assign enter_o      = ex_q.valid && ex_q.fresh;
  assign leave_o      = ex_q.valid && u_cv32e40p.ex_ready;
  assign compressed_o = ex_q.compressed;
  assign pc_o         = ex_q.pc;
  assign insn_o       = ex_q.insn;

  logic [5:0] cause;
  assign cause         = u_cv32e40p.csr_cause;
  assign trap_o        = u_cv32e40p.csr_save_cause;
  assign trap_late_o   = 1'b0;
  assign trap_cause_o  = {cause[5], 2'b00, cause[4:0]};
  assign trap_pc_o     = u_cv32e40p.csr_save_if ? u_cv32e40p.pc_if :
                         u_cv32e40p.csr_save_id ? u_cv32e40p.pc_id :
                                                  u_cv32e40p.pc_ex;
  assign trap_return_o = u_cv32e40p.csr_restore_mret_id;

  assign deaf_o = 1'b1;

  assign ra_o = u_cv32e40p.id_stage_i.register_file_i.mem[1];
  assign sp_o = u_cv32e40p.id_stage_i.register_file_i.mem[2];

  assign masked_o = ~u_cv32e40p.cs_registers_i.m_irq_enable_o;

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// Ibex behind the SoC's core socket (the contract is in sim/README.md, "Adding a core").
//
// Which Ibex it is says the package core_config of cores/NAME/core_config.sv, so that ibex and ibex_small
// share the rest. The register file is Ibex's FPGA variant: it takes the same cycles as the
// flip-flop one and Verilator runs it faster.
//
// What the socket wants to observe (instructions entering and leaving the execute stage, traps)
// has no port on ibex_top, and Ibex's own RVFI ports cost a quarter of the simulation speed, so it
// is read by hierarchical reference. The wheel is pinned, so these names do not move.

module core
  import ibex_pkg::*;
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

  logic clock_stopped;

  ibex_top #(
    .PMPEnable       (core_config::PmpEnable),
    .PMPGranularity  (0),
    .PMPNumRegions   (core_config::PmpRegions),
    .MHPMCounterNum  (core_config::Counters),
    .RV32M           (core_config::Multiplier),
    .RegFile         (RegFileFPGA),
    .BranchTargetALU (core_config::BranchTargetAlu),
    .WritebackStage  (core_config::WritebackStage)
  ) u_ibex (
    .clk_i,
    .rst_ni,

    .test_en_i              (1'b0),
    .ram_cfg_i              ('0),
    .hart_id_i              (32'd0),
    .boot_addr_i,

    .instr_req_o,
    .instr_gnt_i,
    .instr_rvalid_i,
    .instr_addr_o,
    .instr_rdata_i,
    .instr_rdata_intg_i     ('0),
    .instr_err_i,

    .data_req_o,
    .data_gnt_i,
    .data_rvalid_i,
    .data_we_o,
    .data_be_o,
    .data_addr_o,
    .data_wdata_o,
    .data_wdata_intg_o      (),
    .data_rdata_i,
    .data_rdata_intg_i      ('0),
    .data_err_i,

    .irq_software_i,
    .irq_timer_i,
    .irq_external_i,
    .irq_fast_i,
    .irq_nm_i               (1'b0),

    .scramble_key_valid_i   (1'b0),
    .scramble_key_i         ('0),
    .scramble_nonce_i       ('0),
    .scramble_req_o         (),

    .debug_req_i            (1'b0),
    .crash_dump_o           (),
    .double_fault_seen_o    (),

    .fetch_enable_i         (IbexMuBiOn),
    .alert_minor_o          (),
    .alert_major_internal_o (),
    .alert_major_bus_o      (),
    .core_sleep_o           (clock_stopped),

    .scan_rst_ni            (rst_ni)
  );

  // The clock is stopped in the first clock after reset too, but only until the next.
  assign sleep_o = clock_stopped && u_ibex.core_busy_d == IbexMuBiOff;

  // instr_new_id is high in an instruction's first cycle in the ID/EX stage, instr_id_done in its
  // last, unless it traps there.
  assign enter_o      = u_ibex.u_ibex_core.instr_new_id;
  assign leave_o      = u_ibex.u_ibex_core.instr_id_done;
  assign compressed_o = u_ibex.u_ibex_core.instr_is_compressed_id;
  assign pc_o         = u_ibex.u_ibex_core.pc_id;
  assign insn_o       = compressed_o ? {16'b0, u_ibex.u_ibex_core.instr_rdata_c_id}
                                     : u_ibex.u_ibex_core.instr_rdata_id;

  // Only a load's or store's bus error is found in the write-back stage, after the instruction has
  // left ID/EX; interrupts are taken between instructions.
  exc_cause_t cause;
  assign cause         = u_ibex.u_ibex_core.exc_cause;
  assign trap_o        = u_ibex.u_ibex_core.csr_save_cause;
  assign trap_late_o   = u_ibex.u_ibex_core.csr_save_wb;
  assign trap_cause_o  = {cause.irq_ext | cause.irq_int, 2'b00, cause.lower_cause};
  assign trap_pc_o     = u_ibex.u_ibex_core.csr_save_wb ? u_ibex.u_ibex_core.pc_wb :
                         u_ibex.u_ibex_core.csr_save_id ? u_ibex.u_ibex_core.pc_id :
                                                          u_ibex.u_ibex_core.pc_if;
  assign trap_return_o = u_ibex.u_ibex_core.csr_restore_mret_id;

  assign deaf_o = 1'b0;

  assign ra_o = u_ibex.gen_regfile_fpga.register_file_i.mem[1];
  assign sp_o = u_ibex.gen_regfile_fpga.register_file_i.mem[2];

  assign masked_o = u_ibex.u_ibex_core.priv_mode_id == PRIV_LVL_M &&
                    !u_ibex.u_ibex_core.csr_mstatus_mie;

endmodule

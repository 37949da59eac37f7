// SPDX-License-Identifier: Apache-2.0
//
// The one module of Ibex that Foliot replaces: the PMP's address and permission check, with the
// interface of Ibex's own ibex_pmp and, for every input, its outputs.
//
// Why: Verilator turns the original into half of all the work of a simulated clock (9,400 of the
// host's instructions with it, 5,400 with this; it expands the address masks bit by bit). Why it
// may be replaced: it has no state, so equal outputs are equal cycles, and the test
// tests/sim/test_sim_pmp.py holds the two against each other. `make PMP=rtl` builds with the
// original.
//
// The two loops' bounds are variables so that Verilator keeps them loops.

module ibex_pmp
  import ibex_pkg::*;
#(
  parameter int unsigned DmBaseAddr     = 32'h1A110000,
  parameter int unsigned DmAddrMask     = 32'h00000FFF,
  parameter int unsigned PMPGranularity = 0,
  parameter int unsigned PMPNumChan     = 3,
  parameter int unsigned PMPNumRegions  = 8
) (
  input  pmp_cfg_t     csr_pmp_cfg_i  [PMPNumRegions],
  input  logic [33:0]  csr_pmp_addr_i [PMPNumRegions],
  input  pmp_mseccfg_t csr_pmp_mseccfg_i,

  input  logic         debug_mode_i,

  input  priv_lvl_e    priv_mode_i    [PMPNumChan],
  input  logic [33:0]  pmp_req_addr_i [PMPNumChan],
  input  pmp_req_e     pmp_req_type_i [PMPNumChan],
  output logic         pmp_req_err_o  [PMPNumChan]
);

  if (PMPGranularity != 0) begin : g_granularity
    $error("only the finest granularity is implemented");
  end

  localparam int unsigned RegionBits = $clog2(PMPNumRegions);

  // Addresses are in units of 4 bytes from here on, as in the pmpaddr registers.

  function automatic logic covers(pmp_cfg_mode_e mode, logic [31:0] address, logic [31:0] entry,
                                  logic [31:0] entry_below);
    // The lowest zero of a NAPOT entry and the ones below it do not take part.
    logic [31:0] ignored;
    ignored = entry ^ (entry + 32'd1);
    case (mode)
      PMP_MODE_TOR:   covers = address >= entry_below && address < entry;
      PMP_MODE_NA4:   covers = address == entry;
      PMP_MODE_NAPOT: covers = ((address ^ entry) & ~ignored) == 32'd0;
      default:        covers = 1'b0;
    endcase
  endfunction

  // Without mml the rules of the privileged specification, with it those of Smepmp, where the lock
  // bit tells machine mode's entries from user mode's and the unusable R = 0, W = 1 means sharing.
  function automatic logic permits(pmp_cfg_t cfg, pmp_req_e kind, logic machine, logic mml);
    logic granted;
    granted = kind == PMP_ACC_EXEC ? cfg.exec : kind == PMP_ACC_WRITE ? cfg.write : cfg.read;
    if (!mml) begin
      permits = granted || (machine && !cfg.lock);
    end else if (!cfg.read && cfg.write) begin
      case ({cfg.lock, cfg.exec})
        2'b00:   permits = kind == PMP_ACC_READ || (kind == PMP_ACC_WRITE && machine);
        2'b01:   permits = kind != PMP_ACC_EXEC;
        2'b10:   permits = kind == PMP_ACC_EXEC;
        default: permits = kind == PMP_ACC_EXEC || (kind == PMP_ACC_READ && machine);
      endcase
    end else if (cfg.lock && cfg.read && cfg.write && cfg.exec) begin
      permits = kind == PMP_ACC_READ;
    end else begin
      permits = granted && machine == cfg.lock;
    end
  endfunction

  int unsigned used;   // regions up to the last that is not off

  always_comb begin
    used = 0;
    for (int unsigned r = 0; r < PMPNumRegions; r++) begin
      if (csr_pmp_cfg_i[r].mode != PMP_MODE_OFF) used = r + 1;
    end
  end

  for (genvar c = 0; c < PMPNumChan; c++) begin : g_channel
    logic machine, in_debug_module, denied, decided;

    assign machine         = priv_mode_i[c] == PRIV_LVL_M;
    assign in_debug_module = debug_mode_i &&
                             (pmp_req_addr_i[c][31:0] & ~DmAddrMask) == DmBaseAddr;

    always_comb begin
      // Where no entry matches
      denied  = csr_pmp_mseccfg_i.mmwp || !machine ||
                (csr_pmp_mseccfg_i.mml && pmp_req_type_i[c] == PMP_ACC_EXEC);
      decided = 1'b0;
      for (int unsigned n = 0; n < used && !decided; n++) begin
        logic [RegionBits-1:0] r;
        r = RegionBits'(n);
        decided = covers(csr_pmp_cfg_i[r].mode, pmp_req_addr_i[c][33:2], csr_pmp_addr_i[r][33:2],
                         n == 0 ? 32'd0 : csr_pmp_addr_i[r - RegionBits'(1)][33:2]);
        if (decided) begin
          denied = !permits(csr_pmp_cfg_i[r], pmp_req_type_i[c], machine, csr_pmp_mseccfg_i.mml);
        end
      end
    end

    assign pmp_req_err_o[c] = denied && !in_debug_module;
  end

  logic unused_rlb;
  assign unused_rlb = csr_pmp_mseccfg_i.rlb;   // decides about writes to the registers only

endmodule

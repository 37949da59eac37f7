// SPDX-License-Identifier: Apache-2.0
//
// Foliot's ibex_pmp and Ibex's own, which the test has renamed ibex_pmp_rtl, on the same inputs.

module pmp_pair
  import ibex_pkg::*;
(
  input  pmp_cfg_t     cfg_i     [8],
  input  logic [33:0]  addr_i    [8],
  input  pmp_mseccfg_t mseccfg_i,
  input  logic         debug_mode_i,
  input  priv_lvl_e    priv_mode_i [3],
  input  logic [33:0]  req_addr_i  [3],
  input  pmp_req_e     req_type_i  [3],
  output logic         own_err_o   [3],
  output logic         rtl_err_o   [3]
);

  ibex_pmp #(.PMPNumChan(3), .PMPNumRegions(8)) u_own (
    .csr_pmp_cfg_i     (cfg_i),
    .csr_pmp_addr_i    (addr_i),
    .csr_pmp_mseccfg_i (mseccfg_i),
    .debug_mode_i,
    .priv_mode_i,
    .pmp_req_addr_i    (req_addr_i),
    .pmp_req_type_i    (req_type_i),
    .pmp_req_err_o     (own_err_o)
  );

  ibex_pmp_rtl #(.PMPNumChan(3), .PMPNumRegions(8)) u_rtl (
    .csr_pmp_cfg_i     (cfg_i),
    .csr_pmp_addr_i    (addr_i),
    .csr_pmp_mseccfg_i (mseccfg_i),
    .debug_mode_i,
    .priv_mode_i,
    .pmp_req_addr_i    (req_addr_i),
    .pmp_req_type_i    (req_type_i),
    .pmp_req_err_o     (rtl_err_o)
  );

endmodule

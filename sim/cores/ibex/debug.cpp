// SPDX-License-Identifier: Apache-2.0
//
// Ibex between two instructions.
//
// An instruction enters the ID/EX stage (enter_o) while the one before it is in write-back. Ibex
// lets it do nothing, no request and no write, while a load or store there has no answer yet, so
// the boundary is the first clock of its stay in which none is outstanding. In that clock the value
// that write-back is about to write stands on the register file's write port: the registers are
// what the file holds and that one value over it. An answer that is a bus error is no boundary: it
// kills what is in ID/EX, and the handler's first instruction has a boundary of its own.
//
// The core is changed by setting its registers in the model and letting all combinational logic
// settle again.

#include "Vsoc___024root.h"
#include "core_debug.h"

// Verilator's own, called before the first clock of a model: all combinational logic, once. There
// is no public name for it (the version of Verilator is part of what the build is made of).
void Vsoc___024root___eval_settle(Vsoc___024root *root);

#define IBEX(name) soc__DOT__u_core__DOT__u_ibex__DOT__##name
#define CORE(name) IBEX(u_ibex_core__DOT__##name)
#define CSR(name) CORE(cs_registers_i__DOT__##name)

namespace foliot {

namespace {

auto &registers(const Vsoc &soc) {
    return soc.rootp->IBEX(gen_regfile_fpga__DOT__register_file_i__DOT__mem);
}

uint32_t bit(uint32_t value, unsigned from, unsigned to) { return ((value >> from) & 1) << to; }

// Ibex keeps of mstatus: mie, mpie, mpp (two bits), mprv, tw, from bit 5 down.
uint32_t mstatus(const Vsoc &soc) {
    const uint32_t kept = soc.rootp->CSR(u_mstatus_csr__DOT__rdata_q);
    return bit(kept, 5, 3) | bit(kept, 4, 7) | ((kept >> 2) & 3) << 11 | bit(kept, 1, 17) |
           bit(kept, 0, 21);
}

// ... of mie: software, timer, external, and 15 fast ones, from bit 17 down.
uint32_t mie(const Vsoc &soc) {
    const uint32_t kept = soc.rootp->CSR(u_mie_csr__DOT__rdata_q);
    return bit(kept, 17, 3) | bit(kept, 16, 7) | bit(kept, 15, 11) | (kept & 0x7fff) << 16;
}

// ... of mcause: external interrupt, internal interrupt, five bits of cause.
uint32_t mcause(const Vsoc &soc) {
    const uint32_t kept = soc.rootp->CSR(u_mcause_csr__DOT__rdata_q);
    return ((kept & 0x60) != 0 ? 0x80000000U : 0) | (kept & 0x1f);
}

template <uint64_t Vsoc___024root::*counter, unsigned shift>
uint32_t counter_word(const Vsoc &soc) {
    return static_cast<uint32_t>(soc.rootp->*counter >> shift);
}

template <uint32_t Vsoc___024root::*word>
uint32_t whole(const Vsoc &soc) {
    return soc.rootp->*word;
}

using Root = Vsoc___024root;

}  // namespace

const ControlRegister control_registers[] = {
    {"mstatus", mstatus},
    {"mie", mie},
    {"mtvec", whole<&Root::CSR(u_mtvec_csr__DOT__rdata_q)>},
    {"mscratch", whole<&Root::CSR(u_mscratch_csr__DOT__rdata_q)>},
    {"mepc", whole<&Root::CSR(u_mepc_csr__DOT__rdata_q)>},
    {"mcause", mcause},
    {"mtval", whole<&Root::CSR(u_mtval_csr__DOT__rdata_q)>},
    {"mcycle", counter_word<&Root::CSR(mcycle_counter_i__DOT__counter_q), 0>},
    {"mcycleh", counter_word<&Root::CSR(mcycle_counter_i__DOT__counter_q), 32>},
    {"minstret", counter_word<&Root::CSR(minstret_counter_i__DOT__counter_q), 0>},
    {"minstreth", counter_word<&Root::CSR(minstret_counter_i__DOT__counter_q), 32>},
};
const unsigned control_register_count = sizeof control_registers / sizeof control_registers[0];

bool CoreDebug::at_boundary() {
    const auto &root = *soc_.rootp;
    // Behind a taken jump enter_o is high for what is discarded, too, but then nothing is valid.
    if (soc_.enter_o) fresh_ = root.CORE(instr_valid_id) != 0;
    if (!fresh_) return false;
    const bool answered = root.CORE(lsu_resp_valid) != 0;
    const bool outstanding = root.CORE(outstanding_load_wb) || root.CORE(outstanding_store_wb);
    if (outstanding && !answered) return false;
    fresh_ = false;
    return !(root.CORE(lsu_load_err) || root.CORE(lsu_store_err));
}

uint32_t CoreDebug::pc() const { return asleep() ? soc_.rootp->CORE(pc_if) : soc_.pc_o; }

uint32_t CoreDebug::read(unsigned number) const {
    const auto &root = *soc_.rootp;
    if (number == 0) return 0;
    if (root.CORE(rf_we_wb) && root.CORE(rf_waddr_wb) == number) return root.CORE(rf_wdata_wb);
    return registers(soc_)[number];
}

// Ibex has them in the order of mie, above.
uint32_t CoreDebug::raised() const {
    const uint32_t kept = soc_.rootp->CORE(irqs);
    return bit(kept, 17, 3) | bit(kept, 16, 7) | bit(kept, 15, 11) | (kept & 0x7fff) << 16;
}

bool CoreDebug::write(unsigned number, uint32_t value) {
    auto &root = *soc_.rootp;
    if (root.CORE(rf_we_wb) && root.CORE(rf_waddr_wb) == number) return false;
    registers(soc_)[number] = value;
    Vsoc___024root___eval_settle(&root);
    return true;
}

bool CoreDebug::can_jump(uint32_t target) const {
    const auto distance = static_cast<int32_t>(target - soc_.pc_o);
    return !asleep() && (target & 1) == 0 && distance >= -(1 << 20) && distance < 1 << 20;
}

// jal x0, target.
void CoreDebug::jump(uint32_t target) {
    auto &root = *soc_.rootp;
    const uint32_t distance = target - soc_.pc_o;
    root.CORE(instr_rdata_id) = 0x6f | (distance & 0xff000) | bit(distance, 11, 20) |
                                (distance & 0x7fe) << 20 | bit(distance, 20, 31);
    root.CORE(instr_is_compressed_id) = 0;
    root.CORE(illegal_c_insn_id) = 0;
    root.CORE(instr_fetch_err) = 0;
    root.CORE(instr_fetch_err_plus2) = 0;
    Vsoc___024root___eval_settle(&root);
}

}  // namespace foliot

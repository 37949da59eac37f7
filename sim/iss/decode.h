// SPDX-License-Identifier: Apache-2.0
//
// RV32IMC, decoded once for each place in RAM: a compressed instruction is first made the one that
// it stands for, as Ibex does, so that nothing behind the decoder knows of the short ones but their
// length.

#pragma once

#include <cstdint>

namespace foliot::iss {

enum class Op : uint8_t {
    unknown,  // not decoded yet
    illegal,
    lui,
    auipc,
    jal,
    jalr,
    beq,
    bne,
    blt,
    bge,
    bltu,
    bgeu,
    lb,
    lh,
    lw,
    lbu,
    lhu,
    sb,
    sh,
    sw,
    addi,
    slti,
    sltiu,
    xori,
    ori,
    andi,
    slli,
    srli,
    srai,
    add,
    sub,
    sll,
    slt,
    sltu,
    xor_,
    srl,
    sra,
    or_,
    and_,
    mul,
    mulh,
    mulhsu,
    mulhu,
    div,
    divu,
    rem,
    remu,
    fence,
    ecall,
    ebreak,
    mret,
    wfi,
    csrrw,
    csrrs,
    csrrc,
    csrrwi,
    csrrsi,
    csrrci,
};  // clang-format off of names that are C++'s own: and_, or_, xor_

struct Decoded {
    Op op = Op::unknown;
    uint8_t rd = 0, rs1 = 0, rs2 = 0;  // csrr?i: rs1 is the number
    uint8_t length = 0;
    int32_t imm = 0;  // csrr*: which register; illegal: the encoding
};

// `low`: the halfword at its address, `high`: the next, which counts only where it is a long one.
Decoded decode(uint16_t low, uint16_t high);

// Whether this halfword is all of an instruction.
inline bool is_compressed(uint16_t low) { return (low & 3) != 3; }

}  // namespace foliot::iss

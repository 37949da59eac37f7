// SPDX-License-Identifier: Apache-2.0

#include "decode.h"

namespace foliot::iss {

namespace {

constexpr uint32_t no_instruction = 0;  // in 32 bits that is none

// Bits `high` to `low` of `word`, at bit 0.
constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
    return word >> low & ((2u << (high - low)) - 1);
}

constexpr uint32_t bit(uint32_t word, unsigned n) { return word >> n & 1; }

constexpr int32_t sign(uint32_t value, unsigned width) {
    return static_cast<int32_t>(value << (32 - width)) >> (32 - width);
}

constexpr uint32_t i_type(uint32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t op) {
    return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}

constexpr uint32_t s_type(uint32_t imm, uint32_t rs2, uint32_t rs1) {
    return bits(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | bits(imm, 4, 0) << 7 | 0x23;
}

constexpr uint32_t r_type(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t f3, uint32_t rd) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | 0x33;
}

constexpr uint32_t op_imm = 0x13, load = 0x03;

uint32_t expand_quadrant_0(uint32_t c) {
    const uint32_t rd = 8 + bits(c, 4, 2), rs1 = 8 + bits(c, 9, 7);
    const uint32_t offset = bit(c, 5) << 6 | bits(c, 12, 10) << 3 | bit(c, 6) << 2;
    switch (c >> 13) {
        case 0: {  // c.addi4spn
            const uint32_t imm =
                bits(c, 10, 7) << 6 | bits(c, 12, 11) << 4 | bit(c, 5) << 3 | bit(c, 6) << 2;
            return imm == 0 ? no_instruction : i_type(imm, 2, 0, rd, op_imm);
        }
        case 2:
            return i_type(offset, rs1, 2, rd, load);
        case 6:
            return s_type(offset, rd, rs1);
        default:
            return no_instruction;
    }
}

uint32_t expand_arithmetic(uint32_t c) {
    const uint32_t rd = 8 + bits(c, 9, 7), rs2 = 8 + bits(c, 4, 2);
    const uint32_t imm = bit(c, 12) << 5 | bits(c, 6, 2);
    switch (bits(c, 11, 10)) {
        case 0:
            return imm > 31 ? no_instruction : i_type(imm, rd, 5, rd, op_imm);
        case 1:
            return imm > 31 ? no_instruction : i_type(imm | 0x400, rd, 5, rd, op_imm);
        case 2:
            return i_type(sign(imm, 6) & 0xFFF, rd, 7, rd, op_imm);
        default:
            break;
    }
    if (bit(c, 12)) return no_instruction;
    switch (bits(c, 6, 5)) {
        case 0:
            return r_type(0x20, rs2, rd, 0, rd);
        case 1:
            return r_type(0, rs2, rd, 4, rd);
        case 2:
            return r_type(0, rs2, rd, 6, rd);
        default:
            return r_type(0, rs2, rd, 7, rd);
    }
}

uint32_t expand_quadrant_1(uint32_t c) {
    const uint32_t rd = bits(c, 11, 7);
    const uint32_t imm = bit(c, 12) << 5 | bits(c, 6, 2);
    switch (c >> 13) {
        case 0:
            return i_type(sign(imm, 6) & 0xFFF, rd, 0, rd, op_imm);
        case 2:
            return i_type(sign(imm, 6) & 0xFFF, 0, 0, rd, op_imm);
        case 3: {
            if (imm == 0) return no_instruction;
            if (rd != 2) return static_cast<uint32_t>(sign(imm, 6)) << 12 | rd << 7 | 0x37;
            const uint32_t step = bit(c, 12) << 9 | bits(c, 4, 3) << 7 | bit(c, 5) << 6 |
                                  bit(c, 2) << 5 | bit(c, 6) << 4;
            return i_type(sign(step, 10) & 0xFFF, 2, 0, 2, op_imm);
        }
        case 4:
            return expand_arithmetic(c);
        case 1:
        case 5: {
            const uint32_t to = static_cast<uint32_t>(
                sign(bit(c, 12) << 11 | bit(c, 8) << 10 | bits(c, 10, 9) << 8 | bit(c, 6) << 7 |
                         bit(c, 7) << 6 | bit(c, 2) << 5 | bit(c, 11) << 4 | bits(c, 5, 3) << 1,
                     12));
            return bit(to, 20) << 31 | bits(to, 10, 1) << 21 | bit(to, 11) << 20 |
                   bits(to, 19, 12) << 12 | (c >> 13 == 1 ? 1u : 0u) << 7 | 0x6F;
        }
        default: {
            const uint32_t to =
                static_cast<uint32_t>(sign(bit(c, 12) << 8 | bits(c, 6, 5) << 6 | bit(c, 2) << 5 |
                                               bits(c, 11, 10) << 3 | bits(c, 4, 3) << 1,
                                           9));
            return bit(to, 12) << 31 | bits(to, 10, 5) << 25 | (8 + bits(c, 9, 7)) << 15 |
                   bit(c, 13) << 12 | bits(to, 4, 1) << 8 | bit(to, 11) << 7 | 0x63;
        }
    }
}

uint32_t expand_quadrant_2(uint32_t c) {
    const uint32_t rd = bits(c, 11, 7), rs2 = bits(c, 6, 2);
    switch (c >> 13) {
        case 0:
            return bit(c, 12) ? no_instruction : i_type(rs2, rd, 1, rd, op_imm);
        case 2: {
            const uint32_t offset = bits(c, 3, 2) << 6 | bit(c, 12) << 5 | bits(c, 6, 4) << 2;
            return rd == 0 ? no_instruction : i_type(offset, 2, 2, rd, load);
        }
        case 4:
            if (rs2 != 0) return r_type(0, rs2, bit(c, 12) ? rd : 0, 0, rd);
            if (rd == 0) return bit(c, 12) ? 0x00100073 : no_instruction;
            return i_type(0, rd, 0, bit(c, 12), 0x67);
        case 6:
            return s_type(bits(c, 8, 7) << 6 | bits(c, 12, 9) << 2, rs2, 2);
        default:
            return no_instruction;
    }
}

uint32_t expand(uint16_t c) {
    switch (c & 3) {
        case 0:
            return expand_quadrant_0(c);
        case 1:
            return expand_quadrant_1(c);
        default:
            return expand_quadrant_2(c);
    }
}

constexpr Op from(Op first, uint32_t n) {
    return static_cast<Op>(static_cast<uint32_t>(first) + n);
}

Op op_of_branch(uint32_t funct3) {
    if (funct3 < 2) return from(Op::beq, funct3);
    return funct3 < 4 ? Op::illegal : from(Op::blt, funct3 - 4);
}

Op op_of_load(uint32_t funct3) {
    if (funct3 < 3) return from(Op::lb, funct3);
    return funct3 == 4 ? Op::lbu : funct3 == 5 ? Op::lhu : Op::illegal;
}

Op op_of_immediate(uint32_t funct3, uint32_t funct7) {
    static constexpr Op ops[] = {Op::addi, Op::slli, Op::slti, Op::sltiu,
                                 Op::xori, Op::srli, Op::ori,  Op::andi};
    if (funct3 == 5 && funct7 == 0x20) return Op::srai;
    return (funct3 & 3) == 1 && funct7 != 0 ? Op::illegal : ops[funct3];
}

Op op_of_registers(uint32_t funct3, uint32_t funct7) {
    static constexpr Op ops[] = {Op::add,  Op::sll, Op::slt, Op::sltu,
                                 Op::xor_, Op::srl, Op::or_, Op::and_};
    if (funct7 == 0) return ops[funct3];
    if (funct7 == 1) return from(Op::mul, funct3);
    if (funct7 != 0x20) return Op::illegal;
    return funct3 == 0 ? Op::sub : funct3 == 5 ? Op::sra : Op::illegal;
}

Op op_of_system(uint32_t word, uint32_t funct3) {
    if (funct3 == 4) return Op::illegal;
    if (funct3 != 0) return from(Op::csrrw, (funct3 & 3) - 1 + (funct3 > 4 ? 3 : 0));
    switch (word) {  // rd and rs1 are x0
        case 0x00000073:
            return Op::ecall;
        case 0x00100073:
            return Op::ebreak;
        case 0x30200073:
            return Op::mret;
        case 0x10500073:
            return Op::wfi;
        default:
            return Op::illegal;
    }
}

void decode_word(uint32_t word, Decoded &d) {
    const uint32_t funct3 = bits(word, 14, 12), funct7 = word >> 25;
    switch (word & 0x7F) {
        case 0x37:
            d.op = Op::lui, d.imm = static_cast<int32_t>(word & 0xFFFFF000);
            break;
        case 0x17:
            d.op = Op::auipc, d.imm = static_cast<int32_t>(word & 0xFFFFF000);
            break;
        case 0x6F:
            d.op = Op::jal;
            d.imm = sign(bit(word, 31) << 20 | bits(word, 19, 12) << 12 | bit(word, 20) << 11 |
                             bits(word, 30, 21) << 1,
                         21);
            break;
        case 0x67:
            d.op = funct3 == 0 ? Op::jalr : Op::illegal;
            d.imm = static_cast<int32_t>(word) >> 20;
            break;
        case 0x63:
            d.op = op_of_branch(funct3);
            d.imm = sign(bit(word, 31) << 12 | bit(word, 7) << 11 | bits(word, 30, 25) << 5 |
                             bits(word, 11, 8) << 1,
                         13);
            break;
        case 0x03:
            d.op = op_of_load(funct3), d.imm = static_cast<int32_t>(word) >> 20;
            break;
        case 0x23:
            d.op = funct3 < 3 ? from(Op::sb, funct3) : Op::illegal;
            d.imm = sign(funct7 << 5 | bits(word, 11, 7), 12);
            break;
        case 0x13:
            d.op = op_of_immediate(funct3, funct7);
            d.imm =
                (funct3 & 3) == 1 ? static_cast<int32_t>(d.rs2) : static_cast<int32_t>(word) >> 20;
            break;
        case 0x33:
            d.op = op_of_registers(funct3, funct7);
            break;
        case 0x0F:
            d.op = funct3 < 2 ? Op::fence : Op::illegal;
            break;
        case 0x73:
            d.op = op_of_system(word, funct3);
            d.imm = static_cast<int32_t>(word >> 20);
            break;
        default:
            d.op = Op::illegal;
    }
}

}  // namespace

Decoded decode(uint16_t low, uint16_t high) {
    const bool compressed = is_compressed(low);
    const uint32_t encoding = compressed ? low : uint32_t{high} << 16 | low;
    const uint32_t word = compressed ? expand(low) : encoding;
    Decoded d;
    d.length = compressed ? 2 : 4;
    d.rd = static_cast<uint8_t>(bits(word, 11, 7));
    d.rs1 = static_cast<uint8_t>(bits(word, 19, 15));
    d.rs2 = static_cast<uint8_t>(bits(word, 24, 20));
    decode_word(word, d);
    if (d.op == Op::illegal) d.imm = static_cast<int32_t>(encoding);
    return d;
}

}  // namespace foliot::iss

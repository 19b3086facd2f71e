// SPDX-License-Identifier: Apache-2.0
#include "cs/command/alu.h"

#include <cstdio>

#include "packets/mi.h"

namespace gen9::cs {
namespace {

// Encodings: 003:1454-1523.
enum Opcode : std::uint32_t {
    kNoop = 0x000,
    kLoad = 0x080,
    kLoadInv = 0x480,
    kLoad0 = 0x081,
    kLoad1 = 0x481,
    kAdd = 0x100,
    kSub = 0x101,
    kAnd = 0x102,
    kOr = 0x103,
    kXor = 0x104,
    kStore = 0x180,
    kStoreInv = 0x580,
};
enum Operand : std::uint32_t {
    kLastGpr = 0x0F,
    kSrca = 0x20,
    kSrcb = 0x21,
    kAccu = 0x31,
    kZf = 0x32,
    kCf = 0x33
};

struct Fields {
    std::uint32_t opcode, operand1, operand2;
};
Fields fields(const std::uint32_t& instruction) {
    const std::span<const std::uint32_t> dword(&instruction, 1);
    namespace row = packets::MI_MATH_ALU_INSTRUCTION;
    return {static_cast<std::uint32_t>(row::ALUOpcode.get(dword)),
            static_cast<std::uint32_t>(row::Operand1.get(dword)),
            static_cast<std::uint32_t>(row::Operand2.get(dword))};
}

std::string operand_text(std::uint32_t operand) {
    switch (operand) {
        case kSrca:
            return "SRCA";
        case kSrcb:
            return "SRCB";
        case kAccu:
            return "ACCU";
        case kZf:
            return "ZF";
        case kCf:
            return "CF";
        default:
            break;
    }
    char text[16];
    std::snprintf(text, sizeof text, operand <= kLastGpr ? "R%u" : "0x%x", operand);
    return text;
}

}  // namespace

bool Alu::execute(std::uint32_t instruction, Gprs& gprs) {
    switch (fields(instruction).opcode) {
        case kNoop:
            return true;
        case kLoad:
        case kLoadInv:
        case kLoad0:
        case kLoad1:
            return load(instruction, gprs);
        case kAdd:
        case kSub:
        case kAnd:
        case kOr:
        case kXor:
            return compute(instruction);
        case kStore:
        case kStoreInv:
            return store(instruction, gprs);
        default:
            return false;
    }
}

// 003:1352-1382.
bool Alu::load(std::uint32_t instruction, const Gprs& gprs) {
    const Fields f = fields(instruction);
    if (f.operand1 != kSrca && f.operand1 != kSrcb) return false;
    const bool from_register = f.opcode == kLoad || f.opcode == kLoadInv;
    if (from_register && f.operand2 > kLastGpr) return false;
    std::uint64_t value = from_register ? gprs[f.operand2] : 0;
    if (f.opcode == kLoadInv || f.opcode == kLoad1) value = ~value;
    (f.operand1 == kSrca ? source_a_ : source_b_) = value;
    return true;
}

// 003:1384-1395. A logical operation leaves no carry (Assumed: the seed does not say, CS-32).
bool Alu::compute(std::uint32_t instruction) {
    carry_ = false;
    switch (fields(instruction).opcode) {
        case kAdd:
            accumulator_ = source_a_ + source_b_;
            carry_ = accumulator_ < source_a_;
            break;
        case kSub:
            accumulator_ = source_a_ - source_b_;
            carry_ = source_a_ < source_b_;
            break;
        case kAnd:
            accumulator_ = source_a_ & source_b_;
            break;
        case kOr:
            accumulator_ = source_a_ | source_b_;
            break;
        default:
            accumulator_ = source_a_ ^ source_b_;
            break;
    }
    zero_ = accumulator_ == 0;
    return true;
}

// 003:1397-1422; a flag fills all 64 bits.
bool Alu::store(std::uint32_t instruction, Gprs& gprs) const {
    const Fields f = fields(instruction);
    if (f.operand1 > kLastGpr) return false;
    std::uint64_t value = 0;
    switch (f.operand2) {
        case kAccu:
            value = accumulator_;
            break;
        case kZf:
            value = zero_ ? ~0ull : 0;
            break;
        case kCf:
            value = carry_ ? ~0ull : 0;
            break;
        default:
            return false;
    }
    gprs[f.operand1] = f.opcode == kStoreInv ? ~value : value;
    return true;
}

std::string alu_text(std::uint32_t instruction) {
    const Fields f = fields(instruction);
    const char* name = nullptr;
    switch (f.opcode) {
        case kNoop:
            name = "NOOP";
            break;
        case kLoad:
            name = "LOAD";
            break;
        case kLoadInv:
            name = "LOADINV";
            break;
        case kLoad0:
            name = "LOAD0";
            break;
        case kLoad1:
            name = "LOAD1";
            break;
        case kAdd:
            name = "ADD";
            break;
        case kSub:
            name = "SUB";
            break;
        case kAnd:
            name = "AND";
            break;
        case kOr:
            name = "OR";
            break;
        case kXor:
            name = "XOR";
            break;
        case kStore:
            name = "STORE";
            break;
        case kStoreInv:
            name = "STOREINV";
            break;
        default:
            break;
    }
    char opcode[16];
    std::snprintf(opcode, sizeof opcode, "0x%03x", f.opcode);
    return std::string(name ? name : opcode) + " " + operand_text(f.operand1) + " " +
           operand_text(f.operand2);
}

}  // namespace gen9::cs

// SPDX-License-Identifier: Apache-2.0
#include "cs/command/alu.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

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
constexpr std::uint32_t kOpcodes[] = {kNoop, kLoad, kLoadInv, kLoad0, kLoad1, kAdd,
                                      kSub,  kAnd,  kOr,      kXor,   kStore, kStoreInv};
constexpr const char* kWords[] = {"NOOP", "LOAD", "LOADINV", "LOAD0", "LOAD1",    "ADD",      "SUB",
                                  "AND",  "OR",   "XOR",     "STORE", "STOREINV", "undefined"};
static_assert(std::size(kWords) == std::size(kOpcodes) + 1);

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
    (f.operand1 == kSrca ? state_.source_a : state_.source_b) = value;
    return true;
}

// 003:1384-1395. A logical operation leaves no carry (Assumed: the seed does not say, CS-32).
bool Alu::compute(std::uint32_t instruction) {
    state_.carry = false;
    switch (fields(instruction).opcode) {
        case kAdd:
            state_.accumulator = state_.source_a + state_.source_b;
            state_.carry = state_.accumulator < state_.source_a;
            break;
        case kSub:
            state_.accumulator = state_.source_a - state_.source_b;
            state_.carry = state_.source_a < state_.source_b;
            break;
        case kAnd:
            state_.accumulator = state_.source_a & state_.source_b;
            break;
        case kOr:
            state_.accumulator = state_.source_a | state_.source_b;
            break;
        default:
            state_.accumulator = state_.source_a ^ state_.source_b;
            break;
    }
    state_.zero = state_.accumulator == 0;
    return true;
}

// 003:1397-1422; a flag fills all 64 bits.
bool Alu::store(std::uint32_t instruction, Gprs& gprs) const {
    const Fields f = fields(instruction);
    if (f.operand1 > kLastGpr) return false;
    std::uint64_t value = 0;
    switch (f.operand2) {
        case kAccu:
            value = state_.accumulator;
            break;
        case kZf:
            value = state_.zero ? ~0ull : 0;
            break;
        case kCf:
            value = state_.carry ? ~0ull : 0;
            break;
        default:
            return false;
    }
    gprs[f.operand1] = f.opcode == kStoreInv ? ~value : value;
    return true;
}

std::span<const char* const> alu_words() {
    return kWords;
}

std::size_t alu_word(std::uint32_t instruction) {
    const std::uint32_t opcode = fields(instruction).opcode;
    return static_cast<std::size_t>(std::ranges::find(kOpcodes, opcode) - std::begin(kOpcodes));
}

std::string alu_text(std::uint32_t instruction) {
    const Fields f = fields(instruction);
    const std::size_t word = alu_word(instruction);
    const char* name = word < std::size(kOpcodes) ? kWords[word] : nullptr;
    char opcode[16];
    std::snprintf(opcode, sizeof opcode, "0x%03x", f.opcode);
    return std::string(name ? name : opcode) + " " + operand_text(f.operand1) + " " +
           operand_text(f.operand2);
}

}  // namespace gen9::cs

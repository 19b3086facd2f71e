// SPDX-License-Identifier: Apache-2.0
#include "isa/text/assemble.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"
#include "isa/format/encode.h"
#include "isa/opcodes.h"
#include "isa/types.h"

namespace gen9::isa {
namespace {

constexpr unsigned kGrfBytes = 32;
constexpr unsigned kNativeBytes = 16;

unsigned channel_of(char name) {
    const char* all = "xyzw";
    const char* at = std::strchr(all, name);
    GEN9_CHECK(name != '\0' && at != nullptr, "channels are x, y, z, w");
    return static_cast<unsigned>(at - all);
}

Imm twice(std::uint16_t value, Type type) {
    return {std::uint64_t{value} << 16 | value, type};
}

}  // namespace

Reg Reg::region(unsigned vert, unsigned width, unsigned horz) const {
    Reg reg = *this;
    reg.operand_.vert_stride = static_cast<std::uint8_t>(vert);
    reg.operand_.width = static_cast<std::uint8_t>(width);
    reg.operand_.horz_stride = static_cast<std::uint8_t>(horz);
    reg.has_region_ = true;
    return reg;
}
Reg Reg::scalar() const {
    Reg reg = region(0, 1, 0);
    reg.scalar_ = true;
    return reg;
}
Reg Reg::stride(unsigned horz) const {
    Reg reg = *this;
    reg.operand_.horz_stride = static_cast<std::uint8_t>(horz);
    reg.has_stride_ = true;
    return reg;
}
Reg Reg::neg() const {
    Reg reg = *this;
    reg.operand_.negate = true;
    return reg;
}
Reg Reg::abs() const {
    Reg reg = *this;
    reg.operand_.absolute = true;
    return reg;
}
Reg Reg::swizzle(const char* channels) const {
    Reg reg = *this;
    reg.operand_.swizzle = 0;
    for (unsigned i = 0; i < 4; ++i) {
        reg.operand_.swizzle =
            static_cast<std::uint8_t>(reg.operand_.swizzle | channel_of(channels[i]) << (2 * i));
    }
    return reg;
}
Reg Reg::enable(const char* channels) const {
    Reg reg = *this;
    reg.operand_.chan_enable = 0;
    for (const char* c = channels; *c != '\0'; ++c) {
        reg.operand_.chan_enable =
            static_cast<std::uint8_t>(reg.operand_.chan_enable | 1u << channel_of(*c));
    }
    return reg;
}
Reg Reg::multi(unsigned width, unsigned horz) const {
    Reg reg = region(0, width, horz);
    reg.operand_.multi_indirect = true;
    return reg;
}
Reg Reg::special(unsigned acc) const {
    Reg reg = *this;
    reg.operand_.special_acc = static_cast<std::uint8_t>(acc);
    return reg;
}
Reg Reg::byte(unsigned offset) const {
    Reg reg = *this;
    reg.byte_ = offset;
    return reg;
}

Reg grf(unsigned reg, unsigned element) {
    return {RegFile::Grf, reg, element};
}
Reg arf(Arf kind, unsigned number, unsigned element) {
    return {RegFile::Arf, static_cast<unsigned>(kind) << 4 | number, element};
}
Reg null() {
    return arf(Arf::Null);
}
Reg acc(unsigned number) {
    return arf(Arf::Accumulator, number);
}
Reg indirect(unsigned a0_word, int bytes) {
    Reg reg(RegFile::Grf, 0, 0);
    reg.operand_.indirect = true;
    reg.operand_.addr_subreg = static_cast<std::uint8_t>(a0_word);
    reg.operand_.addr_imm = static_cast<std::int16_t>(bytes);
    return reg;
}

Imm imm(float value) {
    return {std::bit_cast<std::uint32_t>(value), Type::F};
}
Imm imm(double value) {
    return {std::bit_cast<std::uint64_t>(value), Type::DF};
}
Imm imm(std::int32_t value) {
    return {static_cast<std::uint32_t>(value), Type::D};
}
Imm imm(std::uint32_t value) {
    return {value, Type::UD};
}
Imm imm(std::int64_t value) {
    return {static_cast<std::uint64_t>(value), Type::Q};
}
Imm imm(std::uint64_t value) {
    return {value, Type::UQ};
}
Imm imm_w(std::int16_t value) {
    return twice(static_cast<std::uint16_t>(value), Type::W);
}
Imm imm_uw(std::uint16_t value) {
    return twice(value, Type::UW);
}
Imm imm_hf(std::uint16_t bits) {
    return twice(bits, Type::HF);
}
Imm imm_v(std::uint32_t nibbles) {
    return {nibbles, Type::V};
}
Imm imm_uv(std::uint32_t nibbles) {
    return {nibbles, Type::UV};
}
Imm imm_vf(std::uint32_t bytes) {
    return {bytes, Type::VF};
}

Inst::Inst(Opcode opcode) {
    inst_.opcode = opcode;
    const Format format = info(opcode).format;
    inst_.align16 = format == Format::ThreeSource;
    if (format == Format::Jmpi) {
        inst_.no_mask = true;  // the only form assemblers accept
        inst_.dst.reg = inst_.src[0].reg =
            static_cast<std::uint8_t>(static_cast<unsigned>(Arf::Ip) << 4);
        inst_.dst.type = inst_.src[0].type = inst_.src[1].type = Type::D;
        inst_.dst.horz_stride = 1;
        inst_.source_count = 2;
        inst_.src[1].file = RegFile::Imm;
    }
    if (format == Format::Call) {
        inst_.dst.type = inst_.src[1].type = Type::D;
        inst_.source_count = 2;
        inst_.src[1].file = RegFile::Imm;
    }
}
Inst::Inst(MathFunction function) : Inst(Opcode::Math) {
    inst_.math = function;
    inst_.align16 = uses_special_acc(function);
}

Inst& Inst::exec(unsigned channels, unsigned offset) {
    inst_.exec_size = static_cast<std::uint8_t>(channels);
    inst_.channel_offset = static_cast<std::uint8_t>(offset);
    return *this;
}
Inst& Inst::no_mask() {
    inst_.no_mask = true;
    return *this;
}
Inst& Inst::align16() {
    inst_.align16 = true;
    return *this;
}
Inst& Inst::pred(Flag flag, PredCtrl control) {
    inst_.pred_ctrl = control;
    return use_flag(flag);
}
Inst& Inst::pred_not(Flag flag, PredCtrl control) {
    inst_.pred_invert = true;
    return pred(flag, control);
}
Inst& Inst::cond(CondMod modifier, Flag flag) {
    inst_.cond_mod = modifier;
    return use_flag(flag);
}
Inst& Inst::use_flag(Flag flag) {
    inst_.flag_reg = flag.reg;
    inst_.flag_subreg = flag.subreg;
    return *this;
}
Inst& Inst::sat() {
    inst_.saturate = true;
    return *this;
}
Inst& Inst::acc_write() {
    inst_.acc_write = true;
    return *this;
}
Inst& Inst::no_dd_clear() {
    inst_.no_dd_clear = true;
    return *this;
}
Inst& Inst::no_dd_check() {
    inst_.no_dd_check = true;
    return *this;
}
Inst& Inst::thread_switch() {
    inst_.thread_ctrl = ThreadCtrl::Switch;
    return *this;
}
Inst& Inst::atomic() {
    inst_.thread_ctrl = ThreadCtrl::Atomic;
    return *this;
}

Inst& Inst::dst(const Reg& reg, Type type) {
    dst_ = reg;
    inst_.dst.type = type;
    return *this;
}
Inst& Inst::src(const Reg& reg, Type type) {
    GEN9_CHECK(inst_.source_count < inst_.src.size(), "too many sources");
    src_[inst_.source_count] = reg;
    inst_.src[inst_.source_count].type = type;
    ++inst_.source_count;
    return *this;
}
Inst& Inst::src(const Imm& value) {
    GEN9_CHECK(inst_.source_count < inst_.src.size(), "too many sources");
    Operand& operand = inst_.src[inst_.source_count++];
    operand = Operand{};
    operand.file = RegFile::Imm;
    operand.type = value.type;
    operand.immediate = value.bits;
    return *this;
}

Inst& Inst::jip(std::int32_t bytes) {
    inst_.jip = bytes;
    return *this;
}
Inst& Inst::jip(std::string label) {
    jip_label_ = std::move(label);
    return *this;
}
Inst& Inst::uip(std::int32_t bytes) {
    inst_.uip = bytes;
    return *this;
}
Inst& Inst::uip(std::string label) {
    uip_label_ = std::move(label);
    return *this;
}
Inst& Inst::jip_register(const Reg& reg, Type type) {
    const Format format = info(inst_.opcode).format;
    const bool second = format == Format::Jmpi || format == Format::Call;
    inst_.jip_from_register = true;
    inst_.source_count = second ? 2 : 1;
    src_[second ? 1 : 0] = reg;
    inst_.src[second ? 1 : 0].type = type;
    return *this;
}
Inst& Inst::branch_ctrl() {
    inst_.branch_ctrl = true;
    return *this;
}

Inst& Inst::message(unsigned sfid, std::uint32_t descriptor) {
    inst_.sfid = static_cast<std::uint8_t>(sfid);
    inst_.descriptor = descriptor;
    return *this;
}
Inst& Inst::message_a0(unsigned sfid) {
    inst_.sfid = static_cast<std::uint8_t>(sfid);
    inst_.descriptor_from_a0 = true;
    return *this;
}
Inst& Inst::extended(std::uint32_t function) {
    inst_.extended_descriptor |= function << 16;
    return *this;
}
Inst& Inst::extended_a0(unsigned a0_dword) {
    inst_.extended_from_a0 = true;
    inst_.extended_a0_subreg = static_cast<std::uint8_t>(a0_dword);
    return *this;
}
Inst& Inst::src1_length(unsigned registers) {
    inst_.extended_descriptor |= registers << kExtendedLengthShift;
    return *this;
}
Inst& Inst::no_src_dep_set() {
    inst_.no_src_dep_set = true;
    return *this;
}
Inst& Inst::eot() {
    inst_.end_of_thread = true;
    return *this;
}

/// Copies what was described and fills in the packed region of a source.
void Inst::resolve(Operand& operand, const Reg& reg, bool destination) const {
    const Type type = operand.type;
    operand = reg.operand_;
    operand.type = type;
    operand.subreg = static_cast<std::uint8_t>(reg.byte_.value_or(reg.element_ * size_bytes(type)));
    if (destination) {
        if (!reg.has_stride_) operand.horz_stride = 1;
        return;
    }
    if (info(inst_.opcode).format == Format::ThreeSource) {
        operand.replicate = reg.scalar_;
        if (!reg.scalar_) {
            operand.vert_stride = operand.width = 4;
            operand.horz_stride = 1;
        }
        return;
    }
    if (reg.has_region_) return;
    if (inst_.align16) {
        operand.vert_stride = operand.width = size_bytes(type) == 8 ? 2 : 4;
        operand.horz_stride = 1;
        return;
    }
    const unsigned row = std::min<unsigned>({inst_.exec_size, kGrfBytes / size_bytes(type), 16});
    const bool one = inst_.exec_size == 1;
    operand.vert_stride = static_cast<std::uint8_t>(one ? 0 : row);
    operand.width = static_cast<std::uint8_t>(row);
    operand.horz_stride = one ? 0 : 1;
}

Instruction Inst::build() const {
    Instruction inst = inst_;
    const Format format = info(inst.opcode).format;
    if (dst_) resolve(inst.dst, *dst_, true);
    for (unsigned i = 0; i < inst.src.size(); ++i) {
        if (src_[i]) resolve(inst.src[i], *src_[i], false);
    }
    if (format == Format::Wait && !dst_) {
        // Reads and writes the same register.
        inst.dst = inst.src[0];
        inst.dst.vert_stride = 0;
        inst.dst.width = inst.dst.horz_stride = 1;
    }
    if (format == Format::Send || format == Format::Sends) {
        // Payloads are whole registers.
        for (Operand& operand : inst.src) {
            operand.vert_stride = operand.horz_stride = 0;
            operand.width = 1;
        }
        inst.extended_descriptor |= inst.sfid | (inst.end_of_thread ? kExtendedEot : 0);
        inst.source_count = format == Format::Sends ? 2 : 1;
        if (!dst_) inst.dst.horz_stride = 1;
    }
    return inst;
}

std::array<std::uint8_t, 16> Inst::bytes() const {
    return encode(build());
}

Program& Program::operator<<(const Inst& inst) {
    insts_.push_back(inst);
    return *this;
}
Program& Program::label(const std::string& name) {
    labels_[name] = static_cast<std::uint32_t>(insts_.size() * kNativeBytes);
    return *this;
}

std::vector<Instruction> Program::instructions() const {
    std::vector<Instruction> result;
    std::uint32_t pc = 0;
    const auto offset_to = [&](const std::string& label, std::uint32_t base) {
        const auto at = labels_.find(label);
        GEN9_CHECK(at != labels_.end(), "no such label: " + label);
        return static_cast<std::int32_t>(at->second - base);
    };
    for (const Inst& inst : insts_) {
        Instruction built = inst.build();
        // Offsets count from the branch; jmpi's from the next instruction; calla is absolute.
        std::uint32_t base = pc;
        if (built.opcode == Opcode::Jmpi) base = pc + kNativeBytes;
        if (built.opcode == Opcode::Calla) base = 0;
        if (!inst.jip_label().empty()) built.jip = offset_to(inst.jip_label(), base);
        if (!inst.uip_label().empty()) built.uip = offset_to(inst.uip_label(), pc);
        result.push_back(built);
        pc += kNativeBytes;
    }
    return result;
}

std::vector<std::uint8_t> Program::bytes() const {
    std::vector<std::uint8_t> result;
    for (const Instruction& inst : instructions()) {
        const auto encoded = encode(inst);
        result.insert(result.end(), encoded.begin(), encoded.end());
    }
    return result;
}

}  // namespace gen9::isa

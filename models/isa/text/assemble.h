// SPDX-License-Identifier: Apache-2.0
/// Building instructions and small programs in C++, for tests and hand-written kernels.
///
///     Program p;
///     p << Inst(Opcode::Add).exec(16).dst(grf(10), Type::F).src(grf(12), Type::F).src(imm(1.5F))
///       << Inst(Opcode::Cmp).exec(8).cond(CondMod::L, flag(0, 1)).dst(null(), Type::D)
///              .src(grf(4), Type::D).src(grf(5).scalar(), Type::D)
///       << Inst(Opcode::If).exec(8).pred(flag(0, 1)).jip("else").uip("end");
///     p.label("else");
///     const std::vector<std::uint8_t> kernel = p.bytes();
///
/// What is not said follows what compilers write: a source without region() is packed, or scalar
/// in an instruction of one channel; a destination has stride 1; three-source instructions,
/// invm and rsqrtm are Align16. Nothing is checked against the rules of the hardware: wrong
/// instructions can be built on purpose.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace gen9::isa {

/// An operand being described. `element` counts in elements of the type given with it later.
class Reg {
  public:
    Reg(RegFile file, unsigned reg, unsigned element) : element_(element) {
        operand_.file = file;
        operand_.reg = static_cast<std::uint8_t>(reg);
    }
    /// The whole region `<vert;width,horz>`.
    Reg region(unsigned vert, unsigned width, unsigned horz) const;
    /// `<0;1,0>`, or RepCtrl of a three-source operand.
    Reg scalar() const;
    /// Destination stride.
    Reg stride(unsigned horz) const;
    Reg neg() const;
    Reg abs() const;
    /// Align16: channel selects "xyzw" of a source, enables "xz" of a destination.
    Reg swizzle(const char* channels) const;
    Reg enable(const char* channels) const;
    /// Vx1 (width > 1) or VxH (width 1) instead of one index for all.
    Reg multi(unsigned width, unsigned horz) const;
    /// Special accumulator of madm, invm, rsqrtm: 0..7 = acc2..acc9, 8 none.
    Reg special(unsigned acc) const;
    /// Sub-register in bytes, for what elements cannot say.
    Reg byte(unsigned offset) const;

    friend Reg indirect(unsigned a0_word, int bytes);

  private:
    friend class Inst;
    Operand operand_;
    unsigned element_ = 0;
    std::optional<unsigned> byte_;
    bool has_region_ = false;
    bool scalar_ = false;
    bool has_stride_ = false;
};

Reg grf(unsigned reg, unsigned element = 0);
Reg arf(Arf kind, unsigned number = 0, unsigned element = 0);
Reg null();
Reg acc(unsigned number);
/// `r[a0.word, bytes]`
Reg indirect(unsigned a0_word, int bytes = 0);

/// An immediate carries its type.
struct Imm {
    std::uint64_t bits;
    Type type;
};
Imm imm(float value);
Imm imm(double value);
Imm imm(std::int32_t value);
Imm imm(std::uint32_t value);
Imm imm(std::int64_t value);
Imm imm(std::uint64_t value);
/// 16-bit types are given once and stored twice, as the hardware wants them (EU-116).
Imm imm_w(std::int16_t value);
Imm imm_uw(std::uint16_t value);
Imm imm_hf(std::uint16_t bits);
Imm imm_v(std::uint32_t nibbles);
Imm imm_uv(std::uint32_t nibbles);
Imm imm_vf(std::uint32_t bytes);

struct Flag {
    std::uint8_t reg, subreg;
};
constexpr Flag flag(unsigned reg, unsigned subreg) {
    return {static_cast<std::uint8_t>(reg), static_cast<std::uint8_t>(subreg)};
}

class Inst {
  public:
    explicit Inst(Opcode opcode);
    explicit Inst(MathFunction function);

    Inst& exec(unsigned channels, unsigned offset = 0);  ///< `(8|M16)`
    Inst& no_mask();
    Inst& align16();
    Inst& pred(Flag flag, PredCtrl control = PredCtrl::Sequential);
    Inst& pred_not(Flag flag, PredCtrl control = PredCtrl::Sequential);
    Inst& cond(CondMod modifier, Flag flag);
    Inst& use_flag(Flag flag);  ///< early-out flag of invm, rsqrtm
    Inst& sat();
    Inst& acc_write();
    Inst& no_dd_clear();
    Inst& no_dd_check();
    Inst& thread_switch();
    Inst& atomic();

    Inst& dst(const Reg& reg, Type type);
    Inst& src(const Reg& reg, Type type);
    Inst& src(const Imm& value);

    // Branches: bytes as in the instruction, or a label of the Program.
    Inst& jip(std::int32_t bytes);
    Inst& jip(std::string label);
    Inst& uip(std::int32_t bytes);
    Inst& uip(std::string label);
    Inst& jip_register(const Reg& reg, Type type = Type::D);
    Inst& branch_ctrl();

    // Sends: payload registers are sources.
    Inst& message(unsigned sfid, std::uint32_t descriptor);
    Inst& message_a0(unsigned sfid);         ///< descriptor in a0.0
    Inst& extended(std::uint32_t function);  ///< ExDesc[31:16]
    Inst& extended_a0(unsigned a0_dword);
    Inst& src1_length(unsigned registers);  ///< sends: ExDesc[9:6]
    Inst& no_src_dep_set();
    Inst& eot();

    /// With the defaults filled in; labels count as 0.
    Instruction build() const;
    operator Instruction() const { return build(); }
    std::array<std::uint8_t, 16> bytes() const;

    const std::string& jip_label() const { return jip_label_; }
    const std::string& uip_label() const { return uip_label_; }

  private:
    void resolve(Operand& operand, const Reg& reg, bool destination) const;

    Instruction inst_;
    std::optional<Reg> dst_;
    std::array<std::optional<Reg>, 3> src_;
    std::string jip_label_, uip_label_;
};

/// Instructions in order, with labels.
class Program {
  public:
    Program& operator<<(const Inst& inst);
    /// Names the address of the next instruction.
    Program& label(const std::string& name);
    /// Native bytes with labels resolved.
    std::vector<std::uint8_t> bytes() const;
    std::vector<Instruction> instructions() const;

  private:
    std::vector<Inst> insts_;
    std::map<std::string, std::uint32_t> labels_;
};

}  // namespace gen9::isa

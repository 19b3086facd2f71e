// SPDX-License-Identifier: Apache-2.0
#include "isa/text/disassemble.h"

#include <array>
#include <set>
#include <vector>

#include "isa/branch.h"
#include "isa/format/decode.h"
#include "isa/opcodes.h"
#include "isa/text/message_text.h"
#include "isa/types.h"

namespace gen9::isa {
namespace {

constexpr std::array kPredicates{"",        "",        ".anyv",   ".allv",  ".any2h",
                                 ".all2h",  ".any4h",  ".all4h",  ".any8h", ".all8h",
                                 ".any16h", ".all16h", ".any32h", ".all32h"};
constexpr std::array kPredicates16{"", "", ".x", ".y", ".z", ".w", ".any4h", ".all4h"};
constexpr std::array kConditions{"", "eq", "ne", "gt", "ge", "lt", "le", "", "ov", "un"};

/// All parts in a row.
template <class... Parts>
std::string cat(const Parts&... parts) {
    std::string text;
    (text.append(std::string_view(parts)), ...);
    return text;
}
std::string number(unsigned value) {
    return std::to_string(value);
}

std::string hex(std::uint64_t value, unsigned digits = 1) {
    std::string text;
    do {
        text.insert(text.begin(), "0123456789ABCDEF"[value & 15]);
        value >>= 4;
    } while (value != 0 || text.size() < digits);
    return cat("0x", text);
}

/// Name of an architecture register and the unit its sub-register is counted in.
struct ArfName {
    const char* name;
    bool numbered;       ///< several registers of the kind
    bool byte_units;     ///< otherwise elements
    bool plain_at_zero;  ///< sub-register 0 is not written
};
constexpr std::array<ArfName, 16> kArfs{{
    {"null", false, false, true},
    {"a", true, false, false},
    {"acc", true, false, false},
    {"f", true, false, false},
    {"ce", false, true, true},
    {"msg", true, true, false},
    {"sp", false, false, false},
    {"sr", true, false, false},
    {"cr", true, false, false},
    {"n", true, false, false},
    {"ip", false, true, true},
    {"tdr", true, false, false},
    {"tm", true, false, false},
    {"fc", true, true, false},
    {"arf", true, false, false},
    {"dbg", true, false, false},
}};

std::string arf_text(std::uint8_t reg, unsigned subreg_bytes, Type type) {
    const unsigned kind = reg >> 4, index = reg & 15;
    const ArfName& row = kArfs[kind];
    std::string text;
    // The special accumulators have a name of their own (EU-086).
    if (kind == static_cast<unsigned>(Arf::Accumulator) && index >= 2) {
        text = cat("mme", number(index - 2));
    } else {
        text = row.name;
        if (row.numbered || index != 0) text += number(index);
    }
    const unsigned subreg = row.byte_units ? subreg_bytes : subreg_bytes / size_bytes(type);
    if (subreg != 0 || !row.plain_at_zero) text += cat(".", number(subreg));
    return text;
}

std::string indirect_text(const Operand& operand) {
    std::string text = cat("r[a0.", number(operand.addr_subreg));
    if (operand.addr_imm != 0) text += cat(",", std::to_string(operand.addr_imm));
    return cat(text, "]");
}

std::string special_text(std::uint8_t special_acc) {
    return special_acc < 8 ? cat(".mme", number(special_acc)) : ".nomme";
}

std::string channels(std::uint8_t enable) {
    std::string text = ".";
    for (unsigned i = 0; i < 4; ++i) {
        if ((enable >> i & 1) != 0) text += "xyzw"[i];
    }
    return text;
}

std::string swizzle_text(std::uint8_t swizzle) {
    std::string text = ".";
    for (unsigned i = 0; i < 4; ++i)
        text += "xyzw"[swizzle >> (2 * i) & 3];
    return text;
}

std::string suffix(Type type) {
    return cat(":", type_name(type));
}

/// Writes one instruction, item by item.
class Printer {
  public:
    Printer(const Instruction& instruction, std::uint32_t pc)
        : inst_(instruction), row_(info(instruction.opcode)), pc_(pc) {}
    std::string run();

  private:
    void item(const std::string& text) {
        if (!text_.empty()) text_ += ' ';
        text_ += text;
    }
    void predicate();
    void mnemonic();
    void condition();
    void operands();
    void options();
    void send_operands();

    bool special_acc() const {
        return row_.has(kSpecialAcc) ||
               (row_.format == Format::Math && uses_special_acc(inst_.math));
    }
    std::string register_text(const Operand& operand) const;
    std::string destination() const;
    std::string source(unsigned index) const;
    std::string source_modifier(const Operand& operand) const;
    std::string three_source(unsigned index) const;
    std::string three_source_destination() const;
    std::string offset_register(const Operand& operand) const;
    /// Bits an opcode has no use for are not printed: the assembler does not either.
    std::string saturation() const { return inst_.saturate && row_.has(kSaturate) ? "(sat)" : ""; }
    std::string flag() const {
        return cat("f", number(inst_.flag_reg), ".", number(inst_.flag_subreg));
    }
    std::string label(std::uint32_t address) const { return cat("L", std::to_string(address)); }
    /// Channels a scalar three-source instruction really works on: one, given by ChanEn.
    bool scalar_three_source() const;

    const Instruction& inst_;
    const OpcodeInfo& row_;
    std::uint32_t pc_;
    std::string text_;
};

std::string Printer::run() {
    if (row_.format == Format::NoOperands) {
        item(row_.mnemonic);
    } else {
        predicate();
        mnemonic();
        condition();
        operands();
    }
    options();
    if (row_.format == Format::Send || row_.format == Format::Sends)
        item(cat("// ", message_text(inst_)));
    return text_;
}

void Printer::predicate() {
    std::string text;
    if (inst_.no_mask) text = "W";
    if (inst_.pred_ctrl != PredCtrl::None && row_.has(kPredicate)) {
        if (!text.empty()) text += "&";
        if (inst_.pred_invert) text += "~";
        text += flag();
        const auto control = static_cast<unsigned>(inst_.pred_ctrl);
        text += inst_.align16 ? kPredicates16[control & 7] : kPredicates[control];
    }
    if (!text.empty()) item(cat("(", text, ")"));
}

bool Printer::scalar_three_source() const {
    if (row_.format != Format::ThreeSource || special_acc()) return false;
    if (inst_.dst.type == Type::DF) {
        return inst_.exec_size == 2 &&
               (inst_.dst.chan_enable == 0x3 || inst_.dst.chan_enable == 0xC);
    }
    return inst_.exec_size == 4 && std::has_single_bit(inst_.dst.chan_enable);
}

void Printer::mnemonic() {
    std::string text = row_.mnemonic;
    if (row_.format == Format::Math) text += cat(".", math_name(inst_.math));
    if (row_.has(kBranchCtrl) && inst_.branch_ctrl) text += ".b";
    item(text);
    if (row_.format == Format::Jmpi || row_.format == Format::Wait) return;
    const unsigned channels_used = scalar_three_source() ? 1 : inst_.exec_size;
    item(cat("(", number(channels_used), "|M", number(inst_.channel_offset), ")"));
}

void Printer::condition() {
    if (row_.format == Format::Math && uses_special_acc(inst_.math)) {
        item(cat("(eo)", flag()));  // early out (EU-264)
    } else if (inst_.cond_mod != CondMod::None && row_.has(kCondModifier)) {
        item(cat("(", kConditions[static_cast<unsigned>(inst_.cond_mod)], ")", flag()));
    }
}

void Printer::operands() {
    switch (row_.format) {
        case Format::NoOperands:
            return;
        case Format::Wait:
            return item(source(0));
        case Format::Jmpi:
            return item(inst_.jip_from_register ? offset_register(inst_.src[1])
                                                : label(branch_target(inst_, pc_)));
        case Format::BranchRegister1:
        case Format::BranchRegister2:
            if (inst_.jip_from_register) return item(offset_register(inst_.src[0]));
            item(label(branch_target(inst_, pc_)));
            if (row_.format == Format::BranchRegister2) item(label(second_target(inst_, pc_)));
            return;
        case Format::Branch1:
            return item(label(branch_target(inst_, pc_)));
        case Format::Branch2:
            item(label(branch_target(inst_, pc_)));
            return item(label(second_target(inst_, pc_)));
        case Format::Call:
            item(offset_register(inst_.dst));
            return item(inst_.jip_from_register ? offset_register(inst_.src[1])
                                                : label(branch_target(inst_, pc_)));
        case Format::Ret:
            return item(offset_register(inst_.src[0]));
        case Format::Send:
        case Format::Sends:
            return send_operands();
        case Format::ThreeSource:
            item(cat(saturation(), three_source_destination()));
            for (unsigned i = 0; i < 3; ++i)
                item(three_source(i));
            return;
        case Format::OneSource:
        case Format::TwoSource:
        case Format::Math:
            item(cat(saturation(), destination()));
            for (unsigned i = 0; i < inst_.source_count; ++i)
                item(source(i));
    }
}

/// `r10.4`, `acc0.0`, `r[a0.3,-16]`.
std::string Printer::register_text(const Operand& operand) const {
    if (operand.indirect) return indirect_text(operand);
    if (operand.file == RegFile::Arf) return arf_text(operand.reg, operand.subreg, operand.type);
    return cat("r", number(operand.reg), ".", number(operand.subreg / size_bytes(operand.type)));
}

std::string Printer::destination() const {
    const Operand& dst = inst_.dst;
    if (special_acc())
        return cat("r", number(dst.reg), special_text(dst.special_acc), suffix(dst.type));
    std::string text = cat(register_text(dst), "<", number(dst.horz_stride), ">");
    if (inst_.align16 && dst.chan_enable != 0xF) text += channels(dst.chan_enable);
    return text + suffix(dst.type);
}

std::string Printer::source_modifier(const Operand& operand) const {
    // On logic instructions the negate bit alone is bitwise not (EU-124).
    if (row_.has(kLogicModifier) && operand.negate && !operand.absolute) return "~";
    if (!row_.has(kLogicModifier) && !row_.has(kSourceModifier)) return "";
    return cat(operand.negate ? "-" : "", operand.absolute ? "(abs)" : "");
}

std::string Printer::source(unsigned index) const {
    const Operand& operand = inst_.src[index];
    if (operand.file == RegFile::Imm) return immediate_text(operand.immediate, operand.type);
    std::string text = source_modifier(operand);
    if (special_acc()) {
        return cat(text, "r", number(operand.reg), special_text(operand.special_acc),
                   suffix(operand.type));
    }
    text += register_text(operand) + "<";
    if (inst_.align16) {
        text += cat(number(operand.vert_stride), ">", swizzle_text(operand.swizzle));
    } else {
        if (!operand.multi_indirect) text += cat(number(operand.vert_stride), ";");
        text += cat(number(operand.width), ",", number(operand.horz_stride), ">");
    }
    return text + suffix(operand.type);
}

std::string Printer::three_source_destination() const {
    const Operand& dst = inst_.dst;
    if (special_acc())
        return cat("r", number(dst.reg), special_text(dst.special_acc), suffix(dst.type));
    unsigned subreg = dst.subreg / size_bytes(dst.type);
    std::string enabled;
    if (scalar_three_source()) {
        subreg += static_cast<unsigned>(std::countr_zero(dst.chan_enable)) /
                  (dst.type == Type::DF ? 2 : 1);
    } else if (dst.chan_enable != 0xF) {
        enabled = channels(dst.chan_enable);
    }
    return cat("r", number(dst.reg), ".", number(subreg), "<1>", enabled, suffix(dst.type));
}

std::string Printer::three_source(unsigned index) const {
    const Operand& operand = inst_.src[index];
    std::string text = cat(source_modifier(operand), "r", number(operand.reg));
    if (special_acc()) return text + special_text(operand.special_acc) + suffix(operand.type);
    // 64-bit operands have no RepCtrl (EU-057): a swizzle that repeats one pair stands for it.
    constexpr std::uint8_t kXyxy = 0x44, kZwzw = 0xEE;
    const bool wide = size_bytes(operand.type) == 8;
    const bool pair = wide && (operand.swizzle == kXyxy || operand.swizzle == kZwzw);
    const bool repeated = operand.replicate || pair;
    const bool second = pair && !operand.replicate && operand.swizzle == kZwzw;
    text += cat(".", number(operand.subreg / size_bytes(operand.type) + (second ? 1 : 0)));
    // Two strides for the first two sources, one for the last.
    if (index < 2) {
        text += repeated ? "<0;0>" : "<2;1>";
    } else {
        text += repeated ? "<0>" : "<1>";
    }
    if (!repeated && operand.swizzle != Operand{}.swizzle) text += swizzle_text(operand.swizzle);
    return text + suffix(operand.type);
}

/// Offset and return-address registers have an implied region and are of type D unless said.
std::string Printer::offset_register(const Operand& operand) const {
    return cat(source_modifier(operand), register_text(operand),
               operand.type == Type::D ? "" : suffix(operand.type));
}

void Printer::send_operands() {
    const bool split = row_.format == Format::Sends;
    const auto payload = [](const Operand& operand) {
        if (operand.indirect) return indirect_text(operand);
        if (operand.file == RegFile::Arf) return arf_text(operand.reg, 0, Type::UD);
        return cat("r", number(operand.reg));
    };
    // send leaves the type UD out, of destination and payload; sends has no payload types.
    const auto implied = [](Type type) { return type == Type::UD ? "" : suffix(type); };
    item(cat(payload(inst_.dst), split ? suffix(inst_.dst.type) : implied(inst_.dst.type)));
    item(cat(payload(inst_.src[0]), split ? "" : implied(inst_.src[0].type)));
    if (split) item(payload(inst_.src[1]));
    item(inst_.extended_from_a0 ? cat("a0.", number(inst_.extended_a0_subreg))
                                : hex(inst_.extended_descriptor));
    item(inst_.descriptor_from_a0 ? "a0.0" : hex(inst_.descriptor, 8));
}

void Printer::options() {
    std::vector<std::string> list;
    const bool is_send = row_.format == Format::Send || row_.format == Format::Sends;
    if (inst_.acc_write) list.emplace_back("AccWrEn");
    if (inst_.thread_ctrl == ThreadCtrl::Atomic) list.emplace_back("Atomic");
    if (inst_.breakpoint) list.emplace_back("Breakpoint");
    if (inst_.compacted) list.emplace_back("Compacted");
    if (inst_.end_of_thread) list.emplace_back("EOT");
    if (inst_.no_dd_check) list.emplace_back("NoDDChk");
    if (inst_.no_dd_clear) list.emplace_back("NoDDClr");
    if (is_send && inst_.no_src_dep_set) list.emplace_back("NoSrcDepSet");
    if (inst_.thread_ctrl == ThreadCtrl::Switch) list.emplace_back("Switch");
    if (list.empty()) return;
    std::string text;
    for (const std::string& option : list)
        text += cat(text.empty() ? "{" : ",", option);
    item(cat(text, "}"));
}

}  // namespace

const char* type_name(Type type) {
    constexpr std::array names{"ud", "d",  "uw", "w",  "ub", "b",  "df",
                               "f",  "uq", "q",  "hf", "uv", "vf", "v"};
    return names[static_cast<std::size_t>(type)];
}

std::string disassemble(const Instruction& instruction, std::uint32_t pc) {
    return Printer(instruction, pc).run();
}

std::string disassemble_kernel(std::span<const std::uint8_t> bytes) {
    struct Line {
        std::uint32_t pc;
        DecodeResult result;
    };
    std::vector<Line> lines;
    std::set<std::uint32_t> starts{0};
    std::uint32_t pc = 0;
    while (pc < bytes.size()) {
        const DecodeResult result = decode(bytes.subspan(pc));
        if (pc + result.instruction.length_bytes > bytes.size()) break;  // padding
        lines.push_back({pc, result});
        if (result.ok) add_block_starts(result.instruction, pc, starts);
        pc += result.instruction.length_bytes;
    }
    std::string text;
    for (const Line& line : lines) {
        if (starts.contains(line.pc)) text += cat("L", std::to_string(line.pc), ":\n");
        if (line.result.ok) {
            text += disassemble(line.result.instruction, line.pc);
        } else {
            text += cat("// illegal: ", line.result.why);
        }
        text += '\n';
    }
    if (starts.contains(pc)) text += cat("L", std::to_string(pc), ":\n");
    return text;
}

}  // namespace gen9::isa

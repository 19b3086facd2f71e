// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/isa/against_assembler.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>

#include "isa/format/decode.h"
#include "isa/format/encode.h"
#include "isa/opcodes.h"
#include "isa/text/disassemble.h"
#include "tests/unit/isa/iga.h"
#include "tests/unit/isa/random_instructions.h"

namespace gen9::isa::test {
namespace {

constexpr Exclusion kEnable16{"align16 channel enable",
                              "the assembler converts Align16 to Align1, which has none",
                              Exclusion::Refused};
constexpr Exclusion kRegion16{
    "align16 swizzle or stride",
    "the assembler converts a stride of 4 with a swizzle that leaves some "
    "channel in its place when direct, all others when indirect",
    Exclusion::Refused};
constexpr Exclusion kMisread16{"align16 read as align1",
                               "the assembler prints <4>.swizzle as <1;1,0> whatever the swizzle, "
                               "the predicates .x .y .z .w as none, and a destination's stride as "
                               "<1>",
                               Exclusion::Misread};
constexpr Exclusion kDependency{"send with dependency control",
                                "the assembler does not print NoDDChk and NoDDClr of a message",
                                Exclusion::Misread};
constexpr Exclusion kSwizzle3{"three-source swizzle",
                              "the assembler has Align1 syntax only: .xyzw or replicated",
                              Exclusion::Refused};
constexpr Exclusion kEnable3{"three-source channel enable",
                             "the assembler has Align1 syntax only: all channels or one",
                             Exclusion::Refused};
constexpr Exclusion kSpecialOperand{"acc2 to acc9 outside the macros",
                                    "the assembler prints them as mme, and takes mme only in "
                                    "macros",
                                    Exclusion::TextOnly};
constexpr Exclusion kSpecial16{"acc2 to acc9 in Align16 outside the macros",
                               "the assembler takes the channel enables for the number",
                               Exclusion::Unreadable};
constexpr Exclusion kNever16{"wait or branch in Align16",
                             "not an instruction (EU-052); the assembler takes some",
                             Exclusion::Unreadable};
constexpr Exclusion kIndirectSend{"send with a type of an indirect operand",
                                  "the assembler prints the type and assembles it as :ud",
                                  Exclusion::TextOnly};
constexpr Exclusion kReturnType{"call and ret with :ud",
                                "the assembler prints :ud and assembles it as :d",
                                Exclusion::TextOnly};

bool leaves_a_channel(std::uint8_t swizzle) {
    for (unsigned i = 0; i < 4; ++i)
        if ((swizzle >> 2 * i & 3) == i) return true;
    return false;
}

constexpr std::uint8_t kIdentity = 0xE4, kXyxy = 0x44, kZwzw = 0xEE;

const Exclusion* three_source_exclusion(const Instruction& inst) {
    const bool wide = inst.dst.type == Type::DF;
    const unsigned enable = inst.dst.chan_enable;
    const bool scalar = wide ? inst.exec_size == 2 && (enable == 0x3 || enable == 0xC)
                             : inst.exec_size == 4 && (enable & (enable - 1)) == 0;
    if (enable != 0xF && !scalar) return &kEnable3;
    for (const Operand& operand : inst.src) {
        const bool pair =
            size_bytes(operand.type) == 8 && (operand.swizzle == kXyxy || operand.swizzle == kZwzw);
        if (!operand.replicate && !pair && operand.swizzle != kIdentity) return &kSwizzle3;
    }
    return nullptr;
}

struct Sample {
    std::string key;
    Instruction instruction;
    std::array<std::uint8_t, 16> bytes;
};

Sample sample(std::string key, const Instruction& instruction) {
    return {std::move(key), instruction, encode(instruction)};
}

std::string hex(std::span<const std::uint8_t> bytes) {
    std::ostringstream out;
    for (const std::uint8_t byte : bytes)
        out << std::hex << std::setw(2) << std::setfill('0') << unsigned{byte} << ' ';
    return out.str();
}

/// decode and encode give the bytes back, and nothing is left over.
void check_round_trip(const Sample& sample, Report& report) {
    const DecodeResult result = decode(sample.bytes);
    if (!result.ok) {
        report.fail(sample.key + ": refused: " + result.why + ": " + hex(sample.bytes));
    } else if (encode(result.instruction) != sample.bytes) {
        report.fail(sample.key + ": encodes as " + hex(encode(result.instruction)) + " not " +
                    hex(sample.bytes));
    }
}

void compare_straight(const std::vector<Sample>& samples, Report& report) {
    std::vector<std::vector<std::uint8_t>> words;
    for (const Sample& each : samples)
        words.emplace_back(each.bytes.begin(), each.bytes.end());
    const TemporaryDirectory directory;
    const auto theirs = iga_words(words, directory);
    std::string text;
    std::vector<std::size_t> lines;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Sample& each = samples[i];
        check_round_trip(each, report);
        const Exclusion* const exclusion = exclusion_of(each.instruction);
        const auto found = theirs.find(i);
        const bool refused = found == theirs.end();
        const Instruction decoded = decode(each.bytes).instruction;
        if (exclusion != nullptr) {
            ++report.exclusions[exclusion->name];
            ++report.rows[each.key].excluded;
        }
        const bool misread = exclusion != nullptr && exclusion->kind == Exclusion::Misread;
        if (refused != (exclusion != nullptr && exclusion->kind == Exclusion::Refused)) {
            report.fail(each.key + ": " + (refused ? "refused" : "not refused: " + found->second) +
                        ": ours: " + disassemble(decoded) + ": " + hex(each.bytes));
            continue;
        }
        if (refused) continue;
        const std::string ours = disassemble(misread ? as_assembler_reads(decoded) : decoded);
        if (ours != found->second) {
            report.fail(each.key + ":\n  theirs " + found->second + "\n  ours   " + ours);
            continue;
        }
        if (exclusion != nullptr) continue;
        ++report.rows[each.key].compared;
        text += found->second + "\n";
        lines.push_back(i);
    }
    std::string errors;
    const auto bytes = iga_assembled(text, directory, errors);
    if (bytes.size() != lines.size() * 16)
        return report.fail("the assembler does not take its own text: " + errors.substr(0, 2000));
    for (std::size_t line = 0; line < lines.size(); ++line) {
        const Sample& each = samples[lines[line]];
        const auto word = std::span(bytes).subspan(line * 16, 16);
        if (!std::ranges::equal(word, each.bytes))
            report.fail(each.key + ": " + theirs.at(lines[line]) + "\n  theirs " + hex(word) +
                        "\n  ours   " + hex(each.bytes));
    }
}

/// Branches stand in a kernel of their own, since their text is labels.
void compare_branches(const std::vector<Sample>& samples, Report& report) {
    std::vector<std::uint8_t> kernel;
    for (const Sample& each : samples) {
        check_round_trip(each, report);
        kernel.insert(kernel.end(), each.bytes.begin(), each.bytes.end());
    }
    const TemporaryDirectory directory;
    const auto theirs = iga_kernel(kernel, directory);
    const auto ours = lines_of(disassemble_kernel(kernel));
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        if (normalised(ours[i]) == theirs[i]) continue;
        report.fail("branches:\n  theirs " + theirs[i] + "\n  ours   " + ours[i]);
    }
    if (ours.size() != theirs.size())
        return report.fail("branches: " + std::to_string(theirs.size()) + " lines theirs, " +
                           std::to_string(ours.size()) + " ours");
    std::string text, errors;
    for (const std::string& line : theirs)
        text += line + "\n";
    const auto bytes = iga_assembled(text, directory, errors);
    if (bytes.size() != kernel.size())
        return report.fail("branches: the assembler does not take its own text: " +
                           errors.substr(0, 2000));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto word = std::span(bytes).subspan(i * 16, 16);
        if (const Exclusion* const exclusion = exclusion_of(samples[i].instruction)) {
            ++report.exclusions[exclusion->name];
            ++report.rows[samples[i].key].excluded;
        } else if (std::ranges::equal(word, samples[i].bytes)) {
            ++report.rows[samples[i].key].compared;
        } else {
            report.fail(samples[i].key + ": " + disassemble(samples[i].instruction) +
                        "\n  theirs " + hex(word) + "\n  ours   " + hex(samples[i].bytes));
        }
    }
}

}  // namespace

const Exclusion* exclusion_of(const Instruction& inst) {
    const OpcodeInfo& row = info(inst.opcode);
    const bool is_send = row.format == Format::Send || row.format == Format::Sends;
    if (is_send && (inst.no_dd_check || inst.no_dd_clear)) return &kDependency;
    const auto typed = [](const Operand& o) { return o.indirect && o.type != Type::UD; };
    if (row.format == Format::Send && (typed(inst.dst) || typed(inst.src[0])))
        return &kIndirectSend;
    const bool returns = row.format == Format::Call || row.format == Format::Ret;
    const Operand& address = row.format == Format::Call ? inst.dst : inst.src[0];
    if (returns && address.type == Type::UD) return &kReturnType;
    const auto special = [](const Operand& operand) {
        return operand.is_arf(Arf::Accumulator) && operand.reg % 16 >= 2;
    };
    if (special(inst.dst) || special(inst.src[0]))
        return inst.align16 ? &kSpecial16 : &kSpecialOperand;
    if (!inst.align16 || row.has(kSpecialAcc)) return nullptr;
    if (row.format == Format::Wait || row.has(kBranch)) return &kNever16;
    if (row.format == Format::ThreeSource) return three_source_exclusion(inst);
    if (row.format == Format::Math && uses_special_acc(inst.math)) return nullptr;
    if (inst.dst.chan_enable != 0xF) return &kEnable16;
    bool registers = false;
    for (unsigned i = 0; i < inst.source_count; ++i) {
        const Operand& operand = inst.src[i];
        if (operand.file == RegFile::Imm) continue;
        registers = true;
        const bool convertible = operand.vert_stride == 4 && leaves_a_channel(operand.swizzle);
        if (convertible == operand.indirect) return &kRegion16;
    }
    const unsigned control = static_cast<unsigned>(inst.pred_ctrl);
    const bool replicated_predicate = control >= 2 && control <= 5;
    return registers || replicated_predicate ? &kMisread16 : nullptr;
}

Instruction as_assembler_reads(Instruction inst) {
    if (exclusion_of(inst) == &kDependency) {
        inst.no_dd_check = inst.no_dd_clear = false;
        return inst;
    }
    const unsigned control = static_cast<unsigned>(inst.pred_ctrl);
    if (control >= 2 && control <= 5) inst.pred_ctrl = PredCtrl::None;
    for (unsigned i = 0; i < inst.source_count; ++i) {
        Operand& operand = inst.src[i];
        if (operand.file == RegFile::Imm) continue;
        operand.vert_stride = operand.width = 1;
        operand.horz_stride = 0;
    }
    inst.dst.horz_stride = 1;
    inst.align16 = false;
    return inst;
}

void Report::fail(const std::string& text) {
    ++failures;
    if (first_failures.size() < 400) first_failures.push_back(text);
}

std::size_t Report::compared() const {
    std::size_t sum = 0;
    for (const auto& [key, row] : rows)
        sum += row.compared;
    return sum;
}

std::size_t Report::fewest() const {
    std::size_t least = ~std::size_t{0};
    for (const auto& [key, row] : rows)
        least = std::min(least, row.compared + row.excluded);
    return least;
}

std::string Report::text() const {
    std::ostringstream out;
    for (const auto& [key, row] : rows) {
        out << std::left << std::setw(28) << key << std::right << std::setw(7) << row.compared;
        if (row.excluded != 0) out << std::setw(7) << row.excluded << " excluded";
        out << '\n';
    }
    out << rows.size() << " opcodes and forms, " << compared() << " instructions compared\n";
    for (const auto& [exclusion, number] : exclusions)
        out << "excluded: " << exclusion << ": " << number << '\n';
    for (const std::string& failure : first_failures)
        out << "FAILURE: " << failure << '\n';
    out << failures << " failures\n";
    return out.str();
}

Report compare_with_assembler(std::uint64_t seed, std::size_t count) {
    Generator generate(seed);
    Report report;
    struct Kind {
        std::string key;
        const OpcodeInfo* row;
        Form form;
        MathFunction function;
    };
    std::vector<Kind> straight, branches;
    for (const OpcodeInfo& row : opcode_table()) {
        for (const Form form : forms_of(row)) {
            const std::string key = std::string(row.mnemonic) + ", " + name(form);
            if (row.format == Format::Math) continue;
            (row.has(kBranch) ? branches : straight).push_back({key, &row, form, {}});
        }
    }
    const OpcodeInfo& math = info(Opcode::Math);
    for (const MathFunction function : math_functions()) {
        for (const Form form : forms_of(math)) {
            if (uses_special_acc(function) && form != Form::Plain) continue;
            const std::string key = std::string("math.") + math_name(function) + ", " + name(form);
            straight.push_back({key, &math, form, function});
        }
    }
    const std::size_t rounds = count / (straight.size() + branches.size()) + 1;
    constexpr std::size_t kBatch = 60'000, kBranchKernel = 4'000;
    std::vector<Sample> batch, kernel;
    for (std::size_t round = 0; round < rounds; ++round) {
        for (const Kind& kind : straight) {
            batch.push_back(sample(kind.key, kind.row == &math
                                                 ? generate.math(kind.function, kind.form)
                                                 : generate.make(*kind.row, kind.form)));
        }
        for (const Kind& kind : branches) {
            const auto pc = static_cast<std::uint32_t>(16 * kernel.size());
            kernel.push_back(
                sample(kind.key, generate.make(*kind.row, kind.form, pc, 16 * kBranchKernel)));
        }
        if (batch.size() >= kBatch || round + 1 == rounds) {
            compare_straight(batch, report);
            batch.clear();
        }
        // Its branches may end at the kernel's last byte, so it is filled up to there.
        const bool full = kernel.size() + branches.size() > kBranchKernel;
        if (!full && round + 1 != rounds) continue;
        while (kernel.size() < kBranchKernel)
            kernel.push_back(sample("nop, plain", generate.make(info(Opcode::Nop), Form::Plain)));
        compare_branches(kernel, report);
        kernel.clear();
    }
    return report;
}

}  // namespace gen9::isa::test

// SPDX-License-Identifier: Apache-2.0
#include "isa/format/decode.h"

#include "isa/format/compaction.h"
#include "isa/format/decoder.h"

namespace gen9::isa {

bool Decoder::run() {
    inst_.breakpoint = flag(field::DebugCtrl);
    if (row_.format == Format::NoOperands) return true;
    return header() && operands();
}

bool Decoder::header() {
    inst_.align16 = flag(field::AccessMode);
    inst_.no_dd_clear = flag(field::NoDDClr);
    inst_.no_dd_check = flag(field::NoDDChk);
    inst_.channel_offset =
        static_cast<std::uint8_t>(8 * get(field::QtrCtrl) + 4 * get(field::NibCtrl));
    if (get(field::ThreadCtrl) == 3) return fail("reserved ThreadCtrl");
    inst_.thread_ctrl = static_cast<ThreadCtrl>(get(field::ThreadCtrl));

    // EU-159, EU-160: Align16 has eight predicate controls, Align1 fourteen.
    if (get(field::PredCtrl) > (inst_.align16 ? 7u : 13u)) return fail("reserved PredCtrl");
    inst_.pred_ctrl = static_cast<PredCtrl>(get(field::PredCtrl));
    inst_.pred_invert = flag(field::PredInv);
    if (get(field::ExecSize) > 5) return fail("reserved ExecSize");
    inst_.exec_size = static_cast<std::uint8_t>(1u << get(field::ExecSize));

    const bool has_cond_mod =
        row_.format != Format::Math && row_.format != Format::Send && row_.format != Format::Sends;
    if (has_cond_mod) {
        const std::uint64_t code = get(field::CondModifier);
        if (code > 9 || code == 7) return fail("reserved CondModifier");
        inst_.cond_mod = static_cast<CondMod>(code);
    }
    const bool bit28 = flag(field::AccWrCtrl);
    if (row_.format == Format::Send || row_.format == Format::Sends) {
        inst_.no_src_dep_set = bit28;
    } else if (row_.has(kBranch)) {
        inst_.branch_ctrl = bit28;
    } else {
        inst_.acc_write = bit28;
    }
    inst_.saturate = flag(field::Saturate);
    inst_.flag_reg = get8(field::FlagReg);
    inst_.flag_subreg = get8(field::FlagSubReg);
    inst_.no_mask = flag(field::MaskCtrl);
    return true;
}

bool Decoder::operands() {
    switch (row_.format) {
        case Format::NoOperands:
            return true;
        case Format::OneSource:
        case Format::Wait:
            return one_source();
        case Format::TwoSource:
            return two_source();
        case Format::ThreeSource:
            return three_source();
        case Format::Math:
            return math();
        case Format::Jmpi:
            return jmpi();
        case Format::Branch2:
            inst_.uip = static_cast<std::int32_t>(get(field::Uip));
            [[fallthrough]];
        case Format::Branch1:
            inst_.jip = static_cast<std::int32_t>(get(field::Jip));
            return true;
        case Format::BranchRegister1:
            return branch_register(false);
        case Format::BranchRegister2:
            return branch_register(true);
        case Format::Call:
            return call();
        case Format::Ret:
            return ret();
        case Format::Send:
            return send();
        case Format::Sends:
            return sends();
    }
    return fail("unknown format");
}

namespace {

DecodeResult illegal(unsigned length_bytes, const char* why) {
    DecodeResult result;
    result.instruction.length_bytes = static_cast<std::uint8_t>(length_bytes);
    result.instruction.compacted = length_bytes == 8;
    result.why = why;
    return result;
}

}  // namespace

DecodeResult decode(std::span<const std::uint8_t> bytes) {
    constexpr unsigned kCompactBytes = 8, kNativeBytes = 16;
    if (bytes.size() < kCompactBytes) return illegal(kNativeBytes, "fewer than 8 bytes");
    const auto first = load<std::uint64_t>(bytes.data());
    const bool compacted = is_compacted(first);
    const unsigned length = compacted ? kCompactBytes : kNativeBytes;
    if (bytes.size() < length) return illegal(length, "fewer than 16 bytes");

    // In the compact form bit 7 is DebugCtrl, in the native form reserved (EU-215).
    const auto code = static_cast<std::uint8_t>(compacted ? first & 0x7F : first & 0xFF);
    const OpcodeInfo* row = find(code);
    if (row == nullptr) return illegal(length, "undefined opcode");
    if (compacted && !row->has(kCompactable)) return illegal(length, "opcode has no compact form");

    const NativeWord word =
        compacted ? expand(first, *row) : NativeWord::from_bytes(bytes.first<kNativeBytes>());
    Decoder decoder(word, *row);
    if (!decoder.run()) return illegal(length, decoder.why());
    decoder.instruction().compacted = compacted;
    decoder.instruction().length_bytes = static_cast<std::uint8_t>(length);
    return {decoder.instruction(), true, ""};
}

}  // namespace gen9::isa

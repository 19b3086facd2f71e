// SPDX-License-Identifier: Apache-2.0
#include "isa/format/compaction.h"

#include "common/bits.h"
#include "isa/format/compaction_tables.h"

namespace gen9::isa {
namespace {

namespace tables = compaction_tables;

/// A run of bits that keeps its order when expanded: bits `from`.. of a table value (or of the
/// compact word) to bits high..low of the native word.
struct Move {
    std::uint8_t from, high, low;
};

constexpr Move kControlMoves[] = {{0, 8, 8},   {1, 34, 34},  {2, 10, 9},
                                  {4, 23, 12}, {16, 31, 31}, {17, 33, 32}};
constexpr Move kDataTypeMoves[] = {{0, 46, 35}, {12, 94, 89}, {18, 63, 61}};
constexpr Move kSubRegDst[] = {{0, 52, 48}};
constexpr Move kSubRegSrc0[] = {{5, 68, 64}};
constexpr Move kSubRegSrc1[] = {{10, 100, 96}};
constexpr Move kSrc0Moves[] = {{0, 88, 77}};
constexpr Move kSrc1Moves[] = {{0, 120, 109}};
constexpr Move kThreeSourceControlMoves[] = {{0, 28, 8}, {21, 36, 32}};
constexpr Move kThreeSourceSourceMoves[] = {{0, 55, 37},    {19, 72, 65},   {27, 90, 86},
                                            {32, 93, 91},   {35, 114, 107}, {43, 84, 83},
                                            {45, 105, 104}, {47, 126, 125}};

// Straight copies out of the compact word.
constexpr Move kBasicCopies[] = {{0, 6, 0},    {7, 30, 30},  {23, 28, 28},
                                 {24, 27, 24}, {40, 60, 53}, {48, 76, 69}};
constexpr Move kSrc1Copies[] = {{56, 108, 101}};
constexpr Move kThreeSourceCopies[] = {{0, 6, 0},     {12, 62, 56},   {28, 64, 64},   {30, 30, 30},
                                       {31, 31, 31},  {32, 85, 85},   {33, 106, 106}, {34, 75, 73},
                                       {37, 96, 94},  {40, 117, 115}, {43, 82, 76},   {50, 103, 97},
                                       {57, 124, 118}};

// Fields of the compact word itself.
struct Range {
    std::uint8_t high, low;
    constexpr std::uint64_t of(std::uint64_t compact) const {
        return bits<std::uint64_t>(compact, high, low);
    }
};
constexpr Range kControlIndex{12, 8}, kDataTypeIndex{17, 13}, kSubRegIndex{22, 18};
constexpr Range kSrc0Index{34, 30}, kSrc1Index{39, 35}, kSrc1Reg{63, 56};
constexpr Range kThreeSourceControlIndex{9, 8}, kThreeSourceSourceIndex{11, 10};

template <std::size_t N>
void apply(NativeWord& word, std::uint64_t value, const Move (&moves)[N]) {
    for (const Move& move : moves) {
        word.set(move.high, move.low, value >> move.from);
    }
}

NativeWord expand_three_source(std::uint64_t compact) {
    NativeWord word;
    apply(word, tables::kThreeSourceControl[kThreeSourceControlIndex.of(compact)],
          kThreeSourceControlMoves);
    apply(word, tables::kThreeSourceSource[kThreeSourceSourceIndex.of(compact)],
          kThreeSourceSourceMoves);
    apply(word, compact, kThreeSourceCopies);
    return word;
}

NativeWord expand_basic(std::uint64_t compact) {
    NativeWord word;
    const std::uint64_t sub_registers = tables::kSubReg[kSubRegIndex.of(compact)];
    apply(word, tables::kControl[kControlIndex.of(compact)], kControlMoves);
    apply(word, tables::kDataType[kDataTypeIndex.of(compact)], kDataTypeMoves);
    apply(word, compact, kBasicCopies);
    apply(word, sub_registers, kSubRegDst);
    apply(word, sub_registers, kSubRegSrc0);
    apply(word, tables::kSrc0[kSrc0Index.of(compact)], kSrc0Moves);

    const auto immediate = static_cast<std::uint64_t>(RegFile::Imm);
    const bool immediate0 = field::Src0.reg_file.get(word) == immediate;
    const bool immediate1 = field::Src1.reg_file.get(word) == immediate;
    if (immediate0 || immediate1) {
        // {Src1Index, Src1 RegNum} is a 13-bit signed number in place of the second source.
        const std::uint64_t number = kSrc1Index.of(compact) << 8 | kSrc1Reg.of(compact);
        field::Imm32.set(word, static_cast<std::uint64_t>(sign_extend(number, 13)));
        return word;
    }
    apply(word, sub_registers, kSubRegSrc1);
    apply(word, tables::kSrc1[kSrc1Index.of(compact)], kSrc1Moves);
    apply(word, compact, kSrc1Copies);
    return word;
}

/// The inverse of apply: the bits of a table value, or of the compact word, out of the native word.
template <std::size_t N>
std::uint64_t collect(const NativeWord& word, const Move (&moves)[N]) {
    std::uint64_t value = 0;
    for (const Move& move : moves)
        value |= word.get(move.high, move.low) << move.from;
    return value;
}

/// Puts the index of a table's first row with this value into the compact word.
template <class Table>
bool put_index(std::uint64_t& compact, const Range& place, const Table& table,
               std::uint64_t value) {
    for (std::size_t row = 0; row < std::size(table); ++row) {
        if (table[row] != value) continue;
        compact = with_bits<std::uint64_t>(compact, place.high, place.low, row);
        return true;
    }
    return false;
}

std::optional<std::uint64_t> compact_three_source(const NativeWord& word) {
    std::uint64_t compact = collect(word, kThreeSourceCopies);
    const bool found = put_index(compact, kThreeSourceControlIndex, tables::kThreeSourceControl,
                                 collect(word, kThreeSourceControlMoves)) &&
                       put_index(compact, kThreeSourceSourceIndex, tables::kThreeSourceSource,
                                 collect(word, kThreeSourceSourceMoves));
    return found ? std::optional(compact) : std::nullopt;
}

std::optional<std::uint64_t> compact_basic(const NativeWord& word) {
    const auto immediate = static_cast<std::uint64_t>(RegFile::Imm);
    const bool has_immediate =
        field::Src0.reg_file.get(word) == immediate || field::Src1.reg_file.get(word) == immediate;
    std::uint64_t compact = collect(word, kBasicCopies);
    std::uint64_t sub_registers = collect(word, kSubRegDst) | collect(word, kSubRegSrc0);
    if (has_immediate) {
        const std::uint64_t number = field::Imm32.get(word);
        compact = with_bits<std::uint64_t>(compact, kSrc1Index.high, kSrc1Index.low, number >> 8);
        compact = with_bits<std::uint64_t>(compact, kSrc1Reg.high, kSrc1Reg.low, number);
    } else {
        sub_registers |= collect(word, kSubRegSrc1);
        compact |= collect(word, kSrc1Copies);
        if (!put_index(compact, kSrc1Index, tables::kSrc1, collect(word, kSrc1Moves)))
            return std::nullopt;
    }
    const bool found =
        put_index(compact, kControlIndex, tables::kControl, collect(word, kControlMoves)) &&
        put_index(compact, kDataTypeIndex, tables::kDataType, collect(word, kDataTypeMoves)) &&
        put_index(compact, kSubRegIndex, tables::kSubReg, sub_registers) &&
        put_index(compact, kSrc0Index, tables::kSrc0, collect(word, kSrc0Moves));
    return found ? std::optional(compact) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> compacted(const NativeWord& word, const OpcodeInfo& info) {
    if (!info.has(kCompactable)) return std::nullopt;
    auto compact =
        info.format == Format::ThreeSource ? compact_three_source(word) : compact_basic(word);
    if (!compact) return std::nullopt;
    *compact |= field::CmptCtrl.mask().low;
    // Bits without a place in the compact form must be what the expansion makes them.
    return expand(*compact, info) == word ? compact : std::nullopt;
}

NativeWord expand(std::uint64_t compact, const OpcodeInfo& info) {
    return info.format == Format::ThreeSource ? expand_three_source(compact)
                                              : expand_basic(compact);
}

}  // namespace gen9::isa

// SPDX-License-Identifier: Apache-2.0
#include "isa/format/compaction.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::isa {
namespace {

struct Golden {
    const char* text;
    std::uint64_t compact;
    std::array<std::uint32_t, 4> native;
};

// eu-isa guide 3.3: assembled by iga64 in both forms.
constexpr Golden kGolden[] = {
    {"add (16) r34:d r124<8;8,1>:d r7<0;1,0>:d",
     0x077C220720019640,
     {0x00800040, 0x24400A28, 0x0A8D0F80, 0x000000E0}},
    {"mov (8) r26:f r3:f", 0x00031A0720010B01, {0x00600001, 0x23403AE8, 0x008D0060, 0x00000000}},
    {"(W) and (1) r5:ud r0.5:ud 0x1FF:ud",
     0xFF00050820296005,
     {0x00000005, 0x20A0020C, 0x06000014, 0x000001FF}},
    {"add (8) r27:d r2:d -1:d",
     0xFF021BFF2001CB40,
     {0x00600040, 0x23600A28, 0x0E8D0040, 0xFFFFFFFF}},
    {"math.inv (16) r79:f r59:f",
     0x003B4F0721011638,
     {0x01800038, 0x29E03AE8, 0x008D0760, 0x00000000}},
    {"mad (8) r10 r11 r12 r13:f",
     0x1A3058002000A15B,
     {0x0060015B, 0x0A1E0000, 0x3900B1C8, 0x03472018}},
};

TEST(Compaction, ExpandsTheGoldenWords) {
    GEN9_COVERS("EU-301 EU-302");
    for (const Golden& golden : kGolden) {
        ASSERT_TRUE(is_compacted(golden.compact)) << golden.text;
        const OpcodeInfo* row = find(golden.compact & 0x7F);
        ASSERT_NE(row, nullptr) << golden.text;
        const NativeWord word = expand(golden.compact, *row);
        for (unsigned i = 0; i < 4; ++i) {
            EXPECT_EQ(word.dword(i), golden.native[i])
                << golden.text << " DW" << i << std::hex << " " << word.dword(i) << " for "
                << golden.native[i];
        }
    }
}

/// The tables as text: bits as characters, most significant first.
std::map<std::string, std::vector<std::string>> tables() {
    std::map<std::string, std::vector<std::string>> result;
    std::ifstream file(GEN9_COMPACTION_CSV);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream row(line);
        std::string table, index, value;
        std::getline(row, table, ',');
        std::getline(row, index, ',');
        std::getline(row, value);
        result[table].push_back(value);
    }
    return result;
}

/// A second expansion, of characters: bit i of a text is the i-th from its end (guide 3.3).
class TextExpansion {
  public:
    explicit TextExpansion(std::uint64_t compact) {
        for (unsigned i = 0; i < 64; ++i)
            compact_.insert(compact_.begin(), (compact >> i & 1) != 0 ? '1' : '0');
    }
    std::string of(const std::string& bits, unsigned high, unsigned low) const {
        return bits.substr(bits.size() - 1 - high, high - low + 1);
    }
    std::string compact(unsigned high, unsigned low) const { return of(compact_, high, low); }
    std::string row(const std::vector<std::string>& table, unsigned high, unsigned low) const {
        return table.at(std::stoul(compact(high, low), nullptr, 2));
    }
    void put(unsigned high, unsigned low, const std::string& bits) {
        ASSERT_EQ(bits.size(), high - low + 1);
        native_.replace(127 - high, bits.size(), bits);
    }
    std::string native(unsigned high, unsigned low) const { return of(native_, high, low); }
    NativeWord word() const {
        return {std::stoull(native(63, 0), nullptr, 2), std::stoull(native(127, 64), nullptr, 2)};
    }

  private:
    std::string compact_, native_ = std::string(128, '0');
};

NativeWord text_expand_basic(std::uint64_t compact,
                             const std::map<std::string, std::vector<std::string>>& all) {
    TextExpansion x(compact);
    const std::string control = x.row(all.at("control"), 12, 8),
                      type = x.row(all.at("datatype"), 17, 13);
    const std::string subreg = x.row(all.at("subreg"), 22, 18);
    x.put(6, 0, x.compact(6, 0));
    x.put(30, 30, x.compact(7, 7));
    x.put(28, 28, x.compact(23, 23));
    x.put(27, 24, x.compact(27, 24));
    x.put(8, 8, x.of(control, 0, 0));
    x.put(34, 34, x.of(control, 1, 1));
    x.put(10, 9, x.of(control, 3, 2));
    x.put(23, 12, x.of(control, 15, 4));
    x.put(31, 31, x.of(control, 16, 16));
    x.put(33, 32, x.of(control, 18, 17));
    x.put(46, 35, x.of(type, 11, 0));
    x.put(94, 89, x.of(type, 17, 12));
    x.put(63, 61, x.of(type, 20, 18));
    x.put(52, 48, x.of(subreg, 4, 0));
    x.put(68, 64, x.of(subreg, 9, 5));
    x.put(88, 77, x.row(all.at("src0"), 34, 30));
    x.put(60, 53, x.compact(47, 40));
    x.put(76, 69, x.compact(55, 48));
    if (x.native(42, 41) == "11" || x.native(90, 89) == "11") {
        const std::string immediate = x.compact(39, 35) + x.compact(63, 56);
        x.put(127, 96, std::string(19, immediate.front()) + immediate);
        return x.word();
    }
    x.put(100, 96, x.of(subreg, 14, 10));
    x.put(120, 109, x.row(all.at("src1"), 39, 35));
    x.put(108, 101, x.compact(63, 56));
    return x.word();
}

NativeWord text_expand_three(std::uint64_t compact,
                             const std::map<std::string, std::vector<std::string>>& all) {
    TextExpansion x(compact);
    const std::string control = x.row(all.at("src3_control"), 9, 8),
                      source = x.row(all.at("src3_source"), 11, 10);
    x.put(28, 8, x.of(control, 20, 0));
    x.put(36, 32, x.of(control, 25, 21));
    x.put(55, 37, x.of(source, 18, 0));
    x.put(72, 65, x.of(source, 26, 19));
    x.put(93, 86, x.of(source, 34, 27));
    x.put(114, 107, x.of(source, 42, 35));
    // Sub-register bit 1 and the top of the register number.
    x.put(84, 76, x.of(source, 44, 43) + x.compact(49, 43));
    x.put(105, 97, x.of(source, 46, 45) + x.compact(56, 50));
    x.put(126, 118, x.of(source, 48, 47) + x.compact(63, 57));
    x.put(6, 0, x.compact(6, 0));
    x.put(62, 56, x.compact(18, 12));
    x.put(64, 64, x.compact(28, 28));
    x.put(30, 30, x.compact(30, 30));
    x.put(31, 31, x.compact(31, 31));
    x.put(85, 85, x.compact(32, 32));
    x.put(106, 106, x.compact(33, 33));
    x.put(75, 73, x.compact(36, 34));
    x.put(96, 94, x.compact(39, 37));
    x.put(117, 115, x.compact(42, 40));
    return x.word();
}

TEST(Compaction, EveryRowOfEveryTable) {
    GEN9_COVERS("EU-302");
    const auto all = tables();
    ASSERT_EQ(all.size(), 7U);
    std::mt19937_64 random(3);
    const OpcodeInfo& add = info(Opcode::Add);
    const OpcodeInfo& mad = info(Opcode::Mad);
    for (unsigned round = 0; round < 40; ++round) {
        for (std::uint64_t index = 0; index < 32; ++index) {
            const std::uint64_t noise = random() & ~std::uint64_t{0xFF};
            std::uint64_t basic = noise | add.code | 1u << 29;
            // One table walks its rows while the indices of the others are random.
            constexpr unsigned kIndexBits[] = {8, 13, 18, 30, 35};
            const unsigned low = kIndexBits[round % 5];
            basic = with_bits<std::uint64_t>(basic, low + 4, low, index);
            ASSERT_EQ(expand(basic, add), text_expand_basic(basic, all)) << std::hex << basic;
            const std::uint64_t three =
                with_bits<std::uint64_t>(noise | mad.code | 1u << 29, 11, 8, index);
            ASSERT_EQ(expand(three, mad), text_expand_three(three, all)) << std::hex << three;
        }
    }
}

TEST(Compaction, BothSourceTablesAreTheSame) {
    GEN9_COVERS("EU-302");
    EXPECT_EQ(tables().at("src0"), tables().at("src1"));
}

}  // namespace
}  // namespace gen9::isa

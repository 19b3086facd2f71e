// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/source_lines.h"

#include <gtest/gtest.h>

#include "common/bits.h"
#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform {
namespace {

using test::append;
using test::Bytes;
using test::dwords;

Bytes operator+(Bytes first, const Bytes& second) {
    append(first, second);
    return first;
}
Bytes with_zero(const std::string& text) {
    return Bytes(text.begin(), text.end()) + Bytes{0};
}

/// A line table: version 4, line base -5, line range 14, first special opcode 13 (DWARF 4, 6.2.4).
Bytes line_table(const Bytes& program, const std::string& file = "add.cl",
                 std::uint8_t version = 4) {
    Bytes header = {1};                     // least instruction
    if (version == 4) header.push_back(1);  // operations of an instruction
    header = header + Bytes{1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    header = header + Bytes{0} + with_zero(file) + Bytes{0, 0, 0} + Bytes{0};
    const Bytes unit =
        Bytes{version, 0} + dwords({static_cast<std::uint32_t>(header.size())}) + header + program;
    return dwords({static_cast<std::uint32_t>(unit.size())}) + unit;
}

/// An ELF file of one section and the names of sections.
Bytes elf(const std::string& name, const Bytes& contents) {
    const Bytes names = Bytes{0} + with_zero(name);
    Bytes file(64 + 3 * 64);
    file[0] = 0x7F;
    file[1] = 'E';
    file[2] = 'L';
    file[3] = 'F';
    store(&file[0x28], std::uint64_t{64});
    store(&file[0x3A], std::uint16_t{64});
    store(&file[0x3C], std::uint16_t{3});
    store(&file[0x3E], std::uint16_t{2});
    const auto section = [&](unsigned index, std::uint32_t name_at, const Bytes& bytes) {
        store(&file[64 + 64 * index], name_at);
        store(&file[64 + 64 * index + 0x18], std::uint64_t{file.size()});
        store(&file[64 + 64 * index + 0x20], std::uint64_t{bytes.size()});
        append(file, bytes);
    };
    section(1, 1, contents);
    section(2, 0, names);
    return file;
}

Bytes debug_data(const std::vector<std::pair<std::string, Bytes>>& kernels) {
    Bytes data =
        dwords({0x494E5443, 1081, 0, 12, 9, 0, static_cast<std::uint32_t>(kernels.size())});
    for (const auto& [name, debug] : kernels) {
        const Bytes text = with_zero(name);
        data = data + dwords({static_cast<std::uint32_t>(text.size()),
                              static_cast<std::uint32_t>(debug.size()), 4});
        data = data + text + debug + Bytes(4, 0xEE);
    }
    return data;
}

SourceLines lines_of(const Bytes& table) {
    return find_source_lines(debug_data({{"add", elf(".debug_line", table)}}))["add"];
}

SourcePlace at(unsigned line) {
    return {line, "add.cl", ""};
}

TEST(SourceLines, ALineProgramGivesThePlaceOfEachInstruction) {
    const SourceLines lines = lines_of(line_table({
        0,
        9,
        2,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,  // the address is 0
        3,
        9,
        1,  // line 1 + 9, a row
        2,
        0x80,
        1,
        3,
        0x7E,
        1,                    // address + 128, line - 2, a row
        13 + 5 + 14 * 2 + 3,  // special: address + 2, line + 3, a row
        8,
        1,  // address + (255 - 13) / 14, a row
        9,
        0x10,
        0,
        5,
        7,
        6,
        12,
        3,
        1,  // address + 16; column, ..., isa are passed by; a row
        2,
        8,
        0,
        1,
        1  // the end
    }));
    EXPECT_EQ(
        lines,
        (SourceLines{
            {0, at(10)}, {128, at(8)}, {130, at(11)}, {147, at(11)}, {163, at(11)}, {171, {}}}));
    EXPECT_EQ(place_at(lines, 127), at(10));
    EXPECT_EQ(place_at(lines, 128), at(8));
    EXPECT_EQ(place_at(lines, 171).line, 0u) << "behind the end";
    EXPECT_EQ(place_at({}, 5).line, 0u);
}

TEST(SourceLines, AFileOfTextHasNoName) {
    EXPECT_EQ(lines_of(line_table({1}, "1")).at(0).file, "");
    EXPECT_EQ(lines_of(line_table({1}, "<stdin>")).at(0).file, "");
    EXPECT_EQ(lines_of(line_table({4, 9, 1})).at(0).file, "") << "a file that is not in the table";
}

TEST(SourceLines, EachKernelHasItsOwn) {
    const auto kernels = find_source_lines(
        debug_data({{"one", elf(".debug_line", line_table({3, 1, 1}))},
                    {"other", elf(".debug_line", line_table({3, 2, 1}, "b.cl", 3))},
                    {"bare", elf(".text", {1, 2, 3})}}));
    EXPECT_EQ(kernels.at("one").at(0), at(2));
    EXPECT_EQ(kernels.at("other").at(0), (SourcePlace{3, "b.cl", ""}));
    EXPECT_TRUE(kernels.at("bare").empty());
}

TEST(SourceLines, WhatIsCutOffOrChangedDoesNoHarm) {
    const Bytes whole = debug_data({{"add", elf(".debug_line", line_table({3, 1, 1, 0, 1, 1}))}});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        find_source_lines(std::span(whole).first(size));
        for (const std::uint8_t value : {0x00, 0x7F, 0xFF}) {
            Bytes changed = whole;
            changed[size] = value;
            find_source_lines(changed);
        }
    }
    EXPECT_TRUE(lines_of(line_table({3, 1, 1}, "a", 5)).empty()) << "another version";
}

}  // namespace
}  // namespace gen9::platform

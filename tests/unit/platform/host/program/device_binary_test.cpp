// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/device_binary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "common/bits.h"
#include "common/check.h"
#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform {
namespace {

using namespace test;

Bytes text(const std::string& words) {
    return {words.begin(), words.end()};
}

/// A patch token program of two kernels: heaps of 64 bytes of which 48 are used.
Bytes patch_tokens() {
    auto bytes = dwords({0x494E5443, 1081, 12, 8, 2, 9, 4, 0xAAAA});
    for (const char* name : {"vadd", "red"}) {
        append(bytes, dwords({1, 2, 3, 8, 8, 64, 0, 32, 16, 48}));
        auto padded = text(name);
        padded.resize(8);
        append(bytes, padded);
        append(bytes, Bytes(64, static_cast<std::uint8_t>(name[0])));
        append(bytes, Bytes(32 + 16 + 8, 0xEE));
    }
    return bytes;
}

/// A 64-bit ELF file of these sections (name, type, contents); the first is empty.
struct Section {
    std::string name;
    std::uint32_t type;
    Bytes bytes;
};
Bytes elf(std::vector<Section> sections) {
    sections.insert(sections.begin(), {"", 0, {}});
    sections.push_back({".shstrtab", 3, {}});
    Bytes& names = sections.back().bytes;
    std::vector<std::uint32_t> name_at;
    for (const auto& section : sections) {
        name_at.push_back(static_cast<std::uint32_t>(names.size()));
        append(names, text(section.name));
        names.push_back(0);
    }
    Bytes file(64 + 64 * sections.size());
    const char magic[] =
        "\x7f"
        "ELF\x02\x01\x01";
    std::copy(magic, magic + 7, file.begin());
    store(&file[0x28], std::uint64_t{64});
    store(&file[0x3A], std::uint16_t{64});
    store(&file[0x3C], static_cast<std::uint16_t>(sections.size()));
    store(&file[0x3E], static_cast<std::uint16_t>(sections.size() - 1));
    for (std::size_t i = 0; i < sections.size(); ++i) {
        std::uint8_t* header = &file[64 + 64 * i];
        store(header, name_at[i]);
        store(header + 4, sections[i].type);
        store(header + 0x18, std::uint64_t{file.size()});
        store(header + 0x20, std::uint64_t{sections[i].bytes.size()});
        append(file, sections[i].bytes);
    }
    return file;
}

TEST(DeviceBinary, KernelsOfPatchTokensHaveNameAndUnpaddedBytes) {
    const auto kernels = find_kernels(patch_tokens(), "k.bin");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].name, "vadd");
    EXPECT_EQ(kernels[0].bytes, Bytes(48, 'v'));
    EXPECT_EQ(kernels[1].name, "red");
    EXPECT_EQ(kernels[1].bytes, Bytes(48, 'r'));
}

TEST(DeviceBinary, PatchTokensAreFoundInTheirElfSection) {
    const auto file = elf({{"SPIRV Object", 0xFF000009, Bytes(20)},
                           {"Intel(R) OpenCL Device Binary", 0xFF000005, patch_tokens()}});
    const auto kernels = find_kernels(file, "k.bin");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(file[kernels[1].address], 'r');
}

TEST(DeviceBinary, ZebinHasASectionForEachKernelPaddedWithZeroes) {
    Bytes kernel(48, 1);
    kernel.resize(128);
    const auto kernels =
        find_kernels(elf({{".text.vadd", 1, kernel}, {".ze_info", 0xFF000011, Bytes(9)}}), "k.bin");
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].name, "vadd");
    EXPECT_EQ(kernels[0].bytes, Bytes(48, 1));
}

/// A patch token of these fields, and text.
Bytes token(std::uint32_t number, std::initializer_list<std::uint32_t> fields,
            const std::string& behind = "") {
    auto bytes =
        dwords({number, static_cast<std::uint32_t>(8 + 4 * fields.size() + behind.size())});
    append(bytes, dwords(fields));
    append(bytes, text(behind));
    return bytes;
}

/// The arguments of a kernel "k": an image, a buffer and a number, whose surface states lie the other
/// way round than their entries of the binding table.
Bytes with_arguments() {
    Bytes patches;
    const auto name = [](std::uint32_t number, const std::string& of) {
        const auto padded = of + std::string(4 - of.size(), '\0');
        return token(26, {number, 8, 4, 4, 4, 4},
                     "__global" + std::string("NONE") + padded + std::string("int\0NONE", 8));
    };
    append(patches, token(8, {128, 2, 0}));           // binding table
    append(patches, token(30, {1, 0, 32, 8, 0}));     // a buffer
    append(patches, token(12, {0, 4, 64, 0, 0, 0}));  // an image
    append(patches, token(17, {1, 2, 40, 4}));        // a number
    for (const auto& [number, of] : {std::pair(0u, "im"), {1u, "out"}, {2u, "n"}})
        append(patches, name(number, of));
    auto bytes = dwords({0x494E5443, 1081, 12, 8, 1, 9, 0});
    append(bytes,
           dwords({1, 2, 3, 4, static_cast<std::uint32_t>(patches.size()), 64, 0, 0, 136, 48}));
    append(bytes, text(std::string("k\0\0\0", 4)));
    append(bytes, Bytes(64, 1));
    append(bytes, Bytes(128, 0xEE));
    append(bytes, dwords({64, 0}));
    append(bytes, patches);
    return bytes;
}

TEST(DeviceBinary, ArgumentsHaveNamesAndPlacesInTheBindingTable) {
    const std::vector<KernelArgument> expected{{0, "im", 0}, {1, "out", 1}, {2, "n", std::nullopt}};
    EXPECT_EQ(find_arguments(with_arguments(), "k.bin").at("k"), expected);
    const auto file = elf({{"Intel(R) OpenCL Device Binary", 0xFF000005, with_arguments()}});
    EXPECT_EQ(find_arguments(file, "k.bin").at("k"), expected);
    EXPECT_TRUE(find_arguments(Bytes(64, 1), "heap").empty());
    EXPECT_TRUE(find_arguments(Bytes{1}, "heap").empty());
}

// Whatever is damaged, it ends without reading beyond the bytes, which the sanitizer sees.
TEST(DeviceBinary, DamagedArgumentsAreAUserErrorOrHarmless) {
    const auto whole = elf({{"Intel(R) OpenCL Device Binary", 0xFF000005, with_arguments()}});
    unsigned refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const std::uint8_t value : {0x00, 0x7F, 0xFF})
            for (const bool cut : {false, true}) {
                auto damaged = whole;
                damaged[i] = value;
                if (cut) damaged.resize(i);
                try {
                    find_arguments(damaged, "k.bin");
                } catch (const UserError& error) {
                    EXPECT_TRUE(std::string(error.what()).starts_with("'k.bin' is "));
                    ++refused;
                }
            }
    EXPECT_GT(refused, whole.size());
}

TEST(DeviceBinary, RawHeapsAreNoDeviceBinary) {
    EXPECT_TRUE(find_kernels(Bytes(64, 1), "heap").empty());
    EXPECT_TRUE(find_kernels(Bytes{1}, "heap").empty());
}

TEST(DeviceBinary, WhatItIsInsteadIsSaid) {
    EXPECT_THROW(find_kernels(dwords({0x07230203, 0, 0}), "k.spv"), UserError);
    EXPECT_THROW(find_kernels(text("!<arch>\nmembers"), "k.ar"), UserError);
    EXPECT_THROW(find_kernels(elf({{".text", 1, Bytes(16)}}), "a.out"), UserError);
}

/// Names of the kernels of a file, which must be bytes of it where they say they are; none: it was
/// refused in a sentence with its name.
std::optional<std::vector<std::string>> names_in(std::span<const std::uint8_t> file) {
    std::vector<std::string> names;
    try {
        for (const KernelText& kernel : find_kernels(file, "k.bin")) {
            names.push_back(kernel.name);
            if (kernel.address > file.size() || kernel.bytes.size() > file.size() - kernel.address)
                ADD_FAILURE() << kernel.name << " is beyond the file's end";
            else
                EXPECT_TRUE(std::ranges::equal(kernel.bytes,
                                               file.subspan(kernel.address, kernel.bytes.size())))
                    << kernel.name << " has other bytes than the file";
        }
    } catch (const UserError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("'k.bin' is ")) << error.what();
        return std::nullopt;
    }
    return names;
}

// Every cut and every damaged byte either gives kernels of the file or a user error.
TEST(DeviceBinary, DamageIsAUserErrorOrHarmless) {
    const std::vector<std::string> all = {"vadd", "red", "k"};
    const auto whole = elf({{"Intel(R) OpenCL Device Binary", 0xFF000005, patch_tokens()},
                            {".text.k", 1, Bytes(64, 1)}});
    ASSERT_EQ(names_in(whole), all);
    std::vector<bool> code(whole.size());
    for (const KernelText& kernel : find_kernels(whole, "k.bin"))
        std::fill_n(code.begin() + static_cast<std::ptrdiff_t>(kernel.address), kernel.bytes.size(),
                    true);
    const auto code_end = static_cast<std::size_t>(
        std::distance(std::find(code.rbegin(), code.rend(), true), code.rend()));
    unsigned refused = 0, cut_short = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const std::uint8_t value : {0x00, 0x7F, 0xFF}) {
            auto damaged = whole;
            damaged[i] = value;
            const auto found = names_in(damaged);
            refused += !found;
            if (code[i]) {
                EXPECT_EQ(found, all) << "damage of the code, at " << i;
            }
            const auto part = names_in(std::span(damaged).first(i));
            cut_short += !part;
            if (part && i < code_end) {
                EXPECT_LT(part->size(), all.size()) << "cut at " << i;
            }
        }
    EXPECT_GT(refused, 30u);
    EXPECT_GT(cut_short, 3 * whole.size() / 2);
}

TEST(KernelLength, EndsAtPaddingAndSeesCompactedInstructions) {
    auto bytes = dwords({0x2000'0001, 5, 0x0000'0001, 5, 0, 0, 0x2000'0001, 5, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(kernel_length(bytes), 32u);
    EXPECT_EQ(kernel_length(std::span(bytes).first(30)), 30u - 6u);
}

}  // namespace
}  // namespace gen9::platform

// SPDX-License-Identifier: Apache-2.0
// The table of formats against the formats' own names.
#include "surface/format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cctype>
#include <string>

#include "tests/support/covers.h"

namespace gen9::surface {
namespace {

/// What a name says: R5G6B5_UNORM has B5 in its low bits.
struct Named {
    std::array<unsigned, 4> low{}, width{};
    unsigned bits = 0;
    Component kind = Component::None;

    explicit Named(const std::string& name) {
        const std::size_t end = name.find('_');
        for (std::size_t i = 0; i < end;) {
            const std::size_t channel = std::string("RGBA").find(name[i]);
            std::size_t digits = 0;
            const auto size = static_cast<unsigned>(std::stoul(name.substr(i + 1), &digits));
            if (channel != std::string::npos) low[channel] = bits, width[channel] = size;
            bits += size;
            i += 1 + digits;
        }
        const std::string suffix = name.substr(end + 1);
        kind = suffix == "UNORM"   ? Component::Unorm
               : suffix == "SNORM" ? Component::Snorm
               : suffix == "UINT"  ? Component::Uint
               : suffix == "SINT"  ? Component::Sint
                                   : Component::Float;
    }
};

TEST(Format, ANameSaysSizeKindAndPlaceOfEveryComponent) {
    unsigned known = 0;
    for (unsigned code = 0; code < 0x200; ++code) {
        const Format* format = find_format(code);
        if (!format) continue;
        ++known;
        const Named named(format->name);
        EXPECT_EQ(format->bytes * 8u, named.bits) << format->name;
        EXPECT_EQ(format->kind, named.kind) << format->name;
        bool bytes = true;
        for (unsigned c = 0; c < 4; ++c) {
            EXPECT_EQ(format->width[c], named.width[c]) << format->name << " " << c;
            EXPECT_TRUE(!named.width[c] || format->low[c] == named.low[c])
                << format->name << " " << c;
            bytes &= named.width[c] % 8 == 0;
        }
        // Public: mesa isl_storage_image.c: a Gen9 read converts integers and floats of whole
        // bytes.
        const bool converts =
            bytes && named.kind != Component::Unorm && named.kind != Component::Snorm;
        EXPECT_EQ(format->raw_read, !converts) << format->name;
    }
    EXPECT_EQ(known, 46u);
}

TEST(Format, ANaNStaysOneWithTheLeadingBitsOfItsPayload) {
    EXPECT_EQ(to_component(Component::Float, 16, 0x7F802000), 0x7E01u) << "a signalling one";
    EXPECT_EQ(to_component(Component::Float, 16, 0xFFC04000), 0xFE02u);
    EXPECT_EQ(from_component(Component::Float, 16, 0x7C01), 0x7FC02000u) << "a signalling one";
    EXPECT_EQ(from_component(Component::Float, 16, 0xFE02), 0xFFC04000u);
}

TEST(Format, InfinityStaysInfinity) {
    constexpr std::uint32_t kInfinity = 0x7F800000, kNegative = 0xFF800000;
    for (const auto& [width, bits] : {std::pair{10u, 0x3E0u}, {11u, 0x7C0u}, {16u, 0x7C00u}}) {
        EXPECT_EQ(to_component(Component::Float, width, kInfinity), bits);
        EXPECT_EQ(from_component(Component::Float, width, bits), kInfinity);
        EXPECT_EQ(to_component(Component::Float, width, kNegative), width == 16 ? 0xFC00u : 0u);
    }
}

TEST(Format, FixedPointBecomesTheFloatItStandsFor) {
    GEN9_COVERS("DP-068");
    const auto real = [](Component kind, unsigned width, std::uint32_t bits) {
        return std::bit_cast<float>(from_component(kind, width, bits));
    };
    EXPECT_EQ(real(Component::Unorm, 8, 0), 0.0f);
    EXPECT_EQ(real(Component::Unorm, 8, 51), 0.2f);
    EXPECT_EQ(real(Component::Unorm, 8, 255), 1.0f);
    EXPECT_EQ(real(Component::Unorm, 16, 0x3333), 0.2f);
    EXPECT_EQ(real(Component::Snorm, 8, 127), 1.0f);
    EXPECT_EQ(real(Component::Snorm, 8, 0x81), -1.0f);
    EXPECT_EQ(real(Component::Snorm, 8, 0x80), -1.0f) << "one below it";
    EXPECT_EQ(real(Component::Snorm, 8, 0xC1), -63.0f / 127);
}

TEST(Format, AFixedPointNaNIsZero) {
    for (const Component kind : {Component::Unorm, Component::Snorm})
        for (const std::uint32_t nan : {0x7FC00000u, 0xFFC00000u, 0x7F800001u})
            EXPECT_EQ(to_component(kind, 16, nan), 0u) << std::hex << nan;
}

// Public: Direct3D 11.3 specification 3.1.3: five bits of exponent, six and five of fraction.
TEST(Format, FloatsOfElevenAndTenBitsHaveNoSignAndFiveBitsOfExponent) {
    const struct {
        unsigned width;
        float value;
        std::uint32_t bits;
    } rows[] = {{11, 1, 0x3C0}, {11, 1.5f, 0x3E0}, {11, 65024, 0x7BF}, {11, 0x1p-20f, 0x001},
                {10, 1, 0x1E0}, {10, 1.5f, 0x1F0}, {10, 64512, 0x3DF}, {10, 0x1p-19f, 0x001}};
    for (const auto& row : rows) {
        const auto value = std::bit_cast<std::uint32_t>(row.value);
        EXPECT_EQ(to_component(Component::Float, row.width, value), row.bits) << row.value;
        EXPECT_EQ(from_component(Component::Float, row.width, row.bits), value) << row.value;
    }
}

// Public: mesa gen9.xml, SURFACE_FORMAT.
TEST(Format, CodesAreThoseOfTheSurfaceState) {
    const struct {
        unsigned code;
        const char* name;
    } expected[] = {
        {0x000, "R32G32B32A32_FLOAT"}, {0x001, "R32G32B32A32_SINT"},
        {0x002, "R32G32B32A32_UINT"},  {0x080, "R16G16B16A16_UNORM"},
        {0x084, "R16G16B16A16_FLOAT"}, {0x085, "R32G32_FLOAT"},
        {0x087, "R32G32_UINT"},        {0x0C0, "B8G8R8A8_UNORM"},
        {0x0C2, "R10G10B10A2_UNORM"},  {0x0C7, "R8G8B8A8_UNORM"},
        {0x0CA, "R8G8B8A8_SINT"},      {0x0CB, "R8G8B8A8_UINT"},
        {0x0CC, "R16G16_UNORM"},       {0x0D0, "R16G16_FLOAT"},
        {0x0D3, "R11G11B10_FLOAT"},    {0x0D6, "R32_SINT"},
        {0x0D7, "R32_UINT"},           {0x0D8, "R32_FLOAT"},
        {0x100, "B5G6R5_UNORM"},       {0x106, "R8G8_UNORM"},
        {0x109, "R8G8_UINT"},          {0x10A, "R16_UNORM"},
        {0x10D, "R16_UINT"},           {0x10E, "R16_FLOAT"},
        {0x140, "R8_UNORM"},           {0x143, "R8_UINT"},
        {0x144, "A8_UNORM"},
    };
    for (const auto& e : expected) {
        ASSERT_NE(find_format(e.code), nullptr) << e.name;
        EXPECT_STREQ(find_format(e.code)->name, e.name);
    }
}

}  // namespace
}  // namespace gen9::surface

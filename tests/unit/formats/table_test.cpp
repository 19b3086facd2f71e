// SPDX-License-Identifier: Apache-2.0
// The table of formats against the PRM's tables and the formats' own names.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "formats/conversion.h"
#include "formats/format.h"
#include "tests/support/covers.h"
#include "tests/unit/formats/prm_tables.h"
#include "tests/unit/formats/reference.h"

namespace gen9::formats {
namespace {

using test::fields_of;
using test::NamedField;

struct Code {
    unsigned code;
    const char* name;
};
constexpr Code kCodes[] = {
#include "tests/unit/sampler/format_codes.inc"
};

/// A PRM table's names, with what is behind the slash.
std::map<std::string, std::string> rows(const char* table) {
    std::map<std::string, std::string> rows;
    std::istringstream words(table);
    for (std::string word; words >> word;) {
        const std::size_t slash = std::min(word.find('/'), word.size());
        rows[word.substr(0, slash)] = word.substr(std::min(slash + 1, word.size()));
    }
    return rows;
}
std::set<std::string> names(const char* table) {
    std::set<std::string> names;
    for (const auto& [name, rest] : rows(table))
        names.insert(name);
    return names;
}
std::set<std::string> users(unsigned use) {
    std::set<std::string> found;
    for (const Format& format : formats())
        if (format.supports(use)) found.insert(format.name);
    return found;
}
std::set<std::string> operator-(const std::set<std::string>& all,
                                const std::set<std::string>& some) {
    std::set<std::string> rest;
    std::ranges::set_difference(all, some, std::inserter(rest, rest.end()));
    return rest;
}
using Names = std::set<std::string>;

TEST(FormatTable, CodesAndNamesAreThePrms) {
    for (const Code& row : kCodes) {
        const Format* const format = find_format(row.code);
        ASSERT_NE(format, nullptr) << row.name;
        EXPECT_STREQ(format->name, row.name);
    }
    EXPECT_EQ(formats().size(), std::size(kCodes));
    EXPECT_EQ(find_format(0x009), nullptr);
    EXPECT_EQ(find_format(0x200), nullptr);
    EXPECT_EQ(find_format(0x009, true)->block_height, 5);
    EXPECT_EQ(find_format(0x0C7, true), nullptr);
}

std::string kind_name(Kind kind) {
    switch (kind) {
        case Kind::Unorm:
            return "UNORM";
        case Kind::Snorm:
            return "SNORM";
        case Kind::Uint:
            return "UINT";
        case Kind::Sint:
            return "SINT";
        case Kind::Float:
        case Kind::Ufloat:
            return "FLOAT";
        case Kind::Shared:
            return "SHAREDEXP";
        case Kind::Srgb:
            return "SRGB";
        case Kind::Uscaled:
            return "USCALED";
        case Kind::Sscaled:
            return "SSCALED";
        case Kind::Sfixed:
            return "SFIXED";
        case Kind::Raw:
            return "PASSTHRU";
        case Kind::None:
            break;
    }
    return "";
}

/// Compares a row's fields with those of its name.
void expect_named(const Format& format) {
    std::array<NamedField, 4> channel{};
    unsigned bits = 0;
    for (const NamedField& field : fields_of(format.name)) {
        bits += field.width;
        switch (field.place) {
            case 'R':
            case 'P':
            case 'D':
            case 'S':
                channel[0] = field;
                break;
            case 'G':
                channel[1] = field;
                break;
            case 'B':
                channel[2] = field;
                break;
            case 'A':
                channel[3] = field;
                break;
            case 'L':
                channel[0] = channel[1] = channel[2] = field;
                break;
            case 'I':
                channel.fill(field);
                break;
            default:
                break;  // an exponent, or nothing
        }
    }
    if (format.block_width == 1) {
        EXPECT_EQ(format.bits, bits) << format.name;
    }
    for (unsigned c = 0; c < 4; ++c) {
        const Field& field = format.channel[c];
        EXPECT_EQ(kind_name(field.kind), channel[c].kind) << format.name << " " << c;
        EXPECT_EQ(field.width, channel[c].width) << format.name << " " << c;
        EXPECT_EQ(field.low, channel[c].low) << format.name << " " << c;
        if (field.kind == Kind::Float || field.kind == Kind::Ufloat) {
            EXPECT_EQ(field.kind == Kind::Ufloat, field.width < 16) << format.name;
        }
    }
}

TEST(FormatTable, ANameSaysSizeKindAndPlaceOfEveryChannel) {
    unsigned plain = 0;
    for (const Format& format : formats())
        if (format.coding == Coding::Plain || format.coding == Coding::Palette) {
            expect_named(format);
            ++plain;
        }
    EXPECT_GT(plain, 180u);
    for (const Format& format : depth_formats())
        expect_named(format);
    expect_named(stencil_format());
}

TEST(FormatTable, UnusedBitsFollowTheChannels) {
    for (const Format& format : formats()) {
        if (format.coding != Coding::Plain) continue;
        std::uint64_t used[4] = {};
        unsigned count = 0;
        const auto add = [&](const Field& field) {
            for (unsigned bit = field.low; bit < field.low + unsigned{field.width}; ++bit) {
                count += !(used[bit / 64] >> bit % 64 & 1);
                used[bit / 64] |= 1ull << bit % 64;
            }
        };
        for (const Field& field : format.channel)
            add(field);
        const unsigned channels = count;
        add(format.unused);
        EXPECT_EQ(count, channels + format.unused.width) << format.name;
        if (std::string(format.name) == "X32_TYPELESS_G8X24_UINT") continue;  // two parts unused
        EXPECT_EQ(count, format.bits) << format.name;
    }
}

TEST(FormatTable, BlocksHaveTheSizesOfTheirKind) {
    for (const Format& format : formats()) {
        const std::string name = format.name;
        const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
        if (format.coding < Coding::Dxt1) continue;
        EXPECT_EQ(format.block_width, has("FXT1") ? 8 : 4) << name;
        EXPECT_EQ(format.block_height, 4) << name;
        const bool small = has("DXT1") || has("BC1_") || has("BC4_") || has("ETC1") ||
                           has("ETC2_RGB8") || has("ETC2_SRGB8") ||
                           (has("EAC_") && has("R11") && !has("RG11"));
        EXPECT_EQ(format.bits, small ? 64 : 128) << name;
        EXPECT_EQ(format.srgb(), has("SRGB")) << name;
    }
    for (const Format& format : astc_formats()) {
        std::ostringstream size;
        size << "_2D_" << unsigned{format.block_width} << "X" << unsigned{format.block_height}
             << "_";
        EXPECT_NE(std::string(format.name).find(size.str()), std::string::npos) << format.name;
        constexpr unsigned kSizes[] = {4, 5, 6, 0, 8, 0, 10, 12};
        EXPECT_EQ(kSizes[format.code >> 3 & 7], format.block_width);
        EXPECT_EQ(kSizes[format.code & 7], format.block_height);
        EXPECT_EQ(format.srgb(), !(format.code & 0x40));
        EXPECT_EQ(format.kind() == Kind::Float, format.code >= 0x100);
    }
    EXPECT_EQ(astc_formats().size(), 42u);
}

TEST(FormatTable, RenderTargetsAreThePrms) {
    GEN9_COVERS("RT-05");
    const Names prm = names(test::kRenderTargets), ours = users(kRenderTarget);
    EXPECT_EQ(prm - ours, Names{});
    // Public: mesa isl_format.c has these as well.
    EXPECT_EQ(ours - prm,
              (Names{"B8G8R8A8_UNORM_SRGB", "R10G10B10A2_UNORM", "R10G10B10A2_UINT",
                     "R8G8B8A8_UNORM_SRGB", "B10G10R10A2_UNORM", "B10G10R10A2_UNORM_SRGB",
                     "R11G11B10_FLOAT", "B8G8R8X8_UNORM_SRGB", "R32G32_FLOAT_LD"}));
    for (const auto& [name, blended] : rows(test::kRenderTargets)) {
        if (blended.empty()) continue;
        EXPECT_TRUE(users(kBlend).contains(name)) << name;
    }
    for (const std::string& name : users(kBlend)) {
        EXPECT_TRUE(ours.contains(name)) << name;
        EXPECT_TRUE(name.find("INT") == std::string::npos) << name;
    }
}

TEST(FormatTable, VertexFormatsAreThePrms) {
    EXPECT_EQ(names(test::kVertices) - users(kVertexFetch), Names{});
    // Public: mesa isl_format.c; the last is R32G32_FLOAT for other ways of loading.
    EXPECT_EQ(users(kVertexFetch) - names(test::kVertices), (Names{"R32G32_FLOAT_LD"}));
    for (const Format& format : formats()) {
        if (!format.supports(kVertexFetch)) continue;
        std::string components;
        for (unsigned c = 0; c < 4; ++c)
            if (format.present() >> c & 1) components += "RGBA"[c];
        const auto prm = rows(test::kVertices);
        const auto row = prm.find(format.name);
        if (row == prm.end()) continue;
        if (row->first == "R64G64B64_FLOAT") continue;  // the PRM gives it an alpha
        EXPECT_EQ(components, row->second) << format.name;
    }
    EXPECT_EQ(find_format(0x1BC)->slots(), 2u);
    EXPECT_EQ(find_format(0x1BD)->slots(), 2u);
    EXPECT_EQ(find_format(0x021)->slots(), 1u);
    EXPECT_EQ(find_format(0x197)->slots(), 1u);
}

TEST(FormatTable, TypedFormatsAreThePrms) {
    GEN9_COVERS("DP-071");
    Names read;
    for (const auto& [name, converted] : rows(test::kTyped))
        if (!converted.empty()) read.insert(name);
    EXPECT_EQ(users(kTypedRead), read);
    EXPECT_EQ(names(test::kTyped) - users(kTypedWrite), Names{});
    EXPECT_EQ(users(kTypedWrite) - names(test::kTyped), Names{});
}

TEST(FormatTable, SampledFormatsAndTheirChannelsAreThePrms) {
    const auto prm = rows(test::kSampled);
    for (const auto& [name, channels] : prm) {
        if (name == "ASTC" || name == "Y8_UNORM") continue;  // no code of the table; media only
        const auto format = std::ranges::find(formats(), name, &Format::name);
        ASSERT_NE(format, formats().end()) << name;
        EXPECT_TRUE(format->supports(kSample)) << name;
        std::string ours;
        constexpr const char* kMissing = "0001";
        for (unsigned c = 0; c < 4; ++c)
            ours += format->present() >> c & 1 ? "RGBA"[c] : kMissing[c];
        std::string theirs = channels;
        if (theirs.starts_with("Cr")) theirs = "RGB1";
        if (theirs.starts_with("LLL")) theirs.replace(0, 3, "RGB");
        if (theirs == "IIII") theirs = "RGBA";
        if (format->coding == Coding::Palette) continue;  // its first field is an index
        EXPECT_EQ(ours, theirs) << name;
    }
    // The rows that the PRM's table lost (SMP-202), and those that have all four channels.
    const Names others = users(kSample) - names(test::kSampled);
    for (const std::string& name : others) {
        const auto format = std::ranges::find(formats(), name, &Format::name);
        EXPECT_TRUE(format->present() == 15 || name == "R16G16_UNORM" || name == "R16_UNORM" ||
                    name == "R32G32_FLOAT_LD" || name == "PLANAR_420_16")
            << name;
    }
}

TEST(FormatTable, OtherUsesFollowTheirRules) {
    const Names shadow{"R32_FLOAT_X8X24_TYPELESS",
                       "R32_FLOAT",
                       "R24_UNORM_X8_TYPELESS",
                       "I24X8_UNORM",
                       "L24X8_UNORM",
                       "A24X8_UNORM",
                       "I32_FLOAT",
                       "L32_FLOAT",
                       "A32_FLOAT",
                       "R16_UNORM",
                       "I16_UNORM",
                       "L16_UNORM",
                       "A16_UNORM",
                       "I16_FLOAT",
                       "L16_FLOAT",
                       "A16_FLOAT"};
    EXPECT_EQ(users(kShadow), shadow);
    const Names keyed{
        "B8G8R8A8_UNORM", "B8G8R8X8_UNORM", "B5G6R5_UNORM", "B5G5R5A1_UNORM",      "B5G5R5X1_UNORM",
        "B4G4R4A4_UNORM", "R8G8_SNORM",     "L8A8_UNORM",   "R5G5_SNORM_B6_UNORM", "R8_UNORM",
        "A8_UNORM",       "L8_UNORM",       "YCRCB_NORMAL", "YCRCB_SWAPUVY",       "BC1_UNORM",
        "BC2_UNORM",      "BC3_UNORM"};
    EXPECT_EQ(users(kChromaKey), keyed);
    for (const Format& format : formats()) {
        const std::string name = format.name;
        if (format.supports(kSample)) {
            EXPECT_EQ(format.supports(kFilter), !format.integer() && name != "MONO8") << name;
        }
        bool dwords = format.coding == Coding::Plain && format.kind() != Kind::None;
        bool bytes = dwords;
        for (const Field& field : format.channel) {
            if (field.kind == Kind::None) continue;
            dwords &= field.width == 32 && (field.kind == Kind::Float || format.integer());
            bytes &= field.width % 8 == 0 && field.width == format.channel[0].width;
        }
        const bool named_r = name[0] == 'R' && !format.unused.width;
        EXPECT_EQ(format.supports(kStreamOut), dwords && named_r) << name;
        // Public: mesa isl_format.c: render targets of 32, 64 and 128 bits of whole bytes.
        EXPECT_EQ(format.supports(kCompress), format.supports(kRenderTarget) && bytes &&
                                                  format.bits >= 32 && !format.srgb() &&
                                                  name != "R32G32_FLOAT_LD")
            << name;
    }
    EXPECT_EQ(users(kVideo),
              (Names{"R16G16B16A16_UNORM", "B8G8R8A8_UNORM", "R10G10B10A2_UNORM",
                     "R10G10B10A2_UNORM_SRGB", "R8G8B8A8_UNORM", "R8G8B8A8_UNORM_SRGB",
                     "B10G10R10A2_UNORM", "B10G10R10A2_UNORM_SRGB", "B8G8R8X8_UNORM", "R16_UNORM",
                     "YCRCB_NORMAL", "YCRCB_SWAPUVY", "YCRCB_SWAPUV", "YCRCB_SWAPY"}));
}

TEST(FormatTable, DepthBuffersHaveThreeFormats) {
    EXPECT_STREQ(find_depth_format(1)->name, "D32_FLOAT");
    EXPECT_STREQ(find_depth_format(3)->name, "D24_UNORM_X8_UINT");
    EXPECT_STREQ(find_depth_format(5)->name, "D16_UNORM");
    EXPECT_EQ(find_depth_format(0), nullptr);
    EXPECT_EQ(find_depth_format(2), nullptr);
    EXPECT_EQ(stencil_format().bits, 8);
}

}  // namespace
}  // namespace gen9::formats

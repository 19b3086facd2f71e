// SPDX-License-Identifier: Apache-2.0
// Rows of texels of every format, bit by bit against the fields that the formats' names tell.
#include "formats/codec.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "tests/support/covers.h"
#include "tests/unit/formats/reference.h"

namespace gen9::formats {
namespace {

using test::fields_of;
using test::NamedField;
using Bytes = std::vector<std::uint8_t>;

std::uint64_t bits_of(const std::uint8_t* element, unsigned low, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned bit = 0; bit < width; ++bit)
        value |= std::uint64_t{element[(low + bit) / 8] >> (low + bit) % 8 & 1u} << bit;
    return value;
}
void set_bits(std::uint8_t* element, unsigned low, unsigned width, std::uint64_t value) {
    for (unsigned bit = 0; bit < width; ++bit) {
        const auto mask = static_cast<std::uint8_t>(1u << (low + bit) % 8);
        std::uint8_t& byte = element[(low + bit) / 8];
        byte = static_cast<std::uint8_t>(value >> bit & 1 ? byte | mask : byte & ~mask);
    }
}
bool names_channel(const NamedField& field, unsigned c) {
    return field.place == "RGBA"[c] || field.place == 'I' || (field.place == 'L' && c < 3) ||
           (c == 0 && (field.place == 'D' || field.place == 'S'));
}
std::optional<NamedField> field_of(const Format& format, unsigned c) {
    for (const NamedField& field : fields_of(format.name))
        if (names_channel(field, c)) return field;
    return {};
}
bool integer(const Format& format) {
    return std::strstr(format.name, "INT") && std::strncmp(format.name, "D24", 3) != 0;
}

/// A channel of an element by the slow way; nothing where the format is copied.
std::uint32_t slow_read(const Format& format, const std::uint8_t* element, unsigned c) {
    const auto field = field_of(format, c);
    if (!field) return c < 3 ? 0u : integer(format) ? 1u : 0x3F800000u;
    const std::uint64_t bits = bits_of(element, field->low, field->width);
    if (field->width == 64)
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    if (field->kind == "SHAREDEXP")
        return test::as_bits(static_cast<test::Real>(bits) *
                             test::power(static_cast<int>(element[3] >> 3) - 24));
    return test::decoded(field->kind, field->width, static_cast<std::uint32_t>(bits));
}
void slow_write(const Format& format, std::uint8_t* element, unsigned c, std::uint32_t value) {
    if (const auto field = field_of(format, c))
        set_bits(element, field->low, field->width,
                 test::encoded(field->kind, field->width, value));
}
/// X is written as 1.0 with alpha.
void slow_unused(const Format& format, std::uint8_t* element) {
    for (const NamedField& field : fields_of(format.name))
        if (field.place == 'X')
            set_bits(element, field.low, field.width,
                     format.supports(kDepth)                 ? 0
                     : std::strstr(format.name, "X16_FLOAT") ? 0x3C00
                                                             : ~0ull);
}

std::vector<const Format*> all_formats() {
    std::vector<const Format*> all;
    for (const auto rows : {formats(), depth_formats()})
        for (const Format& format : rows)
            all.push_back(&format);
    all.push_back(&stencil_format());
    return all;
}
bool copied(const Format& format) {
    return std::strstr(format.name, "PASSTHRU");
}

/// Random bytes, whose floats are often of usual size.
Bytes random_bytes(std::size_t size, test::Random& random) {
    Bytes bytes(size);
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(random() % 4 ? random() : random() % 2 * 0x3F);
    return bytes;
}
/// Register values that meet all ends of a format's channels.
Lanes random_lanes(const Format& format, test::Random& random) {
    Lanes lanes;
    for (auto& channel : lanes.channel)
        for (std::uint32_t& value : channel) {
            if (integer(format))
                value = random() >> random() % 32 ^ (random() % 2 ? ~0u : 0u);
            else
                value =
                    random() % 8 == 0
                        ? random()
                        : std::bit_cast<std::uint32_t>(
                              static_cast<float>(static_cast<std::int32_t>(random())) * 0x1.2p-31f);
        }
    return lanes;
}

TEST(Codec, PlainFormatsAreReadAndThoseOfGen9Written) {
    unsigned read = 0, written = 0;
    for (const Format* const format : all_formats()) {
        const Codec codec(*format);
        EXPECT_EQ(codec.decodes(), format->coding == Coding::Plain) << format->name;
        const bool write = format->uses & (kRenderTarget | kTypedWrite | kStreamOut | kDepth);
        EXPECT_EQ(codec.encodes(), write && format->coding == Coding::Plain) << format->name;
        read += codec.decodes();
        written += codec.encodes();
    }
    EXPECT_GT(read, 170u);
    EXPECT_GT(written, 60u);
    EXPECT_FALSE(Codec(*find_format(0x0ED)).encodes()) << "R9G9B9E5";
    EXPECT_FALSE(Codec(*find_format(0x186)).decodes()) << "BC1";
    EXPECT_FALSE(Codec(*find_format(0x1FF)).decodes()) << "RAW";
    EXPECT_FALSE(Codec(*find_format(0x0A1)).encodes()) << "R64_PASSTHRU";
}

/// Compares what was read with the slow way; NaNs of doubles may keep other bits.
void expect_read(const Format& format, const std::uint8_t* element, const Lanes& lanes,
                 unsigned n) {
    for (unsigned c = 0; c < 4; ++c) {
        if (copied(format)) {
            std::uint32_t word = 0;
            if (4 * c < format.bytes()) std::memcpy(&word, element + std::size_t{4} * c, 4);
            ASSERT_EQ(lanes.channel[c][n], word) << format.name;
            continue;
        }
        const std::uint32_t expected = slow_read(format, element, c), got = lanes.channel[c][n];
        if (test::is_nan(expected) && format.channel[c].width == 64) {
            ASSERT_TRUE(test::is_nan(got));
        } else {
            ASSERT_EQ(got, expected) << format.name << " channel " << c;
        }
    }
}

TEST(Codec, EveryFormatIsReadFromRowsOffsetsAndAddresses) {
    test::Random random(7);
    for (const Format* const format : all_formats()) {
        const Codec codec(*format);
        if (!codec.decodes()) continue;
        const std::size_t size = format->bytes();
        for (const unsigned count : {1u, 3u, 8u, 9u, 16u}) {
            // The bytes end with the last element: nothing behind it may be read.
            const Bytes bytes = random_bytes(size * count, random);
            Lanes lanes;
            codec.read(bytes.data(), count, lanes);
            for (unsigned n = 0; n < count; ++n)
                expect_read(*format, bytes.data() + size * n, lanes, n);
        }
        const Bytes bytes = random_bytes(size * 20, random);
        for (const std::uint32_t mask : {0xFFFFu, 0x00FFu, random() & 0xFFFFu, 1u, 0x8000u}) {
            std::array<std::uint32_t, kLanes> at{};
            std::array<const std::uint8_t*, kLanes> address{};
            for (unsigned n = 0; n < kLanes; ++n) {
                at[n] = ~0u;  // no lane that is off is looked at
                if (!(mask >> n & 1)) continue;
                at[n] = static_cast<std::uint32_t>(random() % 20 * size);
                address[n] = bytes.data() + at[n];
            }
            Lanes by_offset, by_address;
            codec.read(bytes.data(), at.data(), mask, by_offset);
            codec.read(address.data(), mask, by_address);
            for (unsigned n = 0; n < kLanes; ++n)
                if (mask >> n & 1) {
                    expect_read(*format, bytes.data() + at[n], by_offset, n);
                    expect_read(*format, bytes.data() + at[n], by_address, n);
                }
        }
    }
}

TEST(Codec, EveryFormatIsWrittenUnderMasksOfChannelsAndLanes) {
    test::Random random(8);
    for (const Format* const format : all_formats()) {
        const Codec codec(*format);
        if (!codec.encodes()) continue;
        const std::size_t size = format->bytes();
        for (unsigned channels = 0; channels < 16; ++channels)
            for (const std::uint32_t mask : {0xFFFFu, 0x00FFu, random() & 0xFFFFu}) {
                const Lanes lanes = random_lanes(*format, random);
                const Bytes before = random_bytes(size * kLanes, random);
                Bytes row = before, spread = before, expected = before;
                std::array<std::uint32_t, kLanes> at{};
                std::array<std::uint8_t*, kLanes> address{};
                for (unsigned n = 0; n < kLanes; ++n) {
                    at[n] = mask >> n & 1 ? static_cast<std::uint32_t>(n * size) : ~0u;
                    address[n] = mask >> n & 1 ? spread.data() + n * size : nullptr;
                    if (!(mask >> n & 1)) continue;
                    std::uint8_t* const element = expected.data() + n * size;
                    for (unsigned c = 0; c < 4; ++c)
                        if (channels >> c & 1) slow_write(*format, element, c, lanes.channel[c][n]);
                    if (channels >> 3 & 1) slow_unused(*format, element);
                }
                codec.write(lanes, channels, mask, row.data());
                ASSERT_EQ(row, expected) << format->name << " " << channels << " " << mask;
                codec.write(lanes, channels, mask, address.data());
                ASSERT_EQ(spread, expected) << format->name << " " << channels << " " << mask;
                spread = before;
                codec.write(lanes, channels, mask, spread.data(), at.data());
                ASSERT_EQ(spread, expected) << format->name << " " << channels << " " << mask;
            }
    }
}

TEST(Codec, OfLanesWithOnePlaceTheLastStays) {
    const Codec codec(*find_format(0x143));  // R8_UINT
    Lanes lanes{};
    for (unsigned n = 0; n < kLanes; ++n)
        lanes.channel[0][n] = n + 1;
    std::uint8_t byte = 0;
    const std::array<std::uint32_t, kLanes> at{};
    codec.write(lanes, 1, 0x0FFF, &byte, at.data());
    EXPECT_EQ(byte, 12);
}

TEST(Codec, ElementsAreCopiedByDWordsInTwoSlots) {
    const Codec codec(*find_format(0x1BD));  // R64G64B64_PASSTHRU
    std::array<std::uint32_t, 6> element{1, 2, 3, 4, 5, 6};
    Elements row;
    codec.transfer().load(reinterpret_cast<const std::uint8_t*>(element.data()), 1, row);
    Lanes first, second;
    codec.decode(row, first, 1, 0);
    codec.decode(row, second, 1, 1);
    for (unsigned c = 0; c < 4; ++c) {
        EXPECT_EQ(first.channel[c][0], 1 + c);
        EXPECT_EQ(second.channel[c][0], c < 2 ? 5 + c : 0u);
    }
}

TEST(Codec, ChannelSelectsOfReadsAndWrites) {
    using enum Select;
    const Format& rgba = *find_format(0x0CB);  // R8G8B8A8_UINT
    const std::uint32_t element = 0x04030201;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&element);
    Lanes lanes;
    Codec(rgba, {Blue, One, Zero, Red}).read(bytes, 1, lanes);
    EXPECT_EQ(lanes.channel[0][0], 3u);
    EXPECT_EQ(lanes.channel[1][0], 1u);
    EXPECT_EQ(lanes.channel[2][0], 0u);
    EXPECT_EQ(lanes.channel[3][0], 1u);
    // What a format has not: 0, and 1 for alpha in the format's own kind.
    Codec(*find_format(0x0D8), {Alpha, One, Green, Red}).read(bytes, 1, lanes);  // R32_FLOAT
    EXPECT_EQ(lanes.channel[0][0], 0x3F800000u);
    EXPECT_EQ(lanes.channel[1][0], 0x3F800000u);
    EXPECT_EQ(lanes.channel[2][0], 0u);
    EXPECT_EQ(lanes.channel[3][0], element);

    for (unsigned c = 0; c < 4; ++c)
        lanes.channel[c][0] = 0x11 * (c + 1);
    std::uint32_t written = 0xAABBCCDD;
    Codec(rgba, {Blue, Green, Red, Alpha})
        .write(lanes, 15, 1, reinterpret_cast<std::uint8_t*>(&written));
    EXPECT_EQ(written, 0x44112233u);
    written = 0xAABBCCDD;
    Codec(rgba, {Blue, Green, Red, Alpha})
        .write(lanes, 1, 1, reinterpret_cast<std::uint8_t*>(&written));
    EXPECT_EQ(written, 0xAA11CCDDu) << "the mask is that of the shader's channels";
    written = 0xAABBCCDD;
    Codec(rgba, {Blue, Zero, One, Alpha})
        .write(lanes, 15, 1, reinterpret_cast<std::uint8_t*>(&written));
    EXPECT_EQ(written, 0x4411CCDDu) << "a channel without a place is dropped";
}

TEST(Codec, DepthIsComparedInItsOwnBits) {
    std::array<std::uint32_t, kLanes> values{}, bits{}, back{};
    const float depths[] = {0.0f, 1.0f, 0.5f, 0x1p-17f, 0x1.8p-17f, 1.5f, -1.0f, 0.999999f};
    for (unsigned n = 0; n < std::size(depths); ++n)
        values[n] = std::bit_cast<std::uint32_t>(depths[n]);
    const std::uint32_t d16[] = {0, 65535, 32768, 0, 1, 65535, 0, 65535};
    const std::uint32_t d24[] = {0, 16777215, 8388608, 128, 192, 16777215, 0, 16777198};
    Codec(*find_depth_format(5)).to_bits(0, values.data(), bits.data());
    for (unsigned n = 0; n < 8; ++n)
        EXPECT_EQ(bits[n], d16[n]) << n;
    const Codec codec(*find_depth_format(3));
    codec.to_bits(0, values.data(), bits.data());
    for (unsigned n = 0; n < 8; ++n)
        EXPECT_EQ(bits[n], d24[n]) << n;
    codec.from_bits(0, bits.data(), back.data());
    EXPECT_EQ(back[3], std::bit_cast<std::uint32_t>(128.0f / 16777215.0f));
    std::array<std::uint32_t, 3> memory{1, 2, ~0u};
    Lanes lanes{};
    lanes.channel[0] = values;
    codec.write(lanes, 15, 4, reinterpret_cast<std::uint8_t*>(memory.data()));
    EXPECT_EQ(memory[1], 2u);
    EXPECT_EQ(memory[2], 8388608u) << "bits 31:24 become zeros";
}

}  // namespace
}  // namespace gen9::formats

// SPDX-License-Identifier: Apache-2.0
// What shaders may say beside what the shaders of other programs say.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "tests/system/vulkan/advertised/lab.h"

namespace advertised {
namespace {

using Wide = std::int64_t;
constexpr Wide kLeast = std::numeric_limits<std::int32_t>::min(),
               kMost = std::numeric_limits<std::int32_t>::max(),
               kMostUnsigned = std::numeric_limits<std::uint32_t>::max();

Wide signed_of(std::uint32_t word) {
    return static_cast<std::int32_t>(word);
}
std::uint32_t word_of(Wide value) {
    return static_cast<std::uint32_t>(value);
}
/// Part `number` of a word, of `bits` bits, with or without a sign.
Wide part(std::uint32_t word, unsigned number, unsigned bits, bool is_signed) {
    const std::uint32_t high = word << (32 - bits * (number + 1));
    return is_signed ? signed_of(high) >> (32 - bits) : Wide{high} >> (32 - bits);
}
Wide dot(std::uint32_t a, std::uint32_t b, unsigned bits, bool a_signed, bool b_signed) {
    Wide sum = 0;
    for (unsigned k = 0; k < 32 / bits; ++k)
        sum += part(a, k, bits, a_signed) * part(b, k, bits, b_signed);
    return sum;
}

void dot_products(Lab& lab) {
    lab.run("dot_products");
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t *word = lab.from.data + i, a = word[0], b = word[256];
        const std::uint32_t high = i % 2 ? word[512] : 0xFFFFF800u;
        const Wide near = i % 4 == 0 ? 0x7FFFFFF0 : i % 4 == 1 ? -0x7FFFFFF0 : signed_of(word[512]);
        const auto bytes = [&](bool s, bool t) { return dot(a, b, 8, s, t); };
        const Wide must_be[] = {
            bytes(true, true),
            bytes(false, false),
            bytes(true, false),
            std::clamp(near + bytes(true, true), kLeast, kMost),
            std::min(high + bytes(false, false), kMostUnsigned),
            std::clamp(near + bytes(true, false), kLeast, kMost),
            dot(a, b, 16, true, true),
            dot(a, b, 16, false, false) + dot(word[512], word[768], 16, false, false)};
        for (std::uint32_t k = 0; k < 8; ++k)
            lab.expect_word(8 * i + k, word_of(must_be[k]));
    }
}

void integer_functions(Lab& lab) {
    lab.run("integer_functions");
    const auto half = [](Wide sum) { return (sum - (sum & 1)) / 2; };  // rounds down
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t a = lab.from.data[i], b = lab.from.data[i + 256];
        const Wide x = signed_of(a), y = signed_of(b), u = a, v = b;
        const std::uint32_t low = i ? a >> i % 32 : 0, high = i ? a << i % 32 : 0;
        const Wide must_be[] = {std::countl_zero(low),
                                std::countr_zero(high),
                                std::abs(x - y),
                                std::abs(u - v),
                                std::clamp(x + y, kLeast, kMost),
                                std::min(u + v, kMostUnsigned),
                                half(x + y),
                                half(u + v),
                                half(x + y + 1),
                                half(u + v + 1),
                                std::clamp(x - y, kLeast, kMost),
                                std::max(u - v, Wide{0}),
                                x * (y >> 16),
                                u * (v >> 16)};
        for (std::uint32_t k = 0; k < 14; ++k)
            lab.expect_word(14 * i + k, word_of(must_be[k]));
    }
}

void shared_blocks(Lab& lab) {
    lab.run("shared_blocks");
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t l = i % kGroup, *group = lab.from.data + (i - l);
        const auto byte = [&](std::uint32_t at) { return part(group[at / 4], at % 4, 8, false); };
        const auto of_16 = [&](std::uint32_t at) { return part(group[at / 2], at % 2, 16, false); };
        lab.expect_word(2 * i, word_of(byte((4 * l + 7) % 256) | of_16((2 * l + 5) % 128) << 16));
        const std::uint32_t other = kGroup - 1 - l, j = i - l + other;
        lab.expect_word(2 * i + 1, (group[other] & 0xFF) | (j & 0xFF) << 8 | 3 * j << 16);
    }
}

void zeroed_shared(Lab& lab) {
    lab.run("dirty_shared", 8);
    lab.expect_word(0, 0xDEADBEEF + 8191);
    lab.run("zeroed_shared");
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t* four = lab.from.data + i / 4 * 4;
        lab.expect_word(2 * i, 0);
        lab.expect_word(2 * i + 1, four[0] + four[1] + four[2] + four[3]);
    }
}

void variable_pointers(Lab& lab) {
    constexpr std::uint32_t kSecond = 2048;
    for (std::uint32_t i = 0; i < 512; ++i)
        lab.to.data[kSecond + i] = i * 2654435761u;
    lab.run("variable_pointers");
    const auto sum = [&](std::uint32_t i) {
        const std::uint32_t* at = (i & 1 ? lab.from.data : lab.to.data + kSecond) + i;
        return at[0] + at[2] + at[4];
    };
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t turned = sum(i / kGroup * kGroup + kGroup - 1 - i % kGroup);
        lab.expect_word(i, i & 1 ? turned : ~turned);
    }
}

void memory_model(Lab& lab) {
    constexpr std::uint32_t kGroups = 32;
    lab.run("memory_model", kGroups);
    std::uint32_t all = 0;
    for (std::uint32_t group = 0; group < kGroups; ++group) {
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < kGroup; ++i)
            sum += lab.from.data[kGroup * group + i];
        lab.expect_word(8 + group, sum);
        all += sum;
    }
    lab.expect_word(0, kGroups);
    lab.expect_word(1, all);
}

void extended_types(Lab& lab) {
    lab.run("extended_types");
    constexpr std::uint32_t kEach = 12;
    const auto place_of = [&](std::uint32_t i) { return lab.to.data[kEach * i]; };
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t size = place_of(i) >> 16, own = place_of(i) & 0xFF;
        lab.expect(size >= 4 && size <= 64 && own < size, "a sub-group of no size");
        std::uint32_t bytes = 0, before = 0, numbers = 0, mixed = 0;
        std::uint64_t sum = 0, other = 0;
        Wide least_byte = 127, most_half = -32768, least = std::numeric_limits<Wide>::max();
        for (std::uint32_t j = i / kGroup * kGroup; j < (i / kGroup + 1) * kGroup; ++j) {
            if (place_of(j) >> 8 != place_of(i) >> 8) continue;
            const std::uint32_t word = lab.from.data[j], at = place_of(j) & 0xFF;
            const std::uint64_t wide = std::uint64_t{lab.from.data[j + 256]} << 32 | word;
            bytes += word;
            least_byte = std::min(least_byte, part(word, 0, 8, true));
            if (at <= own) before += word;
            most_half = std::max(most_half, part(word, 0, 16, true));
            sum += wide;
            if (at == (own ^ 3)) other = wide;
            least = std::min(least, static_cast<Wide>(wide));
            numbers += word & 15;
            mixed ^= word;
        }
        const std::uint32_t must_be[] = {bytes & 0xFF,
                                         word_of(least_byte),
                                         before & 0xFFFF,
                                         word_of(most_half),
                                         static_cast<std::uint32_t>(sum),
                                         static_cast<std::uint32_t>(sum >> 32),
                                         static_cast<std::uint32_t>(other >> 32),
                                         word_of(least),
                                         word_of(least >> 32),
                                         numbers,
                                         mixed & 0xFFFF};
        for (std::uint32_t k = 0; k < kEach - 1; ++k)
            lab.expect_word(kEach * i + 1 + k, must_be[k]);
    }
}

void uniform_flow(Lab& lab) {
    lab.run("uniform_flow");
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t size = lab.to.data[4 * i];
        std::uint32_t word = lab.from.data[i];
        word = word % 3 == 0 ? word / 3 : word % 3 == 1 ? word * 5 + 1 : word;
        lab.expect(size >= 8, "a sub-group of no size");
        lab.expect_word(4 * i + 1, size);
        lab.expect_word(4 * i + 2, size);
        lab.expect_word(4 * i + 3, -word % 16);
    }
}

/// Differences within quads: of items that follow each other, or of squares.
void derivatives(Lab& lab, const char* shader, bool squares) {
    lab.run(shader);
    for (std::uint32_t i = 0; i < kItems; ++i) {
        // The quad's items from above left, and which of them this one is.
        std::uint32_t quad[4];
        for (std::uint32_t k = 0; k < 4; ++k)
            quad[k] = squares ? (i & ~0x11u) + (k & 1) + (k >> 1) * 16 : (i & ~3u) + k;
        const std::uint32_t x = i & 1, y = squares ? i >> 4 & 1 : i >> 1 & 1;
        const auto step = [&](std::uint32_t from, std::uint32_t to) {
            return std::bit_cast<std::uint32_t>(
                static_cast<float>(lab.from.data[quad[to]] >> 12) -
                static_cast<float>(lab.from.data[quad[from]] >> 12));
        };
        lab.expect_word(4 * i, step(2 * y, 2 * y + 1));
        lab.expect_word(4 * i + 1, step(x, x + 2));
        lab.expect_word(4 * i + 2, step(0, 1));
        lab.expect_word(4 * i + 3, step(0, 2));
    }
}
void linear_derivatives(Lab& lab) {
    derivatives(lab, "linear_derivatives", false);
}
void quad_derivatives(Lab& lab) {
    derivatives(lab, "quads_derivatives", true);
}

/// Words that are none of the shader's meaning change nothing.
void said(Lab& lab) {
    lab.run("said");
    for (std::uint32_t i = 0; i < kItems; ++i)
        lab.expect_word(i, lab.from.data[i] ^ i);
}

}  // namespace

std::vector<Case> shader_cases() {
    constexpr auto kBlocks = VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME;
    constexpr auto kDerivatives = VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME;
    return {
        {"dot_products", VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME, dot_products},
        {"integer_functions", VK_INTEL_SHADER_INTEGER_FUNCTIONS_2_EXTENSION_NAME,
         integer_functions},
        {"shared_blocks", kBlocks, shared_blocks},
        {"zeroed_shared", VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME, zeroed_shared},
        {"variable_pointers", VK_KHR_VARIABLE_POINTERS_EXTENSION_NAME, variable_pointers},
        {"memory_model", VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME, memory_model},
        {"extended_types", VK_KHR_SHADER_SUBGROUP_EXTENDED_TYPES_EXTENSION_NAME, extended_types},
        {"uniform_flow", VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME, uniform_flow},
        {"linear_derivatives", kDerivatives, linear_derivatives},
        {"quads_derivatives", kDerivatives, quad_derivatives},
        {"said", VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME, said}};
}

}  // namespace advertised

// SPDX-License-Identifier: Apache-2.0
/// Messages that are carried out by two ways, to be held against each other.
#pragma once
#include <algorithm>
#include <bit>
#include <random>

#include "common/register_bytes.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler::test {

/// Gives it a control surface: all blocks are clear, none is, or each as it comes.
inline void make_clear(Bench& b, std::mt19937& random) {
    constexpr unsigned kControl = 0x100000;
    b.set(surface_state::AuxiliarySurfaceMode,
          random() % 2 ? surface_state::AUX_CCS_D : surface_state::AUX_CCS_E);
    b.set(surface_state::AuxiliarySurfaceBaseAddress, Bench::kTexels + kControl);
    b.set(surface_state::AuxiliarySurfaceQPitch, 1 + random() % 16);  // fours of rows
    const std::pair<const packets::Field&, float> colors[] = {
        {surface_state::RedClearColor, 0.25f},
        {surface_state::GreenClearColor, -3},
        {surface_state::BlueClearColor, 1},
        {surface_state::AlphaClearColor, 0.5f}};
    for (const auto& [field, value] : colors)
        b.set(field, f(value));
    const unsigned blocks = random() % 3;
    for (unsigned i = 0; i < 0x1000; ++i) {
        std::uint8_t elements = blocks == 1 ? 0xFF : 0;
        for (unsigned n = 0; blocks == 2 && n < 8; n += 2)
            elements |= static_cast<std::uint8_t>(random() % 2 * 3 << n);
        b.put(kControl + i, elements);
    }
}
/// Of a number of 32 bits, or of 16.
inline bool is_nan(std::uint32_t bits, bool half) {
    return half ? (bits & 0x7FFF) > 0x7C00 : (bits & 0x7FFFFFFF) > 0x7F800000;
}

/// Fills texels with words of `mask`, of which one in `of` is special instead; 0: none is. They come
/// from a pool of random ones.
inline void random_texels(Bench& b, unsigned bytes, std::mt19937& random, unsigned of,
                          std::initializer_list<std::uint32_t> special) {
    static const std::vector<std::uint32_t> pool = [] {
        std::mt19937 words(77);
        std::vector<std::uint32_t> made(1u << 17);
        for (std::uint32_t& word : made)
            word = static_cast<std::uint32_t>(words());
        return made;
    }();
    const auto first = static_cast<unsigned>(random()) % (pool.size() - bytes / 4);
    std::vector<std::uint32_t> texels(pool.begin() + first, pool.begin() + first + bytes / 4);
    for (std::uint32_t& word : texels)
        word =
            of && word % of == 0 ? special.begin()[word / of % special.size()] : word & 0x3FFFFFFF;
    std::memcpy(b.memory.at(Bench::kTexels), texels.data(), bytes);
}
/// Coordinates beyond this, and what is no number, may go the general way.
inline bool is_far(std::uint32_t bits) {
    return (bits & 0x7FFFFFFF) > f(1000);
}
/// Has the message that was carried out last a texel that is not the surface's?
inline bool has_other_texels(const Request& q, bool clear_too) {
    return std::any_of(q.taps.data(), q.taps.data() + q.tap_count, [&](const Tap& tap) {
        return tap.from != From::Surface && (clear_too || tap.from != From::Clear);
    });
}
/// Elements lie at multiples of their size, so that none crosses the end of a line.
inline bool is_aligned(const Bench& b) {
    const auto format = static_cast<unsigned>(surface_state::SurfaceFormat.get(b.surface));
    const unsigned bytes = find_format(format, false)->bytes;
    return std::has_single_bit(bytes) &&
           surface_state::SurfaceBaseAddress.get(b.surface) % bytes == 0;
}

/// A message's registers: its payload, and its response, which begins in the midst of that.
struct Registers {
    static constexpr unsigned kResponse = 2;
    std::array<Grf, 24> grf;
    explicit Registers(const Message& message) {
        for (Grf& g : grf)
            std::memset(g.bytes, 0x5A, sizeof g.bytes);
        std::copy_n(message.payload.begin(), message.length, grf.begin());
    }
    void take(const Message& message) {
        for (unsigned i = 0; i < message.response_length; ++i)
            copy_enabled(message.response[i], message.response_enable[i], grf[kResponse + i]);
    }
    bool operator==(const Registers& other) const {
        return std::memcmp(grf.data(), other.grf.data(), sizeof grf) == 0;
    }
};
/// Carries the message of a bench out as a call of its site; `at_hand`: only with what is at hand.
inline bool call(Bench& b, UsualSite& site, Registers& registers, bool at_hand = false) {
    const std::uint32_t active = site.decoded.active(b.message.execution_mask);
    if (active == 0) return false;
    // The second part of the payload lies elsewhere.
    std::array<Grf, 12> second;
    std::copy_n(registers.grf.begin() + site.first_length, site.length - site.first_length,
                second.begin());
    const SiteMessage message{b.sender,
                              active,
                              registers.grf.data(),
                              second.data(),
                              &registers.grf[Registers::kResponse],
                              b.message.alternate_float};
    const bool current = site.current(message, b.core.findings());
    NoMemory nothing;
    if (at_hand)
        return current && site.usable && b.core.execute(site, message, *b.request, nothing);
    if (!current) b.core.find_site(b.message, site, *b.request);
    return site.usable && b.core.execute(site, message, *b.request, b.memory);
}
inline std::array<std::uint64_t, 6> counts(const Bench& b) {
    return {b.stats.messages.value(), b.stats.samples.value(), b.stats.pixels.value(),
            b.stats.places.value(),   b.stats.texels.value(),  b.stats.clamped_biases.value()};
}

}  // namespace gen9::sampler::test

// SPDX-License-Identifier: Apache-2.0
#include "sampler/message/writeback.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/host.h"

namespace gen9::sampler {

namespace {

/// Byte enables of eight samples of four bytes.
std::uint32_t enable_dwords(std::uint32_t samples) {
    if ((samples & 0xFF) == 0xFF) return ~0u;
    std::uint32_t bytes = 0;
    for (unsigned n = 0; n < 8; ++n)
        if (samples >> n & 1) bytes |= 0xFu << 4 * n;
    return bytes;
}
/// And of sixteen samples of two bytes.
std::uint32_t enable_words(std::uint32_t samples) {
    std::uint32_t bytes = 0;
    for (unsigned n = 0; n < 16; ++n)
        if (samples >> n & 1) bytes |= 3u << 2 * n;
    return bytes;
}

/// The alternative float mode has no infinity (SMP-58).
GEN9_INLINE std::uint32_t without_infinity(std::uint32_t bits) {
    constexpr std::uint32_t kInfinity = 0x7F800000, kLargest = 0x7F7FFFFF;
    return (bits & 0x7FFFFFFF) == kInfinity ? (bits & 0x80000000) | kLargest : bits;
}

}  // namespace

GEN9_FOR_EACH_HOST
void remove_infinities(TexelLanes& texels) {
    for (auto& channel : texels.channel)
        for (std::uint32_t& value : channel)
            value = without_infinity(value);
}

namespace {

void write_mask(Message& message, unsigned at, std::uint32_t mask) {
    store(message.response[at].bytes, mask);
    message.response_enable[at] = 0xF;
}

void write_pair(Message& message, const Header& header, const TexelLanes& results,
                std::uint32_t active) {
    for (unsigned sample = 0; sample < 2; ++sample)
        for (unsigned c = 0; c < 4; ++c) {
            if (!(active >> sample & 1) || !(header.channels >> c & 1)) continue;
            const unsigned at = 16 * sample + 4 * c;
            store(message.response[0].bytes + at, results.channel[c][sample]);
            message.response_enable[0] |= 0xFu << at;
        }
    if (header.null_mask) write_mask(message, 1, ~0u);
}

}  // namespace

unsigned registers_returned(const Decoded& d, const Header& header) {
    const unsigned masks = (d.row->kill ? 1 : 0) + (header.null_mask ? 1 : 0);
    if (d.simd == Simd::Pair) return 1 + masks;
    const auto channels = static_cast<unsigned>(std::popcount(header.channels));
    return channels * d.registers_per_channel() + masks;
}

void choose_mcs_channels(const Message& message, const Decoded& d, Header& header) {
    if (d.row->kind != Kind::Mcs || d.half ||
        registers_returned(d, header) == message.response_length)
        return;
    Header both = header;
    both.channels = 3;
    if (registers_returned(d, both) == message.response_length) header = both;
}

void write_back(Message& message, const Decoded& d, const Header& header, const TexelLanes& results,
                std::uint32_t active, std::uint32_t killed, bool integer) {
    if (d.simd == Simd::Pair) return write_pair(message, header, results, active);
    const unsigned samples = d.samples();
    const bool fix_infinity = message.alternate_float && !integer;
    const std::uint32_t enables[] = {enable_dwords(active), enable_dwords(active >> 8)};
    unsigned at = 0;
    // The usual response: 16 samples of four channels, as they lie.
    const bool usual =
        header.channels == 0xF && d.simd == Simd::Sixteen && !d.half && !fix_infinity;
    if (usual) {
        static_assert(sizeof results.channel == 8 * sizeof message.response[0]);
        std::memcpy(static_cast<void*>(message.response.data()), results.channel.data(),
                    sizeof results.channel);
        for (; at < 8; ++at)
            message.response_enable[at] = enables[at % 2];
    }
    for (unsigned c = usual ? 4 : 0; c < 4; ++c) {
        if (!(header.channels >> c & 1)) continue;
        const std::uint32_t* from = results.channel[c].data();
        std::uint32_t finite[16];
        if (fix_infinity) {
            std::transform(from, from + samples, finite,
                           [](std::uint32_t bits) { return without_infinity(bits); });
            from = finite;
        }
        if (d.half) {
            for (unsigned n = 0; n < samples; ++n)
                store(message.response[at].bytes + 2 * n,
                      integer ? static_cast<std::uint16_t>(from[n]) : float_to_half(from[n]));
            message.response_enable[at++] = enable_words(active);
            continue;
        }
        for (unsigned first = 0; first < samples; first += 8) {
            std::memcpy(message.response[at].bytes, from + first, 32);
            message.response_enable[at++] = enables[first / 8];
        }
    }
    // No page is null: all bits are 1 but those of pixels killed (SMP-50) or not executed.
    if (d.row->kill) write_mask(message, at++, 0xFFFFFF00 | (active & ~killed & 0xFF));
    if (header.null_mask) write_mask(message, at, ~0u);
}

namespace {

/// Writes the lanes of a register that a mask has.
template <class T>
GEN9_INLINE void put_lanes(const T* from, std::uint32_t mask, Grf& to) {
    constexpr unsigned kCount = kGrfBytes / sizeof(T);
    alignas(kGrfBytes) T lanes[kCount];
    std::memcpy(lanes, to.bytes, kGrfBytes);
    for (unsigned n = 0; n < kCount; ++n)
        lanes[n] = mask >> n & 1 ? from[n] : lanes[n];
    std::memcpy(to.bytes, lanes, kGrfBytes);
}

void write_halves(Grf& to, const std::uint32_t* values, std::uint32_t active, bool integer) {
    std::uint16_t halves[16];
    for (unsigned n = 0; n < 16; ++n)
        halves[n] = integer ? static_cast<std::uint16_t>(values[n]) : float_to_half(values[n]);
    put_lanes(halves, active, to);
}

}  // namespace

void write_null_mask(Grf& to) {
    store(to.bytes, ~std::uint32_t{0});
}

GEN9_FOR_EACH_HOST
void write_registers(Grf* response, const Decoded& d, const Header& header,
                     const TexelLanes& results, std::uint32_t active, bool integer) {
    const bool wide = d.simd == Simd::Sixteen;
    const std::uint32_t all = wide ? 0xFFFF : 0xFF;
    const bool whole = (active & all) == all;
    for (unsigned c = 0; c < 4; ++c) {
        if (!(header.channels >> c & 1)) continue;
        const std::uint32_t* const values = results.channel[c].data();
        if (d.half) {
            write_halves(*response++, values, active, integer);
            continue;
        }
        if (whole) {
            std::memcpy(response->bytes, values, kGrfBytes);
            if (wide) std::memcpy(response[1].bytes, values + 8, kGrfBytes);
            response += wide ? 2 : 1;
            continue;
        }
        put_lanes(values, active, *response++);
        if (wide) put_lanes(values + 8, active >> 8, *response++);
    }
    if (header.null_mask) write_null_mask(*response);
}

}  // namespace gen9::sampler

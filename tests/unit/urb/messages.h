// SPDX-License-Identifier: Apache-2.0
// URB messages piece by piece, by the bit positions of 003:8484-8500 and 003:8859-8872.
#pragma once
#include <array>
#include <random>

#include "common/bits.h"
#include "interconnect/payload/message.h"

namespace gen9::urb::test {

enum Op : std::uint32_t {
    kWriteHWord,
    kWriteOWord,
    kReadHWord,
    kReadOWord,
    kMov,
    kInc,
    kAdd,
    kWriteSimd8,
    kReadSimd8
};
inline constexpr std::uint32_t kSwizzle = 1u << 15, kMaskPhase = 1u << 15, kPerSlot = 1u << 17;

inline Grf row(const std::array<std::uint32_t, 8>& dwords) {
    Grf grf;
    for (unsigned i = 0; i < 8; ++i)
        store(grf.bytes + 4 * i, dwords[i]);
    return grf;
}
/// Header of the entry messages: handles, slot offsets, channel masks, half.
inline Grf header(std::uint32_t handle0, std::uint32_t handle1 = 0, std::uint32_t slot0 = 0,
                  std::uint32_t slot1 = 0, std::uint32_t masks = 0xFF, bool high = false) {
    return row({handle0, handle1, 0, slot0, slot1, masks << 8 | std::uint32_t{high} << 16, 0, 0});
}
/// DWord i of the row is first + i.
inline Grf counting(std::uint32_t first) {
    Grf grf;
    for (unsigned i = 0; i < 8; ++i)
        store(grf.bytes + 4 * i, first + i);
    return grf;
}

inline Message make(std::uint32_t op, std::uint32_t flags, std::uint32_t global_offset,
                    const std::vector<Grf>& payload, unsigned response = 0,
                    std::uint32_t execution_mask = 0xFF) {
    Message m;
    m.reset();
    m.sfid = Sfid::Urb;
    m.header_present = true;
    m.length = m.first_length = static_cast<std::uint8_t>(payload.size());
    m.response_length = static_cast<std::uint8_t>(response);
    m.descriptor = static_cast<std::uint32_t>(payload.size()) << 25 | response << 20 | 1u << 19 |
                   flags | global_offset << 4 | op;
    m.execution_mask = execution_mask;
    for (std::size_t i = 0; i < payload.size(); ++i)
        m.payload[i] = payload[i];
    return m;
}

inline Grf random_row(std::mt19937& random) {
    Grf grf;
    for (unsigned i = 0; i < 8; ++i)
        store(grf.bytes + 4 * i, static_cast<std::uint32_t>(random()));
    return grf;
}

/// Any legal message on entries of 4 KB from `handle` on; `common`: instead a 0 stored to a DWord
/// that all may store to.
inline Message random_message(std::mt19937& random, std::uint32_t handle, bool common = false) {
    const auto draw = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    if (common) return make(kMov, 0, 2047, {row({0x3FFF, 0, 7, 0, 0, 0, 0, 0})});
    const std::uint32_t op = draw(9);
    std::vector<Grf> payload;
    std::uint32_t flags = 0;
    if (op >= kMov && op <= kAdd) {
        payload.push_back(row({handle + draw(16), draw(64), draw(64), 0, 0, 0, 0, 0}));
        return make(op, 0, draw(64), payload, op == kMov ? 0 : 1, draw(256));
    }
    const bool simd8 = op >= kWriteSimd8, write = op < kReadHWord || op == kWriteSimd8;
    const bool oword = op == kWriteOWord || op == kReadOWord;
    const unsigned phases = oword ? 1 : 1 + draw(8);
    if (draw(2)) flags |= kPerSlot;
    if (draw(2)) flags |= kSwizzle;
    if (simd8) {
        // Slots apart, so that no two of them overlap.
        std::array<std::uint32_t, 8> handles{}, offsets{}, masks{};
        for (unsigned i = 0; i < 8; ++i) {
            handles[i] = handle + 8 * i + (draw(4) << 14);
            offsets[i] = draw(8);
            masks[i] = draw(1u << 24);
        }
        payload.push_back(row(handles));
        if (flags & kPerSlot) payload.push_back(row(offsets));
        if (flags & kMaskPhase) payload.push_back(row(masks));
    } else {
        payload.push_back(header(handle, handle + 32, draw(16), draw(16), draw(256), draw(2) != 0));
    }
    if (write)
        for (unsigned i = 0; i < phases; ++i)
            payload.push_back(random_row(random));
    return make(op, flags, draw(8), payload, write ? 0 : phases, draw(256));
}

}  // namespace gen9::urb::test

// SPDX-License-Identifier: Apache-2.0
// Messages to the pixel interpolator, and the pixels of their sender.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "common/bits.h"
#include "interconnect/payload/draw_state.h"
#include "interconnect/payload/message.h"
#include "interconnect/payload/pixel_record.h"

namespace gen9::interpolator::test {

inline std::uint32_t descriptor_of(unsigned type, bool wide, unsigned detail = 0,
                                   bool linear = false, bool upper = false) {
    return std::uint32_t{wide} << 16 | std::uint32_t{linear} << 14 | type << 12 |
           std::uint32_t{upper} << 11 | detail;
}

/// `offsets`: X of all slots, then Y, of a message with one for each slot.
inline Message make_message(std::uint32_t descriptor, std::uint32_t mask,
                            const std::vector<std::uint32_t>& offsets = {}) {
    Message m;
    const unsigned rows = descriptor >> 16 & 1 ? 2 : 1;
    m.sfid = Sfid::PixelInterpolator;
    m.descriptor = descriptor;
    m.execution_mask = mask;
    m.length = m.first_length = static_cast<std::uint8_t>(offsets.empty() ? 1 : 2 * rows);
    m.response_length = static_cast<std::uint8_t>(2 * rows);
    for (Grf& grf : m.payload)
        grf = {};
    for (std::size_t i = 0; i < offsets.size(); ++i)
        store(m.payload[i / 8].bytes + i % 8 * 4, offsets[i]);
    return m;
}

/// A draw with so many samples at the standard places, linear barycentrics enabled.
/// `last`: the last DWord of their places, of two samples and of one.
inline PipelineStatePtr state_of(unsigned log2_samples, bool linear = true,
                                 std::uint32_t last = 0x008844CC) {
    auto state = std::make_shared<PipelineState>();
    const auto give = [&](const std::vector<std::uint32_t>& dwords) {
        const packets::CommandRow& row = *packets::find_command(dwords[0]);
        const auto unit = static_cast<std::size_t>(row.latch.unit);
        auto made = state->stages[unit] ? std::make_shared<StageState>(*state->stages[unit])
                                        : std::make_shared<StageState>(row.latch.unit);
        made->take(row, dwords);
        state->stages[unit] = made;
    };
    give({0x78120002, 0, std::uint32_t{linear} << 8, 0});
    give({0x780D0000, log2_samples << 1});
    // What drivers send for 4 samples: (6, 2), (14, 6), (2, 10), (10, 14) in 1/16.
    give({0x791C0007, 0, 0, 0, 0, 0, 0, 0xAE2AE662, last});
    return state;
}

/// A thread of 32 slots whose pixels are those of a row of 2x2 blocks from (8, 4) on. The weights of
/// vertices 1 and 2 are x and y in pixels, before perspective.
struct Sender {
    SetUpObject object;
    Draw draw;
    PixelRecord record;
    ThreadSideband thread;

    explicit Sender(unsigned log2_samples = 2, bool linear = true,
                    std::uint32_t last = 0x008844CC) {
        draw.state = state_of(log2_samples, linear, last);
        draw.order = 1;
        draw.work = {0, WorkKind::Draw, "3DPRIMITIVE"};
        object.interpolation.a1 = object.interpolation.b2 = 1;
        object.interpolation.scale = 1.0 / kPixelSteps;
        object.interpolation.perspective = true;
        object.interpolation.rhw = {1, 0.5f, 0.25f};
        record.draw = &draw;
        record.object = &object;
        record.width = 32;
        record.samples = static_cast<std::uint8_t>(1u << log2_samples);
        for (unsigned g = 0; g < PixelRecord::kSubspans; ++g) {
            record.subspans[g].x = static_cast<std::uint16_t>(8 + 2 * g);
            record.subspans[g].y = 4;
            record.subspans[g].used = true;
            record.subspans[g].rasterised.fill(0xF);
        }
        thread.pixels = &record;
        thread.state = draw.state;
    }
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;
    /// The upper left corner of a slot's pixel.
    double x(unsigned slot) const { return record.subspans[slot / 4].x + (slot & 1); }
    double y(unsigned slot) const { return record.subspans[slot / 4].y + (slot >> 1 & 1); }
};

}  // namespace gen9::interpolator::test

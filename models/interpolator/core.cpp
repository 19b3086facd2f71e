// SPDX-License-Identifier: Apache-2.0
#include "interpolator/core.h"

#include <algorithm>

#include "common/bits.h"
#include "interpolation/barycentric.h"
#include "interpolation/sample_state.h"
#include "packets/draw/setup.h"

namespace gen9::interpolator {
namespace {

using interpolation::SamplePlace;

constexpr unsigned kRow = 8;  ///< slots of a register
constexpr SamplePlace kCentre{8, 8};

/// Four bits with a sign, in 1/16 pixel from the centre (PI-08, PI-14).
std::uint8_t from_centre(std::uint32_t offset) {
    return static_cast<std::uint8_t>((offset + 8) & 15);
}

SamplePlace sample_place(const interpolation::Samples& samples, unsigned sample) {
    return samples.samples > 1 && sample < samples.samples ? samples.places[sample] : kCentre;
}

/// Offsets of slots: X of all, then Y of all (PI-12, PI-13).
SamplePlace slot_place(const Message& message, unsigned slots, unsigned slot) {
    const auto offset = [&](unsigned of) {
        const unsigned grf = of / kRow;
        return grf < message.length
                   ? load<std::uint32_t>(message.payload[grf].bytes + of % kRow * 4)
                   : 0u;
    };
    return {from_centre(offset(slot)), from_centre(offset(slots + slot))};
}

/// Where in its pixel a slot of the message is evaluated.
SamplePlace place_of(const PixelRecord& record, const DrawFacts& facts, const Descriptor& d,
                     const Message& message, unsigned slot) {
    switch (d.place) {
        case PlaceOf::Message:
            return {from_centre(d.detail & 15u), from_centre(d.detail >> 4u)};
        case PlaceOf::Sample:
            return sample_place(facts.samples, d.detail >> 4u);
        case PlaceOf::Centroid: {
            const unsigned of_thread = d.first_slot() + slot;
            return interpolation::centroid(
                facts.samples, record.subspans[of_thread / 4].rasterised[of_thread % 4], kCentre);
        }
        case PlaceOf::Slot:
            break;
    }
    return slot_place(message, d.slots(), slot);
}

}  // namespace

Descriptor read_descriptor(std::uint32_t descriptor) {
    Descriptor d;
    d.wide = bits(descriptor, 16, 16) != 0;
    d.linear = bits(descriptor, 14, 14) != 0;
    d.place = static_cast<PlaceOf>(bits(descriptor, 13, 12));
    d.upper = bits(descriptor, 11, 11) != 0;
    d.detail = static_cast<std::uint8_t>(descriptor);
    return d;
}

DrawFacts read_facts(const PipelineState& state) {
    static const packets::CommandRow& clip = packets::command_named("3DSTATE_CLIP");
    return {interpolation::read_samples(state),
            packets::STATE_CLIP::NonPerspectiveBarycentricEnable.get(latched(state, clip)) != 0};
}

const char* problem_of(const Message& message, const Descriptor& d, const DrawFacts& facts,
                       unsigned width) {
    const unsigned rows = d.slots() / kRow;
    if (message.header_present) return "it has a header (PI-04)";
    if (message.length != (d.place == PlaceOf::Slot ? 2 * rows : 1))
        return "its length is not that of its type (PI-11 to PI-13)";
    if (message.response_length != 2 * rows)
        return "its response length is not that of its width (PI-15, PI-16)";
    if (d.upper && (!d.wide || width != 32))
        return "only messages of 16 slots of threads with 32 have a second group (PI-07)";
    if (d.linear && !facts.linear)
        return "linear barycentrics are not enabled in 3DSTATE_CLIP (PI-06)";
    return nullptr;
}

void answer(const PixelRecord& record, const DrawFacts& facts, const Descriptor& d,
            Message& message) {
    interpolation::Places places;
    places.count = d.slots();
    for (unsigned slot = 0; slot < places.count; ++slot) {
        const unsigned of_thread = d.first_slot() + slot;
        const PixelRecord::Subspan& subspan = record.subspans[of_thread / 4];
        const SamplePlace at = place_of(record, facts, d, message, slot);
        places.x[slot] =
            (subspan.x + static_cast<std::int32_t>(slot & 1)) * kPixelSteps + at.x * 16;
        places.y[slot] =
            (subspan.y + static_cast<std::int32_t>(slot >> 1 & 1)) * kPixelSteps + at.y * 16;
    }
    const Interpolation& object = record.object->interpolation;
    const interpolation::Weights weights = interpolation::weights_at(object, places);
    interpolation::Barycentrics b;
    (d.linear ? interpolation::linear : interpolation::perspective)(object, weights, b);

    // By halves of eight slots, unlike the request: b1, b2, b1, b2 (PI-16).
    for (unsigned r = 0; r < message.response_length; ++r) {
        message.response_enable[r] = 0;
        if (r >= 2 * d.slots() / kRow) continue;
        const auto& values = r % 2 == 0 ? b.b1 : b.b2;
        for (unsigned n = 0; n < kRow; ++n) {
            const unsigned slot = r / 2 * kRow + n;
            if (!(message.execution_mask >> slot & 1)) continue;
            message.response_enable[r] |= 0xFu << 4 * n;
            store(message.response[r].bytes + 4 * n, values[slot]);
        }
    }
}

}  // namespace gen9::interpolator

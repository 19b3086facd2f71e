// SPDX-License-Identifier: Apache-2.0
/// What messages to the pixel interpolator mean: barycentrics of the sender's pixels at places that
/// its payload does not have. They come from the object's set-up, never from the payload.
///
/// Spec    PI-01 to PI-17; 003:8214-8420
/// Public  mesa, brw_fs_nir.cpp (what shaders send)
#pragma once
#include <cstdint>

#include "interconnect/payload/message.h"
#include "interconnect/payload/pixel_record.h"
#include "interpolation/multisample.h"

namespace gen9::interpolator {

/// Where a slot's barycentrics are wanted, by the codes of the descriptor (PI-05).
enum class PlaceOf : std::uint8_t { Message, Sample, Centroid, Slot };

struct Descriptor {
    bool wide = false;    ///< 16 slots; else 8
    bool linear = false;  ///< no perspective
    bool upper = false;   ///< slots 16 to 31
    PlaceOf place = PlaceOf::Message;
    std::uint8_t detail = 0;  ///< of the message: offset, or number of the sample

    unsigned slots() const { return wide ? 16 : 8; }
    unsigned first_slot() const { return wide && upper ? 16 : 0; }
};
Descriptor read_descriptor(std::uint32_t descriptor);

/// What of a draw's state the answers follow from.
struct DrawFacts {
    interpolation::Samples samples;
    bool linear = false;  ///< linear barycentrics are enabled
};
DrawFacts read_facts(const PipelineState& state);

/// Null, or why the message is not one that a thread of this width may send. It is answered
/// nevertheless.
const char* problem_of(const Message& message, const Descriptor& descriptor, const DrawFacts& facts,
                       unsigned width);

/// Fills in the response of the enabled slots.
void answer(const PixelRecord& record, const DrawFacts& facts, const Descriptor& descriptor,
            Message& message);

}  // namespace gen9::interpolator

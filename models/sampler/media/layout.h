// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "sampler/media/inputs.h"

namespace gen9::sampler::media {

/// The values of a block's pixels, channel by channel, row by row: 8.8 with FF00h as full scale, or
/// with eight bits.
struct Results {
    static constexpr unsigned kPixels = 16 * 8;
    std::array<std::array<std::uint16_t, kPixels>, 4> channel;
};

/// Registers that a message returns. `shuffled`: Shuffle_OutputWriteback of the sampler state.
unsigned registers_returned(const Inputs& in, bool shuffled);

/// Writes results into the response (SMP-235..SMP-258). `killed`: pixels that a key has killed.
void write_back(Message& message, const Inputs& in, bool shuffled, const Results& results,
                std::uint32_t killed);

}  // namespace gen9::sampler::media

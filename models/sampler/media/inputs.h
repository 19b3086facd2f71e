// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "packets/media_sampler.h"
#include "sampler/message/message.h"

namespace gen9::sampler::media {

/// Channels, in the order in which they are returned.
inline constexpr unsigned kRed = 0, kGreen = 1, kBlue = 2, kAlpha = 3;

/// A message of the media sampler, decoded. Sizes and masks of the send instruction gate nothing:
/// compilers use 1, 8 and 16 channels.
struct Inputs {
    bool scales = false;  ///< sample_8x8, else sample_unorm
    bool kills = false;   ///< a mask of killed pixels is returned
    std::uint8_t channels = 0xF;
    packets::MEDIA_SAMPLER_HEADER::OutputFormatControlMode form{};
    /// Normalised. Negative steps are 0 (SMP-232, SMP-243).
    float u = 0, v = 0, du = 0, dv = 0, ddu = 0, ddv = 0;
    std::uint32_t vertical_block = 0;
    packets::MEDIA_SAMPLER_PAYLOAD::Sequence sequence{};
    bool bypasses_edge_filter = true;

    /// Pixels of the block.
    unsigned width() const;
    unsigned height() const;
    /// The block's first row in its group (SMP-245).
    unsigned first_row() const;
};

/// What is wrong with a message.
struct Verdict {
    const char* guest_error = nullptr;
    const char* not_modelled = nullptr;  ///< ledger row
    bool refused() const { return guest_error || not_modelled; }
};

/// Takes a legal descriptor's message apart.
Inputs read_inputs(const Message& message, const Decoded& decoded, const Header& header,
                   Verdict& verdict);

}  // namespace gen9::sampler::media

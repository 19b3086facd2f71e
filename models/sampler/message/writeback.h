// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/format/numbers.h"
#include "sampler/message/message.h"

namespace gen9::sampler {

/// Registers that a message with this header returns.
unsigned registers_returned(const Decoded& decoded, const Header& header);
/// ld_mcs returns R and G, 512 bits in SIMD8 and 1024 in SIMD16 (SMP-156). A response of this
/// length has those two, whichever channels the header leaves; one that fits the header's channels
/// has those.
void choose_mcs_channels(const Message& message, const Decoded& decoded, Header& header);

/// Writes results into the response: the layouts of SIMD8, SIMD16 and SIMD4x2, 32 or 16 bits a
/// channel, only the header's channels and the active samples (SMP-180..191). `killed`: samples
/// that a chroma key takes away. `integer`: results are no floats.
void write_back(Message& message, const Decoded& decoded, const Header& header,
                const TexelLanes& results, std::uint32_t active, std::uint32_t killed,
                bool integer);

/// Threads in the alternate float mode get no infinities (SMP-58).
void remove_infinities(TexelLanes& texels);

/// A mask of null pages: none is.
void write_null_mask(Grf& to);
/// Writes the same into registers at once, of a message that kills no samples.
void write_registers(Grf* response, const Decoded& decoded, const Header& header,
                     const TexelLanes& results, std::uint32_t active, bool integer);

}  // namespace gen9::sampler

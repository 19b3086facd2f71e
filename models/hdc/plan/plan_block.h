// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode/decode.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/window.h"

namespace gen9::hdc {

/// The DWords of a block that an execution mask lets through, bit d = DWord d (DP-085, DP-087,
/// DP-088).
std::uint64_t block_dwords(const Decoded& decoded, std::uint32_t mask, bool reads);
/// OWord blocks are aligned to an OWord, aligned ones to a DWord (DP-126, DP-130).
unsigned block_alignment(const Decoded& decoded);
/// What a header says of a block's place: an offset, or with A64 an address.
std::uint64_t block_offset(const Decoded& decoded, const std::uint8_t* header);

/// OWord, scratch and A64 blocks: one address for the whole message.
void plan_block(const Decoded& decoded, Message& message, const Window& window, Plan& plan);
/// OWord dual blocks: two addresses, each for one half of the registers (DP-131).
void plan_dual_block(const Decoded& decoded, Message& message, const Window& window, Plan& plan);

}  // namespace gen9::hdc

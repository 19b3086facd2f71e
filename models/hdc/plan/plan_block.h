// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode/decode.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/window.h"

namespace gen9::hdc {

/// OWord, scratch and A64 blocks: one address for the whole message.
void plan_block(const Decoded& decoded, Message& message, const Window& window, Plan& plan);
/// OWord dual blocks: two addresses, each for one half of the registers (DP-131).
void plan_dual_block(const Decoded& decoded, Message& message, const Window& window, Plan& plan);

}  // namespace gen9::hdc

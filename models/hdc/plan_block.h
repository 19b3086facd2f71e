// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode.h"
#include "hdc/plan.h"
#include "hdc/window.h"

namespace gen9::hdc {

/// OWord, scratch and A64 blocks: one address for the whole message.
void plan_block(const Decoded& decoded, Message& message, const Window& window, Plan& plan);

}  // namespace gen9::hdc

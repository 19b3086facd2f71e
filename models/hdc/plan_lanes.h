// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode.h"
#include "hdc/plan.h"
#include "hdc/window.h"

namespace gen9::hdc {

/// Messages with an offset or address per slot.
void plan_scattered(const Decoded& decoded, Message& message, const Window& window, Plan& plan);
void plan_untyped(const Decoded& decoded, Message& message, const Window& window, Plan& plan);
void plan_atomic(const Decoded& decoded, Message& message, const Window& window, Plan& plan);

}  // namespace gen9::hdc

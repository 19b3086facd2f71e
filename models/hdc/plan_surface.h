// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode.h"
#include "hdc/plan.h"

namespace gen9::hdc {

/// Typed surface reads and writes: one element per slot (003:5130-5276).
void plan_typed(const Decoded& decoded, Message& message, const Surface& surface, Plan& plan);
/// Media block reads and writes: a rectangle of a two-dimensional surface (003:5278-5419).
void plan_media(const Decoded& decoded, Message& message, const Surface& surface, Plan& plan);

}  // namespace gen9::hdc

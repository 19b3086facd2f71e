// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode/decode.h"
#include "hdc/plan/plan.h"

namespace gen9::hdc {

/// Typed surface reads, writes and atomics: one element per slot (003:5130-5276, 6571-6617).
void plan_typed(const Decoded& decoded, Message& message, const Surface& surface, Plan& plan);
void plan_typed_atomic(const Decoded& decoded, Message& message, const Surface& surface,
                       Plan& plan);
/// Atomics on the append counter of a surface (003:6619-6653).
void plan_counter(const Decoded& decoded, Message& message, const Surface& surface, Plan& plan);
/// Media block reads and writes, and transposed reads: a rectangle of a two-dimensional surface
/// (003:5278-5419, 6655-6985).
void plan_media(const Decoded& decoded, Message& message, const Surface& surface, Plan& plan);
void plan_transpose(const Decoded& decoded, Message& message, const Surface& surface, Plan& plan);
/// Answers with what a surface state says of a mip level (003:6987-7003).
void answer_surface_info(const Decoded& decoded, Message& message, const Surface& surface);

}  // namespace gen9::hdc

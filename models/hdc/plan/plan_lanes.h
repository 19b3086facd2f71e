// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode/decode.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/window.h"

namespace gen9::hdc {

/// These messages have an offset or address for each slot, one after the other (plan_lanes.cpp).
void plan_scattered(const Decoded& decoded, Message& message, const Window& window, Plan& plan);
void plan_untyped(const Decoded& decoded, Message& message, const Window& window, Plan& plan);

/// These have special slots or addresses: pairs, scaled, structured (plan_slots.cpp).
void plan_scattered_slots(const Decoded& decoded, Message& message, const Target& target,
                          Plan& plan);
void plan_untyped_slots(const Decoded& decoded, Message& message, const Target& target, Plan& plan);

/// Atomics on untyped memory (plan_atomic.cpp).
void plan_atomic(const Decoded& decoded, Message& message, const Target& target, Plan& plan);
/// Adds the lane of a slot whose place is known, with its operands and the place of its result.
void add_atomic_lane(const Decoded& decoded, const Message& message, unsigned slot,
                     std::uint64_t address, Plan& plan);
/// Sets what all lanes share, and opens the response.
void begin_atomic(const Decoded& decoded, Message& message, std::uint32_t mask, Plan& plan);

}  // namespace gen9::hdc

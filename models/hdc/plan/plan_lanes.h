// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode/decode.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/window.h"

namespace gen9::hdc {

/// Messages with an offset or address per slot, one after the other (plan_lanes.cpp).
void plan_scattered(const Decoded& decoded, Message& message, const Window& window, Plan& plan);
void plan_untyped(const Decoded& decoded, Message& message, const Window& window, Plan& plan);

/// The same where slots or addresses are special: pairs, scaled, structured (plan_slots.cpp).
void plan_scattered_slots(const Decoded& decoded, Message& message, const Target& target,
                          Plan& plan);
void plan_untyped_slots(const Decoded& decoded, Message& message, const Target& target, Plan& plan);

/// Atomics on untyped memory (plan_atomic.cpp).
void plan_atomic(const Decoded& decoded, Message& message, const Target& target, Plan& plan);
/// The lane of a slot whose place is known; its operands and the place of its result.
void add_atomic_lane(const Decoded& decoded, const Message& message, unsigned slot,
                     std::uint64_t address, Plan& plan);
/// Sets what all lanes share, and opens the response.
void begin_atomic(const Decoded& decoded, Message& message, std::uint32_t mask, Plan& plan);

}  // namespace gen9::hdc

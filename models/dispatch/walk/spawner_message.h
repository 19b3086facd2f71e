// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "dispatch/types.h"
#include "interconnect/message.h"

namespace gen9::dispatch {

/// What is wrong with a message to the thread spawner, or nothing when it is the end of a root
/// thread (TD-54; descriptor bits: guide 3.3). `header`: R0 as the sender was given it, which names
/// the barrier and the SLM that its end gives back (GW-32); null when it is not known. The thread's
/// resources are counted down when its EU reports the end, which is the same event.
std::optional<Refusal> check_message(const Message& message, const Grf* header);

}  // namespace gen9::dispatch

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "interconnect/payload/message.h"
#include "media/types.h"

namespace gen9::media {

/// A message to the thread spawner asks for this (MED-55; descriptor bits: guide 3.3).
struct SpawnerMessage {
    enum class Use : std::uint8_t {
        End,  ///< of the sender
        SpawnChild,
        SpawnRoot,     ///< dispatches the next synchronized root thread
        Dereference,   ///< a URB handle, by a running thread
        ReleaseFence,  ///< of the persistent root thread; the form that is left over (Assumed)
    };
    Use use = Use::End;
    bool from_child = false;
    bool frees_handle = false;  ///< End: the URB handle is dereferenced too
    std::uint16_t urb_handle = 0;
    unsigned rows = 0;        ///< of the URB entry that go to the new thread
    unsigned row_offset = 0;  ///< of the first of them
    std::uint8_t descriptor_index = 0;
};
SpawnerMessage decode_spawner_message(const Message& message);

/// Says what is wrong with a message to the thread spawner, or nothing. `header` is R0 as the sender
/// was given it, which names the barrier and the SLM that its end gives back (GW-32); null when it
/// is not known or was not made here. A thread's resources are counted down when its EU reports the
/// end, which is the same event.
std::optional<Refusal> check_message(const Message& message, const Grf* header);

}  // namespace gen9::media

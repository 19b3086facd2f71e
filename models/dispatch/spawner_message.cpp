// SPDX-License-Identifier: Apache-2.0
#include "dispatch/spawner_message.h"

#include "common/bits.h"

namespace gen9::dispatch {

std::optional<Refusal> check_message(const Message& message) {
    // Public: mesa brw_eu_defines.h: bit 0 opcode (0 dereference resource, 1 spawn).
    if (message.descriptor & 1) return Refusal{"MED-55", {}, "thread spawn message"};
    if (!message.end_of_thread)
        return Refusal{"MED-55", {}, "dereference of a URB handle by a running thread"};
    if (message.length == 0) return Refusal{{}, "thread spawner message", "no payload register"};
    const auto fftid = bits(load<std::uint32_t>(message.payload[0].bytes + 5 * 4), 8u, 0u);
    if (message.sender && fftid != message.sender->fftid)
        return Refusal{{},
                       "thread spawner message",
                       "end of thread names FFTID " + std::to_string(fftid) + ", the sender has " +
                           std::to_string(message.sender->fftid) + "; the sender is ended"};
    return std::nullopt;
}

}  // namespace gen9::dispatch

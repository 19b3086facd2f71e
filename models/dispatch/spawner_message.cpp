// SPDX-License-Identifier: Apache-2.0
#include "dispatch/spawner_message.h"

#include "common/bits.h"

namespace gen9::dispatch {

namespace {

constexpr const char* kMessage = "thread spawner message";

std::uint32_t dword(const Grf& grf, unsigned index) {
    return load<std::uint32_t>(grf.bytes + 4 * index);
}

}  // namespace

std::optional<Refusal> check_message(const Message& message, const Grf* header) {
    // Public: mesa brw_eu_defines.h: bit 0 opcode (0 dereference resource, 1 spawn).
    if (message.descriptor & 1) return Refusal{"MED-55", {}, "thread spawn message"};
    if (!message.end_of_thread)
        return Refusal{"MED-55", {}, "dereference of a URB handle by a running thread"};
    if (message.length == 0) return Refusal{{}, kMessage, "no payload register"};
    const Grf& payload = message.payload[0];
    const auto fftid = bits(dword(payload, 5), 8u, 0u);
    if (message.sender && fftid != message.sender->fftid)
        return Refusal{{},
                       kMessage,
                       "end of thread names FFTID " + std::to_string(fftid) + ", the sender has " +
                           std::to_string(message.sender->fftid) + "; the sender is ended"};
    // GW-32: 003:18204-18225. Barrier id and enables in M0.2, SLM id in M0.0, where R0 has them.
    constexpr std::uint32_t kResources = 0xBF00'0000, kSlmEnable = 1u << 28, kSlmId = 0x3F00'0000;
    const auto differs = [&](unsigned index, std::uint32_t mask) {
        return header && ((dword(payload, index) ^ dword(*header, index)) & mask) != 0;
    };
    if (differs(2, kResources) || (header && dword(*header, 2) & kSlmEnable && differs(0, kSlmId)))
        return Refusal{{},
                       kMessage,
                       "end of thread names a barrier or SLM that is not the sender's; the "
                       "sender's own are given back"};
    return std::nullopt;
}

}  // namespace gen9::dispatch

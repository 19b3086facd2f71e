// SPDX-License-Identifier: Apache-2.0
#include "dispatch/walk/spawner_message.h"

#include <array>
#include <cstring>

#include "packets/gpgpu_payload.h"

namespace gen9::dispatch {

namespace {

constexpr const char* kMessage = "thread spawner message";

std::array<std::uint32_t, 8> dwords_of(const Grf& grf) {
    std::array<std::uint32_t, 8> dwords;
    std::memcpy(dwords.data(), grf.bytes, sizeof dwords);
    return dwords;
}

/// Do both name the same barrier and SLM (GW-32, 003:18204-18225)?
bool same_resources(const Grf& payload, const Grf& header) {
    namespace row = packets::GPGPU_PAYLOAD_HEADER;
    const auto named = dwords_of(payload), given = dwords_of(header);
    const auto same = [&](const packets::Field& f) { return f.raw(named) == f.raw(given); };
    return same(row::BarrierEnable) && same(row::BarrierIdHigh) && same(row::BarrierIdLow) &&
           same(row::SlmEnable) && (row::SlmEnable.raw(given) == 0 || same(row::SlmIndex));
}

}  // namespace

std::optional<Refusal> check_message(const Message& message, const Grf* header) {
    // Public: mesa brw_eu_defines.h: bit 0 opcode (0 dereference resource, 1 spawn).
    if (message.descriptor & 1) return Refusal{"MED-55", {}, "thread spawn message"};
    if (!message.end_of_thread)
        return Refusal{"MED-55", {}, "dereference of a URB handle by a running thread"};
    if (message.length == 0) return Refusal{{}, kMessage, "no payload register"};
    const Grf& payload = message.payload[0];
    const auto fftid = packets::GPGPU_PAYLOAD_HEADER::Fftid.get(dwords_of(payload));
    if (message.sender && fftid != message.sender->fftid)
        return Refusal{{},
                       kMessage,
                       "end of thread names FFTID " + std::to_string(fftid) + ", the sender has " +
                           std::to_string(message.sender->fftid) + "; the sender is ended"};
    if (header != nullptr && !same_resources(payload, *header))
        return Refusal{{},
                       kMessage,
                       "end of thread names a barrier or SLM that is not the sender's; the "
                       "sender's own are given back"};
    return std::nullopt;
}

}  // namespace gen9::dispatch

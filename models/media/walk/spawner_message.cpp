// SPDX-License-Identifier: Apache-2.0
#include "media/walk/spawner_message.h"

#include <array>
#include <cstring>

#include "packets/gpgpu_payload.h"
#include "packets/media_payload.h"

namespace gen9::media {

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

SpawnerMessage decode_spawner_message(const Message& message) {
    namespace descriptor = packets::THREAD_SPAWNER_DESCRIPTOR;
    namespace row = packets::THREAD_SPAWNER_MESSAGE;
    using Use = SpawnerMessage::Use;
    const std::array<std::uint32_t, 1> bits{message.descriptor};
    const bool spawn = descriptor::Opcode.get(bits) != 0;
    const bool select = descriptor::ResourceSelect.get(bits) != 0;
    SpawnerMessage m;
    m.from_child = descriptor::RequesterType.get(bits) != 0;
    if (spawn)
        m.use = select ? Use::SpawnRoot : Use::SpawnChild;
    else if (!message.end_of_thread)
        m.use = select ? Use::ReleaseFence : Use::Dereference;
    m.frees_handle = m.use == Use::Dereference || (m.use == Use::End && !select);
    if (message.length == 0) return m;
    const auto payload = dwords_of(message.payload[0]);
    m.urb_handle = static_cast<std::uint16_t>(row::UrbHandle.get(payload));
    m.rows = static_cast<unsigned>(row::DispatchUrbLength.get(payload));
    m.row_offset = static_cast<unsigned>(row::UrbHandleOffset.get(payload));
    m.descriptor_index = static_cast<std::uint8_t>(row::InterfaceDescriptorOffset.get(payload));
    return m;
}

std::optional<Refusal> check_message(const Message& message, const Grf* header) {
    const SpawnerMessage m = decode_spawner_message(message);
    if (message.length == 0) return Refusal{{}, kMessage, "no payload register"};
    if (message.end_of_thread && m.use != SpawnerMessage::Use::End)
        return Refusal{{}, kMessage, "end of thread on a spawn message; nothing is spawned"};
    if (m.use != SpawnerMessage::Use::End || m.from_child) return std::nullopt;
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

}  // namespace gen9::media

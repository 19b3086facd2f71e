// SPDX-License-Identifier: Apache-2.0
// The transactions of usual accesses (usual.h).
#include <cstring>

#include "common/bits.h"
#include "hdc/bus.h"
#include "hdc/copy.h"

namespace gen9::hdc {

namespace {

/// A lane for each slot.
void fill_slots(LaneAccess& lanes, const UsualAccess& access, const std::uint8_t* payload) {
    lanes.kind = access.reads ? LaneAccess::Kind::Read : LaneAccess::Kind::Write;
    lanes.width_bytes = access.item_bytes;
    lanes.count = access.slots;
    const unsigned step = access.one_place ? 0 : access.item_bytes;
    for (unsigned slot = 0; slot < access.slots; ++slot)
        lanes.offset[slot] = static_cast<std::uint32_t>(access.address + slot * step);
    if (access.reads) return;
    for (unsigned slot = 0; slot < access.slots; ++slot)
        lanes.source0[slot] = load<std::uint32_t>(payload + slot * sizeof(std::uint32_t));
}

}  // namespace

MemoryTransaction* Bus::make(const UsualAccess& access, unsigned index, const Message& message) {
    MemoryTransaction* const transaction = pool_.get();
    MemoryAttributes& attributes = transaction->attributes;
    attributes.requester = access.requester;
    attributes.thread = message.sender->place;
    attributes.mocs = access.mocs;
    attributes.coherent = access.coherent;
    const tlm::tlm_command command = access.reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
    const std::uint8_t* const payload = message.payload[0].bytes + access.payload_at;
    if (access.slm) {
        transaction->access(command, 0, kLineBytes);
        attributes.operation = MemoryAttributes::Operation::Lanes;
        fill_slots(attributes.lanes, access, payload);
        return transaction;
    }
    const UsualAccess::Part part = access.part(index);
    transaction->access(command, access.address + part.offset, part.bytes);
    if (!access.reads) copy(transaction->data, payload + part.offset, part.bytes);
    return transaction;
}

void Bus::take(const UsualAccess& access, unsigned index, const MemoryTransaction& transaction,
               Message& message) {
    if (!access.reads) return;
    std::uint8_t* const response = message.response[0].bytes;
    if (access.slm) {
        for (unsigned slot = 0; slot < access.slots; ++slot)
            store(response + slot * sizeof(std::uint32_t),
                  static_cast<std::uint32_t>(transaction.attributes.lanes.result[slot]));
        return;
    }
    const UsualAccess::Part part = access.part(index);
    const bool ok = transaction.is_response_ok();
    if (access.one_place) {
        if (ok)
            access.spread(transaction.data, response);
        else
            std::memset(response, 0, access.register_bytes);
    } else if (ok) {
        copy(response + part.offset, transaction.data, part.bytes);
    } else {
        std::memset(response + part.offset, 0, part.bytes);
    }
}

}  // namespace gen9::hdc

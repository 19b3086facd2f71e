// SPDX-License-Identifier: Apache-2.0
// The transactions of usual accesses (usual.h).
#include <cstring>

#include "common/bits.h"
#include "hdc/access/bus.h"
#include "hdc/access/copy.h"

namespace gen9::hdc {

namespace {

void fill_slots(LaneAccess& lanes, const UsualAccess& access, unsigned index,
                const std::uint8_t* payload) {
    lanes.kind = access.reads ? LaneAccess::Kind::Read : LaneAccess::Kind::Write;
    lanes.width_bytes = access.item_bytes;
    access.each_lane(index, [&](unsigned n, std::uint64_t address, unsigned at) {
        lanes.offset[n] = static_cast<std::uint32_t>(address);
        if (!access.reads) lanes.source0[n] = load<std::uint32_t>(payload + at);
        lanes.count = static_cast<std::uint8_t>(n + 1);
    });
}

void take_slots(const LaneAccess& lanes, const UsualAccess& access, unsigned index,
                std::uint8_t* response) {
    access.each_lane(index, [&](unsigned n, std::uint64_t, unsigned at) {
        store(response + at, static_cast<std::uint32_t>(lanes.result[n]));
    });
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
        fill_slots(attributes.lanes, access, index, payload);
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
    if (access.slm) return take_slots(transaction.attributes.lanes, access, index, response);
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

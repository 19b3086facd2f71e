// SPDX-License-Identifier: Apache-2.0
#include "memory/perform.h"

#include <algorithm>
#include <cstring>

#include "interconnect/kernel/behind.h"
#include "interconnect/payload/lane_access.h"

namespace gen9::memory {
namespace {

using Payload = tlm::tlm_generic_payload;

void perform_lanes_in_line(PhysicalMemory& memory, Payload& payload, MemoryAttributes& attributes) {
    const PhysAddr line(payload.get_address() & ~std::uint64_t{kLineBytes - 1});
    const auto offset = static_cast<std::uint32_t>(payload.get_address() % kLineBytes);
    if (std::uint8_t* page = memory.page(line)) {
        perform_lanes(attributes.lanes, {page + line.value % kPageBytes, kLineBytes}, offset);
    } else {
        std::uint8_t bytes[kLineBytes];
        if (!memory.read(line, bytes)) return refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
        perform_lanes(attributes.lanes, bytes, offset);
        if (!memory.write(line, bytes)) return refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void perform_enabled(PhysicalMemory& memory, Payload& payload) {
    const unsigned char* enable = payload.get_byte_enable_ptr();
    const unsigned period = payload.get_byte_enable_length();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
        if (!enable[i % period]) continue;
        const PhysAddr at(payload.get_address() + i);
        unsigned char& byte = payload.get_data_ptr()[i];
        if (payload.is_write())
            (void)memory.write(at, {&byte, 1});
        else
            (void)memory.read(at, {&byte, 1});
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace

bool changes_memory(const Payload& payload) {
    const auto& attributes = attributes_of(payload);
    if (attributes.operation == MemoryAttributes::Operation::Lanes)
        return attributes.lanes.kind != LaneAccess::Kind::Read;
    return payload.is_write();
}

void refuse(Payload& payload, tlm::tlm_response_status status) {
    if (auto* attributes = find_attributes(payload);
        attributes && attributes->operation == MemoryAttributes::Operation::Lanes)
        attributes->lanes.result.fill(0);
    if (payload.is_read() && payload.get_data_ptr())
        std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
    payload.set_response_status(status);
}

void perform(PhysicalMemory& memory, Payload& payload) {
    auto* attributes = find_attributes(payload);
    if (attributes && attributes->operation == MemoryAttributes::Operation::Lanes)
        return perform_lanes_in_line(memory, payload, *attributes);
    const PhysAddr address(payload.get_address());
    const unsigned length = payload.get_data_length();
    if (!PhysicalMemory::covers(address, length))
        return refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (payload.get_streaming_width() < length)
        return refuse(payload, tlm::TLM_BURST_ERROR_RESPONSE);
    if (payload.get_byte_enable_ptr() && payload.get_byte_enable_length())
        return perform_enabled(memory, payload);
    bool done = true;
    if (payload.is_read())
        done = memory.read(address, {payload.get_data_ptr(), length});
    else if (payload.is_write())
        done = memory.write(address, {payload.get_data_ptr(), length});
    payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

bool find_bytes(PhysicalMemory& memory, InitiatorSocket<MemoryProtocol>& out) {
    if (!out.foreign()) return false;
    auto transaction = std::make_shared<MemoryTransaction>(nullptr);
    memory.move_to(
        [&out, transaction](bool write, PhysAddr address, std::span<std::uint8_t> bytes) {
            const auto command = write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
            return access_behind(out, *transaction, command, address.value, bytes);
        });
    return memory.moved();
}

unsigned perform_debug(PhysicalMemory& memory, Payload& payload) {
    const PhysAddr address(payload.get_address());
    const unsigned length = payload.get_data_length();
    if (!PhysicalMemory::covers(address, length)) return 0;
    bool done = false;
    if (payload.is_read())
        done = memory.read(address, {payload.get_data_ptr(), length});
    else if (payload.is_write())
        done = memory.write(address, {payload.get_data_ptr(), length});
    return done ? length : 0;
}

}  // namespace gen9::memory

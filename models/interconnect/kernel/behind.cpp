// SPDX-License-Identifier: Apache-2.0
#include "interconnect/kernel/behind.h"

#include "interconnect/payload/lane_access.h"

namespace gen9 {

bool access_behind(InitiatorSocket<MemoryProtocol>& socket, MemoryTransaction& transaction,
                   tlm::tlm_command command, std::uint64_t address, std::span<std::uint8_t> bytes) {
    const auto length = static_cast<unsigned>(bytes.size());
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(bytes.data());
    transaction.set_data_length(length);
    transaction.set_streaming_width(length);
    transaction.set_byte_enable_ptr(nullptr);
    transaction.set_byte_enable_length(0);
    transaction.set_dmi_allowed(false);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (socket->transport_dbg(transaction) == length) return true;
    sc_core::sc_time delay;
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(transaction, delay);
    return transaction.is_response_ok();
}

void perform_lanes_behind(InitiatorSocket<MemoryProtocol>& socket,
                          tlm::tlm_generic_payload& payload) {
    MemoryTransaction transaction(nullptr);
    const MemoryAttributes& attributes = attributes_of(payload);
    transaction.attributes.derive(attributes);
    LaneAccess& lanes = find_attributes(payload)->lanes;
    const std::uint64_t line = payload.get_address() / kLineBytes * kLineBytes;
    std::uint8_t bytes[kLineBytes];
    bool done = access_behind(socket, transaction, tlm::TLM_READ_COMMAND, line, bytes);
    if (done) {
        perform_lanes(lanes, bytes, static_cast<std::uint32_t>(payload.get_address() - line));
        if (lanes.kind != LaneAccess::Kind::Read)
            done = access_behind(socket, transaction, tlm::TLM_WRITE_COMMAND, line, bytes);
    }
    if (!done) lanes.result.fill(0);
    payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace gen9

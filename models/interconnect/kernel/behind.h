// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9 {

/// Reads or writes bytes of the memory behind a socket in no time: by debug access, or by blocking
/// access where the memory has none. The attributes are those of the transaction. False if it
/// cannot.
bool access_behind(InitiatorSocket<MemoryProtocol>& socket, MemoryTransaction& transaction,
                   tlm::tlm_command command, std::uint64_t address, std::span<std::uint8_t> bytes);

/// Performs a payload's lanes on the memory behind a socket, which knows nothing of lanes: a read
/// of the line and a write, in no time. Sets the response status.
void perform_lanes_behind(InitiatorSocket<MemoryProtocol>& socket,
                          tlm::tlm_generic_payload& payload);

}  // namespace gen9

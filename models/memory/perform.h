// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "memory/physical_memory.h"

namespace gen9::memory {

/// The data effect of a transaction with a physical address: read, write with byte enables, or
/// lanes within a line. Sets the response status; beyond 40 bits it reads zero and answers with an
/// address error.
void perform(PhysicalMemory& memory, tlm::tlm_generic_payload& payload);

/// The debug form of the same: no lanes, no byte enables. Returns the bytes transferred.
unsigned perform_debug(PhysicalMemory& memory, tlm::tlm_generic_payload& payload);

/// After elaboration: where somebody else's memory is bound to `out`, it holds the machine's bytes
/// from now on, those written before included. True if it does.
bool find_bytes(PhysicalMemory& memory, InitiatorSocket<MemoryProtocol>& out);

/// Has the transaction lanes?
inline bool has_lanes(const tlm::tlm_generic_payload& payload) {
    return attributes_of(payload).operation == MemoryAttributes::Operation::Lanes;
}

/// Would the transaction change memory?
bool changes_memory(const tlm::tlm_generic_payload& payload);

/// Answers a transaction that cannot be performed: zeros for a read or lanes, nothing written.
void refuse(tlm::tlm_generic_payload& payload, tlm::tlm_response_status status);

}  // namespace gen9::memory

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/memory_transaction.h"
#include "memory/physical_memory.h"

namespace gen9::memory {

/// The data effect of a transaction with a physical address: read, write with byte enables, or
/// lanes within a line. Sets the response status; beyond 40 bits it reads zero and answers with an
/// address error.
void perform(PhysicalMemory& memory, tlm::tlm_generic_payload& payload);

/// The debug form of the same: no lanes, no byte enables. Returns the bytes transferred.
unsigned perform_debug(PhysicalMemory& memory, tlm::tlm_generic_payload& payload);

/// Would the transaction change memory?
bool changes_memory(const tlm::tlm_generic_payload& payload);

/// Answers a transaction that cannot be performed: zeros for a read or lanes, nothing written.
void refuse(tlm::tlm_generic_payload& payload, tlm::tlm_response_status status);

}  // namespace gen9::memory

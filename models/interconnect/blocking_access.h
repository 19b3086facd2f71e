// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/memory_transaction.h"
#include "interconnect/sockets.h"

namespace gen9 {

/// What a block's blocking reads say about themselves.
struct ReadCause {
    Requester requester = Requester::StateCache;
    std::uint8_t mocs = 0;
    TraceId trace_id = 0;
    ThreadAddress thread;
};
/// Reads bytes of any length, line by line, by `b_transport`; adds the time that it takes to
/// `delay`. False: some of them are not mapped.
bool read_blocking(InitiatorSocket<MemoryProtocol>& memory, MemoryPool& pool, std::uint64_t address,
                   void* bytes, unsigned size, const ReadCause& cause, sc_core::sc_time& delay);

/// Host memory behind a range of addresses, if the target gives direct access to all of it.
struct DirectMemory {
    std::uint8_t* host = nullptr;  ///< null: it does not
    bool writable = false;
};
DirectMemory direct_memory(InitiatorSocket<MemoryProtocol>& memory, MemoryPool& pool,
                           std::uint64_t address, std::uint64_t bytes);

}  // namespace gen9

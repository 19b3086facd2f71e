// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/direct_lines.h"

namespace gen9 {

/// A block's blocking reads say this about themselves.
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

/// Extension of a request for direct access to a page: who asks will mark. Ignorable; the answer is
/// null where nobody wants to know, and the grant may then be of more than the page.
struct AsksForLines : tlm::tlm_extension<AsksForLines> {
    DirectLines* lines = nullptr;
    tlm::tlm_extension_base* clone() const override { return new AsksForLines(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const AsksForLines&>(other);
    }
};

/// Host memory behind a range of addresses, if the target gives direct access to all of it.
struct DirectMemory {
    std::uint8_t* host = nullptr;  ///< null: it does not
    bool writable = false;
    DirectLines* lines = nullptr;  ///< where accesses are to be marked; null: nobody wants to know
    /// So many bytes before and behind it are granted as well, and the host's memory goes on there.
    std::uint64_t before = 0, behind = 0;
};
/// `requester`, `mocs`: of the accesses that will be marked.
DirectMemory direct_memory(InitiatorSocket<MemoryProtocol>& memory, MemoryPool& pool,
                           std::uint64_t address, std::uint64_t bytes,
                           Requester requester = Requester::DataPort, std::uint8_t mocs = 0);

}  // namespace gen9

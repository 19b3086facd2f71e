// SPDX-License-Identifier: Apache-2.0
#include "interconnect/kernel/blocking_access.h"

#include <algorithm>
#include <cstring>

namespace gen9 {

bool read_blocking(InitiatorSocket<MemoryProtocol>& memory, MemoryPool& pool, std::uint64_t address,
                   void* bytes, unsigned size, const ReadCause& cause, sc_core::sc_time& delay) {
    constexpr std::uint64_t kAddressMask = (1ull << 48) - 1;
    auto* to = static_cast<std::uint8_t*>(bytes);
    bool ok = true;
    for (unsigned done = 0; done < size;) {
        const std::uint64_t at = (address + done) & kAddressMask;
        const auto part =
            std::min(size - done, static_cast<unsigned>(kLineBytes - at % kLineBytes));
        MemoryTransaction* const transaction = pool.get();
        transaction->access(tlm::TLM_READ_COMMAND, at, part);
        MemoryAttributes& attributes = transaction->attributes;
        attributes.requester = cause.requester;
        attributes.mocs = cause.mocs;
        attributes.trace_id = cause.trace_id;
        attributes.thread = cause.thread;
        memory->b_transport(*transaction, delay);
        ok = ok && transaction->is_response_ok();
        std::memcpy(to + done, transaction->data, part);
        transaction->release();
        done += part;
    }
    return ok;
}

DirectMemory direct_memory(InitiatorSocket<MemoryProtocol>& memory, MemoryPool& pool,
                           std::uint64_t address, std::uint64_t bytes, Requester requester,
                           std::uint8_t mocs) {
    MemoryTransaction* const transaction = pool.get();
    transaction->access(tlm::TLM_READ_COMMAND, address, 1);
    transaction->attributes.requester = requester;
    transaction->attributes.mocs = mocs;
    AsksForLines asks;
    transaction->set_extension(&asks);
    tlm::tlm_dmi dmi;
    DirectMemory direct;
    if (memory->get_direct_mem_ptr(*transaction, dmi) && dmi.is_read_allowed() &&
        dmi.get_start_address() <= address && dmi.get_end_address() >= address + bytes - 1) {
        direct.host = dmi.get_dmi_ptr() + (address - dmi.get_start_address());
        direct.writable = dmi.is_write_allowed();
        direct.lines = asks.lines;
        direct.before = address - dmi.get_start_address();
        direct.behind = dmi.get_end_address() - (address + bytes - 1);
    }
    transaction->clear_extension(&asks);
    transaction->release();
    return direct;
}

}  // namespace gen9

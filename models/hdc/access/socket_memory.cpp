// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/socket_memory.h"

#include "interconnect/kernel/blocking_access.h"

namespace gen9::hdc {

DirectPage SocketMemory::direct(std::uint64_t page_address, const MemoryFacts& facts) {
    // In timed mode L3 holds data, and every access must pass it.
    if (env_.timed()) return {};
    const DirectMemory direct =
        direct_memory(memory_, pool_, page_address, kPageBytes, facts.requester, facts.mocs);
    return {direct.host, direct.writable, direct.lines, direct.before, direct.behind};
}

std::uint8_t* SocketMemory::slm(std::uint32_t slm_base) {
    if (env_.timed()) return nullptr;
    const unsigned memory = slm_base / slm_bytes_;
    if (memory >= local_.size()) [[unlikely]]
        local_.resize(memory + 1);
    LocalMemory& local = local_[memory];
    if (!local.known) [[unlikely]] {
        local.known = true;
        const DirectMemory direct =
            direct_memory(slm_, pool_, std::uint64_t{memory} * slm_bytes_, slm_bytes_);
        local.host = direct.writable ? direct.host : nullptr;
    }
    return local.host;
}

void SocketMemory::by_requests(const Access& access, Message& message) {
    InitiatorSocket<MemoryProtocol>& socket = access.slm() ? slm_ : memory_;
    for (unsigned i = 0; i < access.requests(); ++i) {
        MemoryTransaction* transaction = make(access, i, message);
        sc_core::sc_time delay;
        socket->b_transport(*transaction, delay);
        take(access, i, *transaction, message);
        transaction->release();
    }
}

bool SocketMemory::read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) {
    return read_blocking(
        memory_, pool_, address.value, bytes, size,
        {.requester = Requester::StateCache, .mocs = mocs, .trace_id = cause_, .thread = {}},
        state_delay_);
}

sc_core::sc_time SocketMemory::flush_data(const Message& fence) {
    MemoryTransaction* transaction = pool_.get();
    transaction->set_command(tlm::TLM_IGNORE_COMMAND);
    transaction->attributes.operation = MemoryAttributes::Operation::Control;
    transaction->attributes.control.flush_data = true;
    transaction->attributes.trace_id = fence.trace_id;
    sc_core::sc_time delay;
    memory_->b_transport(*transaction, delay);
    transaction->release();
    return delay;
}

sc_core::sc_time SocketMemory::take_state_delay() {
    const sc_core::sc_time delay = state_delay_;
    state_delay_ = sc_core::SC_ZERO_TIME;
    return delay;
}

}  // namespace gen9::hdc

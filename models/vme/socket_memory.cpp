// SPDX-License-Identifier: Apache-2.0
#include "vme/socket_memory.h"

#include "interconnect/kernel/blocking_access.h"

namespace gen9::vme {

bool SocketMemory::read(std::uint64_t address, void* bytes, unsigned size, Requester requester,
                        std::uint8_t mocs) {
    ReadCause cause{.requester = requester, .mocs = mocs, .trace_id = 0, .thread = {}};
    if (message_) {
        cause.trace_id = message_->trace_id;
        cause.thread = message_->sender->place;
    }
    return read_blocking(memory_, pool_, address, bytes, size, cause, state_delay_);
}

bool SocketMemory::read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) {
    ++state_reads_;
    return read(address.value, bytes, size, Requester::StateCache, mocs);
}

const std::uint8_t* SocketMemory::pixels(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    Page& page = pages_[number % pages_.size()];
    if (page.number != number) {
        page = {number,
                direct_memory(memory_, pool_, number * kPageBytes, kPageBytes, Requester::Sampler)
                    .host};
        filled_.add(number % pages_.size());
    }
    if (page.host) return page.host + address % kPageBytes;
    page.number = ~0ull;
    line_.fill(0);
    read(address - address % kLineBytes, line_.data(), kLineBytes, Requester::Sampler, 0);
    return line_.data() + address % kLineBytes;
}

MemoryTransaction* SocketMemory::read_line(std::uint64_t line, const Message& message,
                                           std::uint8_t mocs) {
    MemoryTransaction* const transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, line, kLineBytes);
    MemoryAttributes& attributes = transaction->attributes;
    attributes.requester = Requester::Sampler;
    attributes.mocs = mocs;
    attributes.thread = message.sender->place;
    attributes.trace_id = message.trace_id;
    return transaction;
}

sc_core::sc_time SocketMemory::take_state_delay() {
    const sc_core::sc_time delay = state_delay_;
    state_delay_ = sc_core::SC_ZERO_TIME;
    return delay;
}

void SocketMemory::forget_pages() {
    filled_.empty([this](std::size_t place) { pages_[place] = {}; });
}

}  // namespace gen9::vme

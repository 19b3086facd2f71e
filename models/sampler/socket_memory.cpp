// SPDX-License-Identifier: Apache-2.0
#include "sampler/socket_memory.h"

#include <algorithm>

#include "interconnect/kernel/blocking_access.h"

namespace gen9::sampler {

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

void SocketMemory::read(std::uint64_t address, void* bytes, unsigned size) {
    read(address, bytes, size, Requester::Sampler, 0);
}

const std::uint8_t* SocketMemory::direct(std::uint64_t page_address) {
    if (env_.timed()) return nullptr;  // L3 holds data, and every access must pass it
    return direct_memory(memory_, pool_, page_address, Pages::kBytes).host;
}

MemoryTransaction* SocketMemory::read_line(std::uint64_t line, const Message& message,
                                           std::uint8_t mocs) {
    MemoryTransaction* const transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, line * kLineBytes, kLineBytes);
    MemoryAttributes& attributes = transaction->attributes;
    attributes.requester = Requester::Sampler;
    attributes.mocs = mocs;
    attributes.thread = message.sender->place;
    attributes.trace_id = message.trace_id;
    return transaction;
}

MemoryTransaction* SocketMemory::write_line(const media::MemoryBlock::Line& line,
                                            const Message& message) {
    MemoryTransaction* const transaction = read_line(line.number, message, 0);
    transaction->access(tlm::TLM_WRITE_COMMAND, line.number * kLineBytes, kLineBytes);
    // It is the data port that writes (003:3930): lines of data, not of textures.
    transaction->attributes.requester = Requester::DataPort;
    std::copy(line.bytes.begin(), line.bytes.end(), transaction->data);
    transaction->enable_bytes(line.enabled, kLineBytes);
    return transaction;
}

sc_core::sc_time SocketMemory::take_state_delay() {
    const sc_core::sc_time delay = state_delay_;
    state_delay_ = sc_core::SC_ZERO_TIME;
    return delay;
}

}  // namespace gen9::sampler

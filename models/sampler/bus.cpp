// SPDX-License-Identifier: Apache-2.0
#include "sampler/bus.h"

#include <algorithm>
#include <cstring>

namespace gen9::sampler {

namespace {
constexpr std::uint64_t kPage = 4096, kLine = 64;
constexpr std::uint64_t kAddressMask = (1ull << 48) - 1;
}  // namespace

bool Bus::read_blocking(std::uint64_t address, void* bytes, unsigned size, Requester requester,
                        std::uint8_t mocs) {
    auto* to = static_cast<std::uint8_t*>(bytes);
    bool ok = true;
    for (unsigned done = 0; done < size;) {
        const std::uint64_t at = (address + done) & kAddressMask;
        const auto part = std::min(size - done, static_cast<unsigned>(kLine - at % kLine));
        MemoryTransaction* const transaction = pool_.get();
        transaction->access(tlm::TLM_READ_COMMAND, at, part);
        transaction->attributes.requester = requester;
        transaction->attributes.mocs = mocs;
        if (message_) {
            transaction->attributes.trace_id = message_->trace_id;
            transaction->attributes.thread = message_->sender->place;
        }
        sc_core::sc_time delay;
        memory_->b_transport(*transaction, delay);
        state_delay_ += delay;
        ok = ok && transaction->is_response_ok();
        std::memcpy(to + done, transaction->data, part);
        transaction->release();
        done += part;
    }
    return ok;
}

bool Bus::read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) {
    ++state_reads_;
    return read_blocking(address.value, bytes, size, Requester::StateCache, mocs);
}

void Bus::read(std::uint64_t address, void* bytes, unsigned size) {
    read_blocking(address, bytes, size, Requester::Sampler, 0);
}

const std::uint8_t* Bus::direct(std::uint64_t page_address) {
    if (env_.timed()) return nullptr;  // L3 holds data, and every access must pass it
    MemoryTransaction* const transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, page_address, 1);
    tlm::tlm_dmi dmi;
    const std::uint8_t* host = nullptr;
    if (memory_->get_direct_mem_ptr(*transaction, dmi) && dmi.is_read_allowed() &&
        dmi.get_start_address() <= page_address &&
        dmi.get_end_address() >= page_address + kPage - 1)
        host = dmi.get_dmi_ptr() + (page_address - dmi.get_start_address());
    transaction->release();
    return host;
}

MemoryTransaction* Bus::read_line(std::uint64_t line, const Message& message, std::uint8_t mocs) {
    MemoryTransaction* const transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, line * kLine, kLine);
    MemoryAttributes& attributes = transaction->attributes;
    attributes.requester = Requester::Sampler;
    attributes.mocs = mocs;
    attributes.thread = message.sender->place;
    attributes.trace_id = message.trace_id;
    return transaction;
}

sc_core::sc_time Bus::take_state_delay() {
    const sc_core::sc_time delay = state_delay_;
    state_delay_ = sc_core::SC_ZERO_TIME;
    return delay;
}

}  // namespace gen9::sampler

// SPDX-License-Identifier: Apache-2.0
#include "interconnect/kernel/memory_transaction.h"

#include "common/bits.h"
#include "common/check.h"

namespace gen9 {

const MemoryAttributes MemoryAttributes::kPlain;

void MemoryTransaction::access(tlm::tlm_command command, std::uint64_t address, unsigned size) {
    GEN9_CHECK(size <= kLineBytes, "a memory transaction holds one line");
    set_command(command);
    set_address(address);
    set_data_ptr(data);
    set_data_length(size);
    set_streaming_width(size);
    set_byte_enable_ptr(nullptr);
    set_byte_enable_length(0);
    set_dmi_allowed(false);
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void MemoryTransaction::enable_bytes(std::uint64_t mask, unsigned size) {
    const std::uint64_t all = size == 64 ? ~0ull : (1ull << size) - 1;
    if ((mask & all) == all) return;
    unsigned i = 0;
    for (; i + 8 <= size; i += 8) {
        // Bit n of eight becomes byte n: each byte keeps its own bit, which a sum carries to its top.
        const std::uint64_t own = (mask >> i & 0xFF) * 0x0101010101010101 & 0x8040201008040201;
        const std::uint64_t set = (own + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101;
        store(enables + i, set * 0xFF);
    }
    for (; i < size; ++i)
        enables[i] = (mask >> i & 1) ? 0xFF : 0x00;
    set_byte_enable_ptr(enables);
    set_byte_enable_length(size);
}

MemoryTransaction* MemoryPool::get() {
    if (free_.empty()) {
        all_.push_back(std::make_unique<MemoryTransaction>(this));
        free_.push_back(all_.back().get());
    }
    MemoryTransaction* transaction = free_.back();
    free_.pop_back();
    transaction->attributes.operation = MemoryAttributes::Operation::Access;
    transaction->attributes.space = AddressSpace::Ppgtt;
    transaction->attributes.requester = Requester::DataPort;
    transaction->attributes.thread = {};
    transaction->attributes.trace_id = 0;
    transaction->attributes.mocs = transaction->attributes.stream = 0;
    transaction->attributes.coherent = transaction->attributes.uncached = false;
    transaction->attributes.llc = LlcPolicy::WriteBack;
    transaction->attributes.lanes.count = 0;
    transaction->attributes.control = {};
    transaction->tag = 0;
    transaction->acquire();
    return transaction;
}

void MemoryPool::free(tlm::tlm_generic_payload* transaction) {
    free_.push_back(static_cast<MemoryTransaction*>(transaction));
}

}  // namespace gen9

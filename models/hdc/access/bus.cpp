// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/bus.h"

#include <algorithm>
#include <cstring>

#include "hdc/plan/window.h"

namespace gen9::hdc {

DirectPage Bus::direct(std::uint64_t page_address) {
    // In timed mode L3 holds data, and every access must pass it.
    if (env_.timed()) return {};
    MemoryTransaction* transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, page_address, 1);
    tlm::tlm_dmi dmi;
    DirectPage page;
    if (memory_->get_direct_mem_ptr(*transaction, dmi) && dmi.is_read_allowed() &&
        dmi.get_start_address() <= page_address &&
        dmi.get_end_address() >= page_address + kPageBytes - 1) {
        page.host = dmi.get_dmi_ptr() + (page_address - dmi.get_start_address());
        page.writable = dmi.is_write_allowed();
    }
    transaction->release();
    return page;
}

std::uint8_t* Bus::slm() {
    if (env_.timed()) return nullptr;
    if (!slm_known_) {
        slm_known_ = true;
        slm_host_ = nullptr;
        MemoryTransaction* transaction = pool_.get();
        transaction->access(tlm::TLM_READ_COMMAND, 0, 1);
        tlm::tlm_dmi dmi;
        if (slm_->get_direct_mem_ptr(*transaction, dmi) && dmi.is_read_write_allowed() &&
            dmi.get_start_address() == 0 && dmi.get_end_address() >= kSlmBytes - 1)
            slm_host_ = dmi.get_dmi_ptr();
        transaction->release();
    }
    return slm_host_;
}

void Bus::by_requests(const Access& access, Message& message) {
    InitiatorSocket<MemoryProtocol>& socket = access.slm() ? slm_ : memory_;
    for (unsigned i = 0; i < access.requests(); ++i) {
        MemoryTransaction* transaction = make(access, i, message);
        sc_core::sc_time delay;
        socket->b_transport(*transaction, delay);
        take(access, i, *transaction, message);
        transaction->release();
    }
}

bool Bus::read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) {
    auto* to = static_cast<std::uint8_t*>(bytes);
    std::uint64_t at = address.value & kAddressMask;
    bool ok = true;
    while (size) {
        const auto part = std::min(size, static_cast<unsigned>(kLineBytes - at % kLineBytes));
        MemoryTransaction* transaction = pool_.get();
        transaction->access(tlm::TLM_READ_COMMAND, at, part);
        transaction->attributes.requester = Requester::StateCache;
        transaction->attributes.mocs = mocs;
        transaction->attributes.trace_id = cause_;
        sc_core::sc_time delay;
        memory_->b_transport(*transaction, delay);
        state_delay_ += delay;
        ok = ok && transaction->is_response_ok();
        std::memcpy(to, transaction->data, part);
        transaction->release();
        at += part;
        to += part;
        size -= part;
    }
    return ok;
}

sc_core::sc_time Bus::flush_data(const Message& fence) {
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

sc_core::sc_time Bus::take_state_delay() {
    const sc_core::sc_time delay = state_delay_;
    state_delay_ = sc_core::SC_ZERO_TIME;
    return delay;
}

}  // namespace gen9::hdc

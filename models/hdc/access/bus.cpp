// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/bus.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "common/check.h"
#include "hdc/access/copy.h"
#include "hdc/plan/window.h"

namespace gen9::hdc {

namespace {

std::uint64_t load_width(const std::uint8_t* at, unsigned bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    return value;
}

}  // namespace

void Bus::set_attributes(MemoryTransaction& transaction, const Plan& plan) const {
    MemoryAttributes& a = transaction.attributes;
    a.requester = plan.requester;
    a.thread = plan.thread;
    a.mocs = plan.mocs;
    a.coherent = plan.coherent;
}

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

void Bus::read(std::uint64_t address, std::uint8_t* bytes, unsigned size, const Plan& plan) {
    while (size) {
        const auto part = std::min(size, static_cast<unsigned>(kLineBytes - address % kLineBytes));
        MemoryTransaction* transaction = pool_.get();
        transaction->access(tlm::TLM_READ_COMMAND, address, part);
        set_attributes(*transaction, plan);
        sc_core::sc_time delay;
        memory_->b_transport(*transaction, delay);
        if (transaction->is_response_ok())
            std::memcpy(bytes, transaction->data, part);
        else
            std::memset(bytes, 0, part);
        transaction->release();
        address += part;
        bytes += part;
        size -= part;
    }
}

void Bus::write(std::uint64_t address, const std::uint8_t* bytes, unsigned size, const Plan& plan) {
    while (size) {
        const auto part = std::min(size, static_cast<unsigned>(kLineBytes - address % kLineBytes));
        MemoryTransaction* transaction = pool_.get();
        transaction->access(tlm::TLM_WRITE_COMMAND, address, part);
        set_attributes(*transaction, plan);
        std::memcpy(transaction->data, bytes, part);
        sc_core::sc_time delay;
        memory_->b_transport(*transaction, delay);
        transaction->release();
        address += part;
        bytes += part;
        size -= part;
    }
}

FunctionalMemory::Returned Bus::atomic(std::uint64_t address, const AtomicLane& lane,
                                       const Plan& plan) {
    MemoryTransaction* transaction = pool_.get();
    transaction->access(tlm::TLM_WRITE_COMMAND, address & ~std::uint64_t{kLineBytes - 1},
                        kLineBytes);
    set_attributes(*transaction, plan);
    transaction->attributes.operation = MemoryAttributes::Operation::Lanes;
    LaneAccess& lanes = transaction->attributes.lanes;
    fill_lane(lanes, 0, lane, plan);
    lanes.offset[0] = static_cast<std::uint32_t>(address % kLineBytes);
    sc_core::sc_time delay;
    memory_->b_transport(*transaction, delay);
    Returned result{};
    if (transaction->is_response_ok()) result = {lanes.result[0], lanes.result[1]};
    transaction->release();
    return result;
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

void Bus::slm_access(Plan& plan, Message& message) {
    slm_requests_.build(plan);
    for (unsigned i = 0; i < slm_requests_.size(); ++i) {
        MemoryTransaction* transaction = make(plan, slm_requests_, i, message);
        sc_core::sc_time delay;
        slm_->b_transport(*transaction, delay);
        take(plan, slm_requests_, i, *transaction, message);
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

sc_core::sc_time Bus::flush_data() {
    MemoryTransaction* transaction = pool_.get();
    transaction->set_command(tlm::TLM_IGNORE_COMMAND);
    transaction->attributes.operation = MemoryAttributes::Operation::Control;
    transaction->attributes.control.flush_data = true;
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

void Bus::fill_lanes(LaneAccess& lanes, const Plan& plan, const RequestList& requests,
                     unsigned index, std::uint8_t* data) {
    const RequestList::Request& request = requests[index];
    unsigned n = 0;
    lanes.op = plan.atomic;
    lanes.kind = plan.operation == Operation::Read    ? LaneAccess::Kind::Read
                 : plan.operation == Operation::Write ? LaneAccess::Kind::Write
                                                      : LaneAccess::Kind::Atomic;
    for (std::uint16_t p = request.first; p != Part::kEnd; p = requests.part(p).next) {
        const Part& part = requests.part(p);
        lanes.width_bytes = part.bytes;
        auto offset = static_cast<std::uint32_t>(part.address - request.line);
        unsigned at = part.at;
        for (unsigned lane = 0; lane < part.copies; ++lane, ++n) {
            lanes.offset[n] = offset;
            if (lanes.kind == LaneAccess::Kind::Atomic)
                fill_lane(lanes, n, plan.lanes[at], plan);
            else if (lanes.kind == LaneAccess::Kind::Write)
                lanes.source0[n] = load_width(data + at, part.bytes);
            offset += part.address_step;
            at += part.at_step;
        }
    }
    lanes.count = static_cast<std::uint8_t>(n);
}

MemoryTransaction* Bus::make(const Plan& plan, const RequestList& requests, unsigned index,
                             Message& message) {
    const RequestList::Request& request = requests[index];
    std::uint8_t* data =
        plan.operation == Operation::Atomic ? nullptr : const_cast<Plan&>(plan).data(message);
    const bool reads = plan.operation == Operation::Read;
    MemoryTransaction* transaction = pool_.get();
    set_attributes(*transaction, plan);
    const tlm::tlm_command command = reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
    if (plan.slm || plan.operation == Operation::Atomic) {
        transaction->access(command, request.line, kLineBytes);
        transaction->attributes.operation = MemoryAttributes::Operation::Lanes;
        fill_lanes(transaction->attributes.lanes, plan, requests, index, data);
        return transaction;
    }
    // The bytes from the first to the last that the message touches in the line.
    unsigned low = kLineBytes, high = 0;
    std::uint64_t touched = 0;
    for (std::uint16_t p = request.first; p != Part::kEnd; p = requests.part(p).next) {
        const Part& part = requests.part(p);
        const auto from = static_cast<unsigned>(part.address % kLineBytes);
        low = std::min(low, from);
        high = std::max(high, from + part.bytes);
        touched |= (part.bytes == 64 ? ~0ull : (1ull << part.bytes) - 1) << from;
    }
    transaction->access(command, request.line + low, high - low);
    if (reads) return transaction;
    for (std::uint16_t p = request.first; p != Part::kEnd; p = requests.part(p).next) {
        const Part& part = requests.part(p);
        std::memcpy(transaction->data + part.address % kLineBytes - low, data + part.at,
                    part.bytes);
    }
    transaction->enable_bytes(touched >> low, high - low);
    return transaction;
}

void Bus::take(const Plan& plan, const RequestList& requests, unsigned index,
               const MemoryTransaction& transaction, Message& message) {
    if (plan.operation == Operation::Write) return;
    if (plan.operation == Operation::Atomic && !plan.atomic_returns) return;
    if (!transaction.is_response_ok()) return;  // the response is zeros already
    std::uint8_t* data = plan.operation == Operation::Read ? const_cast<Plan&>(plan).data(message)
                                                           : message.response[0].bytes;
    const RequestList::Request& request = requests[index];
    const bool lanes = plan.slm || plan.operation == Operation::Atomic;
    if (lanes) return take_lanes(plan, requests, request, transaction.attributes.lanes, data);
    for (std::uint16_t p = request.first; p != Part::kEnd; p = requests.part(p).next) {
        const Part& part = requests.part(p);
        const std::uint8_t* from = transaction.data + (part.address - transaction.get_address());
        if (part.copies > 1)
            copy_repeated(data + part.at, from, part.bytes, part.copies);
        else
            copy(data + part.at, from, part.bytes);
    }
}

void Bus::take_lanes(const Plan& plan, const RequestList& requests,
                     const RequestList::Request& request, const LaneAccess& lanes,
                     std::uint8_t* data) {
    unsigned n = 0;
    for (std::uint16_t p = request.first; p != Part::kEnd; p = requests.part(p).next) {
        const Part& part = requests.part(p);
        std::uint8_t* to = data + part.at;
        for (unsigned lane = 0; lane < part.copies; ++lane, ++n, to += part.at_step) {
            if (plan.operation == Operation::Atomic)
                plan.put_returned(plan.lanes[part.at],
                                  &lanes.result[plan.lane_bytes == 16 ? 2 * n : n], data);
            else
                copy(to, reinterpret_cast<const std::uint8_t*>(&lanes.result[n]), part.bytes);
        }
    }
}

}  // namespace gen9::hdc

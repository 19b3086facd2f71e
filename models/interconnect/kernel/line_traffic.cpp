// SPDX-License-Identifier: Apache-2.0
#include "interconnect/kernel/line_traffic.h"

#include <algorithm>
#include <cstring>

namespace gen9 {

LineTraffic::LineTraffic(InitiatorSocket<MemoryProtocol>& socket, const Environment& env,
                         const Clock& clock, Wakeup& wakeup, Cycles interval)
    : socket_(socket),
      env_(env),
      clock_(clock),
      wakeup_(wakeup),
      requests_(socket, clock, wakeup, interval) {
    requests_.on_response(
        [this](MemoryTransaction& transaction, Cycles at) { answered(transaction, at); });
}

LineTraffic::Group LineTraffic::open() {
    if (free_groups_.empty()) {
        free_groups_.push_back(static_cast<Group>(groups_.size()));
        groups_.emplace_back();
    }
    const Group group = free_groups_.back();
    free_groups_.pop_back();
    groups_[group] = {0, clock_.now(), false};
    ++open_;
    return group;
}

void LineTraffic::close(Group group) {
    GEN9_CHECK(groups_[group].pending == 0, "a group of lines is closed before it is over");
    free_groups_.push_back(group);
    --open_;
}

void LineTraffic::read(Group group, std::uint64_t address, void* into, unsigned bytes,
                       const MemoryAttributes& who) {
    auto* to = static_cast<std::uint8_t*>(into);
    while (bytes != 0) {
        const unsigned size = static_cast<unsigned>(
            std::min<std::uint64_t>(bytes, kLineBytes - address % kLineBytes));
        add(group, tlm::TLM_READ_COMMAND, address, to, size, ~std::uint64_t{0}, who);
        address += size;
        to += size;
        bytes -= size;
    }
}

void LineTraffic::write(Group group, std::uint64_t address, const void* from, unsigned bytes,
                        const MemoryAttributes& who) {
    // Written from, never to: one pointer serves both directions.
    auto* source = static_cast<std::uint8_t*>(const_cast<void*>(from));
    while (bytes != 0) {
        const unsigned size = static_cast<unsigned>(
            std::min<std::uint64_t>(bytes, kLineBytes - address % kLineBytes));
        add(group, tlm::TLM_WRITE_COMMAND, address, source, size, ~std::uint64_t{0}, who);
        address += size;
        source += size;
        bytes -= size;
    }
}

void LineTraffic::write_bytes(Group group, std::uint64_t line, const void* from,
                              std::uint64_t enabled, const MemoryAttributes& who) {
    auto* source = static_cast<std::uint8_t*>(const_cast<void*>(from));
    add(group, tlm::TLM_WRITE_COMMAND, line, source, kLineBytes, enabled, who);
}

void LineTraffic::take_urb_directly() {
    urb_.emplace(socket_);
    socket_.on_invalidate = [this](std::uint64_t, std::uint64_t) { forget_grants(); };
}

void LineTraffic::take_memory_directly(Requester requester) {
    pages_.emplace(socket_, pool_, requester);
    socket_.on_invalidate = [this](std::uint64_t, std::uint64_t) { forget_grants(); };
}

void LineTraffic::forget_grants() {
    if (urb_) urb_->forget();
    if (pages_) pages_->forget();
}

std::uint8_t* LineTraffic::granted(bool writes, std::uint64_t address, unsigned size,
                                   const MemoryAttributes& who) {
    if (who.space == AddressSpace::Urb) {
        if (!urb_) return nullptr;
        const std::span<std::uint8_t> urb = urb_->bytes();
        return address + size <= urb.size() ? urb.data() + address : nullptr;
    }
    return pages_ && who.space == AddressSpace::Ppgtt
               ? pages_->find(address, size, writes, who.mocs)
               : nullptr;
}

void LineTraffic::add(Group group, tlm::tlm_command command, std::uint64_t address,
                      std::uint8_t* bytes, unsigned size, std::uint64_t enabled,
                      const MemoryAttributes& who) {
    const bool writes = command == tlm::TLM_WRITE_COMMAND;
    if (!env_.timed())
        if (std::uint8_t* const at = granted(writes, address, size, who)) {
            if (!writes)
                std::memcpy(bytes, at, size);
            else if (~enabled == 0)
                std::memcpy(at, bytes, size);
            else
                for (unsigned i = 0; i < size; ++i)
                    if (enabled >> i & 1) at[i] = bytes[i];
            return;
        }
    MemoryTransaction& transaction = *pool_.get();
    transaction.access(command, address, size);
    transaction.attributes.derive(who);
    if (writes) {
        std::memcpy(transaction.data, bytes, size);
        if (~enabled != 0) transaction.enable_bytes(enabled, size);
    }
    if (!env_.timed()) {
        sc_core::sc_time delay;
        socket_->b_transport(transaction, delay);
        if (!transaction.is_response_ok()) groups_[group].failed = true;
        if (!writes) std::memcpy(bytes, transaction.data, size);
        transaction.release();
        return;
    }
    if (free_lines_.empty()) {
        free_lines_.push_back(static_cast<std::uint32_t>(lines_.size()));
        lines_.emplace_back();
    }
    const std::uint32_t number = free_lines_.back();
    free_lines_.pop_back();
    lines_[number] = {group, writes ? nullptr : bytes, &transaction};
    transaction.tag = number;
    ++groups_[group].pending;
    queue_.push_back(number);
    wakeup_.at(std::max(clock_.now(), requests_.next()));
}

void LineTraffic::step(Cycles now) {
    while (!queue_.empty() && requests_.can_send(now)) {
        MemoryTransaction& transaction = *lines_[queue_.front()].transaction;
        queue_.pop_front();
        requests_.send(transaction, now);
    }
    // If memory has yet to take the last one, the block is run when it does.
    if (!queue_.empty() && requests_.taken())
        wakeup_.at(std::max(requests_.next(), now + Cycles(1)));
    // A wakeup keeps one cycle only, which may have been an earlier one.
    for (const State& group : groups_)
        if (group.pending == 0 && group.complete > now) wakeup_.at(group.complete);
}

void LineTraffic::answered(MemoryTransaction& transaction, Cycles at) {
    const auto number = static_cast<std::uint32_t>(transaction.tag);
    const Line line = lines_[number];
    free_lines_.push_back(number);
    State& group = groups_[line.group];
    if (!transaction.is_response_ok()) group.failed = true;
    if (line.into != nullptr)
        std::memcpy(line.into, transaction.data, transaction.get_data_length());
    group.complete = std::max(group.complete, at);
    if (--group.pending == 0) wakeup_.at(group.complete);
    transaction.release();
}

}  // namespace gen9

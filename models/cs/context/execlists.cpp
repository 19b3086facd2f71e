// SPDX-License-Identifier: Apache-2.0
#include "cs/context/execlists.h"

namespace gen9::cs {

bool Execlists::write_port(std::uint32_t value) {
    if (writes_ < port_.size()) {
        port_[writes_++] = value;
        return false;
    }
    writes_ = 0;
    overflowed_ = waiting_valid_;
    waiting_ = {Element{value, port_[2]}, Element{port_[1], port_[0]}};
    waiting_valid_ = waiting_[0].valid() || waiting_[1].valid();
    last_reason_ = 0;
    return true;
}

void Execlists::take_pending() {
    running_ = waiting_;
    running_valid_ = true;
    waiting_valid_ = false;
    slot_ ^= 1;
    element_ = running_[0].valid() ? 0 : 1;
    last_id_ = running().context_id();
}

bool Execlists::next_element() {
    if (!has_next_element()) return false;
    element_ = 1;
    last_id_ = running().context_id();
    return true;
}

std::uint32_t Execlists::status_low(bool arbitration) const {
    const unsigned write_slot = slot_ ^ 1;
    std::uint32_t status = slot_ | write_slot << 1;
    if (running_valid_ && waiting_valid_) status |= 1u << 2;
    const auto valid_bit = [](unsigned slot) { return slot ? 1u << 3 : 1u << 4; };
    const auto active_bit = [](unsigned slot) { return slot ? 1u << 17 : 1u << 18; };
    if (running_valid_) status |= valid_bit(slot_) | active_bit(slot_) | (element_ + 1) << 14;
    if (waiting_valid_) status |= valid_bit(write_slot);
    status |= (last_reason_ & 0x1FF) << 5;
    if (arbitration) status |= 1u << 16;
    return status;
}

}  // namespace gen9::cs

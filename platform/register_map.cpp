// SPDX-License-Identifier: Apache-2.0
#include "platform/register_map.h"

#include "common/bits.h"

namespace gen9::platform {

RegisterMap::RegisterMap(sc_core::sc_module_name name) : sc_module(name) {
    reg_in.on_blocking = [this](auto& payload, auto& delay) { access(payload, delay); };
}

InitiatorSocket<MemoryProtocol>& RegisterMap::owner(std::vector<Range> ranges) {
    const std::string name = "owner" + std::to_string(owners_.size());
    owners_.push_back(
        {std::move(ranges), std::make_unique<InitiatorSocket<MemoryProtocol>>(name.c_str())});
    return *owners_.back().out;
}

void RegisterMap::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t offset = payload.get_address();
    bool owned = false;
    for (const Owner& owner : owners_)
        for (const Range& range : owner.ranges)
            if (offset >= range.first && offset <= range.last) {
                (*owner.out)->b_transport(payload, delay);
                if (payload.is_read()) return;
                owned = true;
            }
    if (owned) return;
    if (payload.get_data_length() != 4) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.is_write()) kept_[offset] = load<std::uint32_t>(payload.get_data_ptr());
    if (payload.is_read()) {
        const auto found = kept_.find(offset);
        store<std::uint32_t>(payload.get_data_ptr(), found == kept_.end() ? 0 : found->second);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace gen9::platform

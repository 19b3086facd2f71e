// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/register_map.h"

#include <algorithm>

#include "common/bits.h"

namespace gen9::platform {

namespace {

/// A register that nobody owns, but which switches on something that is not modelled.
struct UnmodelledRegister {
    std::uint32_t offset, bits;  ///< any of them set
    const char* ledger;
    const char* what;
};
constexpr UnmodelledRegister kUnmodelled[] = {
    // The tiled resources translation table is enabled (Public: Linux i915 GEN9_TRTTE).
    {0x4DF4, 1, "DP-052",
     "the tiled resources translation table: addresses in its range are "
     "translated by the page tables alone"},
};

}  // namespace

RegisterMap::RegisterMap(sc_core::sc_module_name name, Environment& env)
    : sc_module(name), env_(env) {
    reg_in.on_blocking = [this](auto& payload, auto& delay) { access(payload, delay); };
}

RegisterMap::~RegisterMap() = default;

bool RegisterMap::Owner::has(std::uint64_t offset) const {
    for (const Range& range : ranges)
        if (offset >= range.first && offset <= range.last) return true;
    return false;
}

InitiatorSocket<MemoryProtocol>& RegisterMap::add(std::vector<Owner>& to, const char* kind,
                                                  std::vector<Range> ranges) {
    routes_.clear();
    const std::string name = kind + std::to_string(to.size());
    to.push_back(
        {std::move(ranges), std::make_unique<InitiatorSocket<MemoryProtocol>>(name.c_str())});
    return *to.back().out;
}

InitiatorSocket<MemoryProtocol>& RegisterMap::owner(std::vector<Range> ranges) {
    return add(owners_, "owner", std::move(ranges));
}

InitiatorSocket<MemoryProtocol>& RegisterMap::listener(std::vector<Range> ranges) {
    return add(listeners_, "listener", std::move(ranges));
}

const RegisterMap::Route* RegisterMap::route(std::uint64_t offset) {
    if (const auto known = routes_.find(offset); known != routes_.end()) return &known->second;
    const auto has = [offset](const Owner& owner) { return owner.has(offset); };
    const auto owner = std::ranges::find_if(owners_, has);
    if (owner == owners_.end()) return nullptr;
    Route& made = routes_[offset];
    made.owner = &*owner;
    for (const Owner& listener : listeners_)
        if (has(listener)) made.listeners.push_back(&listener);
    return &made;
}

void RegisterMap::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const Route* const found = route(payload.get_address());
    if (!found) return keep(payload);
    (*found->owner->out)->b_transport(payload, delay);
    if (!payload.is_write() || !payload.is_response_ok()) return;
    for (const Owner* const listener : found->listeners) {
        sc_core::sc_time beside;
        (*listener->out)->b_transport(payload, beside);
    }
}

void RegisterMap::keep(tlm::tlm_generic_payload& payload) {
    const std::uint64_t offset = payload.get_address();
    if (payload.get_data_length() != 4) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.is_write()) {
        const auto value = load<std::uint32_t>(payload.get_data_ptr());
        kept_[offset] = value;
        for (const UnmodelledRegister& row : kUnmodelled)
            if (row.offset == offset && (value & row.bits))
                env_.reporter.not_modelled(row.ledger, row.what);
    }
    if (payload.is_read()) {
        const auto found = kept_.find(offset);
        store<std::uint32_t>(payload.get_data_ptr(), found == kept_.end() ? 0 : found->second);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace gen9::platform

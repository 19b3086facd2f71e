// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/slot_site.h"

namespace gen9::hdc {

bool SlotSite::find_window(const ThreadSideband& thread) {
    stretch_ = {};
    whole_ = nullptr;
    offered_ = false;
    found_ = ~std::uint64_t{0};
    if (thread.state == nullptr) return false;
    state_ = thread.state;
    table_ = thread.binding_table_offset;
    facts_.mocs = thread.state->stateless_mocs;
    facts_.coherent = d_.coherent();
    std::uint64_t size = 0;
    switch (d_.model) {
        case AddressModel::Surface: {
            const Surface* const surface = core_.context().resolver.kept(thread, d_.binding_index);
            if (surface == nullptr) return false;
            found_ = core_.findings() + driver_.findings();
            if (!surface->plain_buffer()) return false;
            facts_.mocs = surface->mocs;
            facts_.coherent = surface->coherent;
            base_ = surface->base;
            size = surface->size_bytes;
            break;
        }
        case AddressModel::A32:
            base_ = thread.state->general_state_base.value;
            size = thread.state->general_state_size;
            break;
        default:
            break;
    }
    found_ = core_.findings() + driver_.findings();
    limit_ = size & ~std::uint64_t{3};
    return (base_ & (item_bytes_ - 1u)) == 0 && base_ <= kAddressMask &&
           size <= kAddressMask + 1 - base_;
}

}  // namespace gen9::hdc

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/decode/decode.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/window.h"

namespace gen9::hdc {

/// Returns what `use(window)` says of the linear memory that a message accesses whose form allows it
/// to do without a plan (UsualForm), with the attributes this memory gives; false if it has none, or
/// it is not at hand. It is a template, so that each kind of window has code of its own.
template <class Use>
inline bool with_window(const Decoded& d, const Message& message, const PlanContext& context,
                        MemoryFacts& facts, Use use) {
    const ThreadSideband& sender = *message.sender;
    facts.mocs = sender.state->stateless_mocs;
    facts.coherent = d.coherent();
    Window window;
    switch (d.model) {
        case AddressModel::Surface: {
            if (d.binding_index == kBindless) break;
            const Surface* const surface = context.resolver.kept(sender, d.binding_index);
            if (surface == nullptr || !surface->plain_buffer()) break;
            facts.mocs = surface->mocs;
            facts.coherent = surface->coherent;
            window.base = surface->base;
            window.size = surface->size_bytes;
            return use(window);
        }
        case AddressModel::A64:
            window.a64 = true;
            return use(window);
        case AddressModel::A32:
            return use(a32_window(d, message, context));
        case AddressModel::Slm:
            if (!context.slm_enabled || sender.slm_size == 0) break;
            facts.mocs = 0;
            window.base = sender.slm_base & (context.slm_bytes - 1);
            window.size = context.slm_bytes;
            window.slm = true;
            return use(window);
        case AddressModel::None:
            break;
    }
    return false;
}

}  // namespace gen9::hdc

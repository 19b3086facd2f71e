// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/host.h"

namespace gen9::sampler {

/// Calls `action` for each place of the filter, written out: loops over samples are then the
/// innermost and the only ones, as the compiler wants them.
template <class Action>
GEN9_INLINE void each_place(bool linear, Action action) {
    action(0u);
    if (!linear) return;
    action(1u);
    action(2u);
    action(3u);
}

}  // namespace gen9::sampler

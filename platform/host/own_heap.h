// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace gen9::platform {

/// Makes the pages of a forked process's heap its own, and those of `more_bytes` behind what is in
/// use. Otherwise the first write to each takes a fault of some microseconds, in a machine that is
/// being waited for. For a process that has nothing better to do; where the system cannot do it,
/// nothing happens (MADV_POPULATE_WRITE: Linux 5.14).
void own_heap(std::size_t more_bytes);

}  // namespace gen9::platform

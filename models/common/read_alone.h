// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9 {

/// Reads a number by a load of its own. Numbers that were stored one by one just before cannot be
/// loaded together: such a load waits until all older stores are in the host's cache, which takes
/// hundreds of cycles behind a thread that writes memory.
template <class T>
[[gnu::always_inline]] inline T read_alone(const T& number) {
    return *static_cast<const volatile T*>(&number);
}

}  // namespace gen9

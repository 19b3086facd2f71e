// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "tests/litmus/litmus.h"

namespace gen9::litmus {

inline constexpr unsigned kX = 0, kY = 1;
inline constexpr Place kA{0, 0, 0}, kSameEu{0, 0, 3}, kSameSubslice{0, 1, 0}, kOther{1, 0, 0},
    kThird{2, 1, 2};

/// Two threads that each access x and y, the shapes of which most litmus tests are made.
struct Pair {
    Place first = kA, second = kOther;
    bool first_fence = false, second_fence = false;  ///< between the two accesses of a thread
    Space x = Space::Global, y = Space::Global;      ///< where the variables are
    Pair& fenced(bool both) {
        first_fence = second_fence = both;
        return *this;
    }
};
using Threads = std::vector<LitmusThread>;

namespace shape {

/// x = 1; y = 1   |   read y; read x
Threads message_passing(const Pair& pair);
/// x = 1; read y   |   y = 1; read x
Threads store_buffering(const Pair& pair);
/// read x; y = 1   |   read y; x = 1
Threads load_buffering(const Pair& pair);
/// x = 1; y = 2   |   y = 1; x = 2
Threads two_writes_each(const Pair& pair);

}  // namespace shape
}  // namespace gen9::litmus

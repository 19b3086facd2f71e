// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/shapes.h"

namespace gen9::litmus::shape {
namespace {

/// One access of a thread: of x or y; a read, or a write of `value`.
struct Access {
    unsigned variable;
    std::uint32_t value = 0;  ///< 0: a read
};

Code thread(const Pair& pair, Access before, bool fence, Access after) {
    Code code;
    const auto add = [&](Access access) {
        code.in(access.variable == kX ? pair.x : pair.y);
        if (access.value != 0)
            code.write(access.variable, access.value);
        else
            code.read(access.variable);
    };
    add(before);
    if (fence) code.fence();
    add(after);
    return code;
}

Threads both(const Pair& pair, Access first, Access then, Access second, Access second_then) {
    return {{pair.first, thread(pair, first, pair.first_fence, then)},
            {pair.second, thread(pair, second, pair.second_fence, second_then)}};
}

}  // namespace

Threads message_passing(const Pair& pair) {
    return both(pair, {kX, 1}, {kY, 1}, {kY}, {kX});
}
Threads store_buffering(const Pair& pair) {
    return both(pair, {kX, 1}, {kY}, {kY, 1}, {kX});
}
Threads load_buffering(const Pair& pair) {
    return both(pair, {kX}, {kY, 1}, {kY}, {kX, 1});
}
Threads two_writes_each(const Pair& pair) {
    return both(pair, {kX, 1}, {kY, 2}, {kY, 1}, {kX, 2});
}

}  // namespace gen9::litmus::shape

// SPDX-License-Identifier: Apache-2.0
// Gateway messages as compiled kernels send them.
#pragma once
#include <cstring>

#include "common/bits.h"
#include "interconnect/payload/message.h"

namespace gen9::gateway::test {

inline void set_dword(Grf& grf, unsigned index, std::uint32_t value) {
    store(grf.bytes + 4 * index, value);
}
inline std::uint32_t get_dword(const Grf& grf, unsigned index) {
    return load<std::uint32_t>(grf.bytes + 4 * index);
}

/// R0.2 of a barrier group: enables and id.
inline std::uint32_t r02(unsigned barrier) {
    return 0x20000000u | (barrier >> 4) << 31 | (barrier & 15) << 24;
}

/// `and (8) rP r0.2<0;1,0> 0x8F000000` then `send null rP 0x3 0x02000004`.
inline void make_barrier(Message& m, unsigned barrier, const ThreadSideband& sender) {
    m.reset();
    m.sfid = Sfid::Gateway;
    m.descriptor = 0x02000004;
    m.length = m.first_length = 1;
    m.sender = &sender;
    for (unsigned d = 0; d < 8; ++d)
        set_dword(m.payload[0], d, r02(barrier) & 0x8F000000u);
}

inline void make_timestamp(Message& m, const ThreadSideband& sender, bool high = false) {
    m.reset();
    m.sfid = Sfid::Gateway;
    m.descriptor = 0x02100003;
    m.length = m.first_length = 1;
    m.response_length = 1;
    m.sender = &sender;
    std::memset(m.payload[0].bytes, 0, 32);
    if (high) set_dword(m.payload[0], 5, 1u << 31);
    std::memset(m.response[0].bytes, 0xCC, 32);
}

}  // namespace gen9::gateway::test

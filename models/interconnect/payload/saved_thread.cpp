// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/saved_thread.h"

#include <cstring>

namespace gen9 {
namespace {

constexpr unsigned kPayload = 16, kAccumulators = 24;
static_assert(kAccumulators * 4 + sizeof(HiddenThreadState::accumulators) ==
              SavedThread::kDwords * 4);

std::uint32_t join(unsigned low, unsigned middle, unsigned high) {
    return low | middle << 16 | high << 24;
}
std::uint8_t byte(std::uint32_t word, unsigned n) {
    return static_cast<std::uint8_t>(word >> 8 * n);
}
std::uint16_t half(std::uint32_t word, unsigned n) {
    return static_cast<std::uint16_t>(word >> 16 * n);
}

}  // namespace

SavedThread::Words SavedThread::pack() const {
    Words w{};
    w[0] = dispatch_mask;
    w[1] = join(simd_width | std::uint32_t{priority} << 8, 0, 0) | std::uint32_t{local_thread}
                                                                       << 16;
    for (unsigned i = 0; i < 3; ++i)
        w[2 + i] = group_id[i];
    w[5] = kernel_start;
    w[6] = binding_table_offset;
    w[7] = sampler_state_offset;
    w[10] = join(group, has_barrier, barrier);
    w[11] = join(group_threads, slm_granule, slm_kilobytes);
    w[8] = registers;
    w[12] = join(hidden.barrier.sent, hidden.barrier.destination, hidden.barrier.response_length);
    w[13] = hidden.barrier.descriptor;
    w[14] = hidden.barrier.extended_descriptor;
    std::memcpy(&w[kPayload], hidden.barrier.payload.bytes, kGrfBytes);
    std::memcpy(&w[kAccumulators], hidden.accumulators.data(), sizeof hidden.accumulators);
    return w;
}

SavedThread SavedThread::unpack(const Words& w) {
    SavedThread t;
    t.dispatch_mask = w[0];
    t.simd_width = byte(w[1], 0) == 16 ? 16 : byte(w[1], 0) == 32 ? 32 : 8;
    t.priority = byte(w[1], 1);
    t.local_thread = half(w[1], 1);
    for (unsigned i = 0; i < 3; ++i)
        t.group_id[i] = w[2 + i];
    t.kernel_start = w[5];
    t.binding_table_offset = w[6];
    t.sampler_state_offset = w[7];
    t.group = half(w[10], 0);
    t.has_barrier = byte(w[10], 2) != 0;
    t.barrier = byte(w[10], 3);
    t.group_threads = half(w[11], 0);
    t.slm_granule = byte(w[11], 2);
    t.slm_kilobytes = byte(w[11], 3);
    t.registers = byte(w[8], 0);
    t.hidden.barrier.sent = byte(w[12], 0) != 0;
    t.hidden.barrier.destination = byte(w[12], 2) % kGrfCount;
    t.hidden.barrier.response_length = byte(w[12], 3) != 0;  // a barrier's answer is one register
    t.hidden.barrier.descriptor = w[13];
    t.hidden.barrier.extended_descriptor = w[14];
    std::memcpy(t.hidden.barrier.payload.bytes, &w[kPayload], kGrfBytes);
    std::memcpy(t.hidden.accumulators.data(), &w[kAccumulators], sizeof t.hidden.accumulators);
    return t;
}

}  // namespace gen9

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/units.h"

namespace gen9 {

/// Threads and SLM are saved here when a walker is stopped inside a group, from
/// GPGPU_CSR_BASE_ADDRESS on (PRE-11, PRE-13: 003:17063-17083). Units are numbered flat, so that
/// the area has no gaps (PRE-14).
struct ContextSaveLayout {
    unsigned slm_banks = 4, subslices = 3, eus = 8, threads = 7;

    static constexpr std::uint64_t kSlmBytes = 0x10000, kThreadBytes = 0x2000;

    std::uint64_t thread(unsigned subslice, unsigned eu, unsigned slot) const {
        return slm_banks * kSlmBytes + ((subslice * eus + eu) * threads + slot) * kThreadBytes;
    }
    /// Assumed: where a subslice has no bank of its number, behind the threads.
    std::uint64_t slm(unsigned subslice) const {
        if (subslice < slm_banks) return subslice * kSlmBytes;
        return thread(subslices, 0, 0) + (subslice - slm_banks) * kSlmBytes;
    }
    std::uint64_t bytes() const {
        const unsigned behind = subslices > slm_banks ? subslices - slm_banks : 0;
        return thread(subslices, 0, 0) + behind * kSlmBytes;
    }
};

/// An EU knows this of a thread, and its system routine cannot read it. Assumed: hardware saves it
/// beside what the routine writes.
struct HiddenThreadState {
    std::array<std::array<std::uint8_t, 128>, 2> accumulators{};  ///< wider than as words
    /// The thread has sent this message to a barrier, which gave it back: it is sent again.
    struct Barrier {
        std::uint32_t descriptor = 0, extended_descriptor = 0;
        std::uint8_t destination = 0, response_length = 0;
        bool sent = false;
        Grf payload{};
    } barrier;
};

}  // namespace gen9

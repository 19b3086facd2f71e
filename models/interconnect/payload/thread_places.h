// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/units.h"

namespace gen9 {

/// Threads can run in these units, which are numbered flat, in this order of nesting.
struct ThreadTopology {
    unsigned slices = 1;
    unsigned subslices = 3;  ///< per slice
    unsigned eus = 8;        ///< per subslice
    unsigned threads = 7;    ///< per EU
    unsigned slm_banks = 0;  ///< shared local memories per slice; 0: one in each subslice

    unsigned total_subslices() const { return slices * subslices; }
    unsigned total_eus() const { return total_subslices() * eus; }
    unsigned total_threads() const { return total_eus() * threads; }
    unsigned threads_per_subslice() const { return eus * threads; }
    /// The flat subslice whose SLM the groups of a subslice use (POOL-06: 000:456-464). Assumed:
    /// where there are fewer than subslices, they are dealt out in turn.
    unsigned slm_of(unsigned subslice) const {
        if (slm_banks == 0) return subslice;
        return subslice / subslices * subslices + subslice % subslices % slm_banks;
    }
    /// From the part of one SLM to that of the next in ThreadSideband::slm_base.
    static constexpr std::uint32_t kSlmStride = 0x10000;
    /// ThreadSideband::slm_base of a thread in one subslice whose group has a part of the SLM in
    /// another of its slice.
    std::uint32_t slm_base(unsigned thread, unsigned slm, unsigned granule) const {
        return (slm + subslices - thread) % subslices * kSlmStride + granule * 1024;
    }
};

/// A hardware thread by its flat numbers, and its FFTID.
///
/// The FFTID is the dense number ((slice * subslices + subslice) * eus + eu) * threads + slot: the
/// seeds ask only that it is unique among live threads (TD-38), and drivers size scratch memory so
/// that it must stay below the number of hardware threads (guide 3.7).
struct ThreadPlace {
    std::uint8_t subslice = 0;  ///< flat
    std::uint8_t eu = 0;        ///< of its subslice
    std::uint8_t slot = 0;

    unsigned flat_eu(const ThreadTopology& t) const { return subslice * t.eus + eu; }
    std::uint16_t fftid(const ThreadTopology& t) const {
        return static_cast<std::uint16_t>(flat_eu(t) * t.threads + slot);
    }
    static ThreadPlace of_fftid(const ThreadTopology& t, unsigned fftid) {
        const unsigned eu = fftid / t.threads;
        return {std::uint8_t(eu / t.eus), std::uint8_t(eu % t.eus),
                std::uint8_t(fftid % t.threads)};
    }
    ThreadAddress address(const ThreadTopology& t) const {
        return {SliceId(subslice / t.subslices), SubsliceId(subslice % t.subslices), EuId(eu),
                ThreadSlot(slot)};
    }
};

/// FFTIDs are 9 bits wide in R0.5 (TD-38).
inline constexpr unsigned kMaxFftids = 512;

/// Two pools of EUs, to which groups are sent in place of subslices (POOL-01: 000:406-446). Without
/// them a group runs in one subslice (POOL-06: 000:456-470).
struct EuPools {
    static constexpr unsigned kPools = 2, kSubslices = 3, kEus = 6;

    bool enabled = false;
    std::array<std::uint8_t, kSubslices> second{};  ///< EUs of the second pool, by subslice

    /// The EUs of a subslice that belong to a pool.
    std::uint32_t eus(unsigned pool, unsigned subslice) const {
        return pool == 0 ? ~second[subslice] & ((1u << kEus) - 1) : second[subslice];
    }
    /// The subslice whose SLM the groups of a pool use: each pool has one of its own, where there
    /// are as many (Assumed).
    static unsigned slm(unsigned pool, const ThreadTopology& topology) {
        return topology.slm_of(pool);
    }
};

}  // namespace gen9

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "common/units.h"
#include "interconnect/work.h"

namespace gen9::dispatch {

/// Where threads can run. Units are numbered flat, in this order of nesting.
struct Topology {
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
struct Place {
    std::uint8_t subslice = 0;  ///< flat
    std::uint8_t eu = 0;        ///< of its subslice
    std::uint8_t slot = 0;

    unsigned flat_eu(const Topology& t) const { return subslice * t.eus + eu; }
    std::uint16_t fftid(const Topology& t) const {
        return static_cast<std::uint16_t>(flat_eu(t) * t.threads + slot);
    }
    static Place of_fftid(const Topology& t, unsigned fftid) {
        const unsigned eu = fftid / t.threads;
        return {std::uint8_t(eu / t.eus), std::uint8_t(eu % t.eus),
                std::uint8_t(fftid % t.threads)};
    }
    ThreadAddress address(const Topology& t) const {
        return {SliceId(subslice / t.subslices), SubsliceId(subslice % t.subslices), EuId(eu),
                ThreadSlot(slot)};
    }
};

/// FFTIDs are 9 bits wide in R0.5 (TD-38).
inline constexpr unsigned kMaxThreads = 512;

/// A command or thread the spawner will not run, and what to say about it. Empty `id`: the guest
/// broke a rule; otherwise the ledger row of what is not modelled.
struct Refusal {
    std::string id;
    std::string kind;
    std::string text;
};

}  // namespace gen9::dispatch

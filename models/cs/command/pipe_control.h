// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "common/units.h"
#include "interconnect/payload/memory_request.h"
#include "packets/fields.h"
#include "packets/latch.h"

namespace gen9::cs {

/// A PIPE_CONTROL as what is to be done, in the order it is done (CS-89):
/// invalidate on parse, wait, flush, post-sync write, interrupt.
struct PipeControlActions {
    enum class PostSync : std::uint8_t { None, Immediate, DepthCount, Timestamp, Register };

    CacheControl invalidate;  ///< top of pipe (CS-54)
    packets::PipeSet waits;   ///< whose earlier work ends first (CS-56)
    CacheControl flush;       ///< after the wait (CS-57)
    PostSync post_sync = PostSync::None;
    bool store_data_index = false;  ///< `address` is an offset into the status page (CS-80)
    bool ggtt = false;
    GpuAddr address;  ///< of the write, or the register's offset
    std::uint64_t data = 0;
    bool interrupt = false;
    bool stall = false;  ///< CS stall was set
    /// State that is not saved, and so not restored, until it is given again: the pointers to
    /// descriptors and constants (CS-71), or all of the media pipe's (CS-78).
    bool forget_pointers = false, forget_media_state = false;

    /// A broken restriction: its ledger row and the rule (CS-75 to CS-86).
    struct Violation {
        const char* ledger;
        const char* rule;
    };
    std::array<Violation, 12> violations{};
    unsigned violation_count = 0;
};

/// A bit that acts on a cache, and who has that cache.
struct CacheBit {
    enum class Moment : std::uint8_t { OnParse, BehindWork };
    const packets::Field* bit;
    bool CacheControl::*action;
    Moment moment;
    packets::PipeSet waits;
    const char* owner;
};
std::span<const CacheBit> cache_bits();

/// `gpgpu`: the media or GPGPU pipe is selected. `after_stall`: the command before this one was a
/// PIPE_CONTROL with CS stall.
PipeControlActions decode_pipe_control(std::span<const std::uint32_t> dwords, bool gpgpu,
                                       bool after_stall);

}  // namespace gen9::cs

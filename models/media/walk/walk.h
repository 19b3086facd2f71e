// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "interconnect/payload/state.h"
#include "media/objects/media_object.h"
#include "media/objects/media_walker.h"
#include "media/walk/descriptor.h"
#include "media/walk/pools.h"
#include "media/walk/vfe_state.h"
#include "media/walk/walker.h"

namespace gen9::media {

/// A command that starts threads, checked, with everything its threads are made of.
struct Walk {
    WalkerParameters walker;  ///< of a GPGPU_WALKER
    Descriptor descriptor;
    VfeState vfe;
    EuPools pools;
    PipelineStatePtr state;
    unsigned registers = 0;  ///< of its EU's file that each thread takes; 0: they are not counted
    std::int64_t context_start = 0;  ///< picoseconds; PipelineCommand::context_start
    std::uint32_t number = 0;        ///< of the walker, over the life of the engine
    bool indirect = false;           ///< payload from memory rather than from the CURBE
    bool holds_entry = false;        ///< it was given a URB entry
    unsigned urb_entry = 0;          ///< that holds what was loaded for it
    std::uint16_t urb_handle = 0;    ///< of that entry; 0 without one
    /// Cross-thread rows, then per-thread rows of thread 0, 1, ... Where threads share all they get
    /// (media without groups): the CURBE's rows.
    std::vector<std::uint8_t> data;

    std::optional<MediaObject> media;    ///< set: threads of the media pipe
    MediaWalkerParameters media_walker;  ///< of a MEDIA_OBJECT_WALKER
    /// Rows every media thread gets from the URB: inline data, then indirect data (Assumed: in the
    /// order in which they are named, each filled with zeroes to a row).
    std::vector<std::uint8_t> urb_data;
    std::vector<std::uint8_t> dispatch_mask;  ///< MED-28; empty without one

    /// Media threads that share barrier and SLM, and split what they are given (MED-47).
    bool grouped() const {
        return media && (media->command == MediaCommand::ObjectGrpid ||
                         (media->command == MediaCommand::ObjectWalker && media_walker.grouped()));
    }
    /// Has each thread rows of its own in `data`?
    bool splits_data() const { return !media || grouped(); }
    /// Barrier and SLM are given to groups only.
    bool has_barrier() const { return descriptor.barrier && splits_data(); }
    /// TD-07, TD-08; TD-49: a global barrier leaves a group free to cross subslices.
    bool global_barrier() const {
        return grouped() && descriptor.barrier && descriptor.global_barrier &&
               descriptor.slm_code == 0;
    }
    bool bound_to_subslice() const {
        return splits_data() && descriptor.bound_to_subslice() && !global_barrier() && !pooled();
    }
    /// POOL-01: a group with barrier or SLM runs in a pool, whose gateways share its barrier.
    bool pooled() const {
        return pools.enabled && splits_data() && descriptor.bound_to_subslice() &&
               !global_barrier();
    }
    unsigned data_rows() const {
        if (splits_data()) return descriptor.cross_thread_rows + descriptor.per_thread_rows;
        return rows_of(data.size());
    }
    unsigned payload_rows() const { return 1u + data_rows() + rows_of(urb_data.size()); }
};

}  // namespace gen9::media

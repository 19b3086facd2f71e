// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "dispatch/walk/descriptor.h"
#include "dispatch/walk/vfe_state.h"
#include "dispatch/walk/walker.h"
#include "interconnect/state.h"

namespace gen9::dispatch {

/// A walker that has been checked, with everything its threads are made of.
struct Walk {
    WalkerParameters walker;
    Descriptor descriptor;
    VfeState vfe;
    PipelineStatePtr state;
    std::int64_t context_start = 0;  ///< picoseconds; PipelineCommand::context_start
    std::uint32_t number = 0;        ///< of the walker, over the life of the engine
    bool indirect = false;           ///< payload from memory rather than from the CURBE
    unsigned urb_entry = 0;          ///< that holds the payload from memory
    std::uint16_t urb_handle = 0;    ///< of that entry; 0 without one
    std::vector<std::uint8_t>
        data;  ///< cross-thread rows, then per-thread rows of thread 0, 1, ...

    unsigned payload_rows() const {
        return 1u + descriptor.per_thread_rows + descriptor.cross_thread_rows;
    }
};

}  // namespace gen9::dispatch

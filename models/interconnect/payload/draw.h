// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/units.h"
#include "interconnect/payload/draw_counts.h"
#include "interconnect/payload/state.h"
#include "interconnect/payload/trace_id.h"
#include "interconnect/payload/work.h"
#include "packets/topology.h"

namespace gen9 {

/// A draw as all stages of the 3D pipe know it. The vertex fetch makes it of a command and keeps it
/// until all that came of it has ended; what passes between stages refers to it.
struct Draw {
    Work work;
    PipelineStatePtr state;
    GpuAddr address;  ///< where the command stood, for reports
    TraceId trace_id = 0;
    std::int64_t context_start = 0;  ///< picoseconds; PipelineCommand::context_start
    bool absolute_constants = true;  ///< PipelineCommand::absolute_constants
    StreamOffsets stream_offsets;    ///< PipelineCommand::stream_offsets
    packets::Topology topology = packets::Topology::TriList;  ///< as the command says
    /// Of draws, counted up from 1: what a stage decodes of a draw is kept by it.
    std::uint64_t order = 0;
    DrawCounts* counts = nullptr;  ///< the stages add to it
};

}  // namespace gen9

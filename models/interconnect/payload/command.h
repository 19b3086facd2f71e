// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "interconnect/payload/draw_counts.h"
#include "interconnect/payload/state.h"
#include "interconnect/payload/trace_id.h"
#include "packets/commands.h"
#include "packets/stopped_draw.h"
#include "packets/stopped_walker.h"

namespace gen9 {

/// A command the streamer has parsed and hands to the media/GPGPU pipe's front end, with the state
/// that applies to it. The request is accepted when the front end can take the next command; the
/// response begins when all the work it started has ended (a walker: its last thread has retired).
struct PipelineCommand {
    /// A walker's 17 and inline data of 127 registers; more fit no thread.
    static constexpr unsigned kMaxDwords = 17 + 127 * 8;
    /// Headers are decoded once, by the streamer, to the command's row. Null: there is no such
    /// command.
    const packets::CommandRow* row = nullptr;
    std::array<std::uint32_t, kMaxDwords> dwords{};  ///< as in the command buffer, header first
    std::uint32_t length_dwords = 0;
    GpuAddr address;  ///< where the command stood, for reports
    PipelineStatePtr state;
    TraceId trace_id = 0;
    std::array<std::uint32_t, 3>
        indirect_dimensions{};  ///< 0x2500, 0x2504, 0x2508 when it was parsed
    /// Of an indirect draw when it was parsed (VF-28): vertices, instances, start vertex, start
    /// instance, base vertex.
    std::array<std::uint32_t, 5> indirect_draw{};
    /// Of a draw with stream output: the write offsets that the stream has set since the last one.
    StreamOffsets stream_offsets;
    /// 0x20D8 bit 4: constant buffer 0 has an absolute address, as the others have (FF-83).
    bool absolute_constants = true;
    /// Model time, in picoseconds, at which the context would have begun if it had run ever since:
    /// what its relative clock counts from (GW-30).
    std::int64_t context_start = 0;
    /// The context asks for so much of the machine (R_PWR_CLK_STATE); 0: for all of it.
    std::uint32_t power_request = 0;
    /// A walker that was stopped before goes on here.
    std::optional<WalkerRest> resumes;
    std::optional<DrawRest> resumes_draw;  ///< the same of a draw
    bool failed = false;                   ///< response: refused, and reported
    /// Response: what is left of a walker that was stopped.
    std::optional<WalkerRest> remaining;
    std::optional<DrawRest> remaining_draw;  ///< the same of a draw
    DrawCounts counts;                       ///< response, of a draw
    std::uint64_t channels = 0;  ///< response: enabled channels of all threads a walker sent
};

}  // namespace gen9

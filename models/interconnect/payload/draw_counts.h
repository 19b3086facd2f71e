// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/stream_offsets.h"

namespace gen9 {

/// What the stages count of a draw, for the statistics registers of the command streamer (each where
/// the state says so) and for records of the work.
struct DrawCounts {
    std::uint64_t ia_vertices = 0, ia_primitives = 0;
    std::uint64_t vs_invocations = 0;
    std::uint64_t hs_invocations = 0;  ///< patches
    std::uint64_t ds_invocations = 0;  ///< points
    std::uint64_t gs_invocations = 0, gs_primitives = 0;
    /// By stream.
    std::array<std::uint64_t, 4> so_primitives_written{}, so_primitives_needed{};
    StreamOffsets stream_offsets{};  ///< as the draw has left them
    std::uint64_t cl_invocations = 0, cl_primitives = 0;
    std::uint64_t ps_invocations = 0;  ///< pixels
    std::uint64_t ps_depth = 0;        ///< samples that have passed all tests
    // Of its threads.
    std::uint64_t threads = 0, instructions = 0, messages = 0, thread_cycles = 0;
};

}  // namespace gen9

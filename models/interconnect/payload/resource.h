// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/units.h"
#include "interconnect/payload/memory_request.h"
#include "interconnect/payload/trace_id.h"

namespace gen9 {

/// The resource streamer makes these ahead of the command streamer, which takes them in stream
/// order.
enum class ResourceProduct : std::uint8_t { BindingTable, GatherBuffer };
inline constexpr unsigned kResourceProducts = 2;
using ResourceCounts = std::array<std::uint32_t, kResourceProducts>;

/// A pool in memory that the resource streamer writes to; disabled: nothing is made.
struct ResourcePool {
    bool enabled = false;
    GpuAddr base;
    std::uint64_t size_bytes = 0;
    std::uint8_t mocs = 0;
};

/// State of the stream at the place where the resource streamer is started: the command streamer
/// parses the same state commands, also while the other one stands.
struct ResourceState {
    GpuAddr surface_state_base;
    ResourcePool tables, gathers;
};

/// Why the resource streamer stopped.
enum class ResourceStop : std::uint8_t {
    Sync,        ///< before a command that it stops at
    Halted,      ///< it was told to
    Limit,       ///< it has gone as far ahead as it may: it is to be started again there
    Unreadable,  ///< before what is no command, or cannot be read
};

/// The command streamer asks this of the resource streamer. The request is accepted at once. A
/// Parse is answered when it has stopped, a Consume when a product is there, Save and Restore when
/// they are done, Halt and Join at once. Only these and Consume may be asked while it is busy
/// (RS-12).
struct ResourceRequest {
    enum class Operation : std::uint8_t { Parse, Halt, Join, Consume, Save, Restore };
    Operation operation = Operation::Parse;  ///< Join: nothing is consumed before it stops
    GpuAddr address;  ///< Parse: of the first command; Save, Restore: of its context image
    AddressSpace space = AddressSpace::Ppgtt;
    bool new_batch = false;       ///< Parse: the first since a batch was started
    bool resumes = false;         ///< Parse: goes on after a Limit with what it knows
    ResourceState state;          ///< Parse, Save
    ResourceCounts unconsumed{};  ///< Parse: products there from before; answered: those there now
    ResourceProduct product = ResourceProduct::BindingTable;  ///< Consume
    TraceId trace_id = 0;

    // The response.
    bool failed = false;                     ///< Consume: there is none and none will come
    ResourceStop stop = ResourceStop::Sync;  ///< Parse; of a failed Consume: why none will come
    GpuAddr stopped_at;                      ///< of the command it has not parsed
};

}  // namespace gen9

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "interconnect/kernel/memory_transaction.h"

namespace gen9 {

/// An access of memory is served at one of these, from the threads down. Cache: a client's own.
enum class MemoryLevel : std::uint8_t { Cache, L3, Llc, Dram, Gti, Slm };

/// Is told by the memories of every access they serve, when a run counts by walker
/// (AccessSource). It changes nothing.
class AccessObserver {
  public:
    struct Served {
        MemoryLevel level = MemoryLevel::Cache;
        Requester requester = Requester::DataPort;
        TraceId cause = 0;
        bool write = false;
        bool hit = false;  ///< it found what it asked for; of caches only
        std::uint64_t bytes = 0;
        std::uint64_t atomics = 0;       ///< operations, by channel
        std::uint64_t extra_cycles = 0;  ///< for which a conflict of banks kept it longer
    };
    virtual ~AccessObserver() = default;
    virtual void served(const Served& access) = 0;

    void served(MemoryLevel level, const tlm::tlm_generic_payload& payload, std::uint64_t bytes,
                bool hit, std::uint64_t extra_cycles = 0) {
        const MemoryAttributes& attributes = attributes_of(payload);
        const bool atomic = attributes.operation == MemoryAttributes::Operation::Lanes &&
                            attributes.lanes.kind == LaneAccess::Kind::Atomic;
        served({level, attributes.requester, attributes.trace_id, payload.is_write(), hit, bytes,
                atomic ? attributes.lanes.count : 0u, extra_cycles});
    }
};

/// A memory that tells of the accesses it serves, whichever model of it: the base of its module.
class AccessSource {
  public:
    virtual ~AccessSource() = default;
    AccessObserver* accesses = nullptr;  ///< null: nobody is told
};

}  // namespace gen9

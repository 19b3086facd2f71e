// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::line_cache {

struct LineCacheSockets {
    AnyTarget<MemoryProtocol>& mem_in;      ///< of the unit whose cache it is
    AnyTarget<MemoryProtocol>& control_in;  ///< flushes, invalidations
    AnyInitiator<MemoryProtocol>& mem_out;
};
/// Lines of one kind of data, with a place of their own.
struct PartSetup {
    const char* name;
    Requester requester;  ///< whose accesses it keeps
    std::uint64_t bytes, ways;
    const char* source;  ///< of these
};
struct LineCacheSetup {
    std::vector<PartSetup> parts;
    /// What writes its lines to memory and drops them.
    bool CacheControl::*emptied_by = &CacheControl::flush_render;
};
/// Cache between a unit of the 3D pipe and L3.
class LineCacheBlock : public BlockWith<LineCacheSockets, LineCacheSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::line_cache

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::icache {

struct InstructionCacheSockets {
    std::vector<AnyTarget<MemoryProtocol>*> mem_in;  ///< by EU of the subslice: whole lines, read
    AnyInitiator<MemoryProtocol>& mem_out;           ///< to L3
    AnyTarget<MemoryProtocol>& control_in;           ///< invalidation
};
struct InstructionCacheSetup {
    unsigned eus;  ///< of the subslice
};

/// Instruction cache of a subslice.
class InstructionCacheBlock : public BlockWith<InstructionCacheSockets, InstructionCacheSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::icache

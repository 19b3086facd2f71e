// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::vme {

struct VmeSockets {
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the subslice
    AnyTarget<MemoryProtocol>& control_in;            ///< invalidation of states
    AnyInitiator<MemoryProtocol>& mem_out;            ///< to L3
};
struct VmeSetup {
    unsigned eus;  ///< of the subslice
};

/// Motion estimation of a subslice.
class VmeBlock : public BlockWith<VmeSockets, VmeSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::vme

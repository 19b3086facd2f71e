// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::gateway {

struct GatewaySockets {
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the subslice
    AnyTarget<MemoryProtocol>& reg_in;                ///< module.h says what is written
};
struct GatewaySetup {
    unsigned eus;  ///< of the subslice
};

/// Message gateway of a subslice.
class GatewayBlock : public BlockWith<GatewaySockets, GatewaySetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::gateway

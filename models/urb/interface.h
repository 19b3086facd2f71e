// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::urb {

struct UrbSockets {
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the subslice
    AnyInitiator<MemoryProtocol>& mem_out;            ///< lines of the URB, to L3
};
struct UrbSetup {
    unsigned eus;  ///< of the subslice
};

/// URB shared function of a subslice.
class UrbBlock : public BlockWith<UrbSockets, UrbSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::urb

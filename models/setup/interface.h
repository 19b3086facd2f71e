// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/stage_protocols.h"

namespace gen9::setup {

struct SetupSockets {
    AnyTarget<ClippedProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;                  ///< URB entries, viewports, scissors
    std::vector<AnyInitiator<ObjectProtocol>*> object_out;  ///< by slice: all get every batch
};
struct SetupSetup {
    unsigned slices;
};
/// Strips and fans, and the set-up back end.
class SetupBlock : public BlockWith<SetupSockets, SetupSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::setup

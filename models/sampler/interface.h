// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::sampler {

struct SamplerSockets {
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the subslice
    AnyTarget<MemoryProtocol>& control_in;            ///< invalidation of states and textures
    AnyInitiator<MemoryProtocol>& mem_out;            ///< to L3
    AnyInitiator<MessageProtocol>* target_out;        ///< null: no way to a render target
};
struct SamplerSetup {
    unsigned eus;              ///< of the subslice
    bool with_target = false;  ///< it has a way to the render target
};

/// Sampler of a subslice.
class SamplerBlock : public BlockWith<SamplerSockets, SamplerSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::sampler

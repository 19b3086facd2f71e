// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::interpolator {

struct InterpolatorSockets {
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the subslice
};
struct InterpolatorSetup {
    unsigned eus;  ///< of the subslice
};

/// Pixel interpolator of a subslice.
class InterpolatorBlock : public BlockWith<InterpolatorSockets, InterpolatorSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::interpolator

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/block.h"
#include "interconnect/sockets.h"

namespace gen9::rs {

struct StreamerSockets {
    AnyTarget<ResourceProtocol>& request_in;  ///< interconnect/resource.h says what is asked
    AnyInitiator<MemoryProtocol>& fetch_out;  ///< commands
    AnyInitiator<MemoryProtocol>& mem_out;    ///< everything else
};

/// The resource streamer.
class StreamerBlock : public BlockWith<StreamerSockets> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::rs

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::rs {

struct StreamerSockets {
    AnyTarget<ResourceProtocol>&
        request_in;  ///< interconnect/payload/resource.h says what is asked
    AnyInitiator<MemoryProtocol>& fetch_out;  ///< commands
    AnyInitiator<MemoryProtocol>& mem_out;    ///< everything else
};

/// The resource streamer.
class StreamerBlock : public BlockWith<StreamerSockets> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::rs

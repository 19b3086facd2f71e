// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/stage_protocols.h"

namespace gen9::clip {

struct ClipSockets {
    AnyTarget<PrimitiveProtocol>& batch_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< URB entries
    AnyInitiator<ClippedProtocol>& batch_out;
};
/// Clipper.
class ClipBlock : public BlockWith<ClipSockets> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::clip

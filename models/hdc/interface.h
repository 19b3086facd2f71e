// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::hdc {

struct HdcSockets {
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the subslice
    AnyTarget<MemoryProtocol>& control_in;            ///< invalidation of states, settling
    AnyTarget<MemoryProtocol>& reg_in;                ///< is told of writes to L3CNTLREG
    AnyInitiator<MemoryProtocol>& mem_out;            ///< to L3
    AnyInitiator<MemoryProtocol>& slm_out;            ///< to shared local memory
};
struct HdcSetup {
    unsigned eus;                         ///< of the subslice
    std::uint32_t slm_bytes = 64 * 1024;  ///< size of its shared local memory, a power of two
};

/// Data port of a subslice.
class HdcBlock : public BlockWith<HdcSockets, HdcSetup> {
  public:
    /// Messages of an EU that it has room for.
    virtual std::uint64_t queue_depth() const = 0;

  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::hdc

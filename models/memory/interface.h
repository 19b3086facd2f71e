// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::memory {

class PhysicalMemory;

struct GtiSockets {
    std::vector<AnyTarget<MemoryProtocol>*> mem_in;  ///< by initiator: graphics addresses
    AnyTarget<MemoryProtocol>& control_in;
    AnyTarget<MemoryProtocol>& reg_in;
    AnyInitiator<MemoryProtocol>& mem_out;  ///< physical addresses
};
struct GtiSetup {
    PhysicalMemory& memory;  ///< where page tables are
    unsigned initiators;
};
/// The render engine's way to memory.
class GtiBlock : public BlockWith<GtiSockets, GtiSetup> {
  public:
    /// The GGTT entry array, as the host writes it. A changed entry is in force at once.
    /// False if the index is beyond the table.
    virtual bool write_gtt(std::uint32_t index, std::uint64_t entry) = 0;
    virtual std::uint64_t read_gtt(std::uint32_t index) const = 0;

  protected:
    using BlockWith::BlockWith;
};

/// A cache and a memory of the system are given this.
struct MemorySetup {
    PhysicalMemory& memory;  ///< where the bytes are
};

struct LlcSockets {
    AnyTarget<MemoryProtocol>& mem_in;  ///< physical addresses
    AnyInitiator<MemoryProtocol>& mem_out;
};
/// Last level cache.
class LlcBlock : public BlockWith<LlcSockets, MemorySetup> {
  protected:
    using BlockWith::BlockWith;
};

struct DramSockets {
    AnyTarget<MemoryProtocol>& mem_in;  ///< physical addresses
};
/// System memory.
class DramBlock : public BlockWith<DramSockets, MemorySetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::memory

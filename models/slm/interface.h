// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::slm {

/// Of the engine that saves a shared local memory (save_engine.h).
struct SaveSockets {
    AnyTarget<MemoryProtocol>& control_in;
    AnyInitiator<MemoryProtocol>& mem_out;
};
struct SlmSockets {
    AnyTarget<MemoryProtocol>& mem_in;  ///< Lanes or plain accesses, addresses modulo its size
    std::optional<SaveSockets> save{};  ///< if it can be saved
};
struct SlmSetup {
    std::uint32_t bytes = 64 * 1024;  ///< its size, a power of two
    bool saves = false;               ///< a context switch may save it
};

/// Shared local memory of a subslice.
class SlmBlock : public BlockWith<SlmSockets, SlmSetup> {
  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::slm

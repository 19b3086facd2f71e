// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "common/filled_places.h"
#include "common/stats.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "surface/resolver.h"
#include "vme/core.h"

namespace gen9::vme {

/// The memory socket as the halves of the block use it: states, and the pixels of functional mode.
class SocketMemory final : public surface::StateReader, public PixelMemory {
  public:
    SocketMemory(InitiatorSocket<MemoryProtocol>& memory, Counter& state_reads)
        : memory_(memory), state_reads_(state_reads) {}

    bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) override;
    const std::uint8_t* pixels(std::uint64_t address) override;
    /// Makes a transaction that reads a line for a message.
    MemoryTransaction* read_line(std::uint64_t line, const Message& message, std::uint8_t mocs);
    /// States and pixels are read for this message from now on.
    void works_for(const Message& message) { message_ = &message; }
    /// State reads have taken this time since it was last asked.
    sc_core::sc_time take_state_delay();
    /// Forgets where pages are.
    void forget_pages();

  private:
    bool read(std::uint64_t address, void* bytes, unsigned size, Requester requester,
              std::uint8_t mocs);
    struct Page {
        std::uint64_t number = ~0ull;
        const std::uint8_t* host = nullptr;
    };
    InitiatorSocket<MemoryProtocol>& memory_;
    Counter& state_reads_;
    MemoryPool pool_;
    sc_core::sc_time state_delay_;
    const Message* message_ = nullptr;
    std::array<Page, 256> pages_;
    FilledPlaces filled_{pages_.size()};
    std::array<std::uint8_t, kLineBytes> line_{};  ///< of memory that cannot be read directly
};

}  // namespace gen9::vme

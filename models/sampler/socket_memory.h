// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/environment.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "sampler/core.h"

namespace gen9::sampler {

/// The sampler's memory socket as its halves use it: blocking and direct reads for functional
/// execution and for states.
class SocketMemory final : public surface::StateReader, public TexelMemory {
  public:
    SocketMemory(Environment& env, InitiatorSocket<MemoryProtocol>& memory, Counter& state_reads)
        : env_(env), memory_(memory), state_reads_(state_reads) {}

    bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) override;
    const std::uint8_t* direct(std::uint64_t page_address) override;
    void read(std::uint64_t address, void* bytes, unsigned size) override;

    /// Makes a transaction that reads a line for a message.
    MemoryTransaction* read_line(std::uint64_t line, const Message& message, std::uint8_t mocs);
    /// Makes a transaction that writes a line of a message's results.
    MemoryTransaction* write_line(const media::MemoryBlock::Line& line, const Message& message);
    /// States and texels are read for this message from now on.
    void works_for(const Message& message) { message_ = &message; }
    /// State reads have taken this time since it was last asked.
    sc_core::sc_time take_state_delay();
    std::size_t in_flight() const { return pool_.in_flight(); }

  private:
    bool read(std::uint64_t address, void* bytes, unsigned size, Requester requester,
              std::uint8_t mocs);
    Environment& env_;
    InitiatorSocket<MemoryProtocol>& memory_;
    Counter& state_reads_;
    MemoryPool pool_;
    sc_core::sc_time state_delay_;
    const Message* message_ = nullptr;
};

}  // namespace gen9::sampler

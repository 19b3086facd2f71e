// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "cs/bus.h"

namespace gen9::cs {

/// The streamer's window on its commands: one aligned block of memory. Blocks never cross a page,
/// so reading ahead never faults where the commands themselves do not (CS-145).
class FetchBuffer {
  public:
    static constexpr std::size_t kMaxBytes = kPageBytes;
    /// `block_bytes`: a power of two, 64 to kMaxBytes.
    explicit FetchBuffer(unsigned block_bytes) : block_bytes_(block_bytes) {}

    /// No value: the address does not translate.
    std::optional<std::uint32_t> dword(MemoryBus& bus, AddressSpace space, GpuAddr address) {
        const std::uint64_t block = address.value & ~std::uint64_t{block_bytes_ - 1};
        if (!valid_ || block != block_ || space != space_) {
            if (!fill(bus, space, block)) return std::nullopt;
        }
        return words_[(address.value - block_) / 4];
    }
    /// `count` DWords at once, where they lie in one block; else none.
    std::span<const std::uint32_t> run(MemoryBus& bus, AddressSpace space, GpuAddr address,
                                       std::uint32_t count) {
        const std::uint64_t offset = address.value & (block_bytes_ - 1);
        if (offset + 4ull * count > block_bytes_ || !dword(bus, space, address)) return {};
        return {words_.data() + offset / 4, count};
    }
    /// The DWord, if the block in hand holds it. Memory is not read.
    std::optional<std::uint32_t> peek(AddressSpace space, GpuAddr address) const {
        if (!valid_ || space != space_ || address.value < block_ ||
            address.value >= block_ + block_bytes_)
            return std::nullopt;
        return words_[(address.value - block_) / 4];
    }
    /// Drops the block: memory may have changed.
    void drop() { valid_ = false; }
    /// Drops the block if a write touched it.
    void written(GpuAddr address, std::uint64_t bytes) {
        if (valid_ && address.value < block_ + block_bytes_ && block_ < address.value + bytes)
            valid_ = false;
    }

  private:
    bool fill(MemoryBus& bus, AddressSpace space, std::uint64_t block) {
        const bool sequential = valid_ && space == space_ && block == block_ + block_bytes_;
        valid_ =
            bus.fetch(space, GpuAddr(block),
                      {reinterpret_cast<std::uint8_t*>(words_.data()), block_bytes_}, sequential);
        space_ = space;
        block_ = block;
        return valid_;
    }
    std::array<std::uint32_t, kMaxBytes / 4> words_{};
    unsigned block_bytes_;
    bool valid_ = false;
    AddressSpace space_ = AddressSpace::Ggtt;
    std::uint64_t block_ = 0;
};

}  // namespace gen9::cs

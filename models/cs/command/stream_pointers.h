// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "common/units.h"
#include "cs/registers/registers.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::cs {

/// The place from which the stream is read: the ring, or a batch buffer of one of two levels.
enum class Level : std::uint8_t { Ring, First, Second };
const char* to_text(Level level);

/// The heads of the three levels. There is no stack: each level has one storage, a start in a batch
/// without the second-level bit is a jump, an end returns one level (CS-142).
class StreamPointers {
  public:
    Level level() const { return level_; }
    /// Was the batch of the current level started with the resource streamer (RS-03)?
    bool streamer() const { return level_ != Level::Ring && batch().streamer; }
    /// Address space the current level is fetched from.
    AddressSpace space() const;
    /// Address of the DWord `index` further on; the ring wraps.
    GpuAddr address(std::uint32_t index = 0) const;
    /// DWords between the ring's head and its tail.
    std::uint32_t ring_dwords_left() const;
    /// Offset of the ring's head from its start.
    std::uint32_t ring_head() const { return head_; }
    bool ring_empty() const { return ring_dwords_left() == 0; }

    void advance(std::uint32_t dwords);
    /// Acts on a start command in the current level. A PPGTT parent forces a PPGTT child (CS-143).
    void start_batch(GpuAddr address, bool ppgtt, bool second_level, bool streamer = false);
    void end_batch();
    /// Ends both levels of batches.
    void return_to_ring() { level_ = Level::Ring; }

    /// Takes over ring and batch heads from the registers a context restore has loaded.
    void load(const RegisterFile& registers);
    void move_head(std::uint32_t head) { head_ = (head & kRingOffsetBits & ~3u) % size_; }
    void load_tail(std::uint32_t tail) { tail_ = tail & kRingOffsetBits & ~3u; }
    /// The value of one of the registers that `store` writes.
    std::uint32_t read(std::uint32_t offset) const;
    void store(RegisterFile& registers) const;
    /// "first-level batch 0x1000 (PPGTT)"
    std::string text() const;

  private:
    static constexpr std::uint32_t kRingOffsetBits = 0x1FFFFF;
    struct Head {
        GpuAddr address;
        bool ppgtt = false;
        bool streamer = false;
    };
    Head& batch() { return batch_[level_ == Level::Second]; }
    const Head& batch() const { return batch_[level_ == Level::Second]; }
    Level level_ = Level::Ring;
    std::array<Head, 2> batch_;
    std::uint64_t start_ = 0;
    std::uint32_t size_ = kPageBytes, head_ = 0, tail_ = 0, wraps_ = 0;
};

}  // namespace gen9::cs

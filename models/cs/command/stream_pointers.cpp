// SPDX-License-Identifier: Apache-2.0
#include "cs/command/stream_pointers.h"

#include <cstdio>

#include "common/bits.h"
#include "cs/context/base_address.h"

namespace gen9::cs {
namespace {

// Bit 0 of a batch address register says that the level is in use; bit 5 of a state register that
// it is fetched through the PPGTT (Public: Gen9 register documents).
constexpr std::uint32_t kValid = 1u, kPpgtt = 1u << 5;
// Assumed: the bit of a state register that keeps the resource streamer's enable is not public.
constexpr std::uint32_t kStreamer = 1u << 7;

}  // namespace

const char* to_text(Level level) {
    switch (level) {
        case Level::Ring:
            return "ring";
        case Level::First:
            return "first-level batch";
        default:
            return "second-level batch";
    }
}

AddressSpace StreamPointers::space() const {
    if (level_ == Level::Ring) return AddressSpace::Ggtt;
    return batch().ppgtt ? AddressSpace::Ppgtt : AddressSpace::Ggtt;
}

GpuAddr StreamPointers::address(std::uint32_t index) const {
    if (level_ != Level::Ring) return canonical(batch().address.value + 4ull * index);
    return GpuAddr(start_ + (head_ + 4ull * index) % size_);
}

std::uint32_t StreamPointers::ring_dwords_left() const {
    const std::uint32_t tail = tail_ % size_;
    return (tail >= head_ ? tail - head_ : size_ - head_ + tail) / 4;
}

void StreamPointers::advance(std::uint32_t dwords) {
    if (level_ != Level::Ring) {
        batch().address = canonical(batch().address.value + 4ull * dwords);
        return;
    }
    const std::uint64_t next = head_ + 4ull * dwords;
    wraps_ += static_cast<std::uint32_t>(next / size_);
    head_ = static_cast<std::uint32_t>(next % size_);
}

void StreamPointers::start_batch(GpuAddr address, bool ppgtt, bool second_level, bool streamer) {
    const bool parent_ppgtt = space() == AddressSpace::Ppgtt;
    if (level_ == Level::Ring)
        level_ = Level::First;
    else if (level_ == Level::First && second_level)
        level_ = Level::Second;
    batch() = {address, ppgtt || parent_ppgtt, streamer};
}

void StreamPointers::end_batch() {
    level_ = level_ == Level::Second ? Level::First : Level::Ring;
}

void StreamPointers::load(const RegisterFile& registers) {
    const std::uint32_t control = registers.read(RING_CTL);
    size_ = (bits(control, 20, 12) + 1) * static_cast<std::uint32_t>(kPageBytes);
    start_ = registers.read(RING_START) & ~0xFFFu;
    const std::uint32_t head = registers.read(RING_HEAD);
    head_ = (head & kRingOffsetBits & ~3u) % size_;
    wraps_ = bits(head, 31, 21);
    load_tail(registers.read(RING_TAIL));
    const std::uint64_t first = registers.read(BB_ADDR), second = registers.read(SBB_ADDR);
    batch_[0] = {canonical(std::uint64_t{registers.read(BB_ADDR_UDW)} << 32 | (first & ~3ull)),
                 (registers.read(BB_STATE) & kPpgtt) != 0,
                 (registers.read(BB_STATE) & kStreamer) != 0};
    batch_[1] = {canonical(std::uint64_t{registers.read(SBB_ADDR_UDW)} << 32 | (second & ~3ull)),
                 (registers.read(SBB_STATE) & kPpgtt) != 0,
                 (registers.read(SBB_STATE) & kStreamer) != 0};
    level_ = second & kValid ? Level::Second : first & kValid ? Level::First : Level::Ring;
}

std::uint32_t StreamPointers::read(std::uint32_t offset) const {
    const auto low = [](const Head& head, bool valid) {
        return static_cast<std::uint32_t>(head.address.value) | (valid ? kValid : 0);
    };
    const auto high = [](const Head& head) {
        return static_cast<std::uint32_t>(head.address.value >> 32);
    };
    const auto state = [](const Head& head) {
        return (head.ppgtt ? kPpgtt : 0) | (head.streamer ? kStreamer : 0);
    };
    switch (offset) {
        case RING_HEAD:
            return (wraps_ & 0x7FF) << 21 | head_;
        case RING_TAIL:
            return tail_;
        case BB_ADDR:
            return low(batch_[0], level_ != Level::Ring);
        case BB_ADDR_UDW:
            return high(batch_[0]);
        case BB_STATE:
            return state(batch_[0]);
        case SBB_ADDR:
            return low(batch_[1], level_ == Level::Second);
        case SBB_ADDR_UDW:
            return high(batch_[1]);
        default:
            return state(batch_[1]);
    }
}

void StreamPointers::store(RegisterFile& registers) const {
    for (const std::uint32_t offset :
         {RING_HEAD, RING_TAIL, BB_ADDR, BB_ADDR_UDW, BB_STATE, SBB_ADDR, SBB_ADDR_UDW, SBB_STATE})
        registers.set(offset, read(offset));
}

std::string StreamPointers::text() const {
    char text[64];
    std::snprintf(text, sizeof text, "%s 0x%llx (%s)", to_text(level_),
                  static_cast<unsigned long long>(address().value),
                  space() == AddressSpace::Ggtt ? "GGTT" : "PPGTT");
    return text;
}

}  // namespace gen9::cs

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::cs {

/// Keeps what the media/GPGPU pipe has been given since its last flush, for the rules that want a
/// flush between two kinds of work. A context starts with an empty pipe.
class PipeUse {
  public:
    enum class Work : std::uint8_t { Gpgpu = 1, Media = 2 };

    void given(Work work) {
        work_ = static_cast<std::uint8_t>(work_ | static_cast<std::uint8_t>(work));
        flushes_ = 0;
        watermark_ = kNone;
    }
    /// MED-44: a walker with inline data wants a MEDIA_STATE_FLUSH before anything else.
    void walker_with_inline_data() { wants_state_flush_ = true; }
    void state_flush() { wants_state_flush_ = false; }
    /// MED-26: a MEDIA_STATE_FLUSH that waits for room for a group of a descriptor.
    void watermark(std::uint32_t descriptor) { watermark_ = descriptor; }
    bool has_watermark(std::uint32_t descriptor) const { return watermark_ == descriptor; }
    bool wants_state_flush() const { return wants_state_flush_; }
    /// A PIPE_CONTROL; `waits`: all earlier work has ended, `flushes`: with CS stall and DC flush.
    void pipe_control(bool waits, bool flushes) {
        if (waits) work_ = 0;
        if (!flushes)
            flushes_ = flushes_ == kEnough ? kEnough : std::uint8_t{0};
        else if (flushes_ < kEnough)
            ++flushes_;
    }
    /// TD-61: is work of the other kind in the pipe?
    bool mixes(Work work) const { return (work_ & ~static_cast<std::uint8_t>(work)) != 0; }
    /// CS-132: the first flush drains the data path, the second waits for the invalidation that the
    /// first began; only then may L3 be divided anew.
    bool may_divide_l3() const { return flushes_ == kEnough; }

  private:
    static constexpr std::uint8_t kEnough = 2;
    std::uint8_t work_ = 0;
    std::uint8_t flushes_ = kEnough;
    bool wants_state_flush_ = false;
    static constexpr std::uint32_t kNone = ~0u;
    std::uint32_t watermark_ = kNone;  ///< since the last work
};

}  // namespace gen9::cs

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::platform {

/// InterruptRegisters: from the render engine's interrupts to the device's interrupt line.
/// Role     the master control and the first group of GT interrupt registers, of which the render
///          engine has the lower half. An event that IMR lets pass is kept in IIR until a 1 is
///          written there; the line is high while IER lets a kept event pass and the master is on.
/// Not here the streamer's own IMR (cs/registers); the other engines' groups, display, PCH;
///          a second event behind the one kept in IIR; message signalled interrupts
/// Spec     Public: Linux i915 (GEN8_MASTER_IRQ, GEN8_GT_IIR(0) and its neighbours)
class InterruptRegisters {
  public:
    static constexpr std::uint32_t kMaster = 0x44200, kIsr = 0x44300, kImr = 0x44304,
                                   kIir = 0x44308, kIer = 0x4430C;
    static constexpr std::uint32_t kMasterEnable = 1u << 31, kRenderPending = 1u << 0;

    static constexpr bool owns(std::uint32_t offset) {
        return offset == kMaster || (offset >= kIsr && offset <= kIer);
    }
    std::uint32_t read(std::uint32_t offset) const {
        switch (offset) {
            case kMaster:
                return (enabled_ ? kMasterEnable : 0) | (pending() ? kRenderPending : 0);
            case kImr:
                return imr_;
            case kIir:
                return iir_;
            case kIer:
                return ier_;
            default:
                return 0;  // ISR: the engine's events are pulses
        }
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        switch (offset) {
            case kMaster:
                enabled_ = (value & kMasterEnable) != 0;
                break;
            case kImr:
                imr_ = value;
                break;
            case kIir:
                iir_ &= ~value;
                break;
            case kIer:
                ier_ = value;
                break;
            default:
                break;
        }
    }
    /// An event of the render engine: bit 0 user, 4 PIPE_CONTROL, 8 context switch.
    void raise(unsigned bit) { iir_ |= 1u << bit & ~imr_ & 0xFFFF; }
    bool line() const { return enabled_ && pending(); }

  private:
    bool pending() const { return (iir_ & ier_) != 0; }
    std::uint32_t imr_ = ~std::uint32_t{0}, iir_ = 0, ier_ = 0;
    bool enabled_ = false;
};

}  // namespace gen9::platform

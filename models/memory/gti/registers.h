// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::memory {

/// The GTI's registers: offsets as in Public: Linux i915 (intel_engine_regs.h, intel_gt_regs.h).
enum class GtiRegister : std::uint32_t {
    Pdp0Low = 0x2270,  ///< eight registers: PDP0 low, PDP0 high, ... PDP3 high (RW)
    Pdp3High = 0x228C,
    GfxMode = 0x229C,        ///< masked by its high half; bit 7: 48-bit PPGTT (RW)
    RingFault = 0x4094,      ///< bit 0 valid, 2:1 type, 11 GGTT (a write clears)
    PrivatePatLow = 0x40E0,  ///< page attributes 0..3, a byte each; 0x40E4 has 4..7 (RW)
    PrivatePatHigh = 0x40E4,
    TlbInvalidate =
        0x4260,  ///< GEN8_RTCR: a write of 1 drops the render engine's translations; reads 0
    FaultTlbData0 = 0x4B10,  ///< address 43:12 (RO)
    FaultTlbData1 = 0x4B14,  ///< 3:0 address 47:44, 4 GGTT (RO)
    MocsFirst = 0xC800,      ///< 64 memory object control states, the LLC's half (RW)
    MocsLast = 0xC8FC,
    GfxFlushControl = 0x101008,  ///< GFX_FLSH_CNTL: a write of 1 drops GGTT translations; reads 0
};
inline constexpr std::uint32_t kGfxMode48Bit = 1u << 7;

}  // namespace gen9::memory

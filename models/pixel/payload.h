// SPDX-License-Identifier: Apache-2.0
/// The registers that a pixel thread begins with.
///
/// Spec  PS-18 to PS-33
#pragma once
#include <cstdint>
#include <span>

#include "common/units.h"
#include "interconnect/payload/pixel_record.h"
#include "pixel/draw_state.h"

namespace gen9::pixel {

/// What a payload tells beside the state, the object and the record.
struct PayloadFacts {
    std::uint16_t fftid = 0;
    std::uint32_t thread = 0;        ///< number among those that were dispatched
    std::span<const Grf> constants;  ///< of all four ranges, one behind the other
    std::array<std::uint16_t, PixelRecord::kSlots> coverage{};  ///< input coverage, by slot
};

/// Scratch space of a thread, from the general state base.
constexpr std::uint64_t scratch_pointer(const ShaderState& state, unsigned fftid) {
    return state.scratch_base + (std::uint64_t{1024} << state.scratch_code) * fftid;
}

/// Registers in front of constants and set-up data, as many as the state asks for.
unsigned phases_registers(const ShaderState& state, unsigned slots);
/// Registers of the whole; more than there are do not fit.
unsigned payload_registers(const ShaderState& state, const PixelKernel& kernel, unsigned slots,
                           unsigned constants, unsigned attributes);
/// Fills in a payload that fits: so many registers as are returned.
unsigned make_payload(const ShaderState& state, const PixelKernel& kernel,
                      const PixelRecord& record, const PayloadFacts& facts,
                      std::span<Grf> registers);

}  // namespace gen9::pixel

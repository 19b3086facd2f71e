// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/bits.h"
#include "hdc/decode/decode.h"

namespace gen9::hdc {

inline constexpr unsigned kMaxDataRegisters = 8;  ///< 256 bytes (DP-010)

/// One descriptor being read; `control` are its bits 13:8, at their own positions. What the
/// families of messages read is in decode_lanes.cpp, decode_block.cpp and decode_surface.cpp.
struct DescriptorReader {
    Decoded& d;
    std::uint32_t descriptor;
    unsigned payload_registers;  ///< without the header
    unsigned response_registers;

    std::uint32_t field(unsigned high, unsigned low) const { return bits(descriptor, high, low); }
    bool bit(unsigned n) const { return descriptor >> n & 1; }
    void fail(const char* text) {
        if (!d.error) d.error = text;
    }
    void pick_model();
    void read_shape();

  private:
    /// SIMD lanes with one address register per 8 lanes, or two for 64-bit addresses; pairs have
    /// theirs in one.
    void lanes(unsigned slots);
    void pair();
    void data(unsigned registers);
    void channel_mask();

    void byte_scattered();
    void dword_scattered();
    void a64_scattered();
    void untyped();
    void integer_atomic(unsigned slots, unsigned width);
    void float_atomic(unsigned slots);
    void atomic(unsigned slots, unsigned width);

    void oword_size();
    void oword_block();
    void dual_block();
    void scratch();
    void a64_block();
    void a64_registers();

    void typed();
    void typed_addresses();
    void typed_atomic();
    void atomic_counter();
    void media();
    void transpose();
    void surface_info();
    void line_override();
    void fence();
};

}  // namespace gen9::hdc

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "common/bits.h"
#include "interconnect/payload/message.h"

namespace gen9::sampler {

/// A parameter of a message means one of these (003:4526-4606; Public: mesa brw_fs, sampler guide 3.5).
enum class Parameter : std::uint8_t {
    U,
    V,
    R,
    Ai,
    Lod,
    Bias,
    Ref,
    MinLod,
    DuDx,
    DuDy,
    DvDx,
    DvDy,
    DrDx,
    DrDy,
    OffU,
    OffV,
    Sample,
    McsLow,
    McsHigh,
    Count,
};
inline constexpr unsigned kParams = static_cast<unsigned>(Parameter::Count);

/// A message asks for one of these.
enum class Kind : std::uint8_t {
    Sample,
    Load,    ///< integer coordinates, no sampler
    Gather,  ///< four texels of one channel
    Lod,
    ResInfo,
    SampleInfo,
    Mcs,  ///< the multisample control surface
    Flush,
    Grid,   ///< sample_unorm: a block of pixels
    Scale,  ///< sample_8x8
};
/// The level of detail comes from one of these.
enum class LodSource : std::uint8_t { Zero, Parameter, Neighbours, Gradients };

/// One row of the table of messages.
struct MessageRow {
    const char* name;
    std::uint8_t code;
    Kind kind;
    LodSource lod;
    bool compare = false;
    bool bias = false;
    bool kill = false;             ///< returns a mask of killed pixels
    std::int8_t extremum = 0;      ///< -1 minimum, 1 maximum
    const char* ledger = nullptr;  ///< not modelled: its row
    std::array<Parameter, 12> params{};
    std::uint8_t param_count = 0;
    std::uint8_t required = 1;  ///< parameters that may not be left out
    /// The order of SIMD4x2 messages, where there are such.
    std::array<Parameter, 12> pair_params{};
    std::uint8_t pair_count = 0;
};
const MessageRow* find_message(unsigned code);

/// Messages of the media sampler (SMP-230).
constexpr bool of_media(Kind kind) {
    return kind == Kind::Grid || kind == Kind::Scale;
}

/// SIMD forms: how many samples a message has. Double is SIMD8D: u and v are of 64 bits (SMP-167).
enum class Simd : std::uint8_t { Pair, Double, Eight, Sixteen, Media };

/// A descriptor, decoded and checked.
struct Decoded {
    const MessageRow* row = nullptr;
    const char* error = nullptr;
    const char* not_modelled = nullptr;
    Simd simd = Simd::Eight;
    bool header = false;
    bool half = false;  ///< 16-bit results
    /// No response: the result goes to the render target (SMP-122), or of sample_8x8 to memory.
    bool direct = false;
    std::uint8_t binding_index = 0;
    std::uint8_t sampler_index = 0;
    std::uint8_t params = 0;             ///< given
    std::uint8_t headerless_mask = 0xF;  ///< channels returned without a header
    std::uint8_t response_registers = 0;

    unsigned samples() const { return simd == Simd::Sixteen ? 16 : simd == Simd::Pair ? 2 : 8; }
    /// Samples that are executed: in SIMD4x2 each has four bits of the mask (SMP-125, SMP-126).
    std::uint32_t active(std::uint32_t mask) const {
        if (simd == Simd::Pair) return ((mask & 0xF) ? 1u : 0u) | ((mask & 0xF0) ? 2u : 0u);
        return mask & ((1u << samples()) - 1);
    }
    unsigned registers_per_param() const { return simd == Simd::Sixteen ? 2 : 1; }
    /// Registers that a returned channel takes.
    unsigned registers_per_channel() const { return simd == Simd::Sixteen && !half ? 2 : 1; }
};
/// Bindless surfaces (SMP-72).
inline constexpr unsigned kBindless = 252;
/// Bytes of a bindless surface's state from their base: bits 31:12 count units of 64.
constexpr std::uint32_t bindless_offset(const Message& message) {
    return bits(message.extended_descriptor, 31, 12) * 64;
}

Decoded decode(const Message& message);
struct Header;
/// Says why a message whose result goes to the render target has an illegal header, or null
/// (SMP-122).
const char* check_direct(const Header& header);
/// The binding table index of that target (SMP-107); the message has a header.
unsigned render_target(const Message& message);
/// Makes the write to that target of the results that lie in the message's response (SMP-122).
void make_target_write(const Message& message, const Decoded& decoded, Message& write);

/// The header's fields that 3D messages use (003:3930-3993), or those of a message without one.
struct Header {
    std::uint32_t sampler_state_pointer = 0;
    std::uint8_t channels = 0xF;  ///< written
    std::uint8_t gather_channel = 0;
    std::array<std::int8_t, 3> offset{};
    bool null_mask = false;
};
Header read_header(const Message& message, const Decoded& decoded);
/// SIMD mode 0 is SIMD4x2 if bit 22 of M0.2 is set, else SIMD8D (SMP-101).
bool has_pairs(const Message& message);

/// Keeps what the last descriptors meant.
class DecodeCache {
  public:
    const Decoded& get(const Message& message) {
        const std::uint64_t key =
            std::uint64_t{message.descriptor} | std::uint64_t{message.length} << 32 |
            std::uint64_t{message.response_length} << 37 |
            std::uint64_t{message.header_present} << 42 |
            std::uint64_t{message.end_of_thread} << 43 | std::uint64_t{has_pairs(message)} << 44;
        Entry& entry = entries_[key * 0x9E3779B97F4A7C15ull >> 57];
        if (entry.key != key) [[unlikely]]
            entry = {key, decode(message)};
        return entry.decoded;
    }

  private:
    struct Entry {
        std::uint64_t key = ~0ull;
        Decoded decoded;
    };
    std::array<Entry, 128> entries_;
};

/// The parameters of a message's samples; those not given are 0 (SMP-115).
struct Parameters {
    alignas(64) static constexpr std::array<std::uint32_t, 16> zeros{};
    std::array<const std::uint32_t*, kParams> at;  ///< a value for each sample
    alignas(64) std::array<std::array<std::uint32_t, 16>, 12> values;
    bool wide = false;  ///< u and v are here
    std::array<std::array<double, 8>, 2> wide_values;

    const std::uint32_t* operator[](Parameter which) const {
        return at[static_cast<unsigned>(which)];
    }
    float number(Parameter which, unsigned sample) const {
        return std::bit_cast<float>((*this)[which][sample]);
    }
    /// A coordinate or its derivative.
    double place(Parameter which, unsigned sample) const {
        if (wide && which <= Parameter::V) [[unlikely]]
            return wide_values[static_cast<unsigned>(which)][sample];
        return number(which, sample);
    }
};
/// `payload`: behind the header.
void read_parameters(const Grf* payload, const Decoded& decoded, Parameters& parameters);

/// A response without effect: zeros in the registers that the message returns.
void zero_response(Message& message);

}  // namespace gen9::sampler

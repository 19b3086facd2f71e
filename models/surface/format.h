// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9::surface {

/// The meaning of a component's bits.
enum class Component : std::uint8_t { None, Unorm, Snorm, Uint, Sint, Float };

/// One row of the table of typed surface formats (003:5216-5268).
struct Format {
    std::uint16_t code;
    const char* name;
    std::uint8_t bytes;                 ///< per element
    Component kind;                     ///< of every component
    std::array<std::uint8_t, 4> low;    ///< first bit of R, G, B, A in the element
    std::array<std::uint8_t, 4> width;  ///< bits of R, G, B, A; 0: missing
    bool raw_read;                      ///< read as the unsigned integers of its size (DP-070)

    bool integer() const { return kind == Component::Uint || kind == Component::Sint; }
    /// Are all components whole, aligned bytes? If not, writes must give all of them (DP-073).
    bool byte_components() const;
};

/// The format of a code, or null when typed messages do not know it.
const Format* find_format(unsigned code);

/// A register value (U32, S32 or F32, by the format) as `width` bits of a component (DP-066..069).
std::uint32_t to_component(Component kind, unsigned width, std::uint32_t value);
/// The bits of a component as a register value.
std::uint32_t from_component(Component kind, unsigned width, std::uint32_t bits);

/// Shader channel selects of a surface state, R first.
using ChannelSelects = std::array<std::uint8_t, 4>;

/// Writes channels into an element: `values` are the shader's R, G, B, A, of which `channels` are
/// given. Returns the mask of the element's bytes to be written.
std::uint32_t pack(const Format& format, const ChannelSelects& select, std::uint32_t channels,
                   const std::array<std::uint32_t, 4>& values, std::uint8_t* element);
/// Reads the shader's R, G, B, A from an element's bytes. `inside` false: what a read out of bounds
/// gives (DP-074).
std::array<std::uint32_t, 4> unpack(const Format& format, const ChannelSelects& select,
                                    const std::uint8_t* element, bool inside);

}  // namespace gen9::surface

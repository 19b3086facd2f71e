// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace gen9::sampler {

/// Texture coordinate modes (003:3281-3298; 004:1177-1193).
enum class AddressMode : std::uint8_t {
    Wrap,
    Mirror,
    Clamp,
    Cube,
    ClampBorder,
    MirrorOnce,
    HalfBorder,
    Reserved
};
/// Filters within a level (003:3205-3217). The codes without a name act as Nearest.
enum class Filter : std::uint8_t { Nearest = 0, Linear = 1, Anisotropic = 2, Mono = 6 };
enum class MipFilter : std::uint8_t { None = 0, Nearest = 1, Linear = 3 };
enum class PreClamp : std::uint8_t { None = 0, D3d = 1, Ogl = 2 };
enum class Reduction : std::uint8_t { Standard = 0, Comparison = 1, Minimum = 2, Maximum = 3 };
/// Shadow compare functions; true gives 0 (003:3389-3405).
enum class Compare : std::uint8_t {
    Always,
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual
};

/// SAMPLER_STATE, decoded once. Levels of detail are fixed point with 8 bits of fraction.
struct SamplerState {
    std::array<AddressMode, 3> address{};  ///< of u, v, r
    Filter min = Filter::Nearest, mag = Filter::Nearest;
    MipFilter mip = MipFilter::None;
    PreClamp pre_clamp = PreClamp::None;
    Reduction reduction = Reduction::Standard;  ///< Standard unless enabled
    bool reduction_enabled = false;             ///< and so it decides, not the message
    Compare compare = Compare::Always;
    std::int32_t bias = 0, min_lod = 0, max_lod = 0;
    std::uint8_t max_ratio = 2;                    ///< of anisotropic filtering
    std::array<bool, 3> round_min{}, round_mag{};  ///< address rounding of u, v, r
    bool ewa = false;                              ///< levels of detail by the ellipse
    bool disabled = false;
    bool normalized = true;
    bool mag_clamp_none = true;  ///< a magnified texel comes from one level
    bool cube_override = false;
    bool border_bytes = false;        ///< the border colour is RGBA8
    bool keyed = false;               ///< texels are held against a chroma key
    std::uint8_t key = 0;             ///< which
    bool key_replaces = false;        ///< those that match are black; else their pixel is killed
    std::uint32_t border_offset = 0;  ///< from the dynamic state base
};

SamplerState read_sampler_state(std::span<const std::uint32_t> dwords);

}  // namespace gen9::sampler

// SPDX-License-Identifier: Apache-2.0
/// What set-up knows of a draw's state, as values.
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/set_up_object.h"
#include "packets/topology.h"

namespace gen9::setup {

/// SF_CLIP_VIEWPORT without the guard band (SF-19).
struct Viewport {
    float m00 = 1, m11 = 1, m22 = 1, m30 = 0, m31 = 0, m32 = 0;
    float min_x = 0, max_x = 0, min_y = 0, max_y = 0;
};
/// SCISSOR_RECT: both ends included.
struct Scissor {
    std::uint16_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;
};
/// 3DSTATE_DRAWING_RECTANGLE.
struct DrawingRectangle {
    std::uint16_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;
    std::int16_t origin_x = 0, origin_y = 0;
};

enum class FillMode : std::uint8_t { Solid, Wireframe, Point };
enum class CullMode : std::uint8_t { Both, None, Front, Back };

using packets::ProvokingSelects;

/// What the unit of the depth bias' constant depends on.
enum class DepthKind : std::uint8_t { None, Unorm16, Unorm24, Float32 };

struct DepthBias {
    bool solid = false, wireframe = false, point = false;
    float constant = 0, scale = 0, clamp = 0;
    bool legacy = false;
    DepthKind depth = DepthKind::None;
};

/// 3DSTATE_SF and 3DSTATE_RASTER, and of 3DSTATE_WM what shapes lines and points.
struct State {
    bool viewport_transform = false;
    bool scissor = false;
    bool coarse_grid = false;        ///< 4 bits of fraction
    std::uint32_t line_width = 128;  ///< in 1/128 pixel
    std::uint16_t point_width = 8;   ///< in 1/8 pixel
    bool point_width_from_state = true;
    bool round_points = false;
    bool points_upper_right = false;  ///< the rule for points: right and top edges are inside
    bool last_pixel = false;
    bool smooth_lines = false;
    std::uint8_t line_region = 0, cap_region = 0;  ///< codes: 0.5, 1, 2 and 4 pixels
    bool line_stipple = false, polygon_stipple = false;
    ProvokingSelects provoking;
    bool front_counter_clockwise = false;
    CullMode cull = CullMode::None;
    FillMode front_fill = FillMode::Solid, back_fill = FillMode::Solid;
    MultisampleMode multisample = MultisampleMode::OffPixel;
    bool conservative = false;
    DepthBias bias;
};

/// An entry of 3DSTATE_SBE_SWIZ.
struct AttributeSource {
    std::uint8_t source = 0;
    std::uint8_t select = 0;         ///< 0 plain, 1 by facing, 2 WYZW, 3 both
    std::uint8_t constant = 0;       ///< 0000, 0001, 1111, primitive id
    std::uint8_t override_mask = 0;  ///< bits 0 to 3: X to W have the constant
    std::uint8_t wrap_shortest = 0;  ///< bits 0 to 3: X to W
};

/// 3DSTATE_SBE and 3DSTATE_SBE_SWIZ.
struct AttributeState {
    std::uint8_t count = 0;
    std::uint8_t read_offset = 0, read_length = 0;  ///< units of 32 bytes
    bool swizzle = false;
    bool swizzle_upper = false;  ///< the entries are those of attributes 16 to 31
    std::array<AttributeSource, 16> sources{};
    std::uint8_t primitive_id_attribute = 0, primitive_id_mask = 0;
    bool geometry_shader = false;  ///< enabled: the primitive id override has no effect
    std::uint32_t point_sprites = 0;
    bool sprite_lower_left = false;
    std::uint32_t constant_interpolation = 0;
    /// 0 disabled, 1 XY, 2 XYZ, 3 XYZW.
    std::array<std::uint8_t, kMaxAttributes> active_components = [] {
        std::array<std::uint8_t, kMaxAttributes> all{};
        all.fill(3);
        return all;
    }();
};

}  // namespace gen9::setup

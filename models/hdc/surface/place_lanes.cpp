// SPDX-License-Identifier: Apache-2.0
#include "hdc/surface/place_lanes.h"

#include <algorithm>
#include <bit>

#include "common/eight.h"
#include "common/host.h"
#include "surface/layout.h"
#include "surface/tile_parts.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;
using surface::Tiling;

template <Tiling tiling>
GEN9_INLINE void put_offsets(const LanePlacer::Lanes& x_bytes, const LanePlacer::Lanes& y,
                             std::uint32_t pitch, LanePlacer::Lanes& __restrict offset) {
    for (unsigned n = 0; n < LanePlacer::kLanes; ++n)
        offset[n] =
            surface::column_part<tiling>(x_bytes[n]) + surface::row_part<tiling>(y[n], pitch);
}

}  // namespace

LanePlacer::LanePlacer(const Surface& s) {
    const bool tiles = s.tiling == Tiling::Linear || s.tiling == Tiling::X || s.tiling == Tiling::Y;
    if (s.null() || s.buffer() || s.type == state::SURFTYPE_1D || s.multisampled() || !tiles ||
        s.line_stride != 0 || !s.typed || s.levels == 0 || s.min_lod >= kLevels)
        return;
    const unsigned level = s.min_lod;
    const surface::Corner corner = level_corner(s, level);
    layered_ = s.array || s.type == state::SURFTYPE_3D || s.type == state::SURFTYPE_CUBE;
    tiling_ = s.tiling;
    width_ = minify(s.width, level);
    height_ = minify(s.height, level);
    slices_ = s.type == state::SURFTYPE_3D ? minify(s.depth, level) : s.depth;
    element_bytes_ = s.typed->bytes;
    pitch_ = s.pitch_bytes;
    slice_rows_ = layered_ ? s.qpitch_rows : 0;
    const std::uint64_t x = (corner.x + std::uint64_t{s.x_offset}) * element_bytes_,
                        y = corner.y + std::uint64_t{s.y_offset} + s.line_offset +
                            std::uint64_t{slice_rows_} * s.min_array_element,
                        rows = y + std::uint64_t{slice_rows_} * slices_ + height_;
    // A tile is at most 32 rows high and 512 bytes wide.
    if (((rows + 32) * pitch_ + x + (width_ + 1ull) * element_bytes_ + 4096) >> 32) return;
    x_bytes_ = static_cast<std::uint32_t>(x);
    y_ = static_cast<std::uint32_t>(y);
    usable_ = true;
}

GEN9_FOR_EACH_HOST
bool LanePlacer::find(const Parameters& parameters, std::uint32_t active, Places& places) const {
    alignas(32) Lanes u, v, r, lod;
    copy_eight(parameters[0], u.data());
    copy_eight(parameters[1], v.data());
    copy_eight(parameters[2], r.data());
    copy_eight(parameters[3], lod.data());
    if (active != (1u << kLanes) - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(active)) % kLanes;
        for (unsigned n = 0; n < kLanes; ++n) {
            if (active >> n & 1) continue;
            u[n] = u[other], v[n] = v[other], r[n] = r[other], lod[n] = lod[other];
        }
    }
    const std::uint32_t slices = layered_ ? slices_ : ~std::uint32_t{0};
    std::uint32_t outside = 0;
    for (unsigned n = 0; n < kLanes; ++n)
        outside |= (u[n] >= width_ ? 1u : 0u) | (v[n] >= height_ ? 1u : 0u) |
                   (layered_ && r[n] >= slices ? 1u : 0u) | lod[n];
    if (outside != 0) return false;
    alignas(32) Lanes x_bytes, y;
    for (unsigned n = 0; n < kLanes; ++n) {
        x_bytes[n] = x_bytes_ + u[n] * element_bytes_;
        y[n] = y_ + v[n] + r[n] * slice_rows_;
    }
    if (tiling_ == Tiling::Y)
        put_offsets<Tiling::Y>(x_bytes, y, pitch_, places.offset);
    else if (tiling_ == Tiling::X)
        put_offsets<Tiling::X>(x_bytes, y, pitch_, places.offset);
    else
        put_offsets<Tiling::Linear>(x_bytes, y, pitch_, places.offset);
    std::uint32_t low = ~std::uint32_t{0}, high = 0;
    for (const std::uint32_t offset : places.offset) {
        low = low < offset ? low : offset;
        high = high > offset ? high : offset;
    }
    for (std::uint32_t& offset : places.offset)
        offset -= low;
    places.low = low;
    places.farthest = high - low;
    return true;
}

}  // namespace gen9::hdc

// SPDX-License-Identifier: Apache-2.0
#include "sampler/media/memory_block.h"

#include <algorithm>
#include <cstring>

#include "packets/media_surface_state.h"
#include "surface/media_surface.h"

namespace gen9::sampler::media {

namespace {

namespace header_rows = packets::MEDIA_SAMPLER_HEADER;
namespace render = packets::render_surface_state;
namespace formats = packets::media_surface_state;

/// Bytes of the first Y, of Cb and of Cr in the four of two pixels, by format (as pictures have
/// them, scale.cpp).
struct Packed {
    std::uint8_t y, cb, cr;
};
constexpr Packed kPacked[] = {{0, 1, 3}, {1, 2, 0}, {0, 3, 1}, {1, 0, 2}};

bool packed(std::uint32_t format) {
    return format <= formats::YCRCB_SWAPY;
}

}  // namespace

Destination read_destination(std::span<const std::uint32_t> dwords) {
    return {surface::read_surface(dwords),
            static_cast<std::uint32_t>(render::YOffsetForUOrUVPlane.get(dwords))};
}

void MemoryBlock::read(const Grf& header) {
    std::array<std::uint32_t, kGrfBytes / 4> dwords;
    std::memcpy(dwords.data(), header.bytes, sizeof dwords);
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    binding_index = static_cast<std::uint8_t>(value(header_rows::DestinationBindingTableIndex));
    format_ = value(header_rows::OutputFormat);
    x_ = value(header_rows::DestinationXAddress);
    y_ = value(header_rows::DestinationYAddress);
    lines.clear();
}

const char* MemoryBlock::refuse() const {
    constexpr std::uint32_t kY32 = 17;
    if (format_ == formats::Y16_SNORM || format_ == kY32)
        return "output format of functions that are gone (SMP-105)";
    if (format_ > formats::Y8_UNORM_VA) return "reserved output format (SMP-105)";
    if (x_ % 4) return "destination that is not DWord aligned (SMP-259)";
    if (format_ == formats::PLANAR_420_8 && y_ % 2)
        return "NV12 whose destination is an odd row (SMP-259)";
    const surface::Surface& s = destination.surface;
    if (s.null()) return nullptr;
    if (s.type != render::SURFTYPE_2D || s.array || s.tiling == surface::Tiling::W)
        return "destination that is not a single 2D surface (SMP-259)";
    if (s.compressed) return "compressed destination (SMP-259)";
    return nullptr;
}

void MemoryBlock::write(const Inputs& in, const Results& results) {
    if (destination.surface.null()) return;
    const bool is_packed = packed(format_), nv12 = format_ == formats::PLANAR_420_8;
    const Packed places = is_packed ? kPacked[format_] : Packed{};
    for (unsigned y = 0; y < in.height(); ++y)
        for (unsigned x = 0; x < in.width(); ++x) {
            const auto put_channel = [&](unsigned channel, std::uint32_t column,
                                         std::uint32_t row) {
                if (in.channels >> channel & 1)
                    put(column, row, results.channel[channel][y * in.width() + x]);
            };
            put_channel(kGreen, is_packed ? x_ + 2 * x + places.y : x_ + x, y_ + y);
            if (x % 2) continue;  // chroma is that of even columns, of NV12 of even rows
            if (is_packed) {
                put_channel(kBlue, x_ + 2 * x + places.cb, y_ + y);
                put_channel(kRed, x_ + 2 * x + places.cr, y_ + y);
            } else if (nv12 && y % 2 == 0) {
                const std::uint32_t row = destination.chroma_row + (y_ + y) / 2;
                put_channel(kBlue, x_ + x, row);
                put_channel(kRed, x_ + x + 1, row);
            }
        }
}

void MemoryBlock::put(std::uint32_t x, std::uint32_t y, std::uint16_t value) {
    const surface::Surface& s = destination.surface;
    // The width counts DWords, as for media blocks; NV12's chroma lies below luma.
    const std::uint32_t rows = format_ == formats::PLANAR_420_8
                                   ? std::max(s.height, destination.chroma_row + s.height / 2)
                                   : s.height;
    if (x >= 4 * s.width || y >= rows) return;
    const std::uint64_t address =
        (s.base + surface::tile_offset(s.layout(1), x + s.x_offset, y + s.y_offset)) &
        surface::MediaSurface::kAddressMask;
    const std::uint64_t number = address / Line::kBytes;
    auto line = std::ranges::find(lines, number, &Line::number);
    if (line == lines.end()) line = lines.insert(lines.end(), Line{.number = number});
    line->bytes[address % Line::kBytes] = static_cast<std::uint8_t>(value);
    line->enabled |= 1ull << address % Line::kBytes;
}

}  // namespace gen9::sampler::media

// SPDX-License-Identifier: Apache-2.0
#include "vme/picture/patch.h"

#include <cstring>

namespace gen9::vme {

void replicate_edges(Patch& patch) {
    const bool chroma = patch.plane == Plane::Chroma;
    const auto size = [&](std::uint32_t pixels) {
        return static_cast<std::int32_t>(chroma ? (pixels + 1) / 2 : pixels);
    };
    const auto inside = [](std::int32_t first, std::uint32_t count, std::int32_t limit) {
        const auto last = static_cast<std::int32_t>(count) - 1;
        // As for_each_run places them: clamped to the picture, then to the patch.
        const std::int32_t from = std::clamp(std::clamp(first, 0, limit - 1) - first, 0, last);
        const std::int32_t to = std::clamp(std::clamp(first + last, 0, limit - 1) - first, 0, last);
        return std::pair{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
    };
    const auto [left, right] = inside(patch.x, patch.width, size(patch.view.width));
    const auto [top, bottom] = inside(patch.y, patch.height, size(patch.view.height));
    const std::size_t pixel = patch.bytes_per_pixel(), stride = patch.stride();
    for (std::uint32_t y = top; y <= bottom; ++y) {
        std::uint8_t* const row = patch.bytes.data() + y * stride;
        for (std::uint32_t x = 0; x < left; ++x)
            std::memcpy(row + x * pixel, row + left * pixel, pixel);
        for (std::uint32_t x = right + 1; x < patch.width; ++x)
            std::memcpy(row + x * pixel, row + right * pixel, pixel);
    }
    for (std::uint32_t y = 0; y < top; ++y)
        std::memcpy(patch.bytes.data() + y * stride, patch.bytes.data() + top * stride, stride);
    for (std::uint32_t y = bottom + 1; y < patch.height; ++y)
        std::memcpy(patch.bytes.data() + y * stride, patch.bytes.data() + bottom * stride, stride);
}

}  // namespace gen9::vme

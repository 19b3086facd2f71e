// SPDX-License-Identifier: Apache-2.0
/// Buffers with tiles, as mappings through the aperture show them: in rows.
/// Role     such a mapping is of a second file. It is brought up to date when the program moves the
///          buffer to the domain of the aperture; what the program wrote there goes into the buffer
///          when the device or another domain has it next.
/// Spec     TileX: 512 bytes in 8 rows; TileY: 8 columns of 16 bytes in 32 rows (003:5332-5342)
#include "platform/host/drm/library/mapping/detile.h"

#include <i915_drm.h>
#include <sys/mman.h>

#include <cstring>

#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {
namespace {

struct Tile {
    std::uint64_t width, rows, column;  ///< column: bytes of a row that lie together
};

Tile tile_of(const Tiling& tiling) {
    return tiling.mode == I915_TILING_X ? Tile{512, 8, 512} : Tile{128, 32, 16};
}

/// Calls copy(offset in rows, offset in tiles, bytes) for all of the buffer that is whole tiles.
template <class Copy>
void for_each_piece(const Buffer& buffer, Copy&& copy) {
    const Tiling tiling = tiling_of(buffer);
    if (tiling.mode == I915_TILING_NONE) return copy(0, 0, buffer.size);  // another process said so
    const Tile tile = tile_of(tiling);
    const std::uint64_t rows = buffer.size / tiling.stride / tile.rows * tile.rows;
    for (std::uint64_t y = 0; y < rows; ++y)
        for (std::uint64_t x = 0; x < tiling.stride; x += tile.column) {
            const std::uint64_t number =
                y / tile.rows * (tiling.stride / tile.width) + x / tile.width;
            copy(y * tiling.stride + x,
                 number * kPage + x % tile.width / tile.column * tile.rows * tile.column +
                     y % tile.rows * tile.column,
                 tile.column);
        }
}

template <class With>
void with_both(const Buffer& buffer, With&& with) {
    const auto map = [&](const OwnDescriptor& file) {
        return static_cast<std::uint8_t*>(
            real().mmap(nullptr, buffer.size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
    };
    auto *const rows = map(*buffer.rows), *const tiles = map(*buffer.parts[0].file);
    if (rows != MAP_FAILED && tiles != MAP_FAILED) with(rows, tiles);
    for (auto* mapping : {rows, tiles})
        if (mapping != MAP_FAILED) real().munmap(mapping, buffer.size);
}

}  // namespace

int rows_of(Buffer& buffer) {
    if (!buffer.rows) {
        auto file = std::make_shared<OwnDescriptor>(make_memory("i915-rows", buffer.size));
        if (!*file) return -1;
        buffer.rows = std::move(file);
    }
    if (!buffer.rows_written) show_in_rows(buffer);
    return buffer.rows->get();
}

void show_in_rows(const Buffer& buffer) {
    with_both(buffer, [&](std::uint8_t* rows, const std::uint8_t* tiles) {
        for_each_piece(buffer, [&](std::uint64_t in_rows, std::uint64_t in_tiles, std::size_t n) {
            std::memcpy(rows + in_rows, tiles + in_tiles, n);
        });
    });
}

void take_from_rows(Buffer& buffer) {
    buffer.rows_written = false;
    with_both(buffer, [&](const std::uint8_t* rows, std::uint8_t* tiles) {
        for_each_piece(buffer, [&](std::uint64_t in_rows, std::uint64_t in_tiles, std::size_t n) {
            std::memcpy(tiles + in_tiles, rows + in_rows, n);
        });
    });
}

}  // namespace gen9::drm

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "hdc/plan/plan_surface.h"
#include "hdc/surface/media_surface.h"

namespace gen9::hdc {

namespace {

/// What the mask in DWord 3 of the header is for (S-28 d: as on earlier parts).
enum class MediaMode : std::uint8_t { Normal, PixelMask, ByteMask, Reserved };

constexpr unsigned kMaxBytes = 256, kMaxReadWidth = 32;

/// A media message's rectangle, in bytes and rows, and where its rows lie in the registers.
struct Block {
    std::int64_t x, y;
    std::uint32_t width, height;
    std::uint32_t pitch;      ///< of a row in the registers (DP-185)
    std::uint32_t first = 0;  ///< byte of the first row there
    MediaMode mode;
    bool merged = false;  ///< other bytes of the registers stay as they are
    std::uint32_t mask;

    std::uint32_t packed_bytes() const { return std::max(4u, std::bit_ceil(width)) * height; }
    std::uint32_t end() const { return first + pitch * (height - 1) + width; }
    std::uint32_t registers() const {
        const std::uint32_t bytes = merged ? end() : pitch * height;
        return (bytes + kGrfBytes - 1) / kGrfBytes;
    }
    bool wanted(std::uint32_t column, std::uint32_t row) const;
};

/// Bits of the pixel mask: two by two pixels, two by two of these, then the right half (DP-188).
unsigned pixel_bit(std::uint32_t column, std::uint32_t row) {
    const std::uint32_t x = column / 4;
    return (x >> 2 & 1) << 4 | (row >> 1 & 1) << 3 | (x >> 1 & 1) << 2 | (row & 1) << 1 | (x & 1);
}

bool Block::wanted(std::uint32_t column, std::uint32_t row) const {
    switch (mode) {
        case MediaMode::PixelMask:
            return mask >> pixel_bit(column, row) & 1;
        case MediaMode::ByteMask:
            return mask >> column & 1;  // DP-189: the same in every row
        default:
            return true;
    }
}

Block read_block(const Message& message) {
    const std::uint8_t* header = message.payload[0].bytes;
    const std::uint32_t size = load<std::uint32_t>(header + 8);
    Block b;
    b.x = load<std::int32_t>(header);
    b.y = load<std::int32_t>(header + 4);
    b.width = bits(size, 5, 0) + 1;
    b.height = bits(size, 21, 16) + 1;
    b.mode = static_cast<MediaMode>(bits(size, 31, 30));
    b.mask = load<std::uint32_t>(header + 12);
    b.pitch = std::max(4u, std::bit_ceil(b.width));
    return b;
}

/// Merged reads: rows two or four widths apart, from a byte of the first register on (DP-190).
/// That the pitch is stored less one, as the sizes in the same DWord are, is assumed (S-28 d).
const char* read_merge(const Message& message, Block& b) {
    const std::uint32_t size = load<std::uint32_t>(message.payload[0].bytes + 8);
    const std::uint32_t pitch = bits(size, 9, 8) + 1, first = bits(size, 28, 24);
    if (pitch == 1 && first == 0) return nullptr;
    b.merged = true;
    b.first = first;
    if (pitch == 3) return "reserved register pitch of a merged media read (DP-190)";
    if (first % b.pitch) return "sub-register offset that its block width does not allow (DP-190)";
    if (pitch == 1 && b.height > 1)
        return "merged media read of several rows without a register pitch (DP-190)";
    b.pitch *= pitch;
    // Further offsets are for blocks that stay within the first register.
    if (first >= b.pitch && b.end() > kGrfBytes)
        return "sub-register offset beyond the register pitch (DP-190)";
    return nullptr;
}

/// The rules of sizes and places (DP-182, DP-185, DP-186, DP-188, DP-189).
const char* check_read(const Block& b) {
    if (b.mode != MediaMode::Normal) return "reserved mode of a media block read";
    if (b.width > kMaxReadWidth || b.packed_bytes() > kMaxBytes)
        return "media block too large (DP-185)";
    return nullptr;
}

const char* check_write(const Block& b, const Surface& s) {
    constexpr std::uint32_t kMaskedWidth = 32, kMaskedHeight = 4, kRowsOfLines = 16;
    if (b.mode == MediaMode::Reserved) return "reserved mode of a media block write";
    if (b.packed_bytes() > kMaxBytes) return "media block too large (DP-186)";
    if (s.compressed) return "media block write to a compressed surface (DP-184)";
    if (b.x % 4 || (b.width % 4 && b.mode != MediaMode::PixelMask))
        return "media block write that is not DWord aligned (DP-186)";
    const bool lines = s.tiling == Tiling::Linear || s.tiling == Tiling::X;
    if (lines && b.height > kRowsOfLines)
        return "media block write of more than 16 rows on a Linear or TileX surface (DP-186)";
    if (b.width > kMaxReadWidth && (!lines || b.mode != MediaMode::Normal))
        return "media block write wider than 32 bytes on tiles or with a mask (DP-186)";
    if (b.mode == MediaMode::PixelMask && (b.width != kMaskedWidth || b.height != kMaskedHeight))
        return "pixel masked media block other than 4 rows of 8 DWords (DP-188)";
    return nullptr;
}

void open_block(Message& message, const Block& b) {
    zero_response(message);
    if (!b.merged) return;
    message.response_enable.fill(0);
    for (std::uint32_t row = 0; row < b.height; ++row)
        for (std::uint32_t column = 0; column < b.width; ++column) {
            const std::uint32_t at = b.first + row * b.pitch + column;
            message.response_enable[at / kGrfBytes] |= 1u << at % kGrfBytes;
        }
}

/// Sets what the surface forbids; true: nothing more is to be done.
bool refused(const MediaSurface& media, const Surface& s, Plan& plan) {
    plan.guest_error = media.refuse();
    // What compressed data looks like the seeds do not say, only where its tags are (DP-184).
    if (!plan.guest_error && s.compressed && plan.operation == Operation::Read)
        plan.not_modelled = "DP-184";
    return plan.guest_error || plan.not_modelled;
}

}  // namespace

void plan_media(const Decoded& d, Message& message, const Surface& s, Plan& plan) {
    const bool reads = plan.operation == Operation::Read;
    const MediaSurface media(d, s);
    Block b = read_block(message);
    if (refused(media, s, plan)) return;
    plan.guest_error = reads ? check_read(b) : check_write(b, s);
    if (!plan.guest_error && reads) plan.guest_error = read_merge(message, b);
    if (!plan.guest_error && !s.null() &&
        (b.x % media.pixel_bytes() || b.width % media.pixel_bytes()))
        plan.guest_error = "media block not aligned to the surface's pixels (DP-182)";
    const unsigned given = reads ? message.response_length : d.data_registers;
    if (!plan.guest_error && b.registers() > given)
        plan.guest_error = "media block larger than the registers of its message";
    if (plan.guest_error) return;
    if (reads) open_block(message, b);
    if (s.null()) return;  // DP-187

    const unsigned data_at = reads ? 0 : d.data_at() * kGrfBytes;
    for (std::uint32_t row = 0; row < b.height; ++row)
        for (std::uint32_t column = 0; column < b.width; ++column) {
            const std::int64_t x = b.x + column, y = b.y + row;
            if (!reads && !b.wanted(column, row)) continue;
            if (!reads && !media.inside(x, y)) {
                ++plan.out_of_bounds;
                continue;
            }
            plan.add(reads ? media.nearest(x, y) : media.address(x, y),
                     data_at + b.first + row * b.pitch + column, 1);
        }
    plan.accesses = plan.piece_count;
}

void plan_transpose(const Decoded& d, Message& message, const Surface& s, Plan& plan) {
    const MediaSurface media(d, s);
    const Block b = read_block(message);  // here the width counts DWords
    if (refused(media, s, plan)) return;
    const auto power_to_8 = [](std::uint32_t n) { return std::has_single_bit(n) && n <= 8; };
    if (!power_to_8(b.width) || !power_to_8(b.height))
        plan.guest_error = "block size of a transpose read other than 1, 2, 4, 8 (DP-191)";
    else if (!s.null() && (media.pixel_bytes() != 4 || s.tiling == Tiling::X))
        plan.guest_error = "transpose read of a surface of other than 32 bits, or TileX (DP-191)";
    else if (b.x % (b.width * 4) || b.y % b.height)
        plan.guest_error = "transpose read not aligned to its block (DP-191)";
    else if (b.width > message.response_length)
        plan.guest_error = "transpose read larger than the registers of its message";
    if (plan.guest_error) return;
    zero_response(message);
    message.response_enable.fill(0);
    for (std::uint32_t column = 0; column < b.width; ++column)
        message.response_enable[column] = static_cast<std::uint32_t>((1ull << b.height * 4) - 1);
    if (s.null()) return;
    for (std::uint32_t column = 0; column < b.width; ++column)
        for (std::uint32_t row = 0; row < b.height; ++row)
            for (unsigned byte = 0; byte < 4; ++byte)
                plan.add(media.nearest(b.x + column * 4 + byte, b.y + row),
                         column * kGrfBytes + row * 4 + byte, 1);
    plan.accesses = plan.piece_count;
}

}  // namespace gen9::hdc

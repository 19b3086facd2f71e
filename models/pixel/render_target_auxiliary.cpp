// SPDX-License-Identifier: Apache-2.0
// surface::Auxiliary surfaces of render targets: before a draw's pixels are written, what is only marked as
// clear is filled; fast clears mark, resolves fill.
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "pixel/render_target_module.h"

namespace gen9::pixel {

namespace {

constexpr unsigned kElementsAcross = 8;  ///< of a pixel of a fast clear's rectangle (CC-39)

std::uint64_t bytes_mask(unsigned bytes) {
    return (std::uint64_t{1} << bytes) - 1;
}

}  // namespace

void RenderTarget::move_bytes(const Message& message, const Use& use, Requester of,
                              std::uint64_t address, void* bytes, unsigned size, bool reads) {
    address %= Target::kAddressMask + 1;
    const std::uint8_t mocs = use.target.surface.mocs;
    if (!env_.timed()) {
        if (std::uint8_t* const host = pages_.find(address, size, !reads, mocs); host != nullptr) {
            if (reads)
                std::memcpy(bytes, host, size);
            else
                std::memcpy(host, bytes, size);
            return;
        }
    }
    MemoryTransaction& transaction = *pool_.get();
    transaction.access(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address, size);
    transaction.attributes.requester = of;
    transaction.attributes.uncached = true;
    transaction.attributes.mocs = mocs;
    transaction.attributes.trace_id = message.trace_id;
    if (!reads) std::memcpy(transaction.data, bytes, size);
    mem_out->b_transport(transaction, delay_);
    if (!transaction.is_response_ok()) report_unmapped(message, address);
    if (reads) std::memcpy(bytes, transaction.data, size);
    transaction.release();
}

void RenderTarget::move_lines(const Message& message, const Use& use, LineSet& lines, bool reads) {
    for (LineSet::Line& line : lines.lines()) {
        MemoryTransaction& transaction = *pool_.get();
        fill(transaction, line, reads, message, use);
        mem_out->b_transport(transaction, delay_);
        if (!transaction.is_response_ok()) report_unmapped(message, line.address);
        if (reads) std::memcpy(line.data, transaction.data, kLineBytes);
        transaction.release();
    }
}

// --- Draws

void RenderTarget::prepare_auxiliary(const Message& message, const Access& access) {
    switch (access.use->target.auxiliary_use) {
        case AuxiliaryUse::None:
            return;
        case AuxiliaryUse::Ccs:
            for (const Row& row : access.rows)
                prepare_ccs(message, access, row);
            return;
        case AuxiliaryUse::Mcs:
            return prepare_mcs(message, access);
    }
}

void RenderTarget::prepare_ccs(const Message& message, const Access& access, const Row& row) {
    const Target& target = access.use->target;
    const surface::ElementSize size = surface::element_size(target.bytes);
    std::uint32_t last_x = ~0u, last_y = ~0u;
    for (std::uint32_t left = row.lanes; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        const std::uint32_t x = access.places.x[n] / size.width * size.width;
        const std::uint32_t y = access.places.y[n] / size.height * size.height;
        if (x == last_x && y == last_y) continue;
        last_x = x;
        last_y = y;
        const surface::ElementPlace place =
            surface::ccs_element(target.auxiliary, target.bytes, target.level, access.slice, x, y);
        std::uint8_t byte = 0;
        move_bytes(message, *access.use, Requester::RenderControl, place.address, &byte, 1, true);
        const unsigned value = surface::element_value(place, byte);
        if (value == surface::kClear) {
            fill_element(message, access, place, x, y);
        } else if (value != surface::kPassThrough) {
            env_.reporter.not_modelled("CC-33", "compressed elements of a colour control surface");
        }
    }
}

void RenderTarget::fill_element(const Message& message, const Access& access,
                                const surface::ElementPlace& place, std::uint32_t x,
                                std::uint32_t y) {
    const Use& use = *access.use;
    const Target& target = use.target;
    const surface::ElementSize size = surface::element_size(target.bytes);
    LineSet& lines = auxiliary_lines_;
    lines.clear();
    if (fill_directly(use, access.slice, x, y)) return pass_element(message, use, place);
    for (std::uint32_t row = y; row < y + size.height; ++row)
        for (std::uint32_t column = x; column < x + size.width; ++column) {
            if (!target.inside(column, row)) continue;
            const std::uint64_t at = target.address(access.slice, column, row, 0);
            lines.add(at, Requester::RenderTarget);
            LineSet::Line& line = lines.line_of(at);
            std::memcpy(line.data + at % kLineBytes, use.clear.data(), target.bytes);
            line.written |= bytes_mask(target.bytes) << at % kLineBytes;
        }
    move_lines(message, use, lines, false);
    pass_element(message, use, place);
}

/// The element says from now on that memory has its pixels.
void RenderTarget::pass_element(const Message& message, const Use& use,
                                const surface::ElementPlace& place) {
    std::uint8_t byte = 0;
    move_bytes(message, use, Requester::RenderControl, place.address, &byte, 1, true);
    byte = surface::with_element(place, byte, surface::kPassThrough);
    move_bytes(message, use, Requester::RenderControl, place.address, &byte, 1, false);
    ++stats_.elements_filled;
}

/// Fills an element's pixels by host pointers: four rows of two pieces of 16 bytes, within a tile.
/// False: they are to be filled line by line.
bool RenderTarget::fill_directly(const Use& use, std::uint32_t slice, std::uint32_t x,
                                 std::uint32_t y) {
    constexpr unsigned kPiece = 16, kNextColumn = 512, kRowBytes = 32, kRows = 4;
    const Target& target = use.target;
    const surface::ElementSize size = surface::element_size(target.bytes);
    if (env_.timed() || target.surface.tiling != surface::Tiling::Y ||
        target.place.x_bytes % kRowBytes != 0 || target.place.y % kRows != 0 ||
        !target.inside(x + size.width - 1u, y + size.height - 1u))
        return false;
    std::array<std::uint8_t, kPiece> piece;
    for (unsigned at = 0; at < kPiece; at += target.bytes)
        std::memcpy(piece.data() + at, use.clear.data(), target.bytes);
    const std::uint64_t first = target.address(slice, x, y, 0);
    std::uint8_t* const tile = pages_.find_any(first, true, target.surface.mocs);
    for (unsigned row = 0; row < kRows; ++row)
        for (unsigned column = 0; column < 2; ++column) {
            const unsigned offset = column * kNextColumn + row * kPiece;
            std::uint8_t* const host =
                tile != nullptr ? tile + offset
                                : pages_.find(first + offset, kPiece, true, target.surface.mocs);
            if (host == nullptr) return false;
            std::memcpy(host, piece.data(), kPiece);
        }
    return true;
}

/// Each sample of the pixels comes into its own slice.
void RenderTarget::prepare_mcs(const Message& message, const Access& access) {
    const Use& use = *access.use;
    const Target& target = use.target;
    const unsigned samples = target.samples, bytes = surface::mcs_bytes(samples);
    const std::uint64_t identity = surface::mcs_identity(samples),
                        clear = surface::mcs_clear(samples);
    const unsigned width = samples <= 4 ? 2 : 4;  ///< of a sample's field
    for (unsigned n = 0; n < access.slots; ++n) {
        const std::uint32_t x = access.places.x[n], y = access.places.y[n];
        if (access.covered[n] == 0 || !target.inside(x, y) ||
            !surface::mcs_holds(target.auxiliary, samples, x, y))
            continue;
        const std::uint64_t at = surface::mcs_texel(target.auxiliary, samples, access.slice, x, y);
        std::uint64_t texel = 0;
        move_bytes(message, use, Requester::RenderControl, at, &texel, bytes, true);
        // Two samples leave half of their byte unused.
        const std::uint64_t used = samples == 2 ? 0xF : clear;
        if (((texel ^ identity) & used) == 0) continue;
        std::array<std::array<std::uint8_t, 16>, 16> values;
        if (texel == clear) {
            values.fill(use.clear);
            ++stats_.elements_filled;
        } else {
            for (unsigned s = 0; s < samples; ++s) {
                const auto slice = static_cast<unsigned>(texel >> s * width & (samples - 1));
                move_bytes(message, use, Requester::RenderTarget,
                           target.address(access.slice, x, y, slice), values[s].data(),
                           target.bytes, true);
            }
        }
        for (unsigned s = 0; s < samples; ++s)
            move_bytes(message, use, Requester::RenderTarget, target.address(access.slice, x, y, s),
                       values[s].data(), target.bytes, false);
        std::uint64_t made = identity;
        move_bytes(message, use, Requester::RenderControl, at, &made, bytes, false);
    }
}

// --- Fast clears and resolves

/// What a pixel of the pass's rectangle stands for.
void RenderTarget::pass_over(const Message& message, const Access& access) {
    const Use& use = *access.use;
    for (unsigned n = 0; n < access.slots; ++n) {
        if (access.covered[n] == 0) continue;
        const std::uint32_t x = access.places.x[n], y = access.places.y[n];
        if (use.target.auxiliary_use == AuxiliaryUse::Ccs && use.pass == Pass::FastClear)
            clear_elements(message, access, x, y);
        else if (use.target.auxiliary_use == AuxiliaryUse::Ccs)
            resolve_elements(message, access, x, y);
        else if (use.target.auxiliary_use == AuxiliaryUse::Mcs && use.pass == Pass::FastClear)
            clear_texels(message, access, x, y);
    }
}

void RenderTarget::clear_elements(const Message& message, const Access& access, std::uint32_t x,
                                  std::uint32_t y) {
    const Target& target = access.use->target;
    const surface::ElementSize size = surface::element_size(target.bytes);
    const surface::PixelRectangle pixels = surface::ccs_clear_pixels(target.bytes, x, y);
    LineSet& lines = auxiliary_lines_;
    lines.clear();
    const auto each = [&](const auto& does) {
        for (unsigned v = 0; v < kElementsAcross; ++v)
            for (unsigned u = 0; u < kElementsAcross; ++u)
                does(surface::ccs_element(target.auxiliary, target.bytes, target.level,
                                          access.slice, pixels.x + u * size.width,
                                          pixels.y + v * size.height));
    };
    each([&](const surface::ElementPlace& place) {
        lines.add(place.address, Requester::RenderControl);
    });
    move_lines(message, *access.use, lines, true);
    each([&](const surface::ElementPlace& place) {
        LineSet::Line& line = lines.line_of(place.address);
        std::uint8_t& byte = line.data[place.address % kLineBytes];
        byte = surface::with_element(place, byte, surface::kClear);
        line.written |= std::uint64_t{1} << place.address % kLineBytes;
    });
    move_lines(message, *access.use, lines, false);
}

void RenderTarget::resolve_elements(const Message& message, const Access& access, std::uint32_t x,
                                    std::uint32_t y) {
    const Target& target = access.use->target;
    const surface::ElementSize size = surface::element_size(target.bytes);
    const surface::PixelRectangle pixels = surface::ccs_clear_pixels(target.bytes, x, y);
    for (unsigned v = 0; v < kElementsAcross; ++v)
        for (unsigned u = 0; u < kElementsAcross; ++u) {
            const std::uint32_t at_x = pixels.x + u * size.width, at_y = pixels.y + v * size.height;
            if (!target.inside(at_x, at_y)) continue;
            const surface::ElementPlace place = surface::ccs_element(
                target.auxiliary, target.bytes, target.level, access.slice, at_x, at_y);
            std::uint8_t byte = 0;
            move_bytes(message, *access.use, Requester::RenderControl, place.address, &byte, 1,
                       true);
            if (surface::element_value(place, byte) == surface::kClear)
                fill_element(message, access, place, at_x, at_y);
        }
}

void RenderTarget::clear_texels(const Message& message, const Access& access, std::uint32_t x,
                                std::uint32_t y) {
    const Target& target = access.use->target;
    const surface::PixelRectangle pixels = surface::mcs_clear_pixels(target.samples, x, y);
    std::uint64_t clear = surface::mcs_clear(target.samples);
    for (std::uint32_t row = pixels.y; row < pixels.y + pixels.height; ++row)
        for (std::uint32_t column = pixels.x; column < pixels.x + pixels.width; ++column)
            if (surface::mcs_holds(target.auxiliary, target.samples, column, row))
                move_bytes(
                    message, *access.use, Requester::RenderControl,
                    surface::mcs_texel(target.auxiliary, target.samples, access.slice, column, row),
                    &clear, surface::mcs_bytes(target.samples), false);
}

}  // namespace gen9::pixel

// SPDX-License-Identifier: Apache-2.0
/// Auxiliary surfaces of colour: the CCS, whose elements tell of blocks of pixels of one sample
/// whether they are clear, and the MCS, whose texels tell for each sample which slice holds it.
///
/// The model never compresses: a CCS element is 0 (memory holds the pixels) or 3 (clear), an MCS
/// texel all ones (clear), or each sample lies in its own slice.
///
/// Spec  CC-33 to CC-46; Public: mesa isl (ccs.rst)
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>

namespace gen9::surface {

inline constexpr unsigned kPassThrough = 0, kClear = 3;

/// An auxiliary surface as its surface state describes it.
struct Auxiliary {
    std::uint64_t base = 0;
    std::uint32_t tiles_per_row = 1;
    std::uint32_t qpitch_rows = 0;        ///< rows of the main surface between slices
    std::uint32_t width = 1, height = 1;  ///< of level 0 of the main surface
};

struct PixelRectangle {
    std::uint32_t x = 0, y = 0, width = 0, height = 0;
};

/// Pixels of a CCS element by the bytes of a pixel: 4, 8 or 16 (CC-38).
struct ElementSize {
    std::uint8_t width = 8, height = 4;
};
constexpr ElementSize element_size(unsigned pixel_bytes) {
    return {static_cast<std::uint8_t>(32 / pixel_bytes), 4};
}

/// The place of an element: two bits of a byte.
struct ElementPlace {
    std::uint64_t address = 0;
    std::uint8_t shift = 0;
};
/// Of the element that holds a pixel of a level and slice.
ElementPlace ccs_element(const Auxiliary& ccs, unsigned pixel_bytes, unsigned level,
                         std::uint32_t slice, std::uint32_t x, std::uint32_t y);
/// Finds the place of the element of a column and row, as ElementRange has them.
ElementPlace ccs_element_at(const Auxiliary& ccs, std::uint64_t column, std::uint64_t row);
/// Elements in the order of memory: a line of 64 bytes holds 16 x 16 of them, a word of 8 bytes two
/// rows of these.
struct ElementRange {
    static constexpr unsigned kLine = 16;  ///< elements, across and down
    std::uint64_t first_column, last_column, first_row, last_row;
};
/// The elements of a rectangle of pixels of a level and slice; it is not empty.
ElementRange ccs_elements(const Auxiliary& ccs, unsigned pixel_bytes, unsigned level,
                          std::uint32_t slice, const PixelRectangle& pixels);
/// The address of the byte that holds an element, with 2 x 2 of them, and of its line.
std::uint64_t ccs_byte(const Auxiliary& ccs, std::uint64_t column, std::uint64_t row);
std::uint64_t ccs_line(const Auxiliary& ccs, std::uint64_t column, std::uint64_t row);

/// True: memory holds all pixels of these elements, as far as that is seen from whole words of a few
/// lines. `host_of`: memory of the host for an address, or null.
template <class HostOf>
bool pass_through(const Auxiliary& ccs, const ElementRange& elements, HostOf host_of) {
    constexpr unsigned kLine = ElementRange::kLine, kWord = 8;
    constexpr std::uint64_t kMostLines = 8;
    const std::uint64_t left = elements.first_column / kLine, right = elements.last_column / kLine,
                        top = elements.first_row / kLine, bottom = elements.last_row / kLine;
    if ((right - left + 1) * (bottom - top + 1) > kMostLines) return false;
    for (std::uint64_t line = top; line <= bottom; ++line) {
        const std::uint64_t first = line == top ? elements.first_row % kLine : 0,
                            last = line == bottom ? elements.last_row % kLine : kLine - 1;
        for (std::uint64_t column = left; column <= right; ++column) {
            const std::uint8_t* const host = host_of(ccs_line(ccs, column * kLine, line * kLine));
            if (host == nullptr) return false;
            std::uint64_t any = 0;
            for (std::uint64_t word = first / 2; word <= last / 2; ++word) {
                std::uint64_t elements_of_word;
                std::memcpy(&elements_of_word, host + word * kWord, kWord);
                any |= elements_of_word;
            }
            if (any != 0) return false;
        }
    }
    return true;
}
/// Gives what all elements of a range say: kPassThrough or kClear. None: they differ, lie in more than
/// 2 x 2 bytes, or `host_of` has no memory of the host for an address.
template <class HostOf>
std::optional<unsigned> common_value(const Auxiliary& ccs, const ElementRange& elements,
                                     HostOf host_of) {
    constexpr unsigned kEvenColumn = 0x33, kOddColumn = 0xCC, kEvenRow = 0x0F, kOddRow = 0xF0;
    const std::uint64_t left = elements.first_column / 2, right = elements.last_column / 2,
                        top = elements.first_row / 2, bottom = elements.last_row / 2;
    if (right - left > 1 || bottom - top > 1) return std::nullopt;
    bool clear = true, passes = true;
    for (std::uint64_t row = top; row <= bottom; ++row) {
        const unsigned rows = (2 * row >= elements.first_row ? kEvenRow : 0) |
                              (2 * row < elements.last_row ? kOddRow : 0);
        for (std::uint64_t column = left; column <= right; ++column) {
            const unsigned asked = rows & ((2 * column >= elements.first_column ? kEvenColumn : 0) |
                                           (2 * column < elements.last_column ? kOddColumn : 0));
            const std::uint8_t* const byte = host_of(ccs_byte(ccs, 2 * column, 2 * row));
            if (byte == nullptr) return std::nullopt;
            clear &= (*byte & asked) == asked;
            passes &= (*byte & asked) == 0;
        }
    }
    if (passes) return kPassThrough;
    if (clear) return kClear;
    return std::nullopt;
}
constexpr unsigned element_value(const ElementPlace& place, std::uint8_t byte) {
    return byte >> place.shift & 3u;
}
constexpr std::uint8_t with_element(const ElementPlace& place, std::uint8_t byte, unsigned value) {
    return static_cast<std::uint8_t>((byte & ~(3u << place.shift)) | value << place.shift);
}

/// Pixels that one pixel of the rectangle of a fast clear or resolve stands for (CC-39): 8 x 8
/// elements; of an MCS, texels (CC-36).
PixelRectangle ccs_clear_pixels(unsigned pixel_bytes, std::uint32_t x, std::uint32_t y);
PixelRectangle mcs_clear_pixels(unsigned samples, std::uint32_t x, std::uint32_t y);

/// Bytes of a texel of an MCS.
constexpr unsigned mcs_bytes(unsigned samples) {
    return samples <= 4 ? 1 : samples == 8 ? 4 : 8;
}
/// The texel in which every sample lies in its own slice, and the one of a clear pixel.
constexpr std::uint64_t mcs_identity(unsigned samples) {
    const unsigned width = samples <= 4 ? 2 : 4;
    std::uint64_t texel = 0;
    for (unsigned s = 0; s < samples; ++s)
        texel |= std::uint64_t{s} << s * width;
    return texel;
}
constexpr std::uint64_t mcs_clear(unsigned samples) {
    return ~std::uint64_t{0} >> (64 - 8 * mcs_bytes(samples));
}
std::uint64_t mcs_texel(const Auxiliary& mcs, unsigned samples, std::uint32_t layer,
                        std::uint32_t x, std::uint32_t y);
/// Is the texel within the pitch and the slice? Others are dropped.
bool mcs_holds(const Auxiliary& mcs, unsigned samples, std::uint32_t x, std::uint32_t y);

}  // namespace gen9::surface

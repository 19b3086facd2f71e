// SPDX-License-Identifier: Apache-2.0
// The texels of usual messages: in memory of the host, or in the lines that are read.
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/host.h"
#include "sampler/filter/each_place.h"
#include "sampler/filter/usual.h"

namespace gen9::sampler {

namespace {

constexpr unsigned kSamples = Request::kSamples, kTaps = UsualTexels::kTaps;

using Parts = UsualPlaces::PerSample<std::uint32_t>;

/// A part of all addresses lies in this.
struct Range {
    std::uint32_t low, high;
};
GEN9_INLINE Range range_of(const Parts& first, const Parts& second) {
    std::uint32_t low = ~0u, high = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        const std::uint32_t a = first[n], b = second[n];
        const std::uint32_t less = a < b ? a : b, more = a < b ? b : a;
        low = low < less ? low : less;
        high = high > more ? high : more;
    }
    return {low, high};
}

/// True: no texel crosses the end of a line.
GEN9_INLINE bool aligned(const Request& q, const UsualPlaces& places) {
    const std::uint32_t bytes = q.surface->format->bytes;
    auto bits = static_cast<std::uint32_t>(q.surface->raw.base % Request::kLine);
    for (unsigned k = 0; k < (places.linear ? 2u : 1u); ++k)
        for (unsigned n = 0; n < kSamples; ++n)
            bits |= places.column[k][n] | places.row[k][n];
    return std::has_single_bit(bytes) && !(bits & (bytes - 1));
}

constexpr auto kPage = static_cast<std::uint32_t>(Pages::kBytes);

/// Copies the texels of each sample, wherever they lie.
bool copy_texels(const Request& q, const UsualPlaces& places, Pages& pages, TexelMemory& memory,
                 UsualTexels& texels) {
    const std::uint32_t bytes = q.surface->format->bytes;
    texels.base = texels.copies[0].data();
    for (unsigned k = 0; k < (places.linear ? kTaps : 1u); ++k)
        for (unsigned n = 0; n < kSamples; ++n) {
            const std::uint64_t address =
                (q.surface->raw.base + places.column[k & 1][n] + places.row[k >> 1][n]) &
                kAddressMask;
            const std::uint8_t* const host = pages.find(address / kPage, memory);
            if (!host || address % kPage > kPage - bytes) return false;
            auto& copy = texels.copies[k * kSamples + n];
            std::memcpy(copy.data(), host + address % kPage, bytes);
            texels.at[k][n] = static_cast<std::uint32_t>((k * kSamples + n) * copy.size());
        }
    return true;
}

/// Gives the texels' places in bytes from an address `begin` bytes before the surface.
GEN9_INLINE void add_parts(const UsualPlaces& places, std::uint32_t begin,
                           UsualTexels& __restrict texels) {
    each_place(
        places.linear, [&](unsigned k) __attribute__((always_inline)) {
            const std::uint32_t* const column = places.column[k & 1].data();
            const std::uint32_t* const row = places.row[k >> 1].data();
            std::uint32_t* const __restrict at = texels.at[k].data();
#pragma GCC ivdep
            for (unsigned n = 0; n < kSamples; ++n)
                at[n] = begin + column[n] + row[n];
        });
}

/// The host memory of a page, or null. Tells the stretch of it, if that is not null.
const std::uint8_t* find_page(std::uint64_t page, Pages& pages, TexelMemory& memory,
                              Stretch* stretch) {
    const auto at = [&](std::uint64_t address) {
        // Texels are only read.
        return DirectPage{const_cast<std::uint8_t*>(
            pages.find(address / kPage & (kAddressMask / kPage), memory))};
    };
    const DirectPage found = at(page * kPage);
    if (stretch != nullptr && found.host != nullptr) stretch->add(page * kPage, found, at);
    return found.host;
}

constexpr std::uint32_t kMostPages = 64;

/// Texels on up to 64 pages from one on, of which those in use are asked for. False: one of them has
/// no host memory, or they lie too far from each other.
GEN9_INLINE bool find_spread(const UsualPlaces& places, std::uint64_t first_page,
                             std::uint32_t begin, Pages& pages, TexelMemory& memory,
                             UsualTexels& texels) {
    add_parts(places, begin, texels);
    std::uint64_t used = 0;
    each_place(
        places.linear, [&](unsigned k) __attribute__((always_inline)) {
            for (unsigned n = 0; n < kSamples; ++n)
                used |= std::uint64_t{1} << texels.at[k][n] / kPage;
        });
    std::array<std::uintptr_t, kMostPages> hosts;
    std::uintptr_t lowest = ~std::uintptr_t{0}, highest = 0;
    for (std::uint64_t left = used; left != 0; left &= left - 1) {
        const auto page = static_cast<unsigned>(std::countr_zero(left));
        hosts[page] = reinterpret_cast<std::uintptr_t>(
            pages.find((first_page + page) & (kAddressMask / kPage), memory));
        if (hosts[page] == 0) return false;
        lowest = std::min(lowest, hosts[page]);
        highest = std::max(highest, hosts[page]);
    }
    if ((highest - lowest + kPage) >> 32) return false;
    texels.base = reinterpret_cast<const std::uint8_t*>(lowest);
    std::array<std::uint32_t, kMostPages> moves;
    for (std::uint64_t left = used; left != 0; left &= left - 1) {
        const auto page = static_cast<unsigned>(std::countr_zero(left));
        moves[page] = static_cast<std::uint32_t>(hosts[page] - lowest) - page * kPage;
    }
    each_place(
        places.linear, [&](unsigned k) __attribute__((always_inline)) {
            std::uint32_t* const at = texels.at[k].data();
            for (unsigned n = 0; n < kSamples; ++n)
                at[n] += moves[at[n] / kPage % kMostPages];
        });
    return true;
}

/// Texels that the stretch, as it was, does not hold.
GEN9_FOR_EACH_HOST
bool find_elsewhere(const Request& q, const UsualForm& form, const UsualPlaces& places,
                    SurfaceMemory& found, Pages& pages, TexelMemory& memory, UsualTexels& texels) {
    const std::uint64_t base = q.surface->raw.base & kAddressMask;
    constexpr std::uint32_t kFew = 4;
    const auto begin = static_cast<std::uint32_t>(base % kPage);
    const Range column = range_of(places.column[0], places.column[places.linear]);
    const Range row = range_of(places.row[0], places.row[places.linear]);
    const std::uint32_t from = column.low + row.low, to = column.high + row.high;
    // The first misses let the stretch grow to both ends, so that later messages search for no page.
    constexpr unsigned kFirst = 16, kTold = 8;
    const unsigned missed = found.missed++;
    if (missed < kFirst) {
        find_page((base + form.begin) / kPage, pages, memory, &found.stretch);
        find_page((base + places.end - 1) / kPage, pages, memory, &found.stretch);
    }
    texels.base = found.stretch.find(base + from, to - from + q.surface->format->bytes, true);
    if (texels.base != nullptr) {
        add_parts(places, 0 - from, texels);
        return true;
    }
    const std::uint32_t low = (begin + from) / kPage, high = (begin + to) / kPage;
    bool few = high - low < kFew;
    // Where memory is in many pieces, the pages alone are the quicker way.
    Stretch* const stretch = missed < 4 * kFirst || missed % kTold == 0 ? &found.stretch : nullptr;
    std::uintptr_t hosts[kFew], lowest = ~std::uintptr_t{0}, highest = 0;
    for (std::uint32_t page = low; few && page <= high; ++page) {
        hosts[page - low] = reinterpret_cast<std::uintptr_t>(
            find_page(base / kPage + page, pages, memory, stretch));
        lowest = std::min(lowest, hosts[page - low]);
        highest = std::max(highest, hosts[page - low]);
        few = hosts[page - low] != 0;
    }
    if (!few || (highest - lowest + kPage) >> 32)
        return (high - low < kMostPages &&
                find_spread(places, base / kPage + low, begin - low * kPage, pages, memory,
                            texels)) ||
               copy_texels(q, places, pages, memory, texels);
    texels.base = reinterpret_cast<const std::uint8_t*>(lowest);
    // Pages that do not follow their predecessor in the host's memory move what lies behind.
    std::array<std::uint32_t, kFew> moves{static_cast<std::uint32_t>(hosts[0] - lowest)};
    std::uint32_t moved = 0;
    for (std::uint32_t n = 1; n <= high - low; ++n)
        moved |= moves[n] = static_cast<std::uint32_t>(hosts[n] - hosts[n - 1]) - kPage;
    add_parts(places, begin - low * kPage, texels);
    if (!(moved | moves[0])) return true;
    each_place(
        places.linear, [&](unsigned k) __attribute__((always_inline)) {
            std::uint32_t* const at = texels.at[k].data();
            for (unsigned n = 0; n < kSamples; ++n)
                at[n] += moves[0] + (at[n] >= kPage ? moves[1] : 0) +
                         (at[n] >= 2 * kPage ? moves[2] : 0) + (at[n] >= 3 * kPage ? moves[3] : 0);
        });
    return true;
}

/// Texels that lie in one piece of host memory, which begins at `form.begin`.
GEN9_FOR_EACH_HOST
void find_in_piece(const UsualForm& form, const UsualPlaces& places, UsualTexels& texels) {
    add_parts(places, 0 - form.begin, texels);
}

}  // namespace

bool find_usual_texels(const Request& q, const UsualForm& form, const UsualPlaces& places,
                       Pages& pages, TexelMemory& memory, UsualTexels& texels) {
    if (!form.aligned) return copy_texels(q, places, pages, memory, texels);
    const std::uint64_t base = q.surface->raw.base & kAddressMask;
    SurfaceMemory& found = pages.of_surface(base);
    texels.base = found.stretch.find(base + form.begin, places.end - form.begin, true);
    if (texels.base == nullptr) [[unlikely]]
        return find_elsewhere(q, form, places, found, pages, memory, texels);
    find_in_piece(form, places, texels);
    return true;
}

/// A number of each texel of a group of four samples: of its first place, all samples', and so on.
constexpr unsigned kGroup = Request::kGroup, kGroupTexels = kTaps * kGroup;
using OfGroup = std::array<std::uint32_t, kGroupTexels>;

/// The first of a set of texels: sample by sample and, of a sample, place by place.
GEN9_INLINE unsigned first_of(std::uint32_t texels) {
    static_assert(kTaps == 4 && kGroup == 4);
    const std::uint32_t samples = texels | texels >> 4 | texels >> 8 | texels >> 12;
    const auto sample = static_cast<unsigned>(std::countr_zero(samples)) % kGroup;
    const std::uint32_t places = texels >> sample & 0x1111;
    return static_cast<unsigned>(std::countr_zero(places)) % kGroupTexels + sample;
}
/// Gives `number` to the texels on a line; the set of them.
GEN9_INLINE std::uint32_t number_line(const OfGroup& lines, std::uint32_t line,
                                      std::uint32_t number, OfGroup& __restrict numbers) {
    alignas(64) static constexpr OfGroup kBits = [] {
        OfGroup bits{};
        for (unsigned i = 0; i < kGroupTexels; ++i)
            bits[i] = 1u << i;
        return bits;
    }();
    std::uint32_t found = 0;
#pragma GCC unroll 1
    for (unsigned i = 0; i < kGroupTexels; ++i) {
        found |= lines[i] == line ? kBits[i] : 0;
        numbers[i] = lines[i] == line ? number : numbers[i];
    }
    return found;
}

GEN9_FOR_EACH_HOST
bool list_usual_lines(Request& q) {
    const UsualPlaces& places = q.usual_places;
    if (!aligned(q, places)) return false;
    const std::uint64_t base = q.surface->raw.base & kAddressMask;
    const auto begin = static_cast<std::uint32_t>(base % Request::kLine);
    // Texels with a share of 0 are not read: the place before them stands for them.
    alignas(64) std::array<UsualPlaces::PerSample<std::uint32_t>, 2> column, row;
    column[0] = places.column[0];
    row[0] = places.row[0];
    const auto& right = places.column[places.linear];
    const auto& below = places.row[places.linear];
    for (unsigned n = 0; n < kSamples; ++n)
        column[1][n] = places.linear && places.x[n] > 0 ? right[n] : column[0][n];
    for (unsigned n = 0; n < kSamples; ++n)
        row[1][n] = places.linear && places.y[n] > 0 ? below[n] : row[0][n];
    // Bytes from the begin of the base's line on; their lines, and the lines' places in the list.
    using PerTexel = std::array<UsualPlaces::PerSample<std::uint32_t>, kTaps>;
    alignas(64) PerTexel at, lines, numbers;
    each_place(
        true, [&](unsigned k) __attribute__((always_inline)) {
            for (unsigned n = 0; n < kSamples; ++n) {
                at[k][n] = begin + column[k & 1][n] + row[k >> 1][n];
                lines[k][n] = at[k][n] / Request::kLine;
            }
        });
    // A group's lines, each once, in the order of the samples.
    unsigned count = 0;
    q.lines.fit(kTaps * kSamples);
    for (unsigned first = 0; first < kSamples; first += kGroup) {
        alignas(64) OfGroup group, of_group{};
        each_place(
            true, [&](unsigned k) __attribute__((always_inline)) {
                std::memcpy(&group[k * kGroup], &lines[k][first], sizeof group / kTaps);
            });
        std::uint32_t left = (q.active >> first & 0xF) * 0x1111;
        while (left) {
            const std::uint32_t line = group[first_of(left)];
            left &= ~number_line(group, line, count, of_group);
            q.lines[count++] = (base / Request::kLine + line) & (kAddressMask / Request::kLine);
        }
        each_place(
            true, [&](unsigned k) __attribute__((always_inline)) {
                std::memcpy(&numbers[k][first], &of_group[k * kGroup], sizeof group / kTaps);
            });
    }
    q.line_count = static_cast<std::uint16_t>(count);
    q.line_bytes.fit(count);
    q.usual_texels.base = q.line_bytes[0].data();
    each_place(
        true, [&](unsigned k) __attribute__((always_inline)) {
            for (unsigned n = 0; n < kSamples; ++n)
                q.usual_texels.at[k][n] =
                    at[k][n] % Request::kLine + numbers[k][n] * Request::kLine;
        });
    return true;
}

}  // namespace gen9::sampler

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/units.h"

namespace gen9 {

/// Lines of a page that are accessed by host pointer, bit n for line n. A cache behind keeps one
/// for each page that it wants to know this of; who has the pointer marks what it accesses.
struct DirectLines {
    static_assert(kPageBytes / kLineBytes == 64);
    std::uint64_t read = 0, written = 0;
    /// `bytes`, at least one, of the page, from the place `in_page` on.
    void mark(std::uint64_t in_page, std::uint64_t bytes, bool reads) {
        const std::uint64_t first = in_page / kLineBytes;
        const std::uint64_t last = (in_page + bytes - 1) / kLineBytes;
        (reads ? read : written) |= ~std::uint64_t{0} >> (63 - last + first) << first;
    }
};

}  // namespace gen9

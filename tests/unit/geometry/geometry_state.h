// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "packets/topology.h"

namespace gen9::geometry::test {

/// A 3DSTATE_GS, by what tests set.
struct GeometryCommand {
    unsigned vertices = 1;  ///< expected
    packets::Topology output = packets::Topology::PointList;
    unsigned instances = 1;
    unsigned start = 2, read_offset = 0, read_rows = 0;
    unsigned vertex_units = 2;  ///< of 16 bytes
    unsigned control_rows = 0;
    bool stream_bits = false, include_handles = false, include_ids = false, trailing = false,
         discards = false, hint = false;
    unsigned dispatch = 3, increment = 0, stream = 0, max_threads = 100;
    int static_count = -1;

    std::vector<std::uint32_t> dwords() const {
        const std::uint32_t counted = static_count < 0 ? 0 : 1u << 30 | static_count << 16;
        return {0x78110008,
                0xFFFFB000,
                0,
                vertices,
                0,
                0,
                (start & 15) | read_offset << 4 | include_handles * 1u << 10 | read_rows << 11 |
                    static_cast<std::uint32_t>(output) << 17 | (vertex_units - 1) << 23 |
                    start >> 4 << 29,
                1u | discards * 2u | trailing * 4u | hint * 8u | include_ids * 16u |
                    increment << 5 | 1u << 10 | dispatch << 11 | stream << 13 |
                    (instances - 1) << 15 | control_rows << 20,
                (max_threads - 1) | counted | stream_bits * 1u << 31,
                0};
    }
};

}  // namespace gen9::geometry::test

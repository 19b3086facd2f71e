// SPDX-License-Identifier: Apache-2.0
#include "vme/message/result.h"

#include <algorithm>

#include "common/bits.h"
#include "vme/cost.h"

namespace gen9::vme {
namespace {

/// Combinations of the directions of two parts, as 16x8 counts them from 4 on in steps of two; 8x16
/// is the odd number behind. In order: L0L0, L1L1, L0L1, L1L0, L0Bi, L1Bi, BiL0, BiL1, BiBi.
constexpr std::uint8_t kPairs[3][3] = {{0, 2, 4}, {3, 1, 5}, {6, 7, 8}};

std::uint32_t pack_minor(const Partition& p) {
    if (p.major != MajorMode::M8x8) return 0;
    std::uint32_t packed = 0;
    for (unsigned q = 0; q < 4; ++q)
        packed |= static_cast<std::uint32_t>(p.minor[q]) << 2 * q;
    return packed;
}
std::uint32_t pack_directions(const Inputs& in, const Partition& p) {
    std::uint32_t packed = 0;
    p.for_each_shape(in, [&](unsigned, unsigned part) {
        packed |= static_cast<std::uint32_t>(p.direction[part]) << 2 * part;
    });
    return packed;
}

void put(Message& m, unsigned phase, unsigned index, std::uint32_t value) {
    store(m.response[phase].bytes + 4 * index, value);
}

std::uint32_t first_dword(const Inputs& in, const Result& r) {
    std::uint32_t value = 0;
    if (r.inter) {
        value |= static_cast<std::uint32_t>(r.partition.major);
        value |= std::uint32_t{inter_type(r.partition, in.remap)} << 8;
        value |= r.vectors << 24;  // 16 at most
    }
    value |= std::uint32_t{r.intra_mode} << 4;
    value |= std::uint32_t{in.source_field && in.bottom_source} << 7;
    value |= std::uint32_t{in.source_field} << 14;
    value |= std::uint32_t{r.transform_8x8} << 15;
    value |= std::uint32_t{r.intra_type} << 16;
    value |= std::uint32_t{r.stream_only_local} << 29 | std::uint32_t{r.min_has_local} << 30 |
             std::uint32_t{r.stream_has_no_local} << 31;
    return value;
}

}  // namespace

void Result::place(unsigned shape, const std::array<Vector, 2>& vectors_of,
                   std::uint32_t distortion_of) {
    const Shape& s = kShapes[shape];
    for (unsigned y = s.y; y < s.y + s.height; ++y)
        for (unsigned x = s.x; x < s.x + s.width; ++x)
            vector[block_at(x, y)] = vectors_of;
    distortion[s.first] = distortion_of;
}

std::uint8_t inter_type(const Partition& p, std::uint8_t remap) {
    constexpr std::uint8_t k8x8Type = 0x16;
    if (p.major == MajorMode::M8x8) return k8x8Type;
    const bool one = p.major == MajorMode::M16x16, odd = p.major == MajorMode::M8x16;
    if (remap != 0) {
        const unsigned backward = remap == 2;
        return static_cast<std::uint8_t>(one ? 1 + backward : 4 + 2 * backward + odd);
    }
    if (one) return static_cast<std::uint8_t>(1 + p.direction[0]);
    return static_cast<std::uint8_t>(4 + 2 * kPairs[p.direction[0]][p.direction[1]] + odd);
}

void write_result(const Inputs& in, const Result& r, Message& m) {
    for (unsigned phase = 0; phase < 7; ++phase)
        m.response[phase] = {};
    put(m, 0, 0, first_dword(in, r));
    put(m, 0, 1,
        r.border[0] | std::uint32_t{r.border[1]} << 4 | std::min(r.units, 255u) << 8 |
            bits(r.distortion_sum[1], 26u, 16u) << 16);
    put(m, 0, 2, saturate(r.inter_distortion) | saturate(r.skip_distortion) << 16);
    put(m, 0, 3, saturate(r.intra_distortion) | saturate(r.chroma_distortion) << 16);
    for (unsigned z = 0; z < 16; ++z) {
        std::uint8_t& modes = m.response[0].bytes[16 + z / 2];
        modes = static_cast<std::uint8_t>(modes | r.luma_mode[z] << (z % 2 * 4));
    }
    std::uint32_t flags = (in.intra_structure & 0xFCu) | r.chroma_mode;
    if (r.inter) flags |= pack_minor(r.partition) << 8 | pack_directions(in, r.partition) << 16;
    flags |= std::uint32_t{r.early_stop} << 24 | std::uint32_t{r.too_many_vectors} << 25 |
             std::min(r.alternate_units, 63u) << 26;
    put(m, 0, 6, flags);
    for (unsigned z = 0; z < 16; ++z)
        for (unsigned d = 0; d < 2; ++d)
            put(m, 1 + z / 4, z % 4 * 2 + d, to_dword(r.vector[z][d]));
    for (unsigned z = 0; z < 16; ++z)
        store(m.response[5].bytes + 2 * z, static_cast<std::uint16_t>(saturate(r.distortion[z])));
    std::uint32_t ids = 0;
    for (unsigned block = 0; block < 4; ++block) {
        for (unsigned d = 0; d < 2; ++d)
            ids |= std::uint32_t{r.ref_id[block][d]} << (8 * block + 4 * d);
        m.response[6].bytes[4 + block] =
            static_cast<std::uint8_t>(std::min(r.coefficients[block], 255u));
        store(m.response[6].bytes + 8 + 2 * block,
              static_cast<std::uint16_t>(saturate(r.excess[block])));
    }
    put(m, 6, 0, ids);
    put(m, 6, 4, bits(r.distortion_sum[1], 15u, 0u) << 16);
    put(m, 6, 6, bits(r.distortion_sum[0], 26u, 0u));
    put(m, 6, 7, saturate(r.distortion_most[0]) | saturate(r.distortion_most[1]) << 16);
}

void write_clocks(std::uint64_t compute, std::uint64_t stalled, Message& m) {
    const auto clocks = [](std::uint64_t cycles) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(cycles, 0xFFFF));
    };
    put(m, 0, 7, clocks(compute) | clocks(stalled) << 16);
}

}  // namespace gen9::vme

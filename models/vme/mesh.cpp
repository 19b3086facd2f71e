// SPDX-License-Identifier: Apache-2.0
#include "vme/mesh.h"

#include <cstdlib>

#include "common/bits.h"
#include "vme/cost.h"
#include "vme/distortion.h"

namespace gen9::vme {
namespace {

/// Pixels that the mask leaves out count nothing; it needs SAD (VME-18).
std::uint32_t masked_sad(const Message& m, const Patch& source, unsigned bx, unsigned by,
                         const std::uint8_t* reference, std::size_t stride) {
    std::uint32_t sum = 0;
    for (unsigned y = 0; y < 4; ++y) {
        const auto excluded = load<std::uint16_t>(m.payload[kTypePhase].bytes + 2 * (by + y));
        for (unsigned x = 0; x < 4; ++x)
            if (!(excluded >> (bx + x) & 1))
                sum += static_cast<std::uint32_t>(std::abs(
                    source.bytes[(by + y) * source.stride() + bx + x] - reference[y * stride + x]));
    }
    return sum;
}

}  // namespace

void write_mesh(const Inputs& in, const Patch& source, const Patch& window, Message& m) {
    const unsigned size = in.mesh_8x8 ? 2 : 4;  // of a shape, in 4x4 blocks
    const unsigned shapes = in.mesh_8x8 ? 4 : 1, units_wide = mesh_positions(in.mesh_8x8) / 4;
    const Measure measure = measure_of(in.inter_haar, in.haar_without_dc);
    const std::uint32_t shape_cost =
        in.costs.mode[in.mesh_8x8 ? mode_index(MinorMode::M8x8) : mode_index(MajorMode::M16x16)];
    for (unsigned phase = 0; phase < 16; ++phase) {
        const unsigned unit = phase / shapes, q = phase % shapes;
        const unsigned bx = in.mesh_8x8 ? q % 2 * 8 : 0, by = in.mesh_8x8 ? q / 2 * 8 : 0;
        for (unsigned word = 0; word < 16; ++word) {
            const unsigned px = unit % units_wide * 4 + word % 4;
            const unsigned py = unit / units_wide * 4 + word / 4;
            std::uint32_t sum = 0;
            for (unsigned y = by; y < by + 4 * size; y += 4)
                for (unsigned x = bx; x < bx + 4 * size; x += 4) {
                    const std::uint8_t* const reference =
                        window.bytes.data() + (py + y) * window.stride() + px + x;
                    std::uint32_t block =
                        measure == Measure::Sad
                            ? masked_sad(m, source, x, y, reference, window.stride())
                            : distortion_4x4(source.bytes.data() + y * source.stride() + x,
                                             source.stride(), reference, window.stride(), measure);
                    if (in.weighted) block >>= in.block_weights >> 2 * block_at(x / 4, y / 4) & 3;
                    sum += block;
                }
            const Vector vector{
                static_cast<std::int16_t>(4 * (in.window[0].x + static_cast<std::int32_t>(px))),
                static_cast<std::int16_t>(4 * (in.window[0].y + static_cast<std::int32_t>(py)))};
            sum += vector_cost(in, vector, in.centre[q][kForward]) +
                   ref_id_cost(in, in.ref_id[q][kForward]) + shape_cost;
            store(m.response[phase].bytes + 2 * word, static_cast<std::uint16_t>(saturate(sum)));
        }
    }
}

}  // namespace gen9::vme

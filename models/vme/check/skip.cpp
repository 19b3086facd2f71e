// SPDX-License-Identifier: Apache-2.0
#include "vme/check/skip.h"

#include <algorithm>
#include <cstdlib>

#include "vme/cost.h"
#include "vme/distortion.h"
#include "vme/refine/samples.h"

namespace gen9::vme {
namespace {

/// The core transform of four numbers, `step` apart (AVC's, without scaling).
void transform_4(std::int32_t* v, unsigned step) {
    const std::int32_t a = v[0] + v[3 * step], b = v[step] + v[2 * step];
    const std::int32_t c = v[step] - v[2 * step], d = v[0] - v[3 * step];
    v[0] = a + b;
    v[step] = 2 * d + c;
    v[2 * step] = a - b;
    v[3 * step] = d - 2 * c;
}

const std::uint8_t* source_at(const Patch& source, unsigned x, unsigned y) {
    return source.bytes.data() + y * source.stride() + x;
}

void transform_block(const Inputs& in, const Patch& source, const Shape& s,
                     const std::uint8_t* prediction, Result& result) {
    for (unsigned y = 0; y < s.height; ++y)
        for (unsigned x = 0; x < s.width; ++x) {
            std::int32_t difference[16];
            for (unsigned i = 0; i < 16; ++i)
                difference[i] = *source_at(source, 4 * (s.x + x) + i % 4, 4 * (s.y + y) + i / 4) -
                                prediction[16 * (4 * y + i / 4) + 4 * x + i % 4];
            const Excess excess = transform_excess(difference, in.threshold);
            const unsigned block = (s.x + x) / 2 + (s.y + y) / 2 * 2;
            result.coefficients[block] += excess.count;
            result.excess[block] += excess.sum;
        }
}

/// The raw distortion of a block: its own, or the largest one of its parts (VME-17).
std::uint32_t raw_distortion(const Inputs& in, const Patch& source, const Shape& s,
                             const std::uint8_t* prediction, Measure measure) {
    const unsigned size = !in.block_skip ? 16u : in.transform_8x8 && in.whole() ? 8u : 4u;
    const unsigned width = std::min(4u * s.width, size), height = std::min(4u * s.height, size);
    std::uint32_t raw = 0;
    for (unsigned y = 0; y < 4u * s.height; y += height)
        for (unsigned x = 0; x < 4u * s.width; x += width)
            raw = std::max(
                raw, distortion(source_at(source, 4u * s.x + x, 4u * s.y + y), source.stride(),
                                prediction + 16 * y + x, 16, width, height, measure));
    return raw;
}

Direction direction_of(const SkipBlock& block) {
    return block.patch[0] && block.patch[1] ? kBoth : block.patch[0] ? kForward : kBackward;
}

}  // namespace

Excess transform_excess(const std::int32_t (&difference)[16],
                        const std::array<std::uint16_t, 7>& threshold) {
    std::int32_t v[16];
    std::copy(std::begin(difference), std::end(difference), v);
    for (unsigned row = 0; row < 4; ++row)
        transform_4(v + 4 * row, 1);
    for (unsigned column = 0; column < 4; ++column)
        transform_4(v + column, 4);
    Excess excess;
    for (unsigned i = 0; i < 16; ++i) {
        // VME-33: by the distance from DC.
        const auto size = static_cast<std::uint32_t>(std::abs(v[i]));
        const std::uint32_t limit = threshold[i % 4 + i / 4];
        if (assumed::kEqualCoefficientCounts ? size < limit : size <= limit) continue;
        ++excess.count;
        excess.sum += size - limit;
    }
    return excess;
}

unsigned skip_shape(const Inputs& in, unsigned pair) {
    if (in.skip_8x8) return k8x8 + pair;
    return in.whole() ? k16x16 : in.size == SourceSize::S16x8 ? k16x8 : k8x8;
}

void check_skip(const Inputs& in, const Patch& source, const std::vector<SkipBlock>& blocks,
                Result& result) {
    result.inter = true;
    Partition& p = result.partition;
    p.major = in.skip_8x8 || in.size == SourceSize::S8x8 ? MajorMode::M8x8
              : in.whole()                               ? MajorMode::M16x16
                                                         : MajorMode::M16x8;
    const Measure measure = measure_of(in.inter_haar, in.haar_without_dc);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const SkipBlock& block = blocks[i];
        const Shape& s = kShapes[block.shape];
        std::uint8_t prediction[2][256], mixed[256];
        std::uint32_t cost = 0;
        for (unsigned d = 0; d < 2; ++d) {
            if (!block.patch[d]) continue;
            const Samples samples(*block.patch[d], in.bilinear);
            samples.predict(4 * (in.source.x + 4 * s.x) + block.vector[d].x,
                            4 * (in.source.y + 4 * s.y) + block.vector[d].y, 4u * s.width,
                            4u * s.height, prediction[d]);
            // Skipping costs nothing unless the message asks (VME-27, VME-46).
            if (in.skip_vector_cost)
                cost += vector_cost(in, block.vector[d], in.centre[s.centre][d]) +
                        ref_id_cost(in, in.ref_id[s.centre][d]);
            ++result.vectors;
        }
        const Direction direction = direction_of(block);
        p.direction[i] = direction;
        const std::uint8_t* used = prediction[direction == kBackward];
        if (direction == kBoth) {
            mix(prediction[0], prediction[1], in.weight, 4u * s.width, 4u * s.height, mixed);
            used = mixed;
        }
        // Assumed: the cost of the class that the skip's type names.
        if (in.skip_mode_cost)
            cost += in.costs.mode[in.skip_8x8 ? mode_index(MinorMode::M8x8)
                                              : mode_index(MajorMode::M16x16)];
        const std::uint32_t distortion_of =
            saturate(distortion(source_at(source, 4u * s.x, 4u * s.y), source.stride(), used, 16,
                                4u * s.width, 4u * s.height, measure) +
                     cost);
        const std::uint32_t raw = raw_distortion(in, source, s, used, measure);
        result.skip_distortion =
            in.block_skip ? std::max(result.skip_distortion, raw) : result.skip_distortion + raw;
        result.place(block.shape, block.vector, distortion_of);
        result.inter_distortion += distortion_of;
        if (in.transform) transform_block(in, source, s, used, result);
    }
}

}  // namespace gen9::vme

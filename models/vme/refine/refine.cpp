// SPDX-License-Identifier: Apache-2.0
#include "vme/refine/refine.h"

#include <optional>

#include "vme/cost.h"
#include "vme/distortion.h"
#include "vme/refine/samples.h"

namespace gen9::vme {
namespace {

/// A vector and what it costs.
struct Refined {
    Vector vector;
    std::uint32_t distortion = 0;  ///< with the costs of vector and reference
    std::uint32_t cost = 0;        ///< of which those
    std::array<std::uint8_t, 256> prediction{};
};

struct PartResult {
    std::array<std::optional<Refined>, 2> direction;
    std::optional<std::uint32_t> both;  ///< distortion of both together
};

class Refinement {
  public:
    Refinement(const Inputs& in, const Patch& source)
        : in_(in), source_(source), measure_(measure_of(in.inter_haar, in.haar_without_dc)) {}

    PartResult run(const RefinePart& part) const {
        PartResult result;
        for (unsigned d = 0; d < 2; ++d)
            if (part.patch[d]) result.direction[d] = search(part, d);
        if (result.direction[0] && result.direction[1]) {
            std::uint8_t mixed[256];
            const Shape& s = kShapes[part.shape];
            mix(result.direction[0]->prediction.data(), result.direction[1]->prediction.data(),
                in_.weight, 4u * s.width, 4u * s.height, mixed);
            result.both = saturate(measure(s, mixed) + result.direction[0]->cost +
                                   result.direction[1]->cost + assumed::kBiasOfBoth);
        }
        return result;
    }

  private:
    std::uint32_t measure(const Shape& s, const std::uint8_t* prediction) const {
        return distortion(source_.bytes.data() + 4 * s.y * source_.stride() + 4 * s.x,
                          source_.stride(), prediction, 16, 4u * s.width, 4u * s.height, measure_);
    }
    /// Eight half positions around the start, row by row, then eight quarter positions around the
    /// best; an equal one does not replace.
    Refined search(const RefinePart& part, unsigned d) const {
        const Shape& s = kShapes[part.shape];
        const Samples samples(*part.patch[d], in_.bilinear);
        Refined best;
        std::array<std::uint8_t, 256> prediction{};
        const auto try_vector = [&](Vector v, bool first) {
            samples.predict(4 * (in_.source.x + 4 * s.x) + v.x, 4 * (in_.source.y + 4 * s.y) + v.y,
                            4u * s.width, 4u * s.height, prediction.data());
            const std::uint32_t cost = vector_cost(in_, v, in_.centre[s.centre][d]) +
                                       ref_id_cost(in_, in_.ref_id[s.centre][d]);
            const std::uint32_t sum = saturate(measure(s, prediction.data()) + cost);
            if (first || sum < best.distortion) best = {v, sum, cost, prediction};
        };
        try_vector(part.start[d], true);
        for (const int step : {2, 1}) {
            if (step == 2 ? !in_.half : !in_.quarter) break;
            const Vector centre = best.vector;
            for (int y = -step; y <= step; y += step)
                for (int x = -step; x <= step; x += step)
                    if (x != 0 || y != 0)
                        try_vector({static_cast<std::int16_t>(centre.x + x),
                                    static_cast<std::int16_t>(centre.y + y)},
                                   false);
        }
        return best;
    }

    const Inputs& in_;
    const Patch& source_;
    const Measure measure_;
};

std::uint32_t shape_costs(const Inputs& in, const Partition& p) {
    if (p.major != MajorMode::M8x8) return in.costs.mode[mode_index(p.major)];
    std::uint32_t sum = 0;
    for (unsigned q = 0; q < 4; ++q)
        if (in.contains(kShapes[k8x8 + q])) sum += in.costs.mode[mode_index(p.minor[q])];
    return sum;
}

/// A bias is a part's in major shapes, an 8x8 block's in minor ones (VME-46).
bool has_bias(const RefinePart& part) {
    return part.shape < kMajorShapes || kShapes[part.shape].first % 4 == 0;
}

}  // namespace

Partition partition_of(const Inputs& in) {
    Partition p;
    p.major = in.major;
    if (in.major == MajorMode::M8x8) p.minor = in.minor;
    p.for_each_shape(in, [&](unsigned, unsigned part) { p.direction[part] = in.direction[part]; });
    return p;
}

Result refine(const Inputs& in, const Patch& source, const std::vector<RefinePart>& parts) {
    Result result;
    result.inter = true;
    result.partition = partition_of(in);
    result.ref_id = in.ref_id;
    const Refinement refinement(in, source);
    std::vector<PartResult> found;
    found.reserve(parts.size());
    for (const RefinePart& part : parts)
        found.push_back(refinement.run(part));

    const auto one_way = [&](std::size_t i) {
        const RefinePart& part = parts[i];
        return found[i].direction[part.direction]->distortion +
               (has_bias(part) ? bias(in, part.direction) : 0);
    };
    const bool limited = in.vectors_limited() && in.most_vectors != assumed::kNoLimit;
    const unsigned most = limited ? in.most_vectors : 32;
    result.vectors = static_cast<unsigned>(parts.size());
    if (in.bidirectional_all && !in.no_bidirectional) {
        // VME-55: all or none. There are no minor shapes, so that each part has both.
        std::uint32_t one = 0, both = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            one += one_way(i);
            both += *found[i].both;
        }
        if (2 * result.vectors > most || both >= one)
            for (PartResult& part : found)
                part.both.reset();
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const RefinePart& part = parts[i];
        Direction& direction = result.partition.direction[part.part];
        std::uint32_t distortion = one_way(i);
        // VME-54: in the order of the blocks, as long as there are vectors.
        const bool both = found[i].both && result.vectors < most &&
                          (in.bidirectional_all || *found[i].both < distortion);
        if (both) {
            direction = kBoth;
            distortion = *found[i].both;
            ++result.vectors;
        }
        std::array<Vector, 2> vectors = part.start;
        for (unsigned d = 0; d < 2; ++d)
            if (found[i].direction[d]) vectors[d] = found[i].direction[d]->vector;
        result.place(part.shape, vectors, distortion);
        result.inter_distortion += distortion;
    }
    result.inter_distortion += shape_costs(in, result.partition);
    result.transform_8x8 = in.transform_8x8 && in.whole() && !result.partition.has_minor_shapes();
    return result;
}

}  // namespace gen9::vme

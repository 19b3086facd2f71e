// SPDX-License-Identifier: Apache-2.0
#include "vme/search/partition.h"

#include <algorithm>

#include "common/bits.h"
#include "vme/cost.h"

namespace gen9::vme {
namespace {

/// The directions that a choice is made among: the first and how many.
struct Among {
    unsigned first, count;
};

class Chooser {
  public:
    Chooser(const Inputs& in, const std::array<Records, 2>& records) : in_(in), records_(records) {}

    Choice best(Among among) const {
        Choice best;
        std::uint32_t least = Choice::kNone;
        for (const MajorMode major : assumed::kMajorOrder) {
            const Choice choice = major == MajorMode::M8x8 ? of_8x8(among) : of_major(major, among);
            if (!choice.found) continue;
            least = std::min(least, choice.distortion);
            if (in_.vectors_limited() && choice.vectors > in_.most_vectors) continue;
            if (choice.distortion < best.distortion) best = choice;
        }
        best.too_many_vectors = in_.whole() && least < best.distortion;
        return best;
    }

  private:
    /// The best direction of one part in one shape or several, with the bias; null: not searched.
    std::uint32_t best_direction(ShapeRange shapes, Among among, Direction& direction) const {
        std::uint32_t best = Choice::kNone;
        for (unsigned d = among.first; d < among.first + among.count; ++d) {
            std::uint32_t sum = bias(in_, static_cast<Direction>(d));
            bool filled = true;
            for (unsigned i = 0; i < shapes.count; ++i) {
                const Record& record = records_[d][shapes.first + i];
                filled = filled && record.filled;
                sum += record.distortion;
            }
            if (filled && sum < best) {
                best = sum;
                direction = static_cast<Direction>(d);
            }
        }
        return best;
    }
    Choice of_major(MajorMode major, Among among) const {
        Choice choice;
        choice.partition.major = major;
        choice.distortion = in_.costs.mode[mode_index(major)];
        const ShapeRange range = major_shapes(major);
        for (unsigned i = 0; i < range.count; ++i) {
            if (!in_.contains(kShapes[range.first + i])) continue;
            const std::uint32_t part =
                best_direction({range.first + i, 1}, among, choice.partition.direction[i]);
            if (part == Choice::kNone) return {};
            choice.found = true;
            choice.distortion += part;
            ++choice.vectors;
        }
        return choice;
    }
    Choice of_8x8(Among among) const {
        Choice choice;
        choice.partition.major = MajorMode::M8x8;
        choice.distortion = 0;
        for (unsigned q = 0; q < 4; ++q) {
            if (!in_.contains(kShapes[k8x8 + q])) continue;
            std::uint32_t best = Choice::kNone;
            unsigned vectors = 0;
            for (const MinorMode minor : assumed::kMinorOrder) {
                Direction direction = kForward;
                const ShapeRange shapes = minor_shapes(minor, q);
                std::uint32_t sum = best_direction(shapes, among, direction);
                if (sum == Choice::kNone) continue;
                sum += in_.costs.mode[mode_index(minor)];
                if (sum >= best) continue;
                best = sum;
                vectors = shapes.count;
                choice.partition.minor[q] = minor;
                choice.partition.direction[q] = direction;
            }
            if (best == Choice::kNone) return {};
            choice.found = true;
            choice.distortion += best;
            choice.vectors += vectors;
        }
        return choice;
    }

    const Inputs& in_;
    const std::array<Records, 2>& records_;
};

// A stream's record: phase 0 has the distortions in words and the ids, phase 1 the vectors. 16x16 is
// apart: distortion and id in DWord 4, vector in DWord 5 of phase 0 (VME-41).
constexpr unsigned kWhole = 4, kWholeVector = 5, kIds = 6;

/// Bits of a distortion by shape: 14 of 8x8, 15 of 16x8 and 8x16.
constexpr unsigned stream_bits(unsigned shape) {
    return shape == k16x16 ? 16 : shape < k8x8 ? 15 : 14;
}

}  // namespace

Choice choose_partition(const Inputs& in, const std::array<Records, 2>& records,
                        unsigned directions) {
    const Chooser chooser(in, records);
    if (directions == 1) return chooser.best({0, 1});
    if (!in.one_direction) return chooser.best({0, 2});
    // VME-23: all forward or all backward.
    const Choice forward = chooser.best({0, 1}), backward = chooser.best({1, 1});
    return backward.distortion < forward.distortion ? backward : forward;
}

void merge_records(Records& into, const Records& from) {
    for (unsigned shape = 0; shape < kShapeCount; ++shape)
        if (from[shape].filled && into[shape].beaten_by(from[shape].distortion))
            into[shape] = from[shape];
}

void merge_stream(const Message& m, unsigned first, Records& records) {
    for (unsigned shape = 0; shape < kMajorShapes; ++shape) {
        Record streamed;
        const std::uint32_t most = (1u << stream_bits(shape)) - 1;
        if (shape == k16x16) {
            const std::uint32_t whole = dword(m, first, kWhole);
            streamed.distortion = whole & most;
            streamed.ref_id = static_cast<std::uint8_t>(bits(whole, 19u, 16u));
            streamed.vector = vector_of(dword(m, first, kWholeVector));
        } else {
            const unsigned i = shape - 1;
            streamed.distortion = dword(m, first, i / 2) >> i % 2 * 16 & most;
            streamed.ref_id = static_cast<std::uint8_t>(dword(m, first, kIds) >> 4 * i & 0xF);
            streamed.vector = vector_of(dword(m, first + 1, i));
        }
        streamed.filled = true;
        streamed.local = false;
        // All ones: a record that was never filled, as write_stream leaves it.
        if (streamed.distortion != most && records[shape].beaten_by(streamed.distortion))
            records[shape] = streamed;
    }
}

void write_stream(const Records& records, unsigned first, Message& m) {
    Grf &head = m.response[first], &vectors = m.response[first + 1];
    head = vectors = {};
    std::uint32_t ids = 0;
    for (unsigned shape = 0; shape < kMajorShapes; ++shape) {
        const Record& record = records[shape];
        const std::uint32_t most = (1u << stream_bits(shape)) - 1;
        const std::uint32_t distortion = record.filled ? std::min(record.distortion, most) : most;
        if (shape == k16x16) {
            store(head.bytes + 4 * kWhole, distortion | std::uint32_t{record.ref_id} << 16);
            store(head.bytes + 4 * kWholeVector, to_dword(record.vector));
            continue;
        }
        const unsigned i = shape - 1;
        store(head.bytes + 2 * i, static_cast<std::uint16_t>(distortion));
        ids |= std::uint32_t{record.ref_id} << 4 * i;
        store(vectors.bytes + 4 * i, to_dword(record.vector));
    }
    store(head.bytes + 4 * kIds, ids);
}

}  // namespace gen9::vme

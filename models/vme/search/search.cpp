// SPDX-License-Identifier: Apache-2.0
#include "vme/search/search.h"

#include <algorithm>

#include "vme/cost.h"

namespace gen9::vme {
namespace {

/// The distortions of all shapes out of those of the 4x4 blocks.
void sum_shapes(const std::uint32_t (&block)[16], std::uint32_t (&sum)[kShapeCount]) {
    for (unsigned z = 0; z < 16; ++z)
        sum[k4x4 + z] = block[z];
    for (unsigned q = 0; q < 4; ++q) {
        const std::uint32_t* const b = block + 4 * q;
        sum[k8x4 + 2 * q] = b[0] + b[1];
        sum[k8x4 + 2 * q + 1] = b[2] + b[3];
        sum[k4x8 + 2 * q] = b[0] + b[2];
        sum[k4x8 + 2 * q + 1] = b[1] + b[3];
        sum[k8x8 + q] = b[0] + b[1] + b[2] + b[3];
    }
    sum[k16x8] = sum[k8x8] + sum[k8x8 + 1];
    sum[k16x8 + 1] = sum[k8x8 + 2] + sum[k8x8 + 3];
    sum[k8x16] = sum[k8x8] + sum[k8x8 + 2];
    sum[k8x16 + 1] = sum[k8x8 + 1] + sum[k8x8 + 3];
    sum[k16x16] = sum[k16x8] + sum[k16x8 + 1];
}

}  // namespace

Search::Search(const Inputs& in, const std::uint8_t* path, const Patch& source,
               const std::array<const Patch*, 2>& references)
    : in_(in),
      path_(path),
      source_(source),
      references_(references),
      measure_(measure_of(in.inter_haar, in.haar_without_dc)),
      unit_(unit_size(in.size)),
      units_(window_units(in)),
      whole_(in.whole()                     ? k16x16
             : in.size == SourceSize::S16x8 ? k16x8
                                            : k8x8) {
    list_shapes();
}

void Search::list_shapes() {
    // VME-52: too few vectors for minor shapes.
    const bool minor = !in_.vectors_limited() || in_.most_vectors >= 4;
    for (unsigned shape = 0; shape < kShapeCount; ++shape) {
        const Shape& s = kShapes[shape];
        const bool allowed = in_.weighted
                                 ? shape == k16x16
                                 : in_.contains(s) && (minor || shape < kMajorShapes) &&
                                       !(in_.shape_mask >> static_cast<unsigned>(s.kind) & 1);
        if (allowed) shapes_[shape_count_++] = static_cast<std::uint8_t>(shape);
    }
}

void Search::run() {
    if (in_.split_path) walkers_[1].next_byte = 1;
    const unsigned records = in_.records();
    while (!early_stop_ && !(walkers_[0].ended && (records == 1 || walkers_[1].ended)))
        for (unsigned record = 0; record < records && !early_stop_; ++record)
            if (!walkers_[record].ended) step(record);
}

std::optional<Point> Search::next_unit(Walker& w, unsigned record) const {
    if (w.steps >= in_.most_units) return {};
    if (w.steps == 0) return in_.start[in_.dual() ? record : 0];
    if (in_.control == SearchControl::DualStart && w.steps == 1) return in_.start[1];
    if (w.on_path) {
        const std::uint8_t byte =
            w.steps < in_.path_length && w.next_byte < kPathBytes ? path_[w.next_byte] : 0;
        if (byte != 0) {
            w.next_byte += in_.dual() && in_.split_path ? 2 : 1;
            return Point{(w.unit.x + (byte & 0xF)) & 0xF, (w.unit.y + (byte >> 4)) & 0xF};
        }
        w.on_path = false;
    }
    return in_.adaptive ? next_neighbour(w) : std::nullopt;
}

/// Of the neighbours of the unit with the best position the first one that was not searched, nearest
/// side first.
std::optional<Point> Search::next_neighbour(const Walker& w) const {
    const auto width = static_cast<std::int32_t>(unit_.width),
               height = static_cast<std::int32_t>(unit_.height);
    const Point unit{w.best.x / width, w.best.y / height};
    const auto distance = [&](const assumed::Side& side) {
        const bool across = side.x != 0;
        const std::int32_t at = across ? w.best.x % width : w.best.y % height;
        return side.x + side.y < 0 ? at : (across ? width : height) - 1 - at;
    };
    auto sides = assumed::kSides;
    std::ranges::stable_sort(sides, {}, distance);
    for (const assumed::Side& side : sides) {
        const Point next{unit.x + side.x, unit.y + side.y};
        const bool inside = next.x >= 0 && next.y >= 0 &&
                            next.x < static_cast<std::int32_t>(units_.width) &&
                            next.y < static_cast<std::int32_t>(units_.height);
        if (inside && !w.visited[static_cast<std::size_t>(16 * next.y + next.x)]) return next;
    }
    return {};
}

/// A unit outside the window and one that was searched before are steps as well (VME-24).
void Search::step(unsigned record) {
    Walker& w = walkers_[record];
    const auto next = next_unit(w, record);
    if (!next) {
        w.ended = true;
        return;
    }
    w.unit = *next;
    ++w.steps;
    const auto place = static_cast<std::size_t>(16 * w.unit.y + w.unit.x);
    if (static_cast<unsigned>(w.unit.x) >= units_.width ||
        static_cast<unsigned>(w.unit.y) >= units_.height || w.visited[place])
        return;
    w.visited[place] = true;
    ++w.searched;
    search_unit(record, w.unit);
    // Reference 0 alone counts (VME-22).
    early_stop_ =
        record == 0 && in_.early_stop_enabled &&
        (w.least < in_.early_stop || (assumed::kEqualStopsEarly && w.least == in_.early_stop));
}

void Search::search_unit(unsigned record, Point unit) {
    const unsigned rows = in_.x_only ? assumed::kRowsAlongX : unit_.height;
    for (unsigned y = 0; y < rows; ++y)
        for (unsigned x = 0; x < unit_.width; ++x)
            search_position(
                record,
                {unit.x * static_cast<std::int32_t>(unit_.width) + static_cast<std::int32_t>(x),
                 unit.y * static_cast<std::int32_t>(unit_.height) + static_cast<std::int32_t>(y)});
}

void Search::search_position(unsigned record, Point position) {
    const unsigned reference = in_.control == SearchControl::DualReference ? record : 0;
    const Patch& window = *references_[record];
    const std::uint8_t* const at = window.at(window.x + position.x, window.y + position.y);
    std::uint32_t block[16]{}, sum[kShapeCount];
    for (unsigned y = 0; y < in_.blocks_high(); ++y)
        for (unsigned x = 0; x < in_.blocks_wide(); ++x) {
            const unsigned z = block_at(x, y);
            block[z] = distortion_4x4(source_.bytes.data() + 4 * y * source_.stride() + 4 * x,
                                      source_.stride(), at + 4 * y * window.stride() + 4 * x,
                                      window.stride(), measure_);
            // VME-25.
            if (in_.weighted) block[z] >>= in_.block_weights >> 2 * z & 3;
        }
    sum_shapes(block, sum);

    const Point corner = in_.window[record];
    const Vector vector{static_cast<std::int16_t>(4 * (corner.x + position.x)),
                        static_cast<std::int16_t>(4 * (corner.y + position.y))};
    std::uint32_t cost[4];
    for (unsigned centre = 0; centre < 4; ++centre)
        cost[centre] = vector_cost(in_, vector, in_.centre[centre][record]) +
                       ref_id_cost(in_, in_.ref_id[centre][reference]);
    for (unsigned i = 0; i < shape_count_; ++i) {
        const unsigned shape = shapes_[i], centre = kShapes[shape].centre;
        const std::uint32_t distortion = saturate(sum[shape] + cost[centre]);
        Record& best = records_[record][shape];
        if (best.beaten_by(distortion))
            best = {distortion, vector, in_.ref_id[centre][reference], true, true};
    }
    const std::uint32_t whole = saturate(sum[whole_] + cost[0]);
    Walker& w = walkers_[record];
    if (whole < w.least) {
        w.least = whole;
        w.best = position;
    }
    sums_[reference] += whole;
    most_[reference] = std::max(most_[reference], whole);
}

}  // namespace gen9::vme

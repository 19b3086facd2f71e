// SPDX-License-Identifier: Apache-2.0
#include "media/objects/media_cursor.h"

#include <algorithm>

namespace gen9::media {
namespace {

constexpr WalkVector operator+(WalkVector a, WalkVector b) {
    return {a.x + b.x, a.y + b.y};
}
constexpr WalkVector operator*(int n, WalkVector v) {
    return {n * v.x, n * v.y};
}

/// Quotient rounded down; `b` > 0.
constexpr int floor_div(int a, int b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

/// The numbers a loop's execution counts keep (MED-23).
constexpr std::uint16_t count10(int value) {
    return static_cast<std::uint16_t>(value & 0x3FF);
}

}  // namespace

MediaGroupId group_id(const LoopCounts& c, unsigned loop_select) {
    // 003:18097-18117. Unused counts are 0, so that one concatenation serves all.
    std::uint64_t id = 0;
    const auto append = [&](unsigned count, unsigned width) { id = id << width | count; };
    if (loop_select == 0) return {};
    append(c.outer_global, 10);
    if (loop_select <= 4) append(c.inner_global, 10);
    if (loop_select <= 3) append(c.outer_local, 10);
    if (loop_select <= 2) append(c.mid_local, 5);
    if (loop_select <= 1) append(c.inner_local, 10);
    return {static_cast<std::uint32_t>(id), static_cast<std::uint16_t>(id >> 32)};
}

bool same_group(const LoopCounts& a, const LoopCounts& b, unsigned loop_select) {
    if (loop_select == 0) return false;
    return a.outer_global == b.outer_global &&
           (loop_select > 4 || a.inner_global == b.inner_global) &&
           (loop_select > 3 || a.outer_local == b.outer_local) &&
           (loop_select > 2 || a.mid_local == b.mid_local) &&
           (loop_select > 1 || a.inner_local == b.inner_local);
}

MediaLoops::MediaLoops(const MediaWalkerParameters& walker, unsigned segments)
    : walker_(walker), segments_(static_cast<int>(std::max(1u, segments))) {
    done_ =
        walker.block.x <= 0 || walker.block.y <= 0 || walker.global.x <= 0 || walker.global.y <= 0;
    if (done_) return;
    // A block counts as inside while any of it is (003:17695-17699).
    global_steps_ = inside(walker_.global_start, walker_.global_inner,
                           {1 - walker_.block.x, 1 - walker_.block.y}, walker_.global);
    inner_global_ = global_steps_.first;
    if (!global_steps_.empty()) enter_block();
}

MediaLoops::Steps MediaLoops::inside(WalkVector from, WalkVector step, WalkVector low,
                                     WalkVector high) {
    Steps steps{0, step == WalkVector{} ? 0 : 1 << 20};
    const auto narrow = [&](int at, int by, int lowest, int beyond) {
        if (by == 0) {
            if (at < lowest || at >= beyond) steps.last = -1;
            return;
        }
        // Mirrored, so that the step is positive.
        if (by < 0) {
            const int mirrored = 1 - beyond;
            beyond = 1 - lowest;
            lowest = mirrored;
            at = -at;
            by = -by;
        }
        steps.first = std::max(steps.first, -floor_div(at - lowest, by));
        steps.last = std::min(steps.last, floor_div(beyond - 1 - at, by));
    };
    narrow(from.x, step.x, low.x, high.x);
    narrow(from.y, step.y, low.y, high.y);
    return steps;
}

void MediaLoops::enter_block() {
    const WalkVector corner = walker_.global_start +
                              static_cast<int>(outer_global_) * walker_.global_outer +
                              inner_global_ * walker_.global_inner;
    origin_ = {std::max(corner.x, 0), std::max(corner.y, 0)};
    size_ = {std::min(corner.x + walker_.block.x, walker_.global.x) - origin_.x,
             std::min(corner.y + walker_.block.y, walker_.global.y) - origin_.y};
    outer_local_ = mid_local_ = 0;
    in_block_ = true;
    in_line_ = false;
}

bool MediaLoops::next_block() {
    in_block_ = false;
    if (inner_global_ < global_steps_.last) {
        ++inner_global_;
        enter_block();
        return true;
    }
    if (++outer_global_ == walker_.global_executions) return false;
    const WalkVector from =
        walker_.global_start + static_cast<int>(outer_global_) * walker_.global_outer;
    global_steps_ = inside(from, walker_.global_inner, {1 - walker_.block.x, 1 - walker_.block.y},
                           walker_.global);
    inner_global_ = global_steps_.first;
    // An empty execution has been passed over; the next call goes on.
    if (!global_steps_.empty()) enter_block();
    return true;
}

bool MediaLoops::next_line() {
    if (in_line_) ++mid_local_;
    if (mid_local_ > walker_.middle_extra_steps) {
        mid_local_ = 0;
        if (++outer_local_ == walker_.local_executions) return false;
    }
    line_ = walker_.local_start + static_cast<int>(outer_local_) * walker_.local_outer +
            static_cast<int>(mid_local_) * walker_.local_middle;
    line_steps_ = inside(line_, walker_.local_inner, {}, size_);
    in_line_ = true;
    place_ = segment_ = 0;
    color_ = 0;
    return true;
}

std::optional<MediaPoint> MediaLoops::take() {
    const int length = (line_steps_.count() + segments_ - 1) / segments_;
    while (place_ < length) {
        const int index = segment_ * length + place_;
        if (segment_ == segments_ || index >= line_steps_.count()) {
            segment_ = 0;
            ++place_;
            continue;
        }
        MediaPoint point;
        point.at = origin_ + line_ + (line_steps_.first + index) * walker_.local_inner;
        point.counts = {
            static_cast<std::uint16_t>(color_),           count10(index),
            static_cast<std::uint16_t>(mid_local_),       count10(static_cast<int>(outer_local_)),
            count10(inner_global_ - global_steps_.first), count10(static_cast<int>(outer_global_))};
        point.segment = static_cast<std::uint8_t>(segment_);
        if (++color_ == walker_.colors) {
            color_ = 0;
            ++segment_;
        }
        return point;
    }
    return std::nullopt;
}

std::optional<MediaPoint> MediaLoops::next() {
    for (std::uint32_t passed = 0; !done_; ++passed) {
        if (const auto point = take()) return point;
        if (passed == kMaxPassedOver) {
            done_ = given_up_ = true;
        } else if (!(in_block_ && next_line()) && !next_block()) {
            done_ = true;
        }
    }
    return std::nullopt;
}

MediaCursor::MediaCursor(const MediaWalkerParameters& walker, unsigned segments,
                         std::span<const std::uint8_t> mask)
    : loops_(MediaLoops(walker, segments)),
      loop_select_(walker.group_loop_select),
      mask_pitch_(walker.mask_pitch),
      mask_(mask) {
    at_ = following();
    if (at_) ahead_ = following();
}

bool MediaCursor::masked_out(const MediaPoint& point) const {
    // MED-28: 003:17752, with the shift that makes it a byte's address; a set bit dispatches.
    const std::size_t bit =
        static_cast<std::size_t>(point.at.y) * mask_pitch_ + static_cast<std::size_t>(point.at.x);
    return bit / 8 >= mask_.size() || !(mask_[bit / 8] >> bit % 8 & 1);
}

std::optional<MediaPoint> MediaCursor::following() {
    auto point = loops_->next();
    for (std::uint32_t passed = 0; mask_pitch_ && point && masked_out(*point); ++passed) {
        if (passed == MediaLoops::kMaxPassedOver) {
            given_up_ = true;
            return std::nullopt;
        }
        point = loops_->next();
    }
    given_up_ |= loops_->given_up();
    return point;
}

bool MediaCursor::last_of_group() const {
    return !ahead_ || !same_group(at_->counts, ahead_->counts, loop_select_);
}

unsigned MediaCursor::group_threads(unsigned limit) const {
    MediaCursor copy = *this;
    unsigned threads = 1;
    for (; threads < limit && !copy.last_of_group(); ++threads)
        copy.next();
    return threads;
}

void MediaCursor::next() {
    at_ = ahead_;
    if (ahead_) ahead_ = following();
}

}  // namespace gen9::media

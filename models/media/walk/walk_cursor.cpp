// SPDX-License-Identifier: Apache-2.0
#include "media/walk/walk_cursor.h"

namespace gen9::media {
namespace {

bool walks_loops(const Walk& walk) {
    return walk.media && walk.media->command == MediaCommand::ObjectWalker;
}

}  // namespace

WalkCursor::WalkCursor(const Walk& walk, unsigned segments, std::uint16_t first_thread)
    : walk_(&walk), local_thread_(first_thread) {
    if (!walk.media) {
        walker_ = WalkerCursor(walk.walker);
        masks_ = GroupMasks(walk.walker);
        done_ = walker_.done();
    } else if (walks_loops(walk)) {
        // MED-29: in sequence with a mask. Groups that hold more than a place stay together.
        const bool whole =
            walk.media_walker.mask_pitch != 0 || walk.media_walker.group_loop_select > 1;
        dealt_out_ = !whole && segments > 1;
        media_ = MediaCursor(walk.media_walker, whole ? 1 : segments, walk.dispatch_mask);
        done_ = media_.done();
    } else {
        done_ = false;
    }
}

bool WalkCursor::last_of_group() const {
    if (!walk_->media) return walker().last_of_group();
    if (walk_->media->command == MediaCommand::ObjectGrpid) return walk_->media->end_of_group;
    if (!walks_loops(*walk_)) return true;
    return walk_->grouped() ? media_.last_of_group() : media_.last();
}

unsigned WalkCursor::group_threads(unsigned limit) const {
    if (!walk_->media) return walk_->walker.group_threads();
    // All that is known of a group that comes object by object is what its barrier waits for.
    const Descriptor& d = walk_->descriptor;
    if (!walks_loops(*walk_)) return d.barrier ? std::max<unsigned>(1, d.group_threads) : 1;
    return media_.group_threads(limit);
}

void WalkCursor::describe(ThreadFacts& facts) const {
    facts.group_id = group();
    if (!walk_->media) {
        facts.local_thread = static_cast<std::uint16_t>(walker().local_thread());
        facts.mask = masks_.masks()[walker().local_thread()];
        return;
    }
    facts.local_thread = local_thread_;
    facts.mask = ~0u;
    facts.at = {walk_->media->scoreboard.x, walk_->media->scoreboard.y};
    facts.color = walk_->media->scoreboard.color;
    if (walks_loops(*walk_)) {
        facts.at = media_.at().at;
        facts.color = static_cast<std::uint8_t>(media_.at().counts.color);
    }
}

std::array<std::uint32_t, 3> WalkCursor::group() const {
    if (!walk_->media) return walker().group();
    if (walk_->media->command == MediaCommand::ObjectGrpid) return {walk_->media->group_id, 0, 0};
    if (done_ || !walk_->grouped()) return {};
    const auto id = group_id(media_.at().counts, walk_->media_walker.group_loop_select);
    return {id.low, id.high, 0};
}

ScoreboardRequest WalkCursor::scoreboard() const {
    if (!walk_->media) return {};
    ScoreboardRequest request = walk_->media->scoreboard;
    if (walks_loops(*walk_)) {
        // MED-43: the place and colour of the thread take part.
        request.x = static_cast<std::uint16_t>(media_.at().at.x);
        request.y = static_cast<std::uint16_t>(media_.at().at.y);
        request.color = static_cast<std::uint8_t>(media_.at().counts.color);
    }
    return request;
}

void WalkCursor::next(unsigned threads) {
    if (parts_.empty()) {
        walker_.next(threads);
    } else {
        WalkerPart& part = parts_.front();
        part.at.next(threads);
        if ((part.left -= threads) == 0) parts_.erase(parts_.begin());
    }
    done_ = parts_.empty() && walker_.done();
}

WalkerPart WalkCursor::cut_off(unsigned most) {
    WalkerPart part{walker(), 0};
    while (part.left != most && !done_) {
        if (walker().number() != part.at.number() + part.left) break;  // it would not be one
        const unsigned here = std::min(most - part.left, left_here());
        part.left += here;
        next(here);
    }
    return part;
}

void WalkCursor::put_back(const WalkerPart& part) {
    const auto later = std::ranges::find_if(
        parts_, [&](const WalkerPart& other) { return other.at.number() > part.at.number(); });
    parts_.insert(later, part);
    done_ = false;
}

void WalkCursor::next() {
    if (!walk_->media) {
        next(1);
        return;
    }
    const bool last = last_of_group();
    ++local_thread_;
    if (last) local_thread_ = 0;
    if (walks_loops(*walk_)) {
        media_.next();
        done_ = media_.done();
    } else {
        done_ = true;
    }
}

}  // namespace gen9::media

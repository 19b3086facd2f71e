// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "media/objects/media_cursor.h"
#include "media/walk/payload.h"
#include "media/walk/walk.h"

namespace gen9::media {

/// The threads of any command that starts threads, in order, cut into groups. Threads without a
/// group make one group together, which nothing is reserved for.
class WalkCursor {
  public:
    WalkCursor() = default;
    /// `segments`: MED-27. `first_thread`: number in its group of a single object's thread.
    WalkCursor(const Walk& walk, unsigned segments, std::uint16_t first_thread);

    bool done() const { return done_; }
    bool last_of_group() const;
    /// Threads from here to the end of the group, at most `limit`.
    unsigned group_threads(unsigned limit) const;
    /// Sets those of a thread's facts that follow from its place in the walk.
    void describe(ThreadFacts& facts) const;
    std::array<std::uint32_t, 3> group() const;
    /// Groups of a GPGPU walker behind this one; of one that was resumed, those it had before too.
    std::uint64_t groups_left() const { return walker().groups_left(); }
    /// So many threads of the group have been sent.
    unsigned local_thread() const {
        return walk_ != nullptr && !walk_->media ? walker().local_thread() : local_thread_;
    }
    /// The place of a GPGPU walker. Behind it are so many threads of its group that are to be sent.
    const WalkerCursor& walker() const { return parts_.empty() ? walker_ : parts_.front().at; }
    unsigned left_here() const {
        const unsigned left = walker().left_of_group();
        return parts_.empty() ? left : std::min(left, parts_.front().left);
    }
    const GroupMasks& masks() const { return masks_; }
    /// Passes over threads of a GPGPU walker, as many as are left here at most.
    void next(unsigned threads);
    /// Cuts off threads of a GPGPU walker, at most so many, for them to be sent by others.
    WalkerPart cut_off(unsigned most);
    /// Some of these are to be sent after all, before those that come later.
    void put_back(const WalkerPart& part);
    /// Has nothing been put back that is still to be sent?
    bool is_straight() const { return parts_.empty(); }
    /// A root thread of the media pipe says this to the scoreboard.
    ScoreboardRequest scoreboard() const;
    /// Are the walk's lines dealt out in segments?
    bool dealt_out() const { return dealt_out_; }
    /// The thread belongs to this one of the equal parts of its line (MED-27).
    unsigned segment() const { return media_.done() ? 0 : media_.at().segment; }
    bool given_up() const { return media_.given_up(); }
    void next();

  private:
    const Walk* walk_ = nullptr;
    bool done_ = true;
    bool dealt_out_ = false;
    // GPGPU_WALKER.
    WalkerCursor walker_;
    std::vector<WalkerPart> parts_;  ///< to be sent before, in order
    GroupMasks masks_;
    // Media objects.
    std::uint16_t local_thread_ = 0;
    MediaCursor media_;
};

}  // namespace gen9::media

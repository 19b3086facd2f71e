// SPDX-License-Identifier: Apache-2.0
/// Media cursor: the threads of a MEDIA_OBJECT_WALKER in the order of its loops (core half).
/// Role     walks the global and the local loops, the middle loop and the colours; cuts blocks at
///          the edges; deals the inner local loop out in segments; makes group ids
/// Order    outer global, inner global, outer local, middle, inner local, colour
/// Not here the command (media_walker.h); where threads run (dispatcher.h)
/// Spec     MED-15..29, MED-53; 003:17617-17758
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "media/objects/media_walker.h"

namespace gen9::media {

/// Each loop has been executed so often; a loop that is not used stays at 0 (MED-23).
struct LoopCounts {
    std::uint16_t color = 0, inner_local = 0, mid_local = 0, outer_local = 0, inner_global = 0,
                  outer_global = 0;
    bool operator==(const LoopCounts&) const = default;
};

/// One thread of the walk.
struct MediaPoint {
    WalkVector at;  ///< sum of all loops (MED-22)
    LoopCounts counts;
    std::uint8_t segment = 0;  ///< of its line, where lines are dealt out (MED-27)
};

/// Group id of a thread: R0.7 and R0.2[23:11] (MED-53).
struct MediaGroupId {
    std::uint32_t low = 0;
    std::uint16_t high = 0;
    bool operator==(const MediaGroupId&) const = default;
};
MediaGroupId group_id(const LoopCounts& counts, unsigned loop_select);

/// Do both threads belong to one group (MED-24)?
bool same_group(const LoopCounts& a, const LoopCounts& b, unsigned loop_select);

/// The loops. Each position of a loop outside its area is passed over; the loops inside it go on,
/// for a slanted pattern enters the area later. The inner local and inner global loops end when no
/// later step can be inside. A loop whose step is (0, 0) is executed once, where it is inside.
class MediaLoops {
  public:
    /// `segments`: parts that each line of the inner local loop is dealt out in (MED-27), 1: none.
    MediaLoops(const MediaWalkerParameters& walker, unsigned segments);
    /// The next thread, or nothing after the last.
    std::optional<MediaPoint> next();
    /// The walk was given up: it passed over too many positions in a row (kMaxPassedOver).
    bool given_up() const { return given_up_; }

    /// Positions without a thread in a row, after which a walk is taken to be pointless. What the
    /// fields can describe takes weeks to walk.
    static constexpr std::uint32_t kMaxPassedOver = 1u << 20;

  private:
    /// The executions of a loop whose position lies in an area: from the first to the last.
    struct Steps {
        int first = 0, last = -1;
        bool empty() const { return first > last; }
        int count() const { return last - first + 1; }
    };
    static Steps inside(WalkVector from, WalkVector step, WalkVector low, WalkVector high);

    bool next_line();
    bool next_block();
    void enter_block();
    std::optional<MediaPoint> take();

    MediaWalkerParameters walker_;
    int segments_;
    bool done_ = false, given_up_ = false;
    // Global loops.
    unsigned outer_global_ = 0;
    Steps global_steps_;
    int inner_global_ = 0;
    // The block at hand: its upper left corner and what is left of it at the edges (MED-21).
    WalkVector origin_, size_;
    // Local loops. A line is one execution of the inner local loop.
    unsigned outer_local_ = 0, mid_local_ = 0;
    bool in_block_ = false;
    WalkVector line_;
    Steps line_steps_;
    int place_ = 0, segment_ = 0;
    unsigned color_ = 0;
    bool in_line_ = false;
};

/// The thread at hand, and whether it is its group's last.
class MediaCursor {
  public:
    MediaCursor() = default;
    /// `mask`: the CURBE as dispatch mask, when the walker has one; it must outlive the cursor.
    MediaCursor(const MediaWalkerParameters& walker, unsigned segments,
                std::span<const std::uint8_t> mask);
    bool done() const { return !at_; }
    const MediaPoint& at() const { return *at_; }
    bool last() const { return !ahead_; }
    bool last_of_group() const;
    /// Threads from here to the group's end, at most `limit`.
    unsigned group_threads(unsigned limit) const;
    void next();
    bool given_up() const { return given_up_; }

  private:
    std::optional<MediaPoint> following();
    bool masked_out(const MediaPoint& point) const;

    std::optional<MediaLoops> loops_;
    std::optional<MediaPoint> at_, ahead_;
    unsigned loop_select_ = 0;
    unsigned mask_pitch_ = 0;
    std::span<const std::uint8_t> mask_;
    bool given_up_ = false;
};

}  // namespace gen9::media

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "interconnect/payload/thread_request.h"
#include "media/walk/walk.h"
#include "media/walk/walk_cursor.h"

namespace gen9::media {

/// MEDIA_OBJECT_GRPID: a group that is open between its objects (MED-61).
struct HeldGroup {
    bool open = false;
    std::uint32_t id = 0;
    std::uint16_t threads = 0;  ///< sent so far

    bool takes(const Walk& walk) const {
        return open && walk.media && walk.media->command == MediaCommand::ObjectGrpid &&
               walk.media->group_id == id;
    }
};

/// The places that threads of the media pipe may take.
void set_limits(const VfeState& vfe, const ThreadTopology& topology, unsigned registers,
                ThreadRequest& request);
/// The group at the cursor asks the thread dispatcher for this.
void describe_group(const Walk& walk, const WalkCursor& cursor, const ThreadTopology& topology,
                    const HeldGroup& held, ThreadRequest& request);
/// The subslice of the next thread of a walk whose lines are dealt out (MED-27).
std::uint32_t segment_subslice(const Walk& walk, const WalkCursor& cursor,
                               const ThreadTopology& topology);

/// A walk with another descriptor waits for one of these (TD-62).
enum class DescriptorChange : std::uint8_t {
    Drain,        ///< all threads must have ended: 003:17350
    DrainForSlm,  ///< only where the old or the new descriptor uses SLM
    Overlap,      ///< nothing
};

/// The descriptor of the threads that were dispatched last.
class LiveDescriptor {
  public:
    explicit LiveDescriptor(DescriptorChange change = DescriptorChange::Drain) : change_(change) {}
    /// Must the threads that run, so many, end before this walk may begin?
    bool must_drain(const Walk& walk, unsigned live) const;
    void begin(const Walk& walk);

  private:
    DescriptorChange change_;
    Descriptor descriptor_;
    std::uint64_t instruction_base_ = 0;
    bool splits_ = false;  ///< threads of GPGPU or of media groups
};

}  // namespace gen9::media

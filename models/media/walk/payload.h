// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "interconnect/payload/dispatch.h"
#include "media/walk/walk.h"

namespace gen9::media {

/// The threads of a walk differ in this.
struct ThreadFacts {
    ThreadPlace place{};
    std::array<std::uint32_t, 3> group_id{};
    std::uint16_t local_thread = 0;
    std::uint32_t mask = 0;
    std::uint8_t barrier = 0;      ///< id, when the descriptor asks for one
    std::uint8_t slm_granule = 0;  ///< start of the group's SLM in KB
    std::uint8_t slm = 0;          ///< the flat subslice whose SLM that is
    // Threads of the media pipe have these. Their `group_id` goes to R0.7 and to R0.2[23:11]
    // (MED-53).
    WalkVector at{};
    std::uint8_t color = 0;
    /// The thread that called for a synchronized root thread sends it these rows (MED-49).
    std::span<const std::uint8_t> spawned{};
};

/// The header register R0 of a GPGPU thread (TD-37..42).
Grf make_header(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread);
/// R0 of a media root thread (MED-50, MED-51, MED-53, MED-54).
Grf make_media_header(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread);

/// Fills the whole request part of a dispatch: header, payload registers, initial state, sideband.
/// CURBE order is header, cross-thread, per-thread (TD-34); indirect order is header, per-thread,
/// cross-thread (TD-35). The per-thread part depends only on the number within the group (TD-21).
/// Media threads get header, CURBE, the spawner's rows, inline data, indirect data (MED-49).
void make_thread(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread,
                 ThreadDispatch& dispatch);

/// The same of a GPGPU thread where the dispatch holds the last one that was made for the walk and
/// the slot: what differs between them is filled in.
void make_next_thread(const Walk& walk, const ThreadTopology& topology, const ThreadFacts& thread,
                      ThreadDispatch& dispatch);

/// The threads of a part of a walk: what `make_next_thread` would change.
void list_threads(const Walk& walk, WalkerPart part, const GroupMasks& masks,
                  ThreadFollowers& followers);

/// A parent sends this for a child thread (MED-06, MED-59).
struct ChildFacts {
    ThreadPlace place{};
    std::span<const std::uint8_t> rows{};  ///< from the parent's URB entry, R0 first
    std::span<const std::uint8_t> curbe{};
};
/// A child thread gets R0 and the rest as the parent wrote them, the CURBE's rows between
/// (003:17506).
/// `walk` is the parent's command with the child's descriptor.
void make_child(const Walk& walk, const ThreadTopology& topology, const ChildFacts& child,
                ThreadDispatch& dispatch);

/// A thread that was saved, but for what its save area says.
void make_restored(const Walk& walk, const ThreadTopology& topology, const ThreadPlace& place,
                   ThreadDispatch& dispatch);

}  // namespace gen9::media

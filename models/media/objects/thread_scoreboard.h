// SPDX-License-Identifier: Apache-2.0
/// Thread scoreboard: dependencies between root threads by their place in a frame (core half).
/// Role     marks a thread's entry at its dispatch, clears it at its end; says what a thread must
///          wait for (stalling), or which threads its sendc waits for (non-stalling)
/// Not here the waiting (module.h); sendc (eu/)
/// Spec     MED-30..34; 003:17760-17781
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "media/types.h"

namespace gen9::media {

inline constexpr unsigned kDependencies = 8;

/// The scoreboard's part of MEDIA_VFE_STATE.
struct ScoreboardState {
    struct Delta {
        std::int8_t x = 0, y = 0;
        bool operator==(const Delta&) const = default;
    };
    bool enable = false;
    bool non_stalling = false;
    std::uint8_t mask = 0;
    std::array<Delta, kDependencies> deltas{};
};
ScoreboardState decode_scoreboard(std::span<const std::uint32_t> dwords);

/// A root thread says this of itself: its place, its colour, which dependencies it has.
struct ScoreboardRequest {
    bool use = false;
    std::uint16_t x = 0, y = 0;
    std::uint8_t color = 0;
    std::uint8_t mask = 0;
};

class ThreadScoreboard {
  public:
    /// Entries are addressed by 9 bits of X and of Y (003:17762).
    static constexpr unsigned kSide = 512;

    ThreadScoreboard() { entry_of_.fill(kNowhere); }
    /// A dependency that is in flight, and the thread it is.
    using Dependencies = std::array<std::uint16_t, kDependencies>;
    static constexpr std::uint16_t kNone = 0xFFFF;

    /// The FFTIDs of the threads in flight that this one depends on, kNone elsewhere.
    Dependencies depends_on(const ScoreboardState& state, const ScoreboardRequest& request) const;
    /// Must this thread wait before it is dispatched? Never with a non-stalling scoreboard.
    bool must_wait(const ScoreboardState& state, const ScoreboardRequest& request) const;

    /// The thread is dispatched. False when its entry was marked already: two threads in flight
    /// share it (aliasing), and the first to end will clear it for both.
    bool mark(const ScoreboardState& state, const ScoreboardRequest& request, unsigned fftid);
    /// A thread has ended; its entry, if it has one, is cleared.
    void clear(unsigned fftid);
    unsigned marked() const { return static_cast<unsigned>(entries_.size()); }

  private:
    static constexpr std::uint32_t kNowhere = ~0u;
    std::unordered_map<std::uint32_t, std::uint16_t> entries_;  ///< FFTID by place and colour
    std::array<std::uint32_t, kMaxFftids> entry_of_;            ///< by FFTID; kNowhere: none

    /// Threads depend on those of their own colour (Assumed: the colour is "which dependency color
    /// the thread belongs to", 003:18029).
    static std::uint32_t key(int x, int y, unsigned color) {
        return ((static_cast<unsigned>(y) & (kSide - 1)) * kSide +
                (static_cast<unsigned>(x) & (kSide - 1)))
                   << 4 |
               (color & 15);
    }
};

}  // namespace gen9::media

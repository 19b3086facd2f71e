// SPDX-License-Identifier: Apache-2.0
#include "media/objects/thread_scoreboard.h"

#include <algorithm>

#include "packets/media.h"

namespace gen9::media {

ScoreboardState decode_scoreboard(std::span<const std::uint32_t> dwords) {
    namespace vfe = packets::MEDIA_VFE_STATE;
    static constexpr const packets::Field* kDeltas[kDependencies][2] = {
        {&vfe::Scoreboard0DeltaX, &vfe::Scoreboard0DeltaY},
        {&vfe::Scoreboard1DeltaX, &vfe::Scoreboard1DeltaY},
        {&vfe::Scoreboard2DeltaX, &vfe::Scoreboard2DeltaY},
        {&vfe::Scoreboard3DeltaX, &vfe::Scoreboard3DeltaY},
        {&vfe::Scoreboard4DeltaX, &vfe::Scoreboard4DeltaY},
        {&vfe::Scoreboard5DeltaX, &vfe::Scoreboard5DeltaY},
        {&vfe::Scoreboard6DeltaX, &vfe::Scoreboard6DeltaY},
        {&vfe::Scoreboard7DeltaX, &vfe::Scoreboard7DeltaY}};
    ScoreboardState s;
    s.enable = vfe::ScoreboardEnable.get(dwords) != 0;
    s.non_stalling = vfe::ScoreboardType.get(dwords) != 0;
    s.mask = static_cast<std::uint8_t>(vfe::ScoreboardMask.get(dwords));
    for (unsigned i = 0; i < kDependencies; ++i)
        s.deltas[i] = {static_cast<std::int8_t>(kDeltas[i][0]->get(dwords)),
                       static_cast<std::int8_t>(kDeltas[i][1]->get(dwords))};
    return s;
}

ThreadScoreboard::Dependencies ThreadScoreboard::depends_on(
    const ScoreboardState& state, const ScoreboardRequest& request) const {
    Dependencies found;
    found.fill(kNone);
    if (!state.enable || !request.use) return found;
    const unsigned mask = state.mask & request.mask;  // MED-31
    for (unsigned i = 0; i < kDependencies; ++i) {
        if (!(mask >> i & 1)) continue;
        const auto entry = entries_.find(
            key(request.x + state.deltas[i].x, request.y + state.deltas[i].y, request.color));
        if (entry != entries_.end()) found[i] = entry->second;
    }
    return found;
}

bool ThreadScoreboard::must_wait(const ScoreboardState& state,
                                 const ScoreboardRequest& request) const {
    if (state.non_stalling || entries_.empty()) return false;
    return std::ranges::any_of(depends_on(state, request), [](auto id) { return id != kNone; });
}

bool ThreadScoreboard::mark(const ScoreboardState& state, const ScoreboardRequest& request,
                            unsigned fftid) {
    if (!state.enable || !request.use) return true;
    entry_of_[fftid] = key(request.x, request.y, request.color);
    const auto [entry, fresh] = entries_.try_emplace(entry_of_[fftid]);
    entry->second = static_cast<std::uint16_t>(fftid);
    return fresh;
}

void ThreadScoreboard::clear(unsigned fftid) {
    entries_.erase(entry_of_[fftid]);
    entry_of_[fftid] = kNowhere;
}

}  // namespace gen9::media

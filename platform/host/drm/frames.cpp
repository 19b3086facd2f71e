// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/frames.h"

#include <bit>

namespace gen9::drm {

// Rounds that can be undone, each within the bits of a frame's number: adding, multiplying by an
// odd number, and the exclusive-or with the number's own upper half.
std::uint64_t Frames::at(std::uint64_t place) const {
    if (!seed_) return place;
    const std::uint64_t frames = kBlock / bytes();
    const unsigned half = static_cast<unsigned>(std::countr_zero(frames)) / 2;
    std::uint64_t number = place % kBlock / bytes(), key = *seed_;
    for (unsigned round = 0; round < 4; ++round) {
        key = key * 6364136223846793005u + 1442695040888963407u;
        number = (number + (key >> 32)) * (key >> 16 | 1) % frames;
        number ^= number >> half;
    }
    return place / kBlock * kBlock + number * bytes() + place % bytes();
}

}  // namespace gen9::drm

// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/frames.h"

#include <bit>

namespace gen9::drm {

namespace {

// Rounds that can be undone, each within the bits of a frame's number: adding, multiplying by an
// odd number, and the exclusive-or with the number's own upper half.
std::uint64_t permute(std::uint64_t number, std::uint64_t key, unsigned bits) {
    for (unsigned round = 0; round < 4; ++round) {
        key = key * 6364136223846793005u + 1442695040888963407u;
        number = (number + (key >> 32)) * (key >> 16 | 1) & ((std::uint64_t{1} << bits) - 1);
        number ^= number >> bits / 2;
    }
    return number;
}

}  // namespace

std::uint64_t Frames::at(std::uint64_t place) const {
    if (!seed_) return place;
    const std::uint64_t frames = kBlock / bytes(), in_block = place % kBlock;
    std::uint64_t number = in_block / bytes();
    if (number == frames) return place;
    // A number may be no frame's. Then the number behind it is taken, until one is: each frame gets
    // another one.
    const auto bits = static_cast<unsigned>(std::bit_width(frames - 1));
    do {
        number = permute(number, *seed_, bits);
    } while (number >= frames);
    return place - in_block + number * bytes() + in_block % bytes();
}

}  // namespace gen9::drm

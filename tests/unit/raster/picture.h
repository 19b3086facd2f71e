// SPDX-License-Identifier: Apache-2.0
/// Small pictures of what objects cover.
#pragma once
#include <cstdint>
#include <vector>

#include "raster/coverage.h"

namespace gen9::raster::test {

/// Counts how often each sample of each pixel is covered.
class Picture {
  public:
    Picture(std::int32_t width, std::int32_t height) : width_(width), height_(height) {
        counts_.resize(static_cast<std::size_t>(width * height) * kMaxSamples);
    }
    void draw(const SetUpObject& object, const State& state, std::uint32_t stipple = 0) {
        Coverage coverage(object, state, stipple);
        for (PixelBlock block; coverage.next(block); ++blocks)
            for (unsigned s = 0; s < block.samples; ++s)
                for (int p = 0; p < 32; ++p)
                    if (block.covered[s] >> p & 1) ++at(block.x + p % 8, block.y + p / 8, s);
    }
    /// A pixel outside fails the test by an exception.
    int& at(std::int32_t x, std::int32_t y, unsigned sample = 0) {
        if (x < 0 || y < 0 || x >= width_ || y >= height_) throw std::out_of_range("a pixel");
        return counts_[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                        static_cast<std::size_t>(x)) *
                           kMaxSamples +
                       sample];
    }
    int covered(unsigned sample = 0) {
        int sum = 0;
        for (std::int32_t y = 0; y < height_; ++y)
            for (std::int32_t x = 0; x < width_; ++x)
                sum += at(x, y, sample);
        return sum;
    }
    /// First and last covered pixel of a row, as text: "3..60", or "none", or "gaps".
    std::string row(std::int32_t y) {
        std::int32_t first = -1, last = -1, count = 0;
        for (std::int32_t x = 0; x < width_; ++x)
            if (at(x, y)) first = first < 0 ? x : first, last = x, count += at(x, y);
        if (first < 0) return "none";
        if (count != last - first + 1) return "gaps";
        return std::to_string(first) + ".." + std::to_string(last);
    }
    unsigned blocks = 0;

  private:
    std::int32_t width_, height_;
    std::vector<int> counts_;
};

/// The standard places of so many samples (Public: the D3D and Vulkan specifications).
inline State pattern(unsigned samples) {
    static constexpr SamplePlace two[] = {{12, 12}, {4, 4}};
    static constexpr SamplePlace four[] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    static constexpr SamplePlace eight[] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                            {3, 13}, {1, 7},  {11, 15}, {15, 1}};
    static constexpr SamplePlace sixteen[] = {
        {9, 9},  {7, 5}, {5, 10}, {12, 7}, {3, 6}, {10, 13}, {13, 11}, {11, 3},
        {6, 14}, {8, 1}, {4, 2},  {2, 12}, {0, 8}, {15, 4},  {14, 15}, {1, 0}};
    State state;
    state.samples = static_cast<std::uint8_t>(samples);
    state.at_each_sample = samples > 1;
    const SamplePlace* from = samples == 2   ? two
                              : samples == 4 ? four
                              : samples == 8 ? eight
                                             : sixteen;
    for (unsigned s = 0; s < samples && samples > 1; ++s)
        state.places[s] = from[s];
    return state;
}

}  // namespace gen9::raster::test

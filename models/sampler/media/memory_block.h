// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sampler/media/layout.h"
#include "surface/surface.h"

namespace gen9::sampler::media {

/// The surface that results go to.
struct Destination {
    surface::Surface surface;
    std::uint32_t chroma_row = 0;  ///< first line of NV12's chroma plane
};
Destination read_destination(std::span<const std::uint32_t> dwords);

/// Results of sample_8x8 that go to memory instead of to registers, as a media block write's data do
/// (SMP-259, SMP-105; 003:3932-3953, 10269-10300).
/// Order    read, destination is set, refuse, then write once the results are there
class MemoryBlock {
  public:
    /// Bytes of a line of memory.
    struct Line {
        static constexpr unsigned kBytes = 64;
        std::uint64_t number = 0, enabled = 0;
        std::array<std::uint8_t, kBytes> bytes{};
    };

    /// Takes the place and the format out of a message's header.
    void read(const Grf& header);
    std::uint8_t binding_index = 0;
    Destination destination;
    std::vector<Line> lines;  ///< in the order of the first byte of each

    /// What is wrong with the place, the format and the surface; null: nothing.
    const char* refuse() const;
    /// Makes the lines of results of eight bits. Bytes outside the surface, and those of channels
    /// that are masked, are not written.
    void write(const Inputs& in, const Results& results);

  private:
    void put(std::uint32_t x, std::uint32_t y, std::uint16_t value);

    std::uint32_t format_ = 0, x_ = 0, y_ = 0;  ///< x in bytes
};

}  // namespace gen9::sampler::media

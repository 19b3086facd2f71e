// SPDX-License-Identifier: Apache-2.0
// The loops of MEDIA_OBJECT_WALKER told a second time: nested loops written out plainly, each position looked at one by
// one (003:17617-17758).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gen9::media::test {

struct PlainVector {
    int x = 0, y = 0;
    bool operator==(const PlainVector&) const = default;
};
struct PlainLoops {
    unsigned colors = 1, extra_steps = 0, local_executions = 1, global_executions = 1;
    unsigned select = 0, pitch = 0;
    PlainVector middle, block, local_start, local_outer, local_inner;
    PlainVector global, global_start, global_outer, global_inner;
};
/// One thread. `counts` are those of its loops, from the colour outwards.
struct PlainPoint {
    PlainVector at;
    std::array<unsigned, 6> counts{};
    unsigned segment = 0;
    bool operator==(const PlainPoint&) const = default;
};

/// The command's DWords as the PRM draws them (guide 3.2).
inline PlainLoops plain_loops_of(std::span<const std::uint32_t> dwords) {
    const auto word = [&](unsigned i) { return i < dwords.size() ? dwords[i] : 0; };
    const auto pair = [&](unsigned i, unsigned bits) {
        const auto part = [bits](std::uint32_t value, bool is_signed) {
            value &= (1u << bits) - 1;
            return is_signed && value >> (bits - 1) ? int(value) - (1 << bits) : int(value);
        };
        const bool is_signed = bits == 12;
        return PlainVector{part(word(i), is_signed), part(word(i) >> 16, is_signed)};
    };
    constexpr unsigned kPitch[] = {0, 128, 256, 512};
    constexpr int kTwoBits[] = {0, 1, -2, -1};
    PlainLoops w;
    w.pitch = kPitch[word(2) >> 22 & 3];
    w.select = word(5) >> 8;
    w.middle = {kTwoBits[word(6) >> 8 & 3], kTwoBits[word(6) >> 12 & 3]};
    w.extra_steps = word(6) >> 16 & 31;
    w.colors = (word(6) >> 24 & 15) + 1;
    w.local_executions = (word(7) & 0xFFF) + 1;
    w.global_executions = (word(7) >> 16 & 0xFFF) + 1;
    w.block = pair(8, 11);
    w.local_start = pair(9, 11);
    w.local_outer = pair(11, 12);
    w.local_inner = pair(12, 12);
    w.global = pair(13, 11);
    w.global_start = pair(14, 12);
    w.global_outer = pair(15, 12);
    w.global_inner = pair(16, 12);
    return w;
}

/// The threads in their order. A line, one execution of the inner local loop, is cut into
/// `segments` equal parts, of which each has a thread in turn (MED-27). A clear bit of the mask
/// drops a thread (MED-28).
inline std::vector<PlainPoint> plain_walk(const PlainLoops& w, unsigned segments = 1,
                                          std::span<const std::uint8_t> mask = {}) {
    constexpr int kFar = 200;  // more steps than any of the tests' inner loops has inside
    std::vector<PlainPoint> points, line;
    const auto dropped = [&](PlainVector at) {
        const std::size_t bit = std::size_t(at.y) * w.pitch + std::size_t(at.x);
        return w.pitch != 0 && (bit / 8 >= mask.size() || !(mask[bit / 8] & 1 << bit % 8));
    };
    const auto deal_out = [&] {
        const std::size_t length = (line.size() + segments - 1) / segments;
        for (std::size_t place = 0; place < length; ++place)
            for (unsigned segment = 0; segment < segments; ++segment) {
                const std::size_t index = segment * length + place;
                if (index >= line.size() || dropped(line[index].at)) continue;
                for (unsigned color = 0; color < w.colors; ++color) {
                    points.push_back(line[index]);
                    points.back().counts[0] = color;
                    points.back().segment = segment;
                }
            }
        line.clear();
    };
    for (unsigned og = 0; og < w.global_executions; ++og) {
        unsigned inner_global = 0;
        for (int ig = 0; ig < (w.global_inner == PlainVector{} ? 1 : kFar); ++ig) {
            const int bx = w.global_start.x + int(og) * w.global_outer.x + ig * w.global_inner.x;
            const int by = w.global_start.y + int(og) * w.global_outer.y + ig * w.global_inner.y;
            // What is left of the block within [0, resolution).
            const int left = std::max(bx, 0), right = std::min(bx + w.block.x, w.global.x);
            const int top = std::max(by, 0), bottom = std::min(by + w.block.y, w.global.y);
            if (left >= right || top >= bottom) continue;
            for (unsigned ol = 0; ol < w.local_executions; ++ol)
                for (unsigned ml = 0; ml <= w.extra_steps; ++ml) {
                    for (int il = 0; il < (w.local_inner == PlainVector{} ? 1 : kFar); ++il) {
                        const int x = w.local_start.x + int(ol) * w.local_outer.x +
                                      int(ml) * w.middle.x + il * w.local_inner.x;
                        const int y = w.local_start.y + int(ol) * w.local_outer.y +
                                      int(ml) * w.middle.y + il * w.local_inner.y;
                        if (x < 0 || y < 0 || x >= right - left || y >= bottom - top) continue;
                        line.push_back({{left + x, top + y},
                                        {0, unsigned(line.size()), ml, ol, inner_global, og},
                                        0});
                    }
                    deal_out();
                }
            ++inner_global;
        }
    }
    return points;
}

/// Do two threads share all loops outside the selected one (MED-24)?
inline bool plain_same_group(const PlainPoint& a, const PlainPoint& b, unsigned select) {
    return std::equal(a.counts.begin() + select, a.counts.end(), b.counts.begin() + select);
}

/// The counts outside the selected loop, one behind the other (003:18097-18117).
inline std::uint64_t plain_group_id(const PlainPoint& p, unsigned select) {
    if (select == 0) return 0;
    constexpr unsigned kBits[] = {4, 10, 5, 10, 10, 10};
    std::uint64_t id = 0;
    for (unsigned loop = 6; loop-- > select;)
        id = id << kBits[loop] | (p.counts[loop] & ((1u << kBits[loop]) - 1));
    return id;
}

}  // namespace gen9::media::test

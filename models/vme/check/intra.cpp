// SPDX-License-Identifier: Apache-2.0
#include "vme/check/intra.h"

#include <algorithm>
#include <array>
#include <bit>

#include "vme/cost.h"
#include "vme/distortion.h"

namespace gen9::vme {
namespace {

// Modes of AVC: of 4x4 and 8x8 blocks, of 16x16, of chroma.
enum SmallMode {
    kVertical,
    kHorizontal,
    kDc,
    kDownLeft,
    kDownRight,
    kVerticalRight,
    kHorizontalDown,
    kVerticalLeft,
    kHorizontalUp,
    kSmallModes
};
enum WholeMode { kWholeVertical, kWholeHorizontal, kWholeDc, kWholePlane, kWholeModes };
enum ChromaMode { kChromaDc, kChromaHorizontal, kChromaVertical, kChromaPlane, kChromaModes };

constexpr int kNoNeighbours = 128;  ///< DC without any

int clip(int value) {
    return std::clamp(value, 0, 255);
}

/// Pixels around the macroblock, out of the message (VME-36).
struct Neighbours {
    std::array<std::uint8_t, 24> top{};
    std::array<std::uint8_t, 16> left{};
    std::uint8_t corner = 0;
    bool a, b, c, d;  ///< left, top, top right and top left are there (VME-28)

    Neighbours(const Inputs& in, const Message& m)
        : a(in.intra_structure >> 5 & 1),
          b(in.intra_structure >> 4 & 1),
          c(in.intra_structure >> 3 & 1),
          d(in.intra_structure >> 2 & 1) {
        const std::uint8_t* const phase1 = m.payload[kTypePhase + 1].bytes;
        const std::uint8_t* const phase2 = m.payload[kTypePhase + 2].bytes;
        std::copy_n(phase1 + 8, top.size(), top.begin());
        std::copy_n(phase2, left.size(), left.begin());
        corner = phase1[7];
        if (in.corners_swapped) std::swap(corner, left[15]);
    }
};

/// The neighbours of a block inside the macroblock.
struct Edge {
    std::array<int, 32> top{};
    std::array<int, 16> left{};
    int corner = 0;
    bool has_left = false, has_top = false, has_corner = false;
    unsigned size = 0;

    /// Along the edge: 0 is the corner, positive numbers go along the top, negative ones down.
    int at(int place) const {
        return place == 0  ? corner
               : place > 0 ? top[static_cast<std::size_t>(place - 1)]
                           : left[static_cast<std::size_t>(-place - 1)];
    }
    int top_at(unsigned x) const { return top[std::min(x, 2 * size - 1)]; }
    int left_at(unsigned y) const { return left[std::min(y, size - 1)]; }
};

class Luma {
  public:
    Luma(const Inputs& in, const Message& m, const Patch& source)
        : in_(in),
          message_(m),
          source_(source),
          around_(in, m),
          measure_(measure_of(in.intra_haar, in.haar_without_dc)) {}

    void run(Result& result) const {
        struct Size {
            std::uint32_t distortion = ~0u;
            std::array<std::uint8_t, 16> modes{};
        };
        std::array<Size, 3> sizes;
        if (!(in_.intra_mask & 1)) sizes[0].distortion = whole(sizes[0].modes);
        if (!(in_.intra_mask & 2)) sizes[1].distortion = blocks(8, sizes[1].modes);
        if (!(in_.intra_mask & 4)) sizes[2].distortion = blocks(4, sizes[2].modes);
        unsigned best = 0;
        for (unsigned i = 1; i < sizes.size(); ++i)
            if (sizes[i].distortion < sizes[best].distortion) best = i;
        result.intra = true;
        result.intra_mode = static_cast<std::uint8_t>(best);
        result.intra_distortion = sizes[best].distortion;
        result.luma_mode = sizes[best].modes;
        result.transform_8x8 = best == 1;
        result.intra_type = static_cast<std::uint8_t>(
            best == 0 ? assumed::kFirstWholeIntraType + sizes[0].modes[0] : 0);
    }

  private:
    static constexpr std::uint32_t kImpossible = ~0u;

    int pixel(int x, int y) const {
        if (y < 0) return x < 0 ? around_.corner : around_.top[static_cast<std::size_t>(x)];
        if (x < 0) return around_.left[static_cast<std::size_t>(y)];
        return source_
            .bytes[static_cast<std::size_t>(y) * source_.stride() + static_cast<std::size_t>(x)];
    }
    /// Is what lies right of the row above a block there? Inside the macroblock it is if its block
    /// comes earlier.
    bool has_top_right(unsigned x, unsigned y, unsigned size) const {
        if (y == 0) return x + size < 16 ? around_.b : around_.c;
        if (x + size >= 16) return false;
        return size == 8 || block_at(x / 4 + 1, y / 4 - 1) < block_at(x / 4, y / 4);
    }
    Edge edge_of(unsigned bx, unsigned by, unsigned size) const {
        Edge e;
        const int x = static_cast<int>(bx), y = static_cast<int>(by), n = static_cast<int>(size);
        e.size = size;
        e.has_left = x > 0 || around_.a;
        e.has_top = y > 0 || around_.b;
        e.has_corner = x > 0 ? (y > 0 || around_.b) : y > 0 ? around_.a : around_.d;
        const int known = has_top_right(bx, by, size) ? 2 * n : n;
        for (int i = 0; i < 2 * n && size < 16; ++i)
            e.top[static_cast<std::size_t>(i)] = pixel(x + std::min(i, known - 1), y - 1);
        for (int i = 0; i < n && size == 16; ++i)
            e.top[static_cast<std::size_t>(i)] = pixel(x + i, y - 1);
        for (int i = 0; i < n; ++i)
            e.left[static_cast<std::size_t>(i)] = pixel(x - 1, y + i);
        e.corner = pixel(x - 1, y - 1);
        return e;
    }

    std::uint32_t measure(unsigned x, unsigned y, unsigned size,
                          const std::array<std::uint8_t, 256>& prediction) const {
        return distortion(source_.bytes.data() + y * source_.stride() + x, source_.stride(),
                          prediction.data(), size, size, size, measure_);
    }
    std::uint32_t penalty(unsigned size) const {
        const std::uint32_t penalties = dword(message_, kTypePhase + 2, 7);
        return penalties >> (size == 16 ? 0 : size == 8 ? 8 : 16) & 0xFF;
    }

    // --- 16x16

    std::uint32_t whole(std::array<std::uint8_t, 16>& modes) const {
        const std::uint32_t disabled = dword(message_, kTypePhase + 1, 1) & 0xF;
        const Edge e = edge_of(0, 0, 16);
        std::uint32_t best = kImpossible;
        for (unsigned mode = 0; mode < kWholeModes; ++mode) {
            if (disabled >> mode & 1 || !possible_whole(mode, e)) continue;
            std::array<std::uint8_t, 256> prediction;
            fill_whole(mode, e, prediction);
            const std::uint32_t sum =
                measure(0, 0, 16, prediction) + (mode == kWholeDc ? 0 : penalty(16));
            if (sum >= best) continue;
            best = sum;
            modes.fill(static_cast<std::uint8_t>(mode));
        }
        return best == kImpossible ? best : best + in_.costs.mode[1];
    }
    static bool possible_whole(unsigned mode, const Edge& e) {
        switch (mode) {
            case kWholeVertical:
                return e.has_top;
            case kWholeHorizontal:
                return e.has_left;
            case kWholePlane:
                return e.has_top && e.has_left && e.has_corner;
            default:
                return true;
        }
    }
    static void fill_whole(unsigned mode, const Edge& e, std::array<std::uint8_t, 256>& out) {
        int h = 0, v = 0;
        for (int i = 0; i < 8; ++i) {
            h += (i + 1) * (e.at(9 + i) - e.at(7 - i));
            v += (i + 1) * (e.at(-9 - i) - e.at(i - 7));
        }
        const int a = 16 * (e.left[15] + e.top[15]);
        const int b = (5 * h + 32) >> 6, c = (5 * v + 32) >> 6;
        const int mean = dc(e);
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) {
                const int value = mode == kWholeVertical     ? e.top[static_cast<std::size_t>(x)]
                                  : mode == kWholeHorizontal ? e.left[static_cast<std::size_t>(y)]
                                  : mode == kWholeDc
                                      ? mean
                                      : clip((a + b * (x - 7) + c * (y - 7) + 16) >> 5);
                out[static_cast<std::size_t>(16 * y + x)] = static_cast<std::uint8_t>(value);
            }
    }
    /// The mean of the sides that are there.
    static int dc(const Edge& e) {
        if (!e.has_left && !e.has_top) return kNoNeighbours;
        int sum = 0;
        for (unsigned i = 0; i < e.size; ++i)
            sum += (e.has_left ? e.left[i] : 0) + (e.has_top ? e.top[i] : 0);
        const int count = static_cast<int>(e.size) * (e.has_left + e.has_top);
        return (sum + count / 2) / count;
    }

    // --- 8x8 and 4x4

    std::uint32_t blocks(unsigned size, std::array<std::uint8_t, 16>& modes) const {
        const unsigned step = size / 4;  // in 4x4 blocks
        std::uint32_t sum = in_.costs.mode[size == 8 ? 2 : 3];
        for (unsigned z = 0; z < 16; z += step * step) {
            const std::uint32_t best = block(block_x(z), block_y(z), size, modes);
            if (best == kImpossible) return best;
            sum += best;
        }
        return sum;
    }
    std::uint32_t block(unsigned x, unsigned y, unsigned size,
                        std::array<std::uint8_t, 16>& modes) const {
        const std::uint32_t masks = dword(message_, kTypePhase + 1, 0);
        const std::uint32_t disabled = (size == 8 ? masks >> 16 : masks) & 0x1FF;
        Edge e = edge_of(4 * x, 4 * y, size);
        if (size == 8) smooth(e);
        const unsigned predicted = predicted_mode(x, y, modes);
        std::uint32_t best = kImpossible;
        unsigned best_mode = 0;
        for (unsigned mode = 0; mode < kSmallModes; ++mode) {
            if (disabled >> mode & 1 || !possible_small(mode, e)) continue;
            std::array<std::uint8_t, 256> prediction;
            fill_small(mode, e, prediction);
            const std::uint32_t sum = measure(4 * x, 4 * y, size, prediction) +
                                      (mode == kDc ? 0 : penalty(size)) +
                                      (mode == predicted ? 0 : in_.costs.mode[0]);
            if (sum >= best) continue;
            best = sum;
            best_mode = mode;
        }
        for (unsigned i = 0; i < size / 4; ++i)
            for (unsigned j = 0; j < size / 4; ++j)
                modes[block_at(x + i, y + j)] = static_cast<std::uint8_t>(best_mode);
        return best;
    }
    /// The smaller one of the left and the top block's mode; DC if one of them is not there.
    unsigned predicted_mode(unsigned x, unsigned y,
                            const std::array<std::uint8_t, 16>& modes) const {
        if ((x == 0 && !around_.a) || (y == 0 && !around_.b)) return kDc;
        const std::uint32_t outside = dword(message_, kTypePhase + 2, 4);
        // Nibbles: rows of the left macroblock, then columns of the upper one; an 8x8 block has
        // those of its first row and column.
        const unsigned left = x == 0 ? outside >> 4 * y & 0xF : modes[block_at(x - 1, y)];
        const unsigned top = y == 0 ? outside >> (16 + 4 * x) & 0xF : modes[block_at(x, y - 1)];
        return std::min(left, top);
    }
    static bool possible_small(unsigned mode, const Edge& e) {
        switch (mode) {
            case kVertical:
            case kDownLeft:
            case kVerticalLeft:
                return e.has_top;
            case kHorizontal:
            case kHorizontalUp:
                return e.has_left;
            case kDownRight:
            case kVerticalRight:
            case kHorizontalDown:
                return e.has_top && e.has_left && e.has_corner;
            default:
                return true;
        }
    }
    static int three(int a, int b, int c) { return (a + 2 * b + c + 2) >> 2; }
    static int two(int a, int b) { return (a + b + 1) >> 1; }
    /// VerticalRight along an edge; HorizontalDown is the same with the edge's sides exchanged.
    template <class At>
    static int right(int x, int y, At at) {
        const int i = x - (y >> 1), z = 2 * x - y;
        if (z >= 0) return z % 2 == 0 ? two(at(i), at(i + 1)) : three(at(i - 1), at(i), at(i + 1));
        if (z == -1) return three(at(-1), at(0), at(1));
        const int down = 1 - y + 2 * x;
        return three(at(down - 1), at(down), at(down + 1));
    }
    static int small(unsigned mode, const Edge& e, unsigned x, unsigned y, int mean) {
        const int sx = static_cast<int>(x), sy = static_cast<int>(y);
        switch (mode) {
            case kVertical:
                return e.top[x];
            case kHorizontal:
                return e.left[y];
            case kDownLeft:
                return three(e.top_at(x + y), e.top_at(x + y + 1), e.top_at(x + y + 2));
            case kDownRight:
                return three(e.at(sx - sy - 1), e.at(sx - sy), e.at(sx - sy + 1));
            case kVerticalRight:
                return right(sx, sy, [&](int place) { return e.at(place); });
            case kHorizontalDown:
                return right(sy, sx, [&](int place) { return e.at(-place); });
            case kVerticalLeft: {
                const unsigned i = x + (y >> 1);
                return y % 2 == 0 ? two(e.top_at(i), e.top_at(i + 1))
                                  : three(e.top_at(i), e.top_at(i + 1), e.top_at(i + 2));
            }
            case kHorizontalUp: {
                const unsigned i = y + (x >> 1);
                return x % 2 == 0 ? two(e.left_at(i), e.left_at(i + 1))
                                  : three(e.left_at(i), e.left_at(i + 1), e.left_at(i + 2));
            }
            default:
                return mean;
        }
    }
    static void fill_small(unsigned mode, const Edge& e, std::array<std::uint8_t, 256>& out) {
        const int mean = dc(e);
        for (unsigned y = 0; y < e.size; ++y)
            for (unsigned x = 0; x < e.size; ++x)
                out[e.size * y + x] = static_cast<std::uint8_t>(small(mode, e, x, y, mean));
    }
    /// AVC 8.3.2.2.1: the neighbours of 8x8 blocks are smoothed.
    static void smooth(Edge& e) {
        const Edge from = e;
        constexpr unsigned kTop = 16, kLeft = 8;
        for (unsigned i = 0; i < kTop; ++i) {
            const int before = i > 0             ? from.top[i - 1]
                               : from.has_corner ? from.corner
                                                 : from.top[0];
            e.top[i] = three(before, from.top[i], from.top[std::min(i + 1, kTop - 1)]);
        }
        for (unsigned i = 0; i < kLeft; ++i) {
            const int before = i > 0             ? from.left[i - 1]
                               : from.has_corner ? from.corner
                                                 : from.left[0];
            e.left[i] = three(before, from.left[i], from.left[std::min(i + 1, kLeft - 1)]);
        }
        if (from.has_top || from.has_left)
            e.corner = three(from.has_top ? from.top[0] : from.corner, from.corner,
                             from.has_left ? from.left[0] : from.corner);
    }

    const Inputs& in_;
    const Message& message_;
    const Patch& source_;
    const Neighbours around_;
    const Measure measure_;
};

/// One component of chroma: neighbours and the prediction of each mode.
struct ChromaEdge {
    std::array<int, 8> top{}, left{};
    int corner = 0;
    bool a = false, b = false, d = false;

    int mean_of(const std::array<int, 8>& side, unsigned first) const {
        int sum = 0;
        for (unsigned i = 0; i < 4; ++i)
            sum += side[first + i];
        return sum;
    }
    /// AVC 8.3.4: a quadrant beside the diagonal prefers the side that it lies at.
    int dc(unsigned x, unsigned y) const {
        const unsigned qx = x / 4 * 4, qy = y / 4 * 4;
        const int over = mean_of(top, qx), beside = mean_of(left, qy);
        if (!a && !b) return kNoNeighbours;
        if (a && b && (qx == 0) == (qy == 0)) return (over + beside + 4) >> 3;
        const bool use_top = b && (!a || qx > qy);
        return ((use_top ? over : beside) + 2) >> 2;
    }
    int plane(int x, int y) const {
        const auto row = [&](int i) { return i < 0 ? corner : top[static_cast<std::size_t>(i)]; };
        const auto column = [&](int i) {
            return i < 0 ? corner : left[static_cast<std::size_t>(i)];
        };
        int h = 0, v = 0;
        for (int i = 0; i < 4; ++i) {
            h += (i + 1) * (row(4 + i) - row(2 - i));
            v += (i + 1) * (column(4 + i) - column(2 - i));
        }
        const int b_step = (34 * h + 32) >> 6, c_step = (34 * v + 32) >> 6;
        return clip((16 * (left[7] + top[7]) + b_step * (x - 3) + c_step * (y - 3) + 16) >> 5);
    }
    bool possible(unsigned mode) const {
        return mode == kChromaDc || (mode == kChromaHorizontal && a) ||
               (mode == kChromaVertical && b) || (mode == kChromaPlane && a && b && d);
    }
    int predict(unsigned mode, unsigned x, unsigned y) const {
        switch (mode) {
            case kChromaHorizontal:
                return left[y];
            case kChromaVertical:
                return top[x];
            case kChromaPlane:
                return plane(static_cast<int>(x), static_cast<int>(y));
            default:
                return dc(x, y);
        }
    }
};

}  // namespace

void predict_luma(const Inputs& in, const Message& message, const Patch& source, Result& result) {
    Luma(in, message, source).run(result);
}

void predict_chroma(const Inputs& in, const Message& message, const Patch& source, Result& result) {
    // VME-37: the mask's bits are vertical, horizontal, DC, plane.
    constexpr unsigned kMaskBit[kChromaModes] = {2, 1, 0, 3};
    constexpr std::uint32_t kTimes[kChromaModes] = {0, 1, 1, 2};
    const std::uint32_t disabled = dword(message, kTypePhase + 1, 1) >> 4 & 0xF;
    const Neighbours around(in, message);
    const std::uint8_t* const pairs = message.payload[kTypePhase + 3].bytes;
    const std::uint8_t* const corner = message.payload[kTypePhase + 2].bytes + 20;
    std::array<ChromaEdge, 2> edges;
    for (unsigned component = 0; component < 2; ++component) {
        ChromaEdge& e = edges[component];
        for (unsigned i = 0; i < 8; ++i) {
            e.left[i] = pairs[2 * i + component];
            e.top[i] = pairs[16 + 2 * i + component];
        }
        e.corner = corner[component];
        e.a = around.a;
        e.b = around.b;
        e.d = around.d;
    }
    const Measure measure = measure_of(in.intra_haar, in.haar_without_dc);
    std::uint32_t best = kMostDistortion + 1;
    for (unsigned mode = 0; mode < kChromaModes; ++mode) {
        if (disabled >> kMaskBit[mode] & 1 || !edges[0].possible(mode)) continue;
        std::uint32_t sum = in.costs.chroma * kTimes[mode];
        for (unsigned component = 0; component < 2; ++component) {
            std::array<std::uint8_t, 64> prediction, own;
            for (unsigned i = 0; i < 64; ++i) {
                prediction[i] =
                    static_cast<std::uint8_t>(edges[component].predict(mode, i % 8, i / 8));
                own[i] = source.bytes[2 * i + component];
            }
            sum += distortion(own.data(), 8, prediction.data(), 8, 8, 8, measure);
        }
        if (sum >= best) continue;
        best = sum;
        result.chroma_mode = static_cast<std::uint8_t>(mode);
    }
    result.chroma_distortion = best;
}

}  // namespace gen9::vme

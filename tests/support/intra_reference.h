// SPDX-License-Identifier: Apache-2.0
// Intra prediction of luma by AVC's formulas, written down one by one. Slow on purpose; it shares no
// code with the model.
#pragma once
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "tests/support/motion_reference.h"

namespace motion {

using Pixels = std::map<std::pair<int, int>, int>;  ///< AVC's p[x, y]; what is missing is not there

/// Column and row of a 4x4 block in the order in which blocks are coded.
inline int column_of(unsigned z) {
    return static_cast<int>(z % 2 + z / 4 % 2 * 2);
}
inline int row_of(unsigned z) {
    return static_cast<int>(z / 2 % 2 + z / 8 * 2);
}

/// 8.3.1.2 and 8.3.2.2: the prediction of pixel (x, y) of a block of n x n; -1: not possible.
inline int predicted(int mode, int n, int x, int y, const Pixels& known) {
    const auto has = [&](int px, int py) { return known.count({px, py}) != 0; };
    const auto p = [&](int px, int py) { return known.at({px, py}); };
    const bool left = has(-1, 0), top = has(0, -1), corner = has(-1, -1);
    const auto all = left && top && corner;
    switch (mode) {
        case 0:
            return top ? p(x, -1) : -1;
        case 1:
            return left ? p(-1, y) : -1;
        case 2: {
            int sum = 0, count = 0;
            for (int i = 0; i < n; ++i) {
                if (top) sum += p(i, -1), ++count;
                if (left) sum += p(-1, i), ++count;
            }
            return count ? (sum + count / 2) / count : 128;
        }
        case 3:
            if (!top) return -1;
            if (x == n - 1 && y == n - 1) return (p(2 * n - 2, -1) + 3 * p(2 * n - 1, -1) + 2) >> 2;
            return (p(x + y, -1) + 2 * p(x + y + 1, -1) + p(x + y + 2, -1) + 2) >> 2;
        case 4:
            if (!all) return -1;
            if (x > y) return (p(x - y - 2, -1) + 2 * p(x - y - 1, -1) + p(x - y, -1) + 2) >> 2;
            if (x < y) return (p(-1, y - x - 2) + 2 * p(-1, y - x - 1) + p(-1, y - x) + 2) >> 2;
            return (p(0, -1) + 2 * p(-1, -1) + p(-1, 0) + 2) >> 2;
        case 5: {
            if (!all) return -1;
            const int z = 2 * x - y, i = x - (y >> 1);
            if (z >= 0 && z % 2 == 0) return (p(i - 1, -1) + p(i, -1) + 1) >> 1;
            if (z >= 0) return (p(i - 2, -1) + 2 * p(i - 1, -1) + p(i, -1) + 2) >> 2;
            if (z == -1) return (p(-1, 0) + 2 * p(-1, -1) + p(0, -1) + 2) >> 2;
            return (p(-1, y - 2 * x - 1) + 2 * p(-1, y - 2 * x - 2) + p(-1, y - 2 * x - 3) + 2) >>
                   2;
        }
        case 6: {
            if (!all) return -1;
            const int z = 2 * y - x, i = y - (x >> 1);
            if (z >= 0 && z % 2 == 0) return (p(-1, i - 1) + p(-1, i) + 1) >> 1;
            if (z >= 0) return (p(-1, i - 2) + 2 * p(-1, i - 1) + p(-1, i) + 2) >> 2;
            if (z == -1) return (p(-1, 0) + 2 * p(-1, -1) + p(0, -1) + 2) >> 2;
            return (p(x - 2 * y - 1, -1) + 2 * p(x - 2 * y - 2, -1) + p(x - 2 * y - 3, -1) + 2) >>
                   2;
        }
        case 7: {
            if (!top) return -1;
            const int i = x + (y >> 1);
            if (y % 2 == 0) return (p(i, -1) + p(i + 1, -1) + 1) >> 1;
            return (p(i, -1) + 2 * p(i + 1, -1) + p(i + 2, -1) + 2) >> 2;
        }
        default: {
            if (!left) return -1;
            const int z = x + 2 * y, i = y + (x >> 1);
            if (z > 2 * n - 3) return p(-1, n - 1);
            if (z == 2 * n - 3) return (p(-1, n - 2) + 3 * p(-1, n - 1) + 2) >> 2;
            if (z % 2 == 0) return (p(-1, i) + p(-1, i + 1) + 1) >> 1;
            return (p(-1, i) + 2 * p(-1, i + 1) + p(-1, i + 2) + 2) >> 2;
        }
    }
}

/// 8.3.2.2.1.
inline Pixels smoothed(const Pixels& p) {
    Pixels q;
    const auto has = [&](int x, int y) { return p.count({x, y}) != 0; };
    const auto at = [&](int x, int y) { return p.at({x, y}); };
    const bool corner = has(-1, -1), left = has(-1, 0), top = has(0, -1);
    if (top) {
        q[{0, -1}] = corner ? (at(-1, -1) + 2 * at(0, -1) + at(1, -1) + 2) >> 2
                            : (3 * at(0, -1) + at(1, -1) + 2) >> 2;
        for (int x = 1; x < 15; ++x)
            q[{x, -1}] = (at(x - 1, -1) + 2 * at(x, -1) + at(x + 1, -1) + 2) >> 2;
        q[{15, -1}] = (at(14, -1) + 3 * at(15, -1) + 2) >> 2;
    }
    if (corner) {
        if (!top)
            q[{-1, -1}] = left ? (3 * at(-1, -1) + at(-1, 0) + 2) >> 2 : at(-1, -1);
        else if (!left)
            q[{-1, -1}] = (3 * at(-1, -1) + at(0, -1) + 2) >> 2;
        else
            q[{-1, -1}] = (at(0, -1) + 2 * at(-1, -1) + at(-1, 0) + 2) >> 2;
    }
    if (left) {
        q[{-1, 0}] = corner ? (at(-1, -1) + 2 * at(-1, 0) + at(-1, 1) + 2) >> 2
                            : (3 * at(-1, 0) + at(-1, 1) + 2) >> 2;
        for (int y = 1; y < 7; ++y)
            q[{-1, y}] = (at(-1, y - 1) + 2 * at(-1, y) + at(-1, y + 1) + 2) >> 2;
        q[{-1, 7}] = (at(-1, 6) + 3 * at(-1, 7) + 2) >> 2;
    }
    return q;
}

struct IntraAnswer {
    int distortion = 1 << 29;
    std::array<int, 16> mode{};  ///< by 4x4 block, Z order
};

/// A macroblock with neighbours that are there by bits: 1 left, 2 top, 4 top right, 8 top left.
struct Macroblock {
    Picture around;  ///< 32 x 32; the macroblock begins at (8, 8)
    unsigned there = 0;
    std::array<int, 16> neighbour_modes{};
    int not_predicted = 0, penalty = 0;
    unsigned disabled = 0;

    bool outside_there(int x, int y) const {
        if (y >= 0) return x >= 0 || (there & 1);
        return x < 0 ? (there & 8) != 0 : x < 16 ? (there & 2) != 0 : (there & 4) != 0;
    }
    int at(int x, int y) const { return around.at(8 + x, 8 + y); }

    /// 8.3.1.1 and 8.3.2.1: by 4x4 block, (-1, y) and (x, -1) outside.
    IntraAnswer blocks(int n) const {
        IntraAnswer answer;
        answer.distortion = 0;
        std::map<std::pair<int, int>, int> modes;
        const int left_of[4] = {0, 1, 2, 3}, top_of[4] = {4, 5, 6, 7};
        for (int i = 0; i < 4; ++i) {
            modes[{-1, i}] = neighbour_modes[static_cast<std::size_t>(left_of[i])];
            modes[{i, -1}] = neighbour_modes[static_cast<std::size_t>(top_of[i])];
        }
        std::vector<std::pair<int, int>> decoded;  // 4x4 blocks
        for (unsigned z = 0; z < 16; z += static_cast<unsigned>(n * n / 16)) {
            const int bx = column_of(z) * 4, by = row_of(z) * 4;
            Pixels p;
            const auto take = [&](int x, int y) {
                const int px = bx + x, py = by + y;
                const bool inside = px >= 0 && py >= 0 && px < 16;
                const bool known = inside
                                       ? std::ranges::count(decoded, std::pair{px / 4, py / 4}) != 0
                                   : py >= 0 && px >= 16 ? false
                                                         : outside_there(px, py);
                if (known) p[{x, y}] = at(px, py);
            };
            for (int i = -1; i < 2 * n; ++i)
                take(i, -1);
            for (int i = 0; i < n; ++i)
                take(-1, i);
            if (p.count({0, -1}) && !p.count({n, -1}))
                for (int i = n; i < 2 * n; ++i)
                    p[{i, -1}] = p[{n - 1, -1}];
            if (n == 8) p = smoothed(p);
            const bool no_left = bx == 0 && !(there & 1), no_top = by == 0 && !(there & 2);
            const int predicted_mode = no_left || no_top ? 2
                                                         : std::min(modes.at({bx / 4 - 1, by / 4}),
                                                                    modes.at({bx / 4, by / 4 - 1}));
            int best = 1 << 29, chosen = 0;
            for (int mode = 0; mode < 9; ++mode) {
                if (disabled >> mode & 1 || predicted(mode, n, 0, 0, p) < 0) continue;
                int sum = (mode == 2 ? 0 : penalty) + (mode == predicted_mode ? 0 : not_predicted);
                for (int y = 0; y < n; ++y)
                    for (int x = 0; x < n; ++x)
                        sum += std::abs(at(bx + x, by + y) - predicted(mode, n, x, y, p));
                if (sum < best) best = sum, chosen = mode;
            }
            answer.distortion += best;
            for (int j = 0; j < n / 4; ++j)
                for (int i = 0; i < n / 4; ++i) {
                    modes[{bx / 4 + i, by / 4 + j}] = chosen;
                    decoded.emplace_back(bx / 4 + i, by / 4 + j);
                    answer.mode[z + static_cast<unsigned>(i + 2 * j)] = chosen;
                }
        }
        return answer;
    }
    /// 8.3.3.
    IntraAnswer whole() const {
        IntraAnswer answer;
        const bool left = there & 1, top = there & 2, corner = there & 8;
        for (int mode = 0; mode < 4; ++mode) {
            if (disabled >> mode & 1) continue;
            if ((mode == 0 && !top) || (mode == 1 && !left) ||
                (mode == 3 && !(left && top && corner)))
                continue;
            int h = 0, v = 0, sum = 0, count = 0;
            for (int i = 0; i < 8; ++i) {
                h += (i + 1) * (at(8 + i, -1) - at(6 - i, -1));
                v += (i + 1) * (at(-1, 8 + i) - at(-1, 6 - i));
            }
            for (int i = 0; i < 16; ++i) {
                if (top) sum += at(i, -1), ++count;
                if (left) sum += at(-1, i), ++count;
            }
            const int dc = count ? (sum + count / 2) / count : 128;
            int distortion = mode == 2 ? 0 : penalty;
            for (int y = 0; y < 16; ++y)
                for (int x = 0; x < 16; ++x) {
                    const int plane =
                        std::clamp((16 * (at(-1, 15) + at(15, -1)) + ((5 * h + 32) >> 6) * (x - 7) +
                                    ((5 * v + 32) >> 6) * (y - 7) + 16) >>
                                       5,
                                   0, 255);
                    const int value = mode == 0   ? at(x, -1)
                                      : mode == 1 ? at(-1, y)
                                      : mode == 2 ? dc
                                                  : plane;
                    distortion += std::abs(at(x, y) - value);
                }
            if (distortion < answer.distortion) {
                answer.distortion = distortion;
                answer.mode.fill(mode);
            }
        }
        return answer;
    }
};

}  // namespace motion

// SPDX-License-Identifier: Apache-2.0
// Motion estimation in plain words: a second derivation of the rules that results of parts settle.
// Slow on purpose; it shares no code with the model.
#pragma once
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace motion {

struct Picture {
    int width = 0, height = 0;
    std::vector<unsigned char> pixels;

    Picture() = default;
    Picture(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w * h)) {}
    int at(int x, int y) const {
        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        return pixels[static_cast<std::size_t>(y * width + x)];
    }
    unsigned char& operator()(int x, int y) {
        return pixels[static_cast<std::size_t>(y * width + x)];
    }
    /// The even or the odd lines.
    Picture field(int parity) const {
        Picture half(width, (height + 1 - parity) / 2);
        for (int y = 0; y < half.height; ++y)
            for (int x = 0; x < width; ++x)
                half(x, y) = static_cast<unsigned char>(at(x, 2 * y + parity));
        return half;
    }
};

/// The sample at a place in quarter pixels, by definition of each kind of sample.
class Sampler {
  public:
    Sampler(const Picture& picture, bool bilinear) : p_(picture), bilinear_(bilinear) {}

    int quarter(int x, int y) const {
        const bool odd_x = x & 1, odd_y = y & 1;
        if (!odd_x && !odd_y) return half(x / 2, y / 2);
        if (odd_x && !odd_y) return (half((x - 1) / 2, y / 2) + half((x + 1) / 2, y / 2)) / 2;
        if (!odd_x) return (half(x / 2, (y - 1) / 2) + half(x / 2, (y + 1) / 2)) / 2;
        // Of the corners around it, those that are half in one direction only.
        int sum = 0;
        for (const int hx : {(x - 1) / 2, (x + 1) / 2})
            for (const int hy : {(y - 1) / 2, (y + 1) / 2})
                if ((hx & 1) != (hy & 1)) sum += half(hx, hy);
        return sum / 2;
    }

  private:
    int four(int a, int b, int c, int d) const {
        if (bilinear_) return (b + c) / 2;
        const int sum = 5 * b + 5 * c - a - d;
        const int down = sum >= 0 ? sum / 8 : -((-sum + 7) / 8);
        return std::min(std::max(down, 0), 255);
    }
    /// A place in half pixels.
    int half(int x, int y) const {
        const int px = x >> 1, py = y >> 1;
        if (!(x & 1) && !(y & 1)) return p_.at(px, py);
        if (!(x & 1))
            return four(p_.at(px, py - 1), p_.at(px, py), p_.at(px, py + 1), p_.at(px, py + 2));
        if (!(y & 1))
            return four(p_.at(px - 1, py), p_.at(px, py), p_.at(px + 1, py), p_.at(px + 2, py));
        return four(half(2 * px - 2, y), half(2 * px, y), half(2 * px + 2, y), half(2 * px + 4, y));
    }
    const Picture& p_;
    const bool bilinear_;
};

struct Vector {
    int x = 0, y = 0;
    bool operator==(const Vector& o) const { return x == o.x && y == o.y; }
    bool operator!=(const Vector& o) const { return !(*this == o); }
};

/// Costs as the message has them, decoded.
struct Costs {
    std::array<int, 8> table{};
    std::array<Vector, 4> centre{};
    int unit = 0;  ///< quarter pixels shifted right by this
    bool wide = false;
    int s16x16 = 0, s16x8 = 0, s8x8 = 0, s8x4 = 0, s4x4 = 0;

    static int byte(unsigned value) {
        return static_cast<int>((value & 15u) << (value >> 4 & 15u));
    }
    int component(int distance) const {
        // The curve's points, and a line between two of them.
        const int at[8] = {0, 1, 2, 4, 8, 16, 32, 64};
        if (distance > 64) return table[7] + distance - 64;
        for (int i = 7;; --i) {
            if (distance < at[i]) continue;
            const auto k = static_cast<std::size_t>(i);
            if (distance == at[i]) return table[k];
            const int rise = (table[k + 1] - table[k]) * (distance - at[i]);
            const int run = at[i + 1] - at[i];
            return table[k] + (rise >= 0 ? rise / run : -((-rise + run - 1) / run));
        }
    }
    int vector(Vector v, int block) const {
        const Vector c = centre[static_cast<std::size_t>(block)];
        const int sum =
            component(std::abs(v.x - c.x) >> unit) + component(std::abs(v.y - c.y) >> unit);
        return std::min(sum, wide ? 4095 : 1023);
    }
};

/// A rectangle of the macroblock in pixels, and the cost centre of its kind.
struct Part {
    int x, y, w, h;
    int block() const { return x / 8 + y / 8 * 2; }
    bool operator<(const Part& o) const {
        return std::array<int, 4>{x, y, w, h} < std::array<int, 4>{o.x, o.y, o.w, o.h};
    }
};
struct Found {
    Vector vector;
    int distortion = 1 << 30;  ///< with the vector's cost
};

inline int sad(const Picture& source, int sx, int sy, const Part& part, const Sampler& reference,
               Vector v) {
    int sum = 0;
    for (int y = part.y; y < part.y + part.h; ++y)
        for (int x = part.x; x < part.x + part.w; ++x)
            sum += std::abs(source.at(sx + x, sy + y) -
                            reference.quarter(4 * (sx + x) + v.x, 4 * (sy + y) + v.y));
    return sum;
}
inline int sad_whole(const Picture& source, int sx, int sy, const Part& part,
                     const Picture& reference, Vector pixels) {
    int sum = 0;
    for (int y = part.y; y < part.y + part.h; ++y)
        for (int x = part.x; x < part.x + part.w; ++x)
            sum += std::abs(source.at(sx + x, sy + y) -
                            reference.at(sx + x + pixels.x, sy + y + pixels.y));
    return sum;
}

/// All shapes by the mask's bits.
inline std::vector<Part> parts_of(int width, int height) {
    std::vector<Part> parts;
    for (int y = 0; y < 16; y += height)
        for (int x = 0; x < 16; x += width)
            parts.push_back({x, y, width, height});
    return parts;
}

/// Best vectors of all parts that the mask allows.
using Best = std::map<Part, Found>;
inline void search(const Picture& source, int sx, int sy, const Picture& reference,
                   const Costs& costs, unsigned mask, const std::vector<Vector>& positions,
                   Best& best) {
    const int sizes[7][2] = {{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}};
    for (const Vector position : positions)
        for (unsigned kind = 0; kind < 7; ++kind) {
            if (mask >> kind & 1) continue;
            for (const Part& part : parts_of(sizes[kind][0], sizes[kind][1])) {
                const Vector v{4 * position.x, 4 * position.y};
                const int sum = sad_whole(source, sx, sy, part, reference, position) +
                                costs.vector(v, part.block());
                Found& found = best[part];
                if (sum < found.distortion) found = {v, sum};
            }
        }
}

/// Search units in the order of a spiral or another walk, as positions in whole pixels from the
/// source block.
inline std::vector<Vector> positions_of(const std::vector<Vector>& units, Vector corner) {
    std::vector<Vector> positions;
    for (const Vector u : units)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x)
                positions.push_back({corner.x + 4 * u.x + x, corner.y + 4 * u.y + y});
    return positions;
}

/// A way to divide the macroblock.
struct Division {
    int major = 0;               ///< 0 16x16, 1 16x8, 2 8x16, 3 8x8
    std::array<int, 4> minor{};  ///< 0 8x8, 1 8x4, 2 4x8, 3 4x4
    std::vector<Part> parts;
    int distortion = 1 << 30;
};

inline Division choose(const Best& best, const Costs& costs, int most_vectors = 32) {
    const auto of = [&](const Part& part) {
        const auto found = best.find(part);
        return found == best.end() ? 1 << 28 : found->second.distortion;
    };
    std::vector<Division> candidates;
    const auto add = [&](int major, std::vector<Part> parts, int cost) {
        Division d;
        d.major = major;
        d.distortion = cost;
        for (const Part& part : parts)
            d.distortion += of(part);
        d.parts = std::move(parts);
        candidates.push_back(d);
    };
    add(0, {{0, 0, 16, 16}}, costs.s16x16);
    add(1, {{0, 0, 16, 8}, {0, 8, 16, 8}}, costs.s16x8);
    add(2, {{0, 0, 8, 16}, {8, 0, 8, 16}}, costs.s16x8);
    Division quarters;
    quarters.major = 3;
    quarters.distortion = 0;
    for (int q = 0; q < 4; ++q) {
        const int x = q % 2 * 8, y = q / 2 * 8;
        const std::vector<std::pair<std::vector<Part>, int>> ways = {
            {{{x, y, 8, 8}}, costs.s8x8},
            {{{x, y, 8, 4}, {x, y + 4, 8, 4}}, costs.s8x4},
            {{{x, y, 4, 8}, {x + 4, y, 4, 8}}, costs.s8x4},
            {{{x, y, 4, 4}, {x + 4, y, 4, 4}, {x, y + 4, 4, 4}, {x + 4, y + 4, 4, 4}}, costs.s4x4}};
        int least = 1 << 29;
        std::vector<Part> chosen;
        for (int way = 0; way < (most_vectors < 4 ? 1 : 4); ++way) {
            int sum = ways[static_cast<std::size_t>(way)].second;
            for (const Part& part : ways[static_cast<std::size_t>(way)].first)
                sum += of(part);
            if (sum >= least) continue;
            least = sum;
            chosen = ways[static_cast<std::size_t>(way)].first;
            quarters.minor[static_cast<std::size_t>(q)] = way;
        }
        quarters.distortion += least;
        quarters.parts.insert(quarters.parts.end(), chosen.begin(), chosen.end());
    }
    candidates.push_back(quarters);
    Division winner;
    for (const Division& d : candidates)
        if (static_cast<int>(d.parts.size()) <= most_vectors && d.distortion < winner.distortion)
            winner = d;
    return winner;
}

/// The vector and distortion of a part after refinement to half or quarter pixels.
inline Found refine(const Picture& source, int sx, int sy, const Part& part,
                    const Sampler& reference, const Costs& costs, Vector start, bool quarter) {
    Found best;
    const auto look = [&](Vector v) {
        const int sum = sad(source, sx, sy, part, reference, v) + costs.vector(v, part.block());
        if (sum < best.distortion) best = {v, sum};
    };
    look(start);
    for (const int step : quarter ? std::vector<int>{2, 1} : std::vector<int>{2}) {
        const Vector centre = best.vector;
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (x != 0 || y != 0) look({centre.x + step * x, centre.y + step * y});
    }
    return best;
}

/// A texture in which each place is different.
inline Picture texture(int width, int height, unsigned seed) {
    Picture p(width, height);
    unsigned state = seed * 2654435761u + 1;
    for (unsigned char& pixel : p.pixels) {
        state = state * 1664525u + 1013904223u;
        pixel = static_cast<unsigned char>(state >> 24);
    }
    return p;
}
/// The same, smoothed: searches then have near misses.
inline Picture smooth_texture(int width, int height, unsigned seed) {
    const Picture rough = texture(width, height, seed);
    Picture p(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int sum = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i)
                    sum += rough.at(x + i, y + j);
            p(x, y) = static_cast<unsigned char>(sum / 9);
        }
    return p;
}
/// The picture moved: what was at (x, y) is at (x + dx, y + dy).
inline Picture shifted(const Picture& from, int dx, int dy) {
    Picture p(from.width, from.height);
    for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x)
            p(x, y) = static_cast<unsigned char>(from.at(x - dx, y - dy));
    return p;
}

}  // namespace motion

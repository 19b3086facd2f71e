// SPDX-License-Identifier: Apache-2.0
#include "geometry/tessellator.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gen9::geometry {
namespace {

constexpr std::uint32_t kHalf = kDomainOne / 2;
/// The most segments of an edge.
constexpr unsigned kMaxSegments = 64;
/// An odd inside factor is at least this where an outer one is above 1, so that there is a ring.
constexpr float kAboveOne = 1 + 0x1p-16f;
constexpr float kAboveOneFrom = 1 + 0x1p-17f;

/// To nearest, ties to even.
std::uint32_t to_fixed(float factor) {
    const double scaled = double{factor} * kDomainOne;
    const double below = std::floor(scaled);
    const auto whole = static_cast<std::uint32_t>(below);
    const double rest = scaled - below;
    return whole + (rest > 0.5 || (rest == 0.5 && (whole & 1)) ? 1 : 0);
}

constexpr std::uint32_t reciprocal(std::uint32_t n) {
    return (kDomainOne + n / 2) / n;
}

std::uint32_t without_highest_bit(std::uint32_t value) {
    return value & ~std::bit_floor(value);
}

/// Where the points of an edge or an axis lie. Each half has those of the whole number of segments
/// below the factor and of the one above it, weighed by the fraction between the two; the point
/// that is new in the one above splits off from its neighbour.
class Spacing {
  public:
    Spacing() = default;
    Spacing(std::uint32_t factor, bool odd) : odd_(odd) {
        std::uint32_t half = (factor + 1) / 2;
        const auto whole_above = [](std::uint32_t fixed) {
            return (fixed + kDomainOne - 1) / kDomainOne;
        };
        points_ = odd ? 2 * whole_above(kHalf + half) : 2 * whole_above(half) + 1;
        if (odd || half == kHalf) half += kHalf;
        const std::uint32_t below = half / kDomainOne, above = whole_above(half);
        fraction_ = half - below * kDomainOne;
        half_points_ = above;
        if (below == above)
            split_ = above + 1;
        else if (!odd)
            split_ = 2 * without_highest_bit(below) + 1;
        else
            split_ = below == 1 ? 0 : 2 * without_highest_bit(below - 1) + 1;
        step_below_ = reciprocal(2 * below - (odd ? 1 : 0));
        step_above_ = reciprocal(2 * above - (odd ? 1 : 0));
    }
    bool odd() const { return odd_; }
    unsigned points() const { return points_; }
    /// Points of a half that do not lie in its middle.
    unsigned half_points() const { return half_points_; }
    std::uint32_t at(unsigned point) const {
        const bool mirrored = point >= half_points_;
        if (mirrored) point = 2 * half_points_ - (odd_ ? 1 : 0) - point;
        if (point == half_points_) return kHalf;
        const std::uint64_t below = std::uint64_t{point - (point > split_ ? 1 : 0)} * step_below_;
        const std::uint64_t above = std::uint64_t{point} * step_above_;
        const auto place = static_cast<std::uint32_t>(
            (below * (kDomainOne - fraction_) + above * fraction_ + kHalf) / kDomainOne);
        return mirrored ? kDomainOne - place : place;
    }

  private:
    bool odd_ = false;
    unsigned points_ = 0, half_points_ = 0, split_ = 0;
    std::uint32_t fraction_ = 0, step_below_ = 0, step_above_ = 0;
};

/// What becomes of a factor: clamped, and whole where the partitioning is.
class Factors {
  public:
    explicit Factors(const TessellatorState& state)
        : partitioning_(state.partitioning),
          max_(state.partitioning == Partitioning::OddFractional ? state.max_odd
                                                                 : state.max_not_odd) {}
    float lowest() const { return partitioning_ == Partitioning::EvenFractional ? 2.f : 1.f; }
    /// NaN is the lowest (TE-04).
    float clamped(float factor, float lowest) const {
        const float highest = partitioning_ == Partitioning::OddFractional ? 63.f : 64.f;
        if (factor > max_) factor = max_;
        return factor > lowest ? std::min(factor, highest) : lowest;
    }
    Spacing outer(float clamped) const { return spacing(clamped, true); }
    /// Of an inside factor 1 is even, so that there is a point within.
    Spacing inside(float clamped) const { return spacing(clamped, false); }
    /// It has the whole number in its place.
    std::uint32_t fixed(float clamped) const {
        return to_fixed(partitioning_ == Partitioning::Integer ? std::ceil(clamped) : clamped);
    }

  private:
    Spacing spacing(float clamped, bool one_is_odd) const {
        const std::uint32_t value = fixed(clamped);
        if (partitioning_ != Partitioning::Integer)
            return {value, partitioning_ == Partitioning::OddFractional};
        const bool odd = value / kDomainOne % 2 != 0;
        return {value, odd && (value != kDomainOne || one_is_odd)};
    }
    Partitioning partitioning_;
    float max_;
};

/// Points in a row, by number.
struct Row {
    std::array<std::uint16_t, kMaxSegments + 1> points;
    unsigned count = 0;
    void add(std::uint32_t point) { points[count++] = static_cast<std::uint16_t>(point); }
};
/// Rows along the edges, clockwise: each begins where the one before it ends.
using Ring = std::array<Row, 4>;

/// A ring of points whose numbers begin with `first`; counts[e] of them lie along edge e.
Ring closed_ring(std::uint32_t first, std::span<const unsigned> counts) {
    unsigned all = 0;
    for (const unsigned count : counts)
        all += count - 1;
    Ring ring;
    unsigned start = 0;
    for (std::size_t e = 0; e < counts.size(); ++e) {
        for (unsigned i = 0; i < counts[e]; ++i)
            ring[e].add(first + (all == 0 ? 0 : (start + i) % all));
        start += counts[e] - 1;
    }
    return ring;
}

/// A ring of a quad that is a line of points: there and back.
Ring flat_ring(std::uint32_t first, unsigned points, bool along_u) {
    Ring ring;
    for (unsigned i = 0; i < points; ++i) {
        ring[along_u ? 1 : 0].add(first + i);
        ring[along_u ? 3 : 2].add(first + points - 1 - i);
    }
    ring[along_u ? 0 : 1].add(along_u ? first : first + points - 1);
    ring[along_u ? 2 : 3].add(along_u ? first + points - 1 : first);
    return ring;
}

/// In which order the points of half an edge come as its factor grows.
constexpr std::array<std::uint8_t, 33> kRank = {0,  32, 16, 8,  17, 4,  18, 9,  19, 2,  20,
                                                10, 21, 5,  22, 11, 23, 1,  24, 12, 25, 6,
                                                26, 13, 27, 3,  28, 14, 29, 7,  30, 15, 31};

class Tessellating {
  public:
    Tessellating(const TessellatorState& state, Tessellation& out)
        : factors_(state), state_(state), out_(out) {
        out_.points.clear();
        out_.vertices.clear();
        out_.strip = 1;
        switch (state.output) {
            case DomainOutput::Point:
                out_.object_vertices = 1;
                break;
            case DomainOutput::Line:
                out_.object_vertices = 2;
                break;
            default:
                out_.object_vertices = 3;
        }
    }
    void quad(const TessellationFactors& given);
    void triangle(const TessellationFactors& given);
    void isolines(const TessellationFactors& given);

  private:
    bool connects() const { return out_.object_vertices == 3; }
    std::uint32_t numbers() const { return static_cast<std::uint32_t>(out_.points.size()); }
    void point(std::uint32_t u, std::uint32_t v) { out_.points.push_back({u, v}); }
    void single_points();
    /// Clockwise.
    void clockwise(unsigned a, unsigned b, unsigned c) {
        if (!connects()) return;
        if (state_.output == DomainOutput::TriangleCcw) std::swap(b, c);
        for (const unsigned vertex : {a, b, c})
            out_.vertices.push_back(static_cast<std::uint16_t>(vertex));
    }
    void transition(const Row& outer, const Spacing& outside, const Row& inner,
                    const Spacing& inside);
    void trapezoid(const Row& outer, const Row& inner);
    void strip(const Row& low, const Row& high, bool mirrored);

    Factors factors_;
    const TessellatorState& state_;
    Tessellation& out_;
};

// --- Between two rings

/// Between an edge and the first ring within, whose points do not stand opposite each other.
void Tessellating::transition(const Row& outer, const Spacing& outside, const Row& inner,
                              const Spacing& inside) {
    const unsigned outer_half = outside.half_points() - (outside.odd() ? 1 : 0);
    const unsigned inner_half = inside.half_points() - (inside.odd() ? 1 : 0);
    unsigned o = 0, i = 0;
    const auto outer_step = [&](unsigned rank) {
        if (rank >= outer_half) return;
        clockwise(outer.points[o], outer.points[o + 1], inner.points[i]);
        ++o;
    };
    const auto inner_step = [&](unsigned rank) {
        if (rank >= inner_half) return;
        clockwise(inner.points[i], outer.points[o], inner.points[i + 1]);
        ++i;
    };
    outer_step(kRank[0]);
    for (unsigned k = 1; k < kRank.size(); ++k) {
        inner_step(kRank[k]);
        outer_step(kRank[k]);
    }
    if (inside.odd()) {
        clockwise(inner.points[i], outer.points[o], inner.points[i + 1]);
        ++i;
    }
    if (outside.odd()) {
        clockwise(inner.points[i], outer.points[o], outer.points[o + 1]);
        ++o;
    }
    for (std::size_t k = kRank.size() - 1; k != 0; --k) {
        outer_step(kRank[k]);
        inner_step(kRank[k]);
    }
    outer_step(kRank[0]);
}

/// Between two rings within: the outer row has one more point at each end.
void Tessellating::trapezoid(const Row& outer, const Row& inner) {
    unsigned o = 0, i = 0;
    const auto corner = [&] {
        clockwise(outer.points[o], outer.points[o + 1], inner.points[i]);
        ++o;
    };
    corner();
    for (; i + 1 < inner.count; ++i, ++o) {
        const unsigned a = outer.points[o], b = outer.points[o + 1];
        const unsigned c = inner.points[i], d = inner.points[i + 1];
        if (i < inner.count / 2) {
            clockwise(a, d, c);
            clockwise(a, b, d);
        } else {
            clockwise(c, a, b);
            clockwise(c, b, d);
        }
    }
    corner();
}

/// The middle of a quad: two rows beside each other, the second in the reverse order.
void Tessellating::strip(const Row& low, const Row& high, bool mirrored) {
    const unsigned quads = low.count - 1;
    for (unsigned n = 0; n < quads; ++n) {
        const unsigned a = low.points[n], b = low.points[n + 1];
        const unsigned c = high.points[quads - n], d = high.points[quads - n - 1];
        if (mirrored && n == quads / 2) {
            clockwise(a, d, c);
            clockwise(a, b, d);
        } else {
            clockwise(c, a, b);
            clockwise(c, b, d);
        }
    }
}

void Tessellating::single_points() {
    if (out_.object_vertices != 1) return;
    for (std::uint32_t n = 0; n < numbers(); ++n)
        out_.vertices.push_back(static_cast<std::uint16_t>(n));
}

// --- Domains

void Tessellating::triangle(const TessellationFactors& given) {
    constexpr unsigned kEdges = 3;
    std::array<float, kEdges> outer;
    for (unsigned e = 0; e < kEdges; ++e)
        outer[e] = factors_.clamped(given.outer[e], factors_.lowest());
    const bool ring = state_.partitioning == Partitioning::OddFractional &&
                      *std::ranges::max_element(outer) > kAboveOneFrom;
    const float within = factors_.clamped(given.inside[0], ring ? kAboveOne : factors_.lowest());

    if (state_.partitioning != Partitioning::EvenFractional &&
        factors_.fixed(within) == kDomainOne && std::ranges::all_of(outer, [this](float factor) {
            return factors_.fixed(factor) == kDomainOne;
        })) {
        point(0, kDomainOne);
        point(0, 0);
        point(kDomainOne, 0);
        clockwise(0, 1, 2);
        return single_points();
    }

    std::array<Spacing, kEdges> outside;
    std::array<unsigned, kEdges> counts;
    for (unsigned e = 0; e < kEdges; ++e) {
        outside[e] = factors_.outer(outer[e]);
        counts[e] = outside[e].points();
        for (unsigned n = 0; n + 1 < counts[e]; ++n) {
            const std::uint32_t rising = outside[e].at(n);
            const std::uint32_t falling = outside[e].at(counts[e] - 1 - n);
            if (e == 0)
                point(0, falling);
            else if (e == 1)
                point(rising, 0);
            else
                point(falling, kDomainOne - falling);
        }
    }
    Ring outer_ring = closed_ring(0, counts);

    const Spacing inside = factors_.inside(within);
    const unsigned points = std::max(inside.points(), inside.odd() ? 4u : 3u);
    for (unsigned k = 1; 2 * k < points; ++k) {
        const std::uint32_t first = numbers();
        const unsigned count = points - 2 * k;  // in a row
        if (count == 1) {
            point(kDomainOne / 3, kDomainOne / 3);
        } else {
            // Two thirds of the way from the edge: the height of a ring's corner.
            constexpr std::uint32_t kTwoThirds = 0xAAAA;
            const auto height = static_cast<std::uint32_t>(
                (std::uint64_t{inside.at(k)} * kTwoThirds + kHalf) / kDomainOne);
            for (unsigned e = 0; e < kEdges; ++e)
                for (unsigned n = 0; n + 1 < count; ++n) {
                    const unsigned q = e == 1 ? k + n : points - 1 - k - n;
                    const std::uint32_t along = inside.at(q) - (height + 1) / 2;
                    if (e == 0)
                        point(height, along);
                    else if (e == 1)
                        point(along, height);
                    else
                        point(along, kDomainOne - along - height);
                }
        }
        const Ring ring_within = closed_ring(first, std::array{count, count, count});
        for (unsigned e = 0; e < kEdges; ++e) {
            if (k == 1)
                transition(outer_ring[e], outside[e], ring_within[e], inside);
            else
                trapezoid(outer_ring[e], ring_within[e]);
        }
        outer_ring = ring_within;
    }
    if (inside.odd())
        clockwise(outer_ring[0].points[0], outer_ring[1].points[0], outer_ring[2].points[0]);
    single_points();
}

void Tessellating::quad(const TessellationFactors& given) {
    constexpr unsigned kEdges = 4;
    std::array<float, kEdges> outer;
    for (unsigned e = 0; e < kEdges; ++e)
        outer[e] = factors_.clamped(given.outer[e], factors_.lowest());
    const auto above_one = [](float factor) { return factor > kAboveOneFrom; };
    const bool ring =
        state_.partitioning == Partitioning::OddFractional &&
        (std::ranges::any_of(outer, above_one) || std::ranges::any_of(given.inside, above_one));
    std::array<float, 2> within;
    for (unsigned axis = 0; axis < 2; ++axis)
        within[axis] = factors_.clamped(given.inside[axis], ring ? kAboveOne : factors_.lowest());

    const auto is_one = [this](float factor) { return factors_.fixed(factor) == kDomainOne; };
    if (state_.partitioning != Partitioning::EvenFractional && std::ranges::all_of(outer, is_one) &&
        std::ranges::all_of(within, is_one)) {
        point(0, 0);
        point(kDomainOne, 0);
        point(kDomainOne, kDomainOne);
        point(0, kDomainOne);
        clockwise(0, 1, 3);
        clockwise(1, 2, 3);
        return single_points();
    }

    std::array<Spacing, kEdges> outside;
    std::array<unsigned, kEdges> counts;
    for (unsigned e = 0; e < kEdges; ++e) {
        outside[e] = factors_.outer(outer[e]);
        counts[e] = outside[e].points();
        for (unsigned n = 0; n + 1 < counts[e]; ++n) {
            const std::uint32_t rising = outside[e].at(n);
            const std::uint32_t falling = outside[e].at(counts[e] - 1 - n);
            if (e == 0)
                point(0, falling);
            else if (e == 1)
                point(rising, 0);
            else if (e == 2)
                point(kDomainOne, rising);
            else
                point(falling, kDomainOne);
        }
    }
    Ring outer_ring = closed_ring(0, counts);

    const Spacing u = factors_.inside(within[0]), v = factors_.inside(within[1]);
    const unsigned points_u = std::max(u.points(), u.odd() ? 4u : 3u);
    const unsigned points_v = std::max(v.points(), v.odd() ? 4u : 3u);
    for (unsigned k = 1; 2 * k < std::min(points_u, points_v); ++k) {
        const std::uint32_t first = numbers();
        const unsigned count_u = points_u - 2 * k, count_v = points_v - 2 * k;
        const unsigned last_u = points_u - 1 - k, last_v = points_v - 1 - k;
        Ring ring_within;
        if (count_v == 1) {
            for (unsigned n = 0; n < count_u; ++n)
                point(u.at(k + n), v.at(k));
            ring_within = flat_ring(first, count_u, true);
        } else if (count_u == 1) {
            for (unsigned n = 0; n < count_v; ++n)
                point(u.at(k), v.at(last_v - n));
            ring_within = flat_ring(first, count_v, false);
        } else {
            for (unsigned n = 0; n + 1 < count_v; ++n)
                point(u.at(k), v.at(last_v - n));
            for (unsigned n = 0; n + 1 < count_u; ++n)
                point(u.at(k + n), v.at(k));
            for (unsigned n = 0; n + 1 < count_v; ++n)
                point(u.at(last_u), v.at(k + n));
            for (unsigned n = 0; n + 1 < count_u; ++n)
                point(u.at(last_u - n), v.at(last_v));
            ring_within = closed_ring(first, std::array{count_v, count_u, count_v, count_u});
        }
        for (unsigned e = 0; e < kEdges; ++e) {
            if (k == 1)
                transition(outer_ring[e], outside[e], ring_within[e], e % 2 == 0 ? v : u);
            else
                trapezoid(outer_ring[e], ring_within[e]);
        }
        outer_ring = ring_within;
    }
    if (points_u > points_v) {
        if (v.odd()) strip(outer_ring[1], outer_ring[3], false);
    } else if (u.odd()) {
        strip(outer_ring[0], outer_ring[2], v.odd());
    }
    single_points();
}

void Tessellating::isolines(const TessellationFactors& given) {
    // TE-04: the number of lines is whole, whatever the partitioning.
    TessellatorState whole = state_;
    whole.partitioning = Partitioning::Integer;
    const Factors lines_of(whole);
    const Spacing lines = lines_of.outer(lines_of.clamped(given.outer[0], 1.f));
    const Spacing along = factors_.outer(factors_.clamped(given.outer[1], factors_.lowest()));
    out_.strip = along.points() - 1;
    for (unsigned line = 0; line + 1 < lines.points(); ++line)
        for (unsigned n = 0; n < along.points(); ++n) {
            point(along.at(n), lines.at(line));
            if (out_.object_vertices != 2 || n == 0) continue;
            out_.vertices.push_back(static_cast<std::uint16_t>(numbers() - 2));
            out_.vertices.push_back(static_cast<std::uint16_t>(numbers() - 1));
        }
    single_points();
}

}  // namespace

TessellationFactors factors_of(Domain domain,
                               std::span<const std::uint32_t, kPatchHeaderDwords> header) {
    const auto at = [&](unsigned dword) { return std::bit_cast<float>(header[dword]); };
    switch (domain) {
        case Domain::Quad:
            return {{at(7), at(6), at(5), at(4)}, {at(3), at(2)}};
        case Domain::Triangle:
            return {{at(7), at(6), at(5)}, {at(4)}};
        case Domain::Isoline:
            return {{at(6), at(7)}, {}};
    }
    return {};
}

void tessellate(const TessellatorState& state, const TessellationFactors& factors,
                Tessellation& out) {
    Tessellating work(state, out);
    const std::size_t outer = state.domain == Domain::Quad       ? 4
                              : state.domain == Domain::Triangle ? 3
                                                                 : 2;
    // Also NaN.
    if (!std::ranges::all_of(std::span(factors.outer).first(outer),
                             [](float factor) { return factor > 0; }))
        return;
    switch (state.domain) {
        case Domain::Quad:
            return work.quad(factors);
        case Domain::Triangle:
            return work.triangle(factors);
        case Domain::Isoline:
            return work.isolines(factors);
    }
}

}  // namespace gen9::geometry

// SPDX-License-Identifier: Apache-2.0
// The tessellator against a second derivation in real arithmetic: an edge is built of the lengths of
// its segments, rings of a triangle by perpendiculars in the plane, and what lies between points is
// proven to be a triangulation that fills the domain once.
#include "geometry/tessellator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/support/sample.h"

namespace gen9::geometry::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// How far a place may be from the exact one, in 1/65536. Along an edge up to 32 segments are added
/// whose length is rounded once for all, and the sum is rounded: 16.5. Within a triangle, what is
/// across is two thirds of such a place (11.0, with 0.9 for the rounding and for the factor of 16
/// bits), and half of it, rounded, is taken from a place along the edge: 16.5 + 6.0 + 0.5.
double rounding(const TessellatorState& state) {
    return state.domain == Domain::Triangle ? 23 : 17;
}

using Places = std::vector<double>;
struct Place {
    double u, v;
};

/// A factor as its edge or axis has it.
struct Factor {
    double value;
    bool odd;
};
double to_sixteen_bits(double value) {
    return std::nearbyint(value * 65536) / 65536;
}
double bounded(const TessellatorState& state, float factor, double lowest) {
    const bool odd = state.partitioning == Partitioning::OddFractional;
    double value = factor;
    if (!(value >= lowest)) value = lowest;
    value = std::min<double>(value, odd ? state.max_odd : state.max_not_odd);
    return std::max(lowest, std::min(value, odd ? 63.0 : 64.0));
}
Factor factor_of(const TessellatorState& state, double value, bool inside) {
    if (state.partitioning == Partitioning::Integer) {
        const double whole = std::ceil(value);
        return {whole, std::fmod(whole, 2) == 1 && !(inside && whole == 1)};
    }
    return {to_sixteen_bits(value), state.partitioning == Partitioning::OddFractional};
}

/// Segments of half an edge come one after the other, each into the middle of what is widest: the
/// place of the n-th among them, as a number between 0 and 1.
double place_of_segment(unsigned n) {
    if (n == 0) return 0;
    const unsigned level = static_cast<unsigned>(std::bit_width(n));
    return (2.0 * (n - (1u << (level - 1))) + 1) / (1u << level);
}

/// From 0 to 1. The edge has all segments of the whole number below its factor, and in each half one
/// that grows with the rest of it.
Places places(const Factor& factor) {
    const double parity = factor.odd ? 1 : 0;
    double below = 2 * std::floor((factor.value - parity) / 2) + parity;
    if (below == 0) below = 2;  // a factor of 1 that counts as even
    const double rest = std::max(0.0, (factor.value - below) / 2);
    const double grown = rest / (below + 2);
    const double other = (1 - rest) / below + grown;
    const auto whole = static_cast<unsigned>((below - parity) / 2);  // of a half
    unsigned before = 0;  // segments of a half before the one that grows
    for (unsigned n = 0; n < whole; ++n)
        if (place_of_segment(n) < place_of_segment(whole)) ++before;
    std::vector<double> half(whole, other);
    if (rest > 0) half.insert(half.begin() + before, grown);
    std::vector<double> segments = half;
    if (factor.odd) segments.push_back(other);
    segments.insert(segments.end(), half.rbegin(), half.rend());
    Places out{0};
    for (const double segment : segments)
        out.push_back(out.back() + segment);
    return out;
}

/// An axis within a patch has at least one point there, or a segment.
Places inner_places(const Factor& factor) {
    Places all = places(factor);
    if (factor.odd && all.size() == 2) all = {0, 0, 1, 1};
    return all;
}

/// All points of a patch, ring by ring.
std::vector<Place> expected_points(const TessellatorState& state, const TessellationFactors& f) {
    std::vector<Place> out;
    const bool odd = state.partitioning == Partitioning::OddFractional;
    const double lowest = state.partitioning == Partitioning::EvenFractional ? 2 : 1;
    const auto outside = [&](unsigned e) {
        return places(factor_of(state, bounded(state, f.outer[e], lowest), false));
    };
    if (state.domain == Domain::Isoline) {
        const Factor lines{
            std::ceil(std::clamp<double>(std::min(f.outer[0], state.max_not_odd), 1, 64)), false};
        const Places along = outside(1);
        for (unsigned line = 0; line < lines.value; ++line)
            for (const double u : along)
                out.push_back({u, line / lines.value});
        return out;
    }
    const unsigned edges = state.domain == Domain::Quad ? 4 : 3;
    bool all_one = true, ring = false;
    for (unsigned e = 0; e < edges; ++e) {
        const Factor factor = factor_of(state, bounded(state, f.outer[e], lowest), false);
        all_one &= factor.value == 1;
        ring |= bounded(state, f.outer[e], lowest) > 1 + 0x1p-17;
    }
    if (edges == 4) ring |= f.inside[0] > 1 + 0x1p-17f || f.inside[1] > 1 + 0x1p-17f;
    std::array<Factor, 2> within;
    for (unsigned axis = 0; axis < 2; ++axis) {
        within[axis] = factor_of(
            state, bounded(state, f.inside[axis], odd && ring ? 1 + 0x1p-16 : lowest), true);
        if (axis == 0 || edges == 4) all_one &= within[axis].value == 1;
    }
    if (all_one && edges == 4) return {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    if (all_one) return {{0, 1}, {0, 0}, {1, 0}};

    for (unsigned e = 0; e < edges; ++e) {
        const Places along = outside(e);
        for (std::size_t n = 0; n + 1 < along.size(); ++n) {
            const double x = along[n];  // edges are symmetric
            if (edges == 4)
                out.push_back(e == 0   ? Place{0, 1 - x}
                              : e == 1 ? Place{x, 0}
                              : e == 2 ? Place{1, x}
                                       : Place{1 - x, 1});
            else
                out.push_back(e == 0 ? Place{0, 1 - x} : e == 1 ? Place{x, 0} : Place{1 - x, x});
        }
    }
    if (edges == 4) {
        const Places u = inner_places(within[0]), v = inner_places(within[1]);
        for (std::size_t k = 1; 2 * k < std::min(u.size(), v.size()); ++k) {
            const std::size_t u1 = u.size() - 1 - k, v1 = v.size() - 1 - k;
            if (k == v1) {
                for (std::size_t n = k; n <= u1; ++n)
                    out.push_back({u[n], v[k]});
                continue;
            }
            if (k == u1) {
                for (std::size_t n = v1; n >= k; --n)
                    out.push_back({u[k], v[n]});
                continue;
            }
            for (std::size_t n = v1; n > k; --n)
                out.push_back({u[k], v[n]});
            for (std::size_t n = k; n < u1; ++n)
                out.push_back({u[n], v[k]});
            for (std::size_t n = k; n < v1; ++n)
                out.push_back({u[u1], v[n]});
            for (std::size_t n = u1; n > k; --n)
                out.push_back({u[n], v[v1]});
        }
        return out;
    }
    // An equilateral triangle of side 1 in the plane, edge 1 (v = 0) on the x axis with u to the
    // right. A ring's corner is where the perpendiculars through the k-th points of two edges meet.
    const Places x = inner_places(within[0]);
    const double height = std::numbers::sqrt3 / 2;
    for (std::size_t k = 1; 2 * k < x.size(); ++k) {
        const std::size_t last = x.size() - 1 - k;
        const double y = x[k] * std::tan(std::numbers::pi / 6);
        const auto on_edge_1 = [&](double along) -> Place {
            const double v = y / height;
            return {along - y * std::tan(std::numbers::pi / 6), v};
        };
        if (k == last) {
            out.push_back({1. / 3, 1. / 3});
            continue;
        }
        for (unsigned e = 0; e < 3; ++e)
            for (std::size_t n = k; n < last; ++n) {
                const Place p = on_edge_1(x[n]);  // (u, v, w), turned by an edge
                const double w = 1 - p.u - p.v;
                out.push_back(e == 1 ? p : e == 0 ? Place{p.v, w} : Place{w, p.u});
            }
    }
    return out;
}

TessellationFactors factors(std::array<float, 4> outer, std::array<float, 2> inside) {
    return {outer, inside};
}
Tessellation made(const TessellatorState& state, const TessellationFactors& given) {
    Tessellation out;
    tessellate(state, given, out);
    return out;
}
std::string text_of(const TessellatorState& state, const TessellationFactors& f) {
    std::string text = "domain " + std::to_string(static_cast<int>(state.domain)) +
                       " partitioning " + std::to_string(static_cast<int>(state.partitioning));
    for (const float factor : f.outer)
        text += ' ' + std::to_string(factor);
    for (const float factor : f.inside)
        text += " in " + std::to_string(factor);
    return text;
}

/// Twice the area, if it is clockwise with u to the right and v downwards.
std::int64_t area(const DomainPlace& a, const DomainPlace& b, const DomainPlace& c) {
    const auto at = [](std::uint32_t value) { return static_cast<std::int64_t>(value); };
    return (at(b.u) - at(a.u)) * (at(c.v) - at(a.v)) - (at(c.u) - at(a.u)) * (at(b.v) - at(a.v));
}
bool same_edge(Domain domain, const DomainPlace& a, const DomainPlace& b) {
    if ((a.u == 0 && b.u == 0) || (a.v == 0 && b.v == 0)) return true;
    if (domain == Domain::Triangle) return a.u + a.v == kDomainOne && b.u + b.v == kDomainOne;
    return (a.u == kDomainOne && b.u == kDomainOne) || (a.v == kDomainOne && b.v == kDomainOne);
}

/// Each edge of a triangle is another's, in the other direction, or lies on the domain's; no more
/// triangles than it takes; none turned over by more than rounding; and they fill the domain.
std::string triangulation_error(const TessellatorState& state, const Tessellation& t) {
    // By the vertex that they leave: where they go.
    std::vector<std::vector<std::uint16_t>> edges(t.points.size());
    std::int64_t filled = 0;
    std::size_t boundary = 0;
    for (std::size_t n = 0; n < t.vertices.size(); n += 3) {
        std::array<std::uint16_t, 3> v{t.vertices[n], t.vertices[n + 1], t.vertices[n + 2]};
        if (state.output == DomainOutput::TriangleCcw) std::swap(v[1], v[2]);
        for (unsigned i = 0; i < 3; ++i) {
            if (v[i] >= t.points.size()) return "a vertex that does not exist";
            auto& from = edges[v[i]];
            const std::uint16_t to = v[(i + 1) % 3];
            if (std::ranges::find(from, to) != from.end()) return "an edge twice";
            from.push_back(to);
        }
        const std::int64_t doubled = area(t.points[v[0]], t.points[v[1]], t.points[v[2]]);
        if (doubled < -8 * std::int64_t{kDomainOne}) return "a triangle the other way round";
        filled += doubled;
    }
    const std::int64_t whole = std::int64_t{kDomainOne} * kDomainOne;
    if (filled != whole * (state.domain == Domain::Quad ? 2 : 1)) return "the domain is not full";
    for (std::size_t from = 0; from < edges.size(); ++from)
        for (const std::uint16_t to : edges[from]) {
            if (std::ranges::find(edges[to], from) != edges[to].end()) continue;
            ++boundary;
            if (!same_edge(state.domain, t.points[from], t.points[to]))
                return "an edge without a neighbour";
        }
    if (t.objects() != 2 * t.points.size() - 2 - boundary) return "not as many triangles";
    return {};
}

void expect_right(const TessellatorState& state, const TessellationFactors& f) {
    const Tessellation t = made(state, f);
    const std::vector<Place> points = expected_points(state, f);
    ASSERT_EQ(t.points.size(), points.size()) << text_of(state, f);
    const double rounded = rounding(state);
    for (std::size_t n = 0; n < points.size(); ++n) {
        ASSERT_NEAR(t.points[n].u, points[n].u * 65536, rounded) << n << " " << text_of(state, f);
        ASSERT_NEAR(t.points[n].v, points[n].v * 65536, rounded) << n << " " << text_of(state, f);
    }
    if (state.domain != Domain::Isoline) {
        ASSERT_EQ(triangulation_error(state, t), "") << text_of(state, f);
    }
}

constexpr Partitioning kPartitionings[] = {Partitioning::Integer, Partitioning::OddFractional,
                                           Partitioning::EvenFractional};
constexpr Domain kDomains[] = {Domain::Quad, Domain::Triangle, Domain::Isoline};
TessellatorState state_of(Domain domain, Partitioning partitioning,
                          DomainOutput output = DomainOutput::TriangleCw) {
    return {domain, partitioning, domain == Domain::Isoline ? DomainOutput::Line : output};
}

class TessellatorOf : public testing::TestWithParam<Domain> {};
std::string name_of(const testing::TestParamInfo<Domain>& info) {
    return info.param == Domain::Quad       ? "Quad"
           : info.param == Domain::Triangle ? "Triangle"
                                            : "Isoline";
}
INSTANTIATE_TEST_SUITE_P(Domains, TessellatorOf, testing::ValuesIn(kDomains), name_of);

TEST_P(TessellatorOf, EveryWholeFactorOnEveryEdgeAndWithin) {
    GEN9_COVERS("TE-05 TE-08 TE-10 TE-11 TE-12 TE-13");
    std::mt19937 random(1);
    const auto any = [&] { return static_cast<float>(1 + random() % 64); };
    for (const Partitioning partitioning : kPartitionings)
        for (unsigned n = 1; n <= 64; ++n) {
            const auto f = static_cast<float>(n);
            const TessellatorState state = state_of(GetParam(), partitioning);
            expect_right(state, factors({f, f, f, f}, {f, f}));
            if (gen9::test::has_its_turn(n, 4))
                expect_right(state, factors({any(), any(), any(), any()}, {f, any()}));
            if (!gen9::test::whole()) continue;
            for (unsigned m = 1; m <= 64; ++m) {
                const auto g = static_cast<float>(m);
                expect_right(state, factors({f, 1, g, 2}, {f, g}));
            }
        }
}

/// A part of the random factors.
class TessellatorRandom : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Parts, TessellatorRandom, testing::Range(0u, 8u));

TEST_P(TessellatorRandom, FractionalFactors) {
    GEN9_COVERS("TE-06 TE-07 TE-08 TE-10 TE-11 TE-12 TE-13");
    std::mt19937 random(2 + GetParam());
    const auto factor = [&]() -> float {
        const auto fraction = static_cast<float>(random() % 65537) / 65536;
        switch (random() % 6) {
            case 0:
                return 1 + fraction / 65536;
            case 1:
                return fraction + 0.01f;
            case 2:
                return static_cast<float>(1 + random() % 64);
            case 3:
                return static_cast<float>(1 + random() % 6) + fraction;
            default:
                return static_cast<float>(1 + random() % 65) + fraction;
        }
    };
    const unsigned sets = gen9::test::whole() ? 12'500 : 40;
    for (unsigned n = 0; n < sets; ++n) {
        const TessellatorState state =
            state_of(kDomains[random() % 8 == 0 ? 2 : random() % 2], kPartitionings[random() % 3],
                     random() % 2 ? DomainOutput::TriangleCw : DomainOutput::TriangleCcw);
        expect_right(state,
                     factors({factor(), factor(), factor(), factor()}, {factor(), factor()}));
        if (HasFatalFailure()) return;
    }
}

TEST(Tessellator, AnOuterFactorThatIsNotPositiveCullsThePatch) {
    GEN9_COVERS("TE-03");
    for (const Domain domain : kDomains)
        for (const Partitioning partitioning : kPartitionings) {
            const TessellatorState state = state_of(domain, partitioning);
            const unsigned outer = domain == Domain::Quad ? 4 : domain == Domain::Triangle ? 3 : 2;
            for (unsigned e = 0; e < 4; ++e)
                for (const float bad : {0.f, -0.f, -1.f, -kInfinity, kNan}) {
                    TessellationFactors f = factors({3, 3, 3, 3}, {3, 3});
                    f.outer[e] = bad;
                    EXPECT_EQ(made(state, f).points.empty(), e < outer) << e << " " << bad;
                    EXPECT_EQ(made(state, f).vertices.empty(), e < outer) << e << " " << bad;
                }
            for (const float bad : {0.f, -1.f, -kInfinity, kNan}) {
                // Within, they are as the lowest factor.
                const auto least = partitioning == Partitioning::EvenFractional ? 2.f : 1.f;
                EXPECT_EQ(made(state, factors({3, 3, 3, 3}, {bad, bad})).points,
                          made(state, factors({3, 3, 3, 3}, {least, least})).points);
            }
        }
}

TEST(Tessellator, FactorsAreBoundByTheStateAndByWhatThereIs) {
    GEN9_COVERS("TE-04");
    for (const Domain domain : kDomains)
        for (const Partitioning partitioning : kPartitionings) {
            TessellatorState state = state_of(domain, partitioning);
            const bool odd = partitioning == Partitioning::OddFractional;
            const auto all = [&](float f) { return made(state, factors({f, f, f, f}, {f, f})); };
            const float most = odd && domain != Domain::Isoline ? 63 : 64;
            EXPECT_TRUE(all(kInfinity).points == all(most).points);
            EXPECT_TRUE(all(1e30f).vertices == all(most).vertices);
            state.max_odd = 7;
            state.max_not_odd = 10;
            // The number of isolines is never odd's (TE-04).
            const Tessellation bound = all(40);
            if (domain == Domain::Isoline) {
                EXPECT_EQ(bound.points.size(), 10u * (odd ? 8 : 11));
            } else {
                EXPECT_EQ(bound.points, all(odd ? 7.f : 10.f).points);
            }
            for (const float strange : {kNan, 0.f, -5.f, kInfinity}) {
                state.max_odd = state.max_not_odd = strange;
                EXPECT_LE(all(40).points.size(), 65u * 65u);
            }
        }
}

TEST(Tessellator, ByHand) {
    GEN9_COVERS("TE-09");
    // The triangle of factors 1, clockwise and counter-clockwise, and its points.
    TessellatorState state = state_of(Domain::Triangle, Partitioning::Integer);
    const TessellationFactors ones = factors({1, 1, 1, 1}, {1, 1});
    Tessellation t = made(state, ones);
    constexpr std::uint32_t one = kDomainOne;
    EXPECT_EQ(t.points, (std::vector<DomainPlace>{{0, one}, {0, 0}, {one, 0}}));
    EXPECT_EQ(t.vertices, (std::vector<std::uint16_t>{0, 1, 2}));
    state.output = DomainOutput::TriangleCcw;
    EXPECT_EQ(made(state, ones).vertices, (std::vector<std::uint16_t>{0, 2, 1}));
    state.output = DomainOutput::Point;
    t = made(state, ones);
    EXPECT_EQ(t.object_vertices, 1);
    EXPECT_EQ(t.vertices, (std::vector<std::uint16_t>{0, 1, 2}));

    // One point within, by an inside factor of 1 beside others.
    state.output = DomainOutput::TriangleCw;
    t = made(state, factors({1, 2, 1, 1}, {1, 1}));
    EXPECT_EQ(t.points.back(), (DomainPlace{0x5555, 0x5555}));
    EXPECT_EQ(t.objects(), 4u);

    // Odd: the rings of factor 5, whose thirds are those of the table of reciprocals.
    state = state_of(Domain::Quad, Partitioning::OddFractional);
    t = made(state, factors({3, 3, 3, 3}, {3, 3}));
    EXPECT_EQ(t.points[1], (DomainPlace{0, 0x10000 - 0x5555}));
    EXPECT_EQ(t.points[2], (DomainPlace{0, 0x5555}));
    EXPECT_EQ(t.objects(), 18u);

    // Two lines of three segments; none lies at v = 1.
    state = state_of(Domain::Isoline, Partitioning::Integer);
    t = made(state, factors({2, 3, 0, 0}, {0, 0}));
    EXPECT_EQ(t.points.size(), 8u);
    EXPECT_EQ(t.points[4], (DomainPlace{0, 0x8000}));
    EXPECT_EQ(t.strip, 3u);
    EXPECT_EQ(t.vertices, (std::vector<std::uint16_t>{0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7}));
    state.output = DomainOutput::Point;
    EXPECT_EQ(made(state, factors({2, 3, 0, 0}, {0, 0})).objects(), 8u);
}

TEST(Tessellator, FactorsLieInTheRecordAsTheirDomainHasThem) {
    GEN9_COVERS("HS-13 HS-14 HS-15");
    std::array<std::uint32_t, 8> header;
    for (unsigned n = 0; n < 8; ++n)
        header[n] = std::bit_cast<std::uint32_t>(static_cast<float>(n));
    const TessellationFactors quad = factors_of(Domain::Quad, header);
    EXPECT_EQ(quad.outer, (std::array<float, 4>{7, 6, 5, 4}));
    EXPECT_EQ(quad.inside, (std::array<float, 2>{3, 2}));
    const TessellationFactors triangle = factors_of(Domain::Triangle, header);
    EXPECT_EQ(triangle.outer, (std::array<float, 4>{7, 6, 5, 0}));
    EXPECT_EQ(triangle.inside[0], 4);
    EXPECT_EQ(factors_of(Domain::Isoline, header).outer, (std::array<float, 4>{6, 7, 0, 0}));
}

}  // namespace
}  // namespace gen9::geometry::test

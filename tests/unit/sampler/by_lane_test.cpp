// SPDX-License-Identifier: Apache-2.0
// Samples filtered lane by lane, as messages and as calls, are those of the general way.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "tests/support/sample.h"
#include "tests/unit/sampler/two_ways.h"

namespace gen9::sampler {
namespace {
using namespace test;

/// What a surface of a trial is.
struct Shape {
    bool cube = false, volume = false, array = false, control = false, shadow = false;
};

/// Colours of several sizes, a shared exponent, blocks of 4 x 4 and of 6 x 5 texels; two of depth.
constexpr unsigned kColorFormats[] = {0x0C7, 0x106, 0x000, 0x0C0, 0x115, 0x193,
                                      0x0ED, 0x186, 0x188, 0x18A, 0x0D8, 0x10A};
/// Formats of loads, of integers too.
constexpr unsigned kLoadedFormats[] = {0x0C7, 0x106, 0x000, 0x002, 0x0D7, 0x142, 0x193, 0x186};
constexpr unsigned kDepthFormats[] = {0x0D8, 0x10A};

Shape random_surface(Bench& b, std::mt19937& random) {
    Shape shape;
    const unsigned kind = random() % 4;
    shape.cube = kind == 0;
    shape.volume = kind == 1;
    shape.array = !shape.volume && random() % 2;
    shape.shadow = !shape.volume && random() % 4 == 0;
    shape.control = kind > 1 && random() % 2;
    const unsigned format = shape.shadow    ? kDepthFormats[random() % 2]
                            : shape.control ? kColorFormats[random() % 3]
                                            : kColorFormats[random() % std::size(kColorFormats)];
    const unsigned width = 1 + random() % 60, height = shape.cube ? width : 1 + random() % 60;
    const unsigned depth = shape.volume ? 1 + random() % 8 : shape.array ? 1 + random() % 3 : 1;
    b.shape(shape.cube     ? surface_state::SURFTYPE_CUBE
            : shape.volume ? surface_state::SURFTYPE_3D
                           : surface_state::SURFTYPE_2D,
            format, width, height, depth, 1024);
    const unsigned tiles[] = {surface_state::LINEAR, surface_state::XMAJOR, surface_state::YMAJOR};
    b.set(surface_state::TileMode, tiles[random() % 3]);
    if (random() % 4 == 0) b.set(surface_state::SurfaceBaseAddress, Bench::kTexels + 1020);
    b.set(surface_state::SurfaceArray, shape.array);
    b.set(surface_state::SurfaceQPitch, 24);
    b.set(surface_state::MIPCountLOD, random() % 5);
    b.set(surface_state::SurfaceMinLOD, random() % 2);
    b.set(surface_state::ResourceMinLOD, random() % 8 ? 0 : random() % 0x600);
    if (shape.array) b.set(surface_state::MinimumArrayElement, random() % 2);
    if (random() % 4 == 0) b.set(surface_state::ShaderChannelSelectRed, 4 + random() % 4);
    if (shape.control) make_clear(b, random);
    return shape;
}
void random_sampler(Bench& b, std::mt19937& random, const Shape& shape) {
    const unsigned modes[] = {0, 1, 2, 4};
    const auto mode = [&] { return shape.cube && random() % 2 ? 3 : modes[random() % 4]; };
    if (shape.cube && random() % 2)
        b.modes(3, 3, 3);
    else
        b.modes(mode(), mode(), mode());
    b.set_sampler(sampler_state::CubeSurfaceControlMode, random() % 2);
    const unsigned filters[] = {0, 1, 1, 2};
    const unsigned mips[] = {0, 1, 3, 3};
    const unsigned filter = filters[random() % 4];
    b.filters(filter, random() % 2 ? filter : filters[random() % 4], mips[random() % 4]);
    b.set_sampler(sampler_state::MaximumAnisotropy, random() % 8);
    b.set_sampler(sampler_state::LODAlgorithm, random() % 2);
    b.set_sampler(sampler_state::MinLOD, random() % 4 ? 0 : random() % 0x200);
    b.set_sampler(sampler_state::UAddressMinFilterRoundingEnable, random() % 2);
    b.set_sampler(sampler_state::VAddressMagFilterRoundingEnable, random() % 2);
    b.set_sampler(sampler_state::ShadowFunction, random() % 8);
    b.border({f(0.5f), f(0.25f), f(1), f(0)});
}
void random_texels(Bench& b, std::mt19937& random) {
    random_texels(b, 0x40000, random, random() % 2 * 8,
                  {0x7F800000, 0xFF800000, 0x80000000, 0x7FC00000});
}

/// Coordinates that differ by little within a subspan, so that all levels are met.
float random_place(std::mt19937& random, float middle, float span) {
    if (random() % 100 == 0) return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    return middle + std::uniform_real_distribution<float>(-span, span)(random);
}
/// A message's parameters; all of a message's samples or each has its own level, bias and slice.
std::vector<std::vector<std::uint32_t>> random_parameters(std::mt19937& random,
                                                          const MessageRow& row) {
    const bool alike = random() % 2;
    const auto numbers = [&](float least, float most) {
        std::uniform_real_distribution<float> one(least, most);
        std::vector<std::uint32_t> values = all(one(random));
        if (!alike)
            for (std::uint32_t& value : values)
                value = f(one(random));
        return values;
    };
    const float span = std::exp2(std::uniform_real_distribution<float>(-8, 1)(random));
    std::vector<std::vector<std::uint32_t>> parameters;
    for (unsigned i = 0; i < row.param_count && parameters.size() < 10; ++i) {
        switch (row.params[i]) {
            case Parameter::U:
            case Parameter::V:
            case Parameter::R: {
                std::vector<std::uint32_t> values(16);
                float middle = 0;
                for (unsigned n = 0; n < 16; ++n) {
                    if (n % 4 == 0) middle = random_place(random, 0.4f, 1.2f);
                    values[n] = f(random_place(random, middle, span));
                }
                parameters.push_back(values);
                break;
            }
            case Parameter::Lod:
                parameters.push_back(numbers(-1, 5));
                break;
            case Parameter::Bias:
                parameters.push_back(numbers(-3, random() % 4 ? 3.0f : 40.0f));
                break;
            case Parameter::Ai:
                parameters.push_back(numbers(-1, 4));
                break;
            case Parameter::MinLod:
                parameters.push_back(random() % 2 ? all(0) : numbers(0, 3));
                break;
            case Parameter::Ref:
                parameters.push_back(numbers(0, 1));
                break;
            default:  // a derivative
                parameters.push_back(numbers(-0.2f, 0.2f));
        }
    }
    return parameters;
}

Bench::Options random_message(std::mt19937& random, const MessageRow& row) {
    Bench::Options o;
    o.simd = row.param_count > 5 ? 1 : 1 + random() % 2;
    o.half = random() % 4 == 0;
    o.mask = random() % 2 ? 0xFFFF : static_cast<std::uint32_t>(random()) & 0xFFFF;
    o.header2 = (random() % 2 ? 0 : 0x3E << 4) | (random() % 4 ? 0 : (random() % 15) << 12);
    return o;
}

/// Texels in and around a surface, and levels that it may not have.
std::vector<std::vector<std::uint32_t>> random_texel(std::mt19937& random, const MessageRow& row) {
    std::vector<std::vector<std::uint32_t>> parameters;
    const unsigned level = random() % 3, span = 1 + random() % 40, slices = 1 + random() % 3;
    for (unsigned i = 0; i < row.param_count; ++i) {
        const unsigned most = row.params[i] == Parameter::R ? slices : span;
        std::vector<std::uint32_t> values(16);
        for (std::uint32_t& value : values) {
            const auto number = static_cast<std::uint32_t>(random());
            value = random() % 200 == 0               ? number
                    : row.params[i] == Parameter::Lod ? level
                                                      : number % most;
        }
        parameters.push_back(values);
    }
    return parameters;
}
void make_buffer(Bench& b, std::mt19937& random) {
    const unsigned entries = 1 + random() % 100;
    b.shape(surface_state::SURFTYPE_BUFFER, kLoadedFormats[random() % std::size(kLoadedFormats)],
            entries, 1, 1, 16);
    b.set(surface_state::TileMode, surface_state::LINEAR);
}

/// How many messages were carried out without a tap, and of what.
struct Taken {
    unsigned all = 0, cubes = 0, volumes = 0, arrays = 0, shadows = 0, with_control = 0, calls = 0;
    void count(const Shape& shape) {
        ++all;
        cubes += shape.cube;
        volumes += shape.volume;
        arrays += shape.array;
        shadows += shape.shadow;
        with_control += shape.control;
    }
};

void expect_call_does_the_same(Bench& b, UsualSite& site, const Bench::Options& o, Taken& taken) {
    b.sender.sampler_state_offset = o.header ? 0 : Bench::kSampler;
    b.message.alternate_float = b.message.payload[1].bytes[0] % 4 == 0;
    Registers by_call(b.message), by_message(b.message);
    const auto before = counts(b);
    if (!call(b, site, by_call)) {
        ASSERT_EQ(counts(b), before);
        ASSERT_TRUE(by_call == by_message);
        return;
    }
    ++taken.calls;
    const auto between = counts(b);
    b.core.execute(b.message, *b.request, b.memory);
    by_message.take(b.message);
    const auto after = counts(b);
    for (unsigned i = 0; i < before.size(); ++i)
        ASSERT_EQ(between[i] - before[i], after[i] - between[i]) << i;
    ASSERT_TRUE(by_call == by_message);
}

/// Samples of the message that was carried out last that have taps.
std::uint32_t samples_with_taps(const Request& q) {
    std::uint32_t samples = 0;
    for (unsigned i = 0; i < q.tap_count; ++i)
        samples |= 1u << q.taps[i].sample;
    return samples;
}
/// Samples that may have taps, of the message that has gone the general way just now: those with a
/// texel that is neither the surface's nor clear, far away or with a bias out of range. All may where
/// a texel crosses the end of a page or faces meet.
std::uint32_t may_have_taps(const Bench& b, unsigned code,
                            const std::vector<std::vector<std::uint32_t>>& parameters,
                            const Shape& shape) {
    constexpr std::uint32_t kAll = 0xFFFF;
    const bool seams = sampler_state::CubeSurfaceControlMode.get(b.sampler) ||
                       sampler_state::TCXAddressControlMode.get(b.sampler) == 3;
    if (!is_aligned(b) || (shape.cube && seams)) return kAll;
    std::uint32_t samples = 0;
    for (unsigned i = 0; i < b.request->tap_count; ++i) {
        const Tap& tap = b.request->taps[i];
        if (tap.from != From::Surface && tap.from != From::Clear) samples |= 1u << tap.sample;
    }
    const MessageRow& row = *find_message(code);
    for (unsigned i = 0; i < parameters.size(); ++i)
        for (unsigned n = 0; n < 16; ++n) {
            const std::uint32_t bits = parameters[i][n];
            const bool place = row.kind == Kind::Sample && row.params[i] <= Parameter::R;
            if ((place && is_far(bits)) ||
                (row.params[i] == Parameter::Bias && std::fabs(std::bit_cast<float>(bits)) >= 16))
                samples |= 1u << n;
        }
    return samples;
}

/// Sends a message the quick way, as a call, and the general way.
void compare_with_general_way(Bench& b, std::mt19937& random, unsigned code,
                              const std::vector<std::vector<std::uint32_t>>& parameters,
                              const Bench::Options& o, const Shape& shape, Taken& taken,
                              unsigned trial) {
    const Answer one = b.send(code, parameters, o);
    const auto quick = counts(b);
    const bool without_taps = b.request->texels && !b.request->tap_count;
    const std::uint32_t with_taps = samples_with_taps(*b.request);
    const unsigned calls = taken.calls;
    UsualSite site(decode(b.message), b.message.length, random() % (b.message.length + 1));
    expect_call_does_the_same(b, site, o, taken);
    ASSERT_FALSE(testing::Test::HasFailure()) << "trial " << trial;
    b.core.go_general_way(true);
    const auto before = counts(b);
    const Answer other = b.send(code, parameters, o);
    const auto general = counts(b);
    ASSERT_EQ(one.status, other.status);
    ASSERT_EQ(with_taps & ~may_have_taps(b, code, parameters, shape), 0u) << "trial " << trial;
    ASSERT_EQ(taken.calls - calls, without_taps) << "trial " << trial;
    for (unsigned i = 0; i < quick.size(); ++i)
        ASSERT_EQ(quick[i], general[i] - before[i]) << "trial " << trial << " count " << i;
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned n = 0; n < 16; ++n)
            if (o.mask >> n & 1 &&
                !(is_nan(one.bits[c][n], o.half) && is_nan(other.bits[c][n], o.half))) {
                ASSERT_EQ(one.bits[c][n], other.bits[c][n])
                    << "trial " << trial << " channel " << c << " sample " << n << " code " << code;
            }
    if (without_taps) taken.count(shape);
}

TEST(ByLane, MessagesAndCallsAreThoseOfTheGeneralWay) {
    std::mt19937 random(21);
    const unsigned sample[] = {kSample, kSampleB, kSampleL, kSampleD, kSampleLz};
    const unsigned shadow[] = {kSampleC, kSampleLC, kSampleCLz};
    Taken taken;
    for (unsigned trial = 0; trial < gen9::test::rounds(1500); ++trial) {
        Bench b;
        b.memory.scatter = random() % 2;
        const Shape shape = random_surface(b, random);
        random_sampler(b, random, shape);
        random_texels(b, random);
        const unsigned code = shape.shadow ? shadow[random() % 3] : sample[random() % 5];
        const MessageRow& row = *find_message(code);
        const Bench::Options o = random_message(random, row);
        const auto parameters = random_parameters(random, row);
        compare_with_general_way(b, random, code, parameters, o, shape, taken, trial);
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(taken.all, gen9::test::rounds(500));
    EXPECT_GT(taken.cubes, gen9::test::rounds(25));
    EXPECT_GT(taken.volumes, gen9::test::rounds(60));
    EXPECT_GT(taken.arrays, gen9::test::rounds(60));
    EXPECT_GT(taken.shadows, gen9::test::rounds(25));
    EXPECT_GT(taken.with_control, gen9::test::rounds(10));
    EXPECT_GT(taken.calls, gen9::test::rounds(400));
}

// A site keeps what it has found, a level among it: it is not taken for another message's.
TEST(ByLane, MessagesOfASiteFollowEachOther) {
    std::mt19937 random(23);
    const unsigned codes[] = {kSample, kSampleL};
    unsigned usual = 0;
    Taken taken;
    for (unsigned trial = 0; trial < gen9::test::rounds(150); ++trial) {
        Bench b;
        b.memory.scatter = random() % 2;
        Shape shape;
        do
            shape = random_surface(b, random);
        while (shape.cube || shape.volume || shape.shadow);
        b.set(surface_state::MIPCountLOD, 4);
        random_sampler(b, random, shape);
        b.filters(1, 1, random() % 4 ? 1 : 3);
        random_texels(b, random);
        const MessageRow& row = *find_message(codes[random() % 2]);
        Bench::Options o = random_message(random, row);
        std::optional<UsualSite> site;
        const std::uint32_t some = o.mask;
        std::array<float, 3> levels{};
        for (unsigned n = 0; n < 30; ++n) {
            // The second of three messages has the level of the third in its first subspan.
            if (n % 3 == 0)
                for (float& own : levels)
                    own = static_cast<float>(random() % 4);
            std::array<float, 4> level;
            level.fill(levels[n % 3 == 0 ? 0 : 1]);
            if (n % 3 == 1) level[1 + random() % 3] = levels[2];
            auto parameters = random_parameters(random, row);
            for (unsigned i = 0; i < 16; ++i) {
                if (row.code == kSample) {
                    const float step = std::exp2(level[i / 4]) / 60;
                    parameters[0][i] = f(0.1f + static_cast<float>(i & 1) * step);
                    parameters[1][i] = f(0.2f + static_cast<float>(i >> 1 & 1) * step);
                }
                for (unsigned p = 0; p < parameters.size(); ++p)
                    if (row.params[p] == Parameter::Lod) parameters[p][i] = f(level[i / 4]);
            }
            o.mask = random() % 2 ? 0xFFFF : random() % 2 ? 0xF : some;
            if (n == 0) {
                b.send(row.code, parameters, o);
                site.emplace(decode(b.message), b.message.length,
                             random() % (b.message.length + 1));
            } else {
                b.build(row.code, parameters, o);  // states stay as they are
            }
            expect_call_does_the_same(b, *site, o, taken);
            if (testing::Test::HasFailure()) return;
            usual += site->usual && site->form.has_level;
        }
    }
    EXPECT_GT(usual, gen9::test::rounds(500));
    EXPECT_GT(taken.calls, gen9::test::rounds(2000));
}

TEST(ByLane, LoadsAreThoseOfTheGeneralWay) {
    std::mt19937 random(22);
    Taken taken;
    unsigned buffers = 0;
    for (unsigned trial = 0; trial < gen9::test::rounds(800); ++trial) {
        Bench b;
        b.memory.scatter = random() % 2;
        Shape shape;
        do
            shape = random_surface(b, random);
        while (shape.cube);
        b.set(surface_state::SurfaceFormat, kLoadedFormats[random() % std::size(kLoadedFormats)]);
        const bool buffer = !shape.array && !shape.volume && !shape.control && random() % 4 == 0;
        if (buffer) make_buffer(b, random);
        random_texels(b, random);
        const unsigned code = random() % 2 ? kLd : kLdLz;
        const MessageRow& row = *find_message(code);
        const Bench::Options o = random_message(random, row);
        compare_with_general_way(b, random, code, random_texel(random, row), o, shape, taken,
                                 trial);
        if (testing::Test::HasFailure()) return;
        buffers += buffer;
    }
    EXPECT_GT(taken.all, gen9::test::rounds(100));
    EXPECT_GT(taken.volumes, gen9::test::rounds(12));
    EXPECT_GT(taken.arrays, gen9::test::rounds(12));
    EXPECT_GT(taken.with_control, gen9::test::rounds(5));
    EXPECT_GT(buffers, gen9::test::rounds(10));
    EXPECT_GT(taken.calls, gen9::test::rounds(100));
}

}  // namespace
}  // namespace gen9::sampler

// SPDX-License-Identifier: Apache-2.0
// The quick way of the usual messages is the general one: same results, same lines.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <random>

#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/sampler/two_ways.h"

namespace gen9::sampler {
namespace {
using namespace test;

/// A random usual message's states: formats of every number of bytes and kind of values.
void random_states(Bench& b, std::mt19937& random) {
    const unsigned formats[] = {0x0C7, 0x0D8, 0x140, 0x106, 0x000, 0x0CB, 0x0C0, 0x0C1, 0x0C2,
                                0x084, 0x0D3, 0x193, 0x19C, 0x040, 0x142, 0x0C9, 0x08A, 0x115};
    const unsigned tiles[] = {surface_state::LINEAR, surface_state::XMAJOR, surface_state::YMAJOR};
    const unsigned width = 1 + random() % 60, height = 1 + random() % 60;
    b.shape(surface_state::SURFTYPE_2D, formats[random() % std::size(formats)], width, height, 1,
            1024);
    b.set(surface_state::TileMode, tiles[random() % 3]);
    // Texels of three and of twelve bytes also cross the ends of lines and pages.
    if (random() % 4 == 0) b.set(surface_state::SurfaceBaseAddress, Bench::kTexels + 1020);
    b.set(surface_state::MIPCountLOD, random() % 3);
    b.set(surface_state::SurfaceMinLOD, random() % 2);
    if (random() % 4 == 0)
        for (const auto* select :
             {&surface_state::ShaderChannelSelectRed, &surface_state::ShaderChannelSelectAlpha})
            b.set(*select, random() % 2 ? random() % 2 : 4 + random() % 4);
    const unsigned modes[] = {0, 1, 2, 4, 5, 6};
    b.modes(modes[random() % 6], modes[random() % 6], 2);
    b.filters(random() % 2, random() % 2, random() % 2);
    b.set_sampler(sampler_state::NonnormalizedCoordinateEnable, random() % 2);
    b.set_sampler(sampler_state::UAddressMinFilterRoundingEnable, random() % 2);
    b.set_sampler(sampler_state::VAddressMagFilterRoundingEnable, random() % 2);
    b.border({f(0.5f), f(0.25f), f(1), f(0)});
    // Small numbers; or also infinities, NaN and negative zeros of 32 bits and of 16.
    random_texels(
        b, 0x20000, random, random() % 2 * 4,
        {0x7F800000, 0xFF800000, 0x80000000, 0x7C007C00, 0x80008000, 0x80007C00, 0x7FC00000});
}
/// Makes it an array of three slices.
void make_array(Bench& b, std::mt19937& random) {
    b.set(surface_state::SurfaceArray, 1);
    b.set(surface_state::Depth, 2);
    b.set(surface_state::SurfaceQPitch, 8);
    b.set(surface_state::MinimumArrayElement, random() % 2);
}
/// Inside, beyond the edges, at texels' centres and edges, and now and then nowhere.
std::uint32_t random_coordinate(std::mt19937& random, float reach) {
    const float value = std::uniform_real_distribution<float>(-reach / 3, reach)(random);
    switch (random() % 8) {
        case 0:
            return f(std::floor(value * 8) / 8);
        case 1:
            return random() % 16 ? f(value * 0.25f) : static_cast<std::uint32_t>(random());
        default:
            return f(value);
    }
}
unsigned pick_code(std::mt19937& random) {
    const unsigned codes[] = {kSampleLz, kSampleL, kSample};
    return codes[random() % 3];
}

// Two of four infinite texels have no share in the result.
TEST(UsualMessages, SharesOfZeroDoNotTouchAnInfinity) {
    for (const std::uint32_t infinity : {0x7F800000u, 0xFF800000u}) {
        Bench b;
        b.shape(surface_state::SURFTYPE_2D, 0x0D8, 4, 4, 1, 64);  // R32_FLOAT
        b.modes(2, 2, 2);
        b.filters(1, 1);
        for (unsigned at = 0; at < 256; at += 4)
            std::memcpy(b.memory.at(Bench::kTexels + at), &infinity, 4);
        for (const bool across : {false, true}) {
            const auto &centre = all(0.375f), &edge = all(0.5f);
            const Answer answer =
                b.send(kSampleLz, {across ? edge : centre, across ? centre : edge}, {});
            EXPECT_EQ(answer.bits[0][0], infinity) << across;
        }
    }
}

std::vector<std::uint64_t> lines_of(const Request& q) {
    return {q.lines.data(), q.lines.data() + q.line_count};
}

/// HALF_BORDER and MIRROR_ONCE are left to the general way.
bool has_plain_modes(const Bench& b) {
    return sampler_state::TCXAddressControlMode.get(b.sampler) < 5 &&
           sampler_state::TCYAddressControlMode.get(b.sampler) < 5;
}
/// May this message, which went the general way just now, need taps? Not if its samples take one
/// level of one slice, and each texel is the surface's, not far away and in one line.
bool may_need_taps(const Bench& b, unsigned code, bool control,
                   const std::vector<std::vector<std::uint32_t>>& parameters, bool array) {
    const bool by_level = code == kSampleL;
    // The level of neighbours is their own, and texels count from the first level's.
    if (code == kSample || !has_plain_modes(b)) return true;
    if (by_level && sampler_state::NonnormalizedCoordinateEnable.get(b.sampler)) return true;
    if (!is_aligned(b) || has_other_texels(*b.request, !control)) return true;
    if (control) {
        const std::uint8_t* const elements =
            b.memory.bytes.data() + (Bench::kTexels + 0x100000) - FlatMemory::kBase;
        if (!std::all_of(elements, elements + 0x1000, [&](auto e) { return e == *elements; }))
            return true;
    }
    const auto samples = std::min<unsigned>(16, b.request->decoded->samples());
    for (unsigned n = 0; n < samples; ++n) {
        if (!(b.request->active >> n & 1)) continue;
        const auto first = static_cast<unsigned>(std::countr_zero(b.request->active));
        for (unsigned i = by_level; i < parameters.size() && i < by_level + 2u; ++i)
            if (is_far(parameters[i][n])) return true;
        if (array && parameters.back()[n] != parameters.back()[first]) return true;
    }
    return false;
}

/// How often the quick way was taken without taps.
struct Quick {
    unsigned all = 0, arrays = 0, with_control = 0;
};
/// Sends the same message the quick way, if it is a usual one, and the general way; with `by_lines`
/// their lines are compared too.
Quick compare_ways(bool by_lines) {
    std::mt19937 random(9);
    Quick quick;
    for (unsigned trial = 0; trial < gen9::test::rounds(700); ++trial) {
        Bench b;
        b.memory.scatter = !by_lines;
        b.by_lines = by_lines;
        random_states(b, random);
        const bool array = random() % 4 == 0, control = random() % 4 == 0;
        if (array) make_array(b, random);
        if (control) make_clear(b, random);
        std::vector<std::uint32_t> u(16), v(16);
        std::vector<std::uint32_t> slice = all(static_cast<float>(random() % 5) - 1);
        if (random() % 4 == 0) slice[random() % 16] = f(1);
        const float reach = trial % 2 ? 1.0f : 70.0f;
        // Of half of them, mostly all samples are inside, and some at the edge.
        const bool inside = random() % 2;
        std::uniform_real_distribution<float> near(trial % 2 ? 0.02f : 1.0f,
                                                   trial % 2 ? 1.0f : 20.0f);
        if (inside) b.set_sampler(sampler_state::NonnormalizedCoordinateEnable, trial % 2 == 0);
        for (unsigned n = 0; n < 16; ++n) {
            u[n] = inside ? f(near(random)) : random_coordinate(random, reach);
            v[n] = inside ? f(near(random)) : random_coordinate(random, reach);
        }
        Bench::Options o;
        o.simd = 1 + random() % 2;
        o.half = random() % 4 == 0;
        o.mask = random() % 2 ? 0xFFFF : static_cast<std::uint32_t>(random()) & 0xFFFF;
        o.header2 = (random() % 2 ? 0 : 0x3E << 4) | (random() % 4 ? 0 : (random() % 15) << 12);
        // Without a level, with one for all samples, and with that of the neighbours.
        const unsigned code = pick_code(random);
        const std::vector<std::uint32_t> level = all(static_cast<float>(random() % 5) / 2);
        std::vector<std::vector<std::uint32_t>> parameters{u, v};
        if (code == kSampleL) parameters.insert(parameters.begin(), level);
        if (array) parameters.push_back(slice);
        const auto send = [&] { return b.send(code, parameters, o); };
        const Answer one = send();
        const std::uint64_t places = b.stats.places.value(), texels = b.stats.texels.value();
        const bool taken = by_lines ? b.request->usual : b.request->texels && !b.request->tap_count;
        quick.all += taken;
        quick.arrays += taken && array;
        quick.with_control += taken && control;
        const std::vector<std::uint64_t> lines = lines_of(*b.request);
        b.core.go_general_way(true);
        const Answer other = send();
        EXPECT_EQ(one.status, MessageStatus::Ok);
        const bool no_lines = by_lines && control;  // clear blocks are no matter of lines
        EXPECT_TRUE(taken || no_lines || may_need_taps(b, code, control, parameters, array))
            << "trial " << trial;
        EXPECT_EQ(2 * places, b.stats.places.value());
        EXPECT_EQ(2 * texels, b.stats.texels.value());
        EXPECT_TRUE(!by_lines || lines == lines_of(*b.request)) << "trial " << trial;
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned n = 0; n < 16; ++n)
                if (o.mask >> n & 1 &&
                    !(is_nan(one.bits[c][n], o.half) && is_nan(other.bits[c][n], o.half))) {
                    EXPECT_EQ(one.bits[c][n], other.bits[c][n])
                        << "trial " << trial << " channel " << c << " sample " << n;
                }
        if (testing::Test::HasFailure()) break;
    }
    return quick;
}

TEST(Usual, LinesAreThoseOfTheGeneralWay) {
    const Quick quick = compare_ways(true);
    EXPECT_GT(quick.all, gen9::test::rounds(50));
    EXPECT_GT(quick.arrays, gen9::test::rounds(10));
}
TEST(Usual, WholeMessagesAreThoseOfTheGeneralWay) {
    const Quick quick = compare_ways(false);
    EXPECT_GT(quick.all, gen9::test::rounds(80));
    EXPECT_GT(quick.arrays, gen9::test::rounds(20));
    EXPECT_GT(quick.with_control, gen9::test::rounds(20));
}

Bench::Options random_options(std::mt19937& random) {
    Bench::Options o;
    o.simd = 1 + random() % 2;
    o.half = random() % 4 == 0;
    o.header = random() % 2;
    if (o.header)
        o.header2 = (random() % 2 ? 0 : 0x3E << 4) | (random() % 4 ? 0 : (random() % 15) << 12) |
                    (random() % 4 ? 0 : 1u << 23);
    return o;
}

/// Messages of one site, whose states stay or change, do the same as calls as by themselves.
TEST(Usual, CallsDoWhatMessagesDo) {
    std::mt19937 random(17);
    unsigned calls = 0, of_arrays = 0, with_control = 0, in_pieces = 0, all_at_hand = 0;
    for (unsigned trial = 0; trial < gen9::test::rounds(400); ++trial) {
        Bench b;
        b.memory.scatter = random() % 2;
        random_states(b, random);
        const bool array = random() % 4 == 0, control = random() % 4 == 0;
        if (array) make_array(b, random);
        if (control) make_clear(b, random);
        b.sender.sampler_state_offset = Bench::kSampler;
        b.write_states();
        const Bench::Options options = random_options(random);
        const unsigned code = pick_code(random), given = 1 + random() % 8;
        std::optional<UsualSite> site;
        for (unsigned n = 0; n < 6; ++n) {
            std::vector<std::uint32_t> u(16), v(16);
            const float reach = trial % 2 ? 1.0f : 70.0f;
            for (unsigned i = 0; i < 16; ++i) {
                u[i] = random_coordinate(random, reach);
                v[i] = random_coordinate(random, reach);
            }
            std::vector<std::vector<std::uint32_t>> parameters{u};
            if (given != 1 || array) parameters.push_back(v);
            if (code == kSampleL)
                parameters.insert(parameters.begin(), all(static_cast<float>(random() % 5) / 2));
            if (array) parameters.push_back(all(static_cast<float>(random() % 5) - 1));
            Bench::Options o = options;
            o.mask = random() % 2 ? 0xFFFF : static_cast<std::uint32_t>(random()) & 0xFFFF;
            b.build(code, parameters, o);
            if (!site)
                site.emplace(decode(b.message), b.message.length,
                             random() % (b.message.length + 1));
            if (random() % 4 == 0) {
                b.set(surface_state::SurfaceMinLOD, random() % 2);
                b.write_states();
                b.core.invalidate_states();
            }
            if (random() % 4 == 0) b.core.invalidate_pages();
            b.message.alternate_float = random() % 4 == 0;
            Registers by_call(b.message), by_message(b.message);
            const auto before = counts(b);
            // What is not at hand leaves everything as it is.
            const unsigned asked = b.memory.reads + b.memory.state_reads;
            const bool at_hand = random() % 2 && call(b, *site, by_call, true);
            ASSERT_TRUE(at_hand || (counts(b) == before && by_call == by_message))
                << "trial " << trial;
            ASSERT_EQ(b.memory.reads + b.memory.state_reads, asked);
            const bool taken = at_hand || call(b, *site, by_call);
            all_at_hand += at_hand;
            const auto between = counts(b);
            ASSERT_TRUE(taken || (between == before && by_call == by_message)) << "trial " << trial;
            ASSERT_TRUE(site->usual || !has_plain_modes(b) || site->decoded.active(o.mask) == 0)
                << "trial " << trial;
            b.core.go_general_way(!taken);
            b.core.execute(b.message, *b.request, b.memory);
            b.core.go_general_way(false);
            ASSERT_TRUE(taken || b.request->active == 0 ||
                        may_need_taps(b, code, control, parameters, array))
                << "trial " << trial;
            if (!taken) continue;
            by_message.take(b.message);
            const auto after = counts(b);
            for (unsigned i = 0; i < before.size(); ++i)
                ASSERT_EQ(between[i] - before[i], after[i] - between[i]) << "trial " << trial;
            ASSERT_TRUE(by_call == by_message) << "trial " << trial;
            ++calls;
            of_arrays += array;
            with_control += control;
            in_pieces += b.memory.scatter;
        }
    }
    EXPECT_GT(calls, gen9::test::rounds(200));
    EXPECT_GT(of_arrays, gen9::test::rounds(20));
    EXPECT_GT(with_control, gen9::test::rounds(20));
    EXPECT_GT(in_pieces, gen9::test::rounds(100));
    EXPECT_GT(all_at_hand, gen9::test::rounds(40));
}

/// At a texel's centre a linear filter returns the texel, its sign of zero included.
TEST(Usual, OneTexelIsTheResultItself) {
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x0D8, 4, 4, 1, 16);
    b.filters(1, 1);
    b.put(4, 0x80000000u);
    b.put(8, 0x7F800000u);
    EXPECT_EQ(b.send(kSampleLz, {all(0.375f), all(0.125f)}).bits[0][3], 0x80000000u);
    EXPECT_EQ(b.request->texels, 8u);
    EXPECT_EQ(b.send(kSampleLz, {all(0.5f), all(0.125f)}).bits[0][3], 0x7F800000u);
    EXPECT_EQ(b.request->texels, 16u);
}

/// Lines of 16 texels: at the centre of a line's last one the next line is not asked for.
TEST(Usual, LinesOfTexelsWithoutAShareAreNotListed) {
    Bench b;
    b.by_lines = true;
    b.shape(surface_state::SURFTYPE_2D, 0x0C7, 32, 4, 1, 128);
    b.filters(1, 1);
    b.set_sampler(sampler_state::NonnormalizedCoordinateEnable, 1);
    constexpr unsigned kGroups = 2;  // of SIMD8
    const auto lines = [&b](float u, float v) {
        b.send(kSampleLz, {all(u), all(v)});
        EXPECT_TRUE(b.request->usual);
        return b.request->line_count / kGroups;
    };
    EXPECT_EQ(lines(15.5f, 1.5f), 1u);
    EXPECT_EQ(lines(16.0f, 1.5f), 2u);
    EXPECT_EQ(lines(15.5f, 2.0f), 2u);
    EXPECT_EQ(lines(16.0f, 2.0f), 4u);
}

/// A message holds what its kind needs: a usual one no taps, and lines of four texels a sample at
/// most.
TEST(Usual, RequestsAreSmall) {
    Bench b;
    b.by_lines = true;
    b.shape(surface_state::SURFTYPE_2D, 0x0C7, 32, 32, 1, 128);
    b.filters(1, 1);
    b.send(kSampleLz, {all(0.5f), all(0.5f)});
    EXPECT_TRUE(b.request->usual);
    EXPECT_LT(sizeof *b.request, 8192u);
    EXPECT_EQ(b.request->taps.size(), 0u);
    EXPECT_LE(b.request->line_bytes.size(), 64u);
}

/// A page that the host does not show is read the general way.
TEST(Usual, MemoryThatIsNotDirectGivesTheSameTexels) {
    std::mt19937 random(3);
    for (unsigned trial = 0; trial < 50; ++trial) {
        Bench b;
        random_states(b, random);
        const std::vector<std::uint32_t> u(16, f(0.3f)), v(16, f(0.6f));
        const Answer direct = b.send(kSampleLz, {u, v});
        b.memory.grant = false;
        b.core.invalidate_pages();
        ASSERT_EQ(direct.bits, b.send(kSampleLz, {u, v}).bits);
    }
}

}  // namespace
}  // namespace gen9::sampler

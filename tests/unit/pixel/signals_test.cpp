// SPDX-License-Identifier: Apache-2.0
// What 3DSTATE_WM, _PS_EXTRA and _RASTER together say of a pixel shader.
#include <bit>
#include <set>

#include "interpolation/sample_state.h"
#include "pixel/draw_state.h"
#include "tests/support/covers.h"
#include "tests/unit/pixel/pixel_bench.h"

namespace gen9::pixel::module_test {
namespace {

/// A shader without targets and side effects; with depth and stencil buffers of 64 x 64.
struct Facts {
    unsigned force_kill = 0, control = 0;
    bool depth_write = false, stencil_write = false;
    bool kills = false, mask = false, coverage = false, alpha_test = false;
};
ShaderState shader_of(const Facts& f) {
    StateMaker maker = clear_state();
    maker.give({0x78140000, f.force_kill | f.control << 21});
    maker.give({0x784f0000, 1u << 31 | f.kills * 1u << 28 | f.mask * 1u << 29});
    maker.give({0x784d0000, f.coverage * 1u << 31 | f.alpha_test * 1u << 8});
    maker.give({0x78050006, 1u << 29 | 1u << 28 | 1u << 27 | 1u << 18 | 255, kDepth, 0,
                63u << 18 | 63u << 4, 0, 0, 16});
    maker.give({0x78060003, 1u << 31 | 127, kStencil, 0, 16});
    maker.give({0x784e0002, f.depth_write * 1u | f.stencil_write * 12u, 0xFFFF0000, 0});
    return read_shader_state(maker.state);
}

// 003:15296-15315, with nothing else that would ask for threads.
TEST(PixelSignals, AKillAsksForThreadsWhereItCanChangeABuffer) {
    GEN9_COVERS("WM-06 WM-10");
    for (unsigned bits = 0; bits < 64; ++bits)
        for (unsigned force = 0; force < 3; ++force)
            for (unsigned control = 0; control < 3; ++control) {
                const auto on = [&](unsigned bit) { return (bits >> bit & 1) != 0; };
                const bool buffers = on(0) || on(1), may = on(2) || on(3) || on(4) || on(5);
                const bool kill = force == 2 || (force == 0 && control != 2 && buffers && may);
                const bool after = control == 1 && buffers;  // the tests come behind the shader
                const ShaderState shader =
                    shader_of({force, control, on(0), on(1), on(2), on(3), on(4), on(5)});
                ASSERT_EQ(shader.dispatches, kill || after)
                    << bits << " force " << force << " control " << control;
            }
}

TEST(PixelSignals, AForcedSampleCountDoesNotDependOnTheTarget) {
    GEN9_COVERS("SF-46 WM-07 WM-08 WM-09 WM-11");
    const auto state = [](bool forced_samples, bool force_depth) {
        StateMaker maker = clear_state();
        maker.give({0x780d0000, 2u << 1});  // four samples
        maker.give({0x78140000, 2u << 21});
        maker.give({0x784f0000, 1u << 31 | 1u << 26 | 1u << 6 | force_depth * 1u << 25});
        maker.give({0x78500003, 1u << 12 | (forced_samples ? 4u : 0u) << 18 | 2u << 22, 0, 0, 0});
        return maker.state;
    };
    const auto facts = [&](bool forced_samples, bool force_depth) {
        const PipelineState of = state(forced_samples, force_depth);
        return test_facts(of, depth_state_of(of));
    };
    EXPECT_TRUE(read_shader_state(state(false, false)).per_sample);
    EXPECT_FALSE(read_shader_state(state(true, false)).per_sample);
    EXPECT_EQ(read_shader_state(state(true, false)).samples.samples, 8u);
    EXPECT_EQ(facts(false, false).control, 2u);
    EXPECT_EQ(facts(true, false).control, 1u);
    EXPECT_TRUE(facts(false, false).computed_depth);
    EXPECT_FALSE(facts(true, false).computed_depth);
    EXPECT_TRUE(facts(true, true).computed_depth);
    EXPECT_TRUE(read_shader_state(state(false, false)).depth_to_target);
    EXPECT_FALSE(read_shader_state(state(true, false)).depth_to_target);
    for (const bool computes : {false, true}) {
        StateMaker maker = clear_state();
        maker.give({0x784f0000, 1u << 31 | computes * 1u << 5});
        EXPECT_EQ(test_facts(maker.state, {}).computed_stencil, computes);
    }
    // A clear by 3DSTATE_WM_HZ_OP has no forced samples.
    EXPECT_EQ(interpolation::read_samples(state(true, false), true).samples, 1u);
}

/// Pixel (x, y) has sample x alone, in front of a slope where x is even.
TEST(PixelSignals, APixelOfForcedSamplesIsMergedOnce) {
    GEN9_COVERS("WM-20");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed})
        for (const bool shades : {true, false}) {
            PixelBench& bench = benches.add(timing);
            bind_target(bench, surface_state(kRgba8, kLinear, 64, 64, 256, kTarget));
            bench.put(kDynamic + 0x804, 1.0f);
            StateMaker maker = clear_state();
            maker.give({0x78500003, 1u << 12 | 3u << 18 | 2u << 22, 0, 0, 0});  // four, ON_PATTERN
            maker.give({0x791c0007, 0, 0, 0, 0, 0, 0, 0xAE2AE662, 0x008844CC});
            maker.give({0x78140000, 1u << 31});
            maker.give({0x784f0000, (shades ? 1u << 31 : 0) | 1u << 8 | 1});
            maker.give(pixel_shader(1, {4, 4, 4}));
            maker.give({0x78050006, 1u << 29 | 1u << 28 | 1u << 18 | 255, kDepth, 0,
                        63u << 18 | 63u << 4, 0, 0, 16});
            maker.give({0x784e0002, 2u << 5 | 3u, 0, 0});  // LESS, and stored
            maker.give({0x78230000, 0x800});
            for (unsigned x = 0; x < 4; ++x)
                bench.put(kDepth + byte_place(kY, 256, 4 * x, 0), x % 2 ? 0.0f : 1.0f);
            bench.shader = flat_shader({1, 1, 1, 1});
            SetUpObject object = rectangle_object({});
            object.interpolation =
                interpolation_of({{{0, 0}, {64 * 256, 0}, {0, 64 * 256}}}, {0, 1, 0});
            bench.new_draw(maker.state);
            bench.add_object(
                object, {0, 0, 3, 0},
                [](int x, int) { return static_cast<std::uint16_t>(1u << x); }, 4);
        }
    benches.run();
    bool shades = true;
    for (const PixelBench& bench : benches) {
        EXPECT_TRUE(bench.env.log.empty());
        EXPECT_EQ(bench.counts.ps_depth, 2u);
        for (unsigned x = 0; x < 4; ++x) {
            const float place = (static_cast<float>(x) + 0.5f) / 64;  // not the sample's
            const auto at = kDepth + byte_place(kY, 256, 4 * x, 0);
            EXPECT_FLOAT_EQ(load<float>(&bench.memory.bytes[at]), x % 2 ? 0.0f : place) << x;
            EXPECT_EQ(bench.dword(kTarget + 4 * x), shades && x % 2 == 0 ? ~0u : 0u) << x;
        }
        ASSERT_EQ(bench.seen.size(), shades ? 1u : 0u);
        // The shader sees which samples they are.
        for (unsigned slot = 0; shades && slot < 8; ++slot) {
            constexpr std::uint32_t kSeen[] = {1, 2, 0, 0, 4, 8, 0, 0};
            EXPECT_EQ(dword_at(bench.seen[0].dispatch.payload[2], slot), kSeen[slot]) << slot;
        }
        shades = !shades;
    }
}

TEST(PixelSignals, RegisterZeroHasWhatThePacketsSay) {
    GEN9_COVERS("PS-21 PS-22 PS-23 PS-39");
    PixelBench bench("bench", Timing::Functional);
    StateMaker maker = clear_state();
    auto ps = pixel_shader(2);
    ps[4] = 0x00024000u | 3;  // 8 KB of scratch memory a thread
    maker.give(ps);
    maker.give({0x782a0000, 0x1240});
    maker.give({0x782f0000, 0x2460});
    maker.give({0x784f0000, 1u << 31 | 1u << 29 | 1u << 26 | 1u << 8});
    bench.new_draw(maker.state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 31, 31});
    bench.run();
    std::set<std::uint32_t> scratch;
    ASSERT_EQ(bench.seen.size(), 64u);
    for (const ThreadSeen& thread : bench.seen) {
        const Grf& r0 = thread.dispatch.payload[0];
        EXPECT_EQ(dword_at(r0, 0) >> 12 & 3, 3u) << "a mask and depth go to the target";
        EXPECT_EQ(dword_at(r0, 1), 0x40u);
        EXPECT_EQ(dword_at(r0, 2), 0u);
        EXPECT_EQ(dword_at(r0, 3), 0x2460u | 3);
        EXPECT_EQ(dword_at(r0, 4), 0x1240u);
        const std::uint32_t fftid = thread.dispatch.sideband.fftid;
        EXPECT_EQ(dword_at(r0, 5) & 0x3FF, fftid);
        EXPECT_EQ(dword_at(r0, 5) & ~0x3FFu, 0x24000 + 0x2000 * fftid);
        EXPECT_EQ(thread.dispatch.sideband.sampler_state_offset, 0x2460u);
    }
}

TEST(PixelSignals, NoMoreThreadsRunThanThePacketAllows) {
    GEN9_COVERS("PS-36");
    Benches benches;
    for (const unsigned most : {1u, 4u}) {
        PixelBench& bench = benches.add(Timing::Timed);
        bind_target(bench, surface_state(kRgba8, kY, 64, 64, 256, kTarget));
        bench.shader = flat_shader({1, 1, 1, 1});
        StateMaker maker = clear_state();
        auto ps = pixel_shader(1);
        ps[6] = (most - 1) << 23 | 1;
        maker.give(ps);
        bench.new_draw(maker.state);
        bench.add_rectangle(rectangle_object({}), {0, 0, 63, 63});
    }
    benches.run();
    // One dispatcher of pixel threads for each of three subslices.
    EXPECT_EQ(benches.begin()->most_live, 3u);
    EXPECT_EQ(std::next(benches.begin())->most_live, 12u);
}

/// Each slot writes the number of its sample, as R1 and R2 tell it, to a target of as many samples.
std::vector<Message> sample_number_shader(const ThreadDispatch& thread) {
    std::vector<Message> messages;
    const unsigned width = thread.simd_width;
    for (unsigned first = 0; first < width; first += 16) {
        MessageMaker maker{.subtype = width == 8 ? kSimd8 : kSimd16};
        maker.upper = first != 0;
        const std::uint32_t samples = dword_at(thread.payload[1 + first / 16], 0);
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned r = 0; r < (width == 8 ? 1u : 2u); ++r) {
                std::array<float, 8> row;
                for (unsigned n = 0; n < 8; ++n) {
                    const unsigned slot = 8 * r + n;
                    row[n] = float(1 + (samples >> slot / 4 * 4 & 15));
                }
                maker.registers.push_back(floats(row));
            }
        maker.execution_mask = thread.dispatch_mask >> first & (width == 8 ? 0xFF : 0xFFFF);
        messages.push_back(maker.make());
    }
    return messages;
}

struct Slots {
    unsigned width, samples;
};
constexpr Slots kSlots[] = {{8, 1},  {8, 2},   {8, 4},  {8, 8},  {8, 16}, {16, 2}, {16, 4},
                            {16, 8}, {16, 16}, {32, 1}, {32, 2}, {32, 4}, {32, 8}, {32, 16}};

// 003:7690-7725, 003:16060-16096: groups of four slots are a sample of 2x2 pixels.
TEST(PixelSignals, SlotsAreSamplesByTheTables) {
    GEN9_COVERS("PS-15 PS-17 RT-09 RT-10 RT-11 WM-19");
    Benches benches;
    for (const auto& [width, samples] : kSlots) {
        PixelBench& bench = benches.add(Timing::Functional);
        auto surface = surface_state(kRgba32f, kLinear, 8, 4, 128, kTarget);
        surface[1] = 4 / 4;  // slices of samples 4 rows apart
        surface[4] = static_cast<std::uint32_t>(std::countr_zero(samples)) << 3;
        bind_target(bench, surface);
        bench.shader = sample_number_shader;
        StateMaker maker = clear_state();
        maker.give({0x780d0000, static_cast<std::uint32_t>(std::countr_zero(samples)) << 1});
        maker.give({0x784f0000, 1u << 31 | 1u << 6 | 1u << 8});
        maker.give(pixel_shader(width / 8, {3, 3, 3}));
        bench.new_draw(maker.state);
        const std::uint16_t all = static_cast<std::uint16_t>((1u << samples) - 1);
        bench.add_object(
            rectangle_object({}), {0, 0, 7, 3}, [=](int, int) { return all; }, samples);
    }
    benches.run();
    const Slots* at = kSlots;
    for (const PixelBench& bench : benches) {
        const auto [width, samples] = *at++;
        SCOPED_TRACE(std::to_string(width) + " slots, samples " + std::to_string(samples));
        EXPECT_TRUE(bench.env.log.empty());
        ASSERT_EQ(bench.seen.size(), 32 * samples / width);
        for (const ThreadSeen& thread : bench.seen) {
            const std::uint32_t pair = dword_at(thread.dispatch.payload[0], 0) >> 6 & 7;
            const unsigned groups = width / 4;
            const bool whole = samples <= groups;  // all samples of one or more 2x2 pixels
            EXPECT_EQ(pair % std::max(groups / 2, 1u), 0u);
            for (unsigned g = 0; g < groups; ++g) {
                const Grf& r = thread.dispatch.payload[1 + g / 4];
                const std::uint32_t sample = dword_at(r, 0) >> g % 4 * 4 & 15;
                EXPECT_EQ(sample, whole ? g % samples : 2 * pair + g) << g;
                const std::uint32_t place = dword_at(r, 2 + g % 4);
                const Grf& first = thread.dispatch.payload[1 + g / samples * samples / 4];
                if (whole) {
                    EXPECT_EQ(place, dword_at(first, 2 + g / samples * samples % 4)) << g;
                } else {
                    EXPECT_EQ(place, dword_at(thread.dispatch.payload[1], 2)) << g;
                }
            }
        }
        // What the slots wrote lies where the samples do.
        for (unsigned sample = 0; sample < samples; ++sample)
            for (unsigned y = 0; y < 4; ++y)
                for (unsigned x = 0; x < 8; ++x)
                    ASSERT_EQ(
                        load<float>(&bench.memory.bytes[kTarget + 128 * (4 * sample + y) + 16 * x]),
                        float(1 + sample))
                        << "sample " << sample << " of " << x << ',' << y;
    }
}

}  // namespace
}  // namespace gen9::pixel::module_test

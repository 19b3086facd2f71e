// SPDX-License-Identifier: Apache-2.0
// Functional mode: a pixel thread that begins in the slot of one that ends, within its end.
#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "tests/unit/pixel/pixel_bench.h"

namespace gen9::pixel::module_test {
namespace {

constexpr unsigned kSide = 64, kPitch = 16 * kSide;

/// A thread but for what its slot and the time of its dispatch give it.
std::vector<std::uint32_t> of_thread(const ThreadSeen& seen) {
    const ThreadDispatch& thread = seen.dispatch;
    const PixelRecord& record = seen.record;
    std::vector<std::uint32_t> all{thread.dispatch_mask,
                                   thread.simd_width,
                                   static_cast<std::uint32_t>(thread.instruction_pointer),
                                   thread.sideband.binding_table_offset,
                                   thread.uses_vector_mask,
                                   thread.payload_registers,
                                   record.lit,
                                   record.width,
                                   static_cast<std::uint32_t>(record.order)};
    for (const PixelRecord::Subspan& subspan : record.subspans) {
        all.insert(all.end(), {subspan.x, subspan.y, subspan.used, subspan.sample});
        all.insert(all.end(), subspan.covered.begin(), subspan.covered.end());
        all.insert(all.end(), subspan.rasterised.begin(), subspan.rasterised.end());
    }
    for (unsigned r = 0; r < thread.payload_registers; ++r)
        for (unsigned n = 0; n < 8; ++n)
            if (r != 0 || (n != 5 && n != 6)) all.push_back(dword_at(thread.payload[r], n));
    return all;
}

std::vector<std::vector<std::uint32_t>> threads_of(const PixelBench& bench) {
    std::vector<std::vector<std::uint32_t>> all;
    for (const ThreadSeen& seen : bench.seen)
        all.push_back(of_thread(seen));
    std::ranges::sort(all);
    return all;
}

/// Threads that threads wait for.
std::uint64_t dependencies_of(const PixelBench& bench) {
    std::uint64_t count = 0;
    for (const ThreadSeen& seen : bench.seen)
        count += static_cast<std::uint64_t>(std::ranges::count_if(
            seen.dispatch.dependency, [](std::uint16_t entry) { return entry >> 15 != 0; }));
    return count;
}

/// Two draws of rectangles that mostly lie over each other, by kernels of several widths.
void draw(PixelBench& bench, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned end) { return static_cast<int>(random() % end); };
    bind_target(bench,
                surface_state(kRgba32f, random() % 2 ? kY : kX, kSide, kSide, kPitch, kTarget));
    bench.shader = rep16_shader;
    for (unsigned draw = 0; draw < 2; ++draw) {
        StateMaker maker = clear_state();
        maker.give(pixel_shader(2 + random() % 2, {2, 2, 2}));
        bench.new_draw(maker.state);
        for (unsigned n = 0; n < 12; ++n) {
            const int x = below(kSide / 2), y = below(kSide / 2);
            const gen9::PixelRectangle box{x, y, x + below(kSide - static_cast<unsigned>(x)),
                                           y + below(kSide - static_cast<unsigned>(y))};
            const std::uint32_t holes = random();
            bench.add_object(
                rectangle_object({float(n), float(draw), 0.5f, 1}), box,
                [=](int px, int py) { return holes >> (px * 7 + py * 3) % 32 & 3 ? 1 : 0; });
        }
    }
}

TEST(PixelThreads, WhatFollowsInASlotIsWhatTheDispatcherWouldHaveSent) {
    Benches benches;
    constexpr unsigned kSeeds = 6;
    for (unsigned seed = 0; seed < kSeeds; ++seed)
        for (const bool takes_next : {false, true}) {
            PixelBench& bench = benches.add(Timing::Functional);
            bench.takes_next = takes_next;
            draw(bench, seed);
        }
    benches.run();
    for (auto sent = benches.begin(); sent != benches.end(); ++sent) {
        const PixelBench& followed = *++sent;
        const PixelBench& plain = *std::prev(sent);
        EXPECT_EQ(plain.followed, 0u);
        EXPECT_GT(followed.followed, 50u);
        EXPECT_LE(followed.most_live, 6u * 7u);
        EXPECT_EQ(threads_of(followed), threads_of(plain));
        const auto picture = [](const PixelBench& bench) {
            const std::uint8_t* const first = &bench.memory.bytes[kTarget];
            return std::vector<std::uint8_t>(first, first + kSide * kPitch);
        };
        EXPECT_EQ(picture(followed), picture(plain));
        const auto &a = followed.dispatch.stats(), &b = plain.dispatch.stats();
        for (unsigned width = 0; width < 3; ++width)
            EXPECT_EQ(a.threads[width].value(), b.threads[width].value());
        EXPECT_EQ(a.slots_lit.value(), b.slots_lit.value());
        EXPECT_EQ(a.slots_helping.value(), b.slots_helping.value());
        EXPECT_EQ(dependencies_of(followed), a.dependencies.value());
        EXPECT_EQ(dependencies_of(plain), b.dependencies.value());
        EXPECT_GT(dependencies_of(followed), 0u);
        EXPECT_EQ(followed.counts.threads, plain.counts.threads);
        EXPECT_EQ(followed.counts.instructions, 3 * followed.counts.threads);
        EXPECT_EQ(followed.counts.messages, followed.counts.threads);
    }
}

// Its slot is free when its messages have been answered (the dispatcher counts them).
TEST(PixelThreads, NoneFollowsOneWhoseMessagesAreNotAnswered) {
    PixelBench bench("bench", Timing::Functional);
    bench.takes_next = bench.owes_answers = true;
    draw(bench, 1);
    bench.run();
    EXPECT_GT(bench.seen.size(), 100u);
    EXPECT_EQ(bench.followed, 0u);
}

// Its place is not the slot's to give away in timed mode.
TEST(PixelThreads, NoneFollowsInTimedMode) {
    PixelBench bench("bench", Timing::Timed);
    bench.takes_next = true;
    draw(bench, 1);
    bench.run(2'000'000);
    EXPECT_GT(bench.seen.size(), 100u);
    EXPECT_EQ(bench.followed, 0u);
    EXPECT_EQ(dependencies_of(bench), bench.dispatch.stats().dependencies.value());
    EXPECT_GT(dependencies_of(bench), 0u);
}

}  // namespace
}  // namespace gen9::pixel::module_test

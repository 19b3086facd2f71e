// SPDX-License-Identifier: Apache-2.0
// The sampler in time, between EUs and a memory of a fixed latency.
#include "sampler/module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/sampler/machine.h"

namespace gen9::sampler {
namespace {
using namespace test;

constexpr unsigned kRgba16 = 0x080, kRgba32Float = 0x000, kL16 = 0x112, kL8 = 0x146;

/// A surface, a sampler and a border that differ by number, in places that meet in the core's
/// caches: they lie as far apart as those have entries.
void put_states(Machine& m, unsigned number, unsigned format_select) {
    constexpr unsigned kTables = 256 * 4, kStateStep = 0x4000;
    const std::uint64_t base = Bench::kStates;
    const std::uint32_t pointer = Bench::kSurface + number * kStateStep;
    m.bench.set(surface_state::ShaderChannelSelectRed, format_select);
    std::memcpy(m.bench.memory.at(base + number * kTables), &pointer, 4);
    std::memcpy(m.bench.memory.at(base + pointer), m.bench.surface.data(), 64);
    std::memcpy(m.bench.memory.at(base + Bench::kSampler + number * kStateStep),
                m.bench.sampler.data(), 16);
}

TEST(Module, AMessageInFlightKeepsItsStates) {
    Machine m;
    m.image(64, 64);
    m.bench.put(0, std::uint32_t{0xFF0000FF});
    for (unsigned number = 0; number < 8; ++number) {
        m.senders.push_back(m.senders[0]);
        m.senders.back().binding_table_offset = number * 256 * 4;
        put_states(m, number, number % 2 ? surface_state::SCS_RED : surface_state::SCS_ZERO);
    }
    m.copy();
    for (unsigned number = 0; number < 8; ++number) {
        m.bench.build(kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.bench.message.sender = &m.senders[2 + number];
        m.eus[0].add(m.bench.message, Cycles(0));
    }
    // Other binding tables, and one of the messages with other pointers to all states.
    m.run(60);
    EXPECT_FALSE(m.sampler.idle());
    m.invalidate(true, false);
    m.run();
    m.expect_quiet();
    for (unsigned number = 0; number < 8; ++number)
        EXPECT_EQ(first(m.item(0, number)), number % 2 ? 1.0f : 0.0f) << number;
}

TEST(Module, DescriptorsThatMeetInTheCacheStayApart) {
    Machine m;
    m.bench.put(0, std::uint32_t{0xFFFFFFFF});
    m.load();
    // All channels but those of a mask, 15 forms in two widths: more descriptors than stay apart.
    std::vector<unsigned> registers;
    for (unsigned index = 0; index < 16; ++index)
        for (unsigned mask = 0; mask < 15; ++mask) {
            Bench::Options o;
            o.simd = 1 + mask % 2;
            o.header2 = mask << 12;
            o.index = index;
            m.send(0, Cycles(0), kSampleLz, {all(0), all(0)}, o);
            registers.push_back(m.eus[0].items.back().message.response_length);
        }
    m.run(40'000);
    m.expect_quiet();
    for (std::size_t i = 0; i < registers.size(); ++i) {
        const Message& message = m.item(0, static_cast<unsigned>(i)).message;
        ASSERT_EQ(message.status, MessageStatus::Ok);
        for (unsigned r = 0; r < registers[i]; ++r) {
            ASSERT_EQ(message.response_enable[r], 0xFFFFFFFF) << i;
            ASSERT_EQ(gen9::load<float>(message.response[r].bytes), 1.0f) << i;
        }
    }
}

TEST(Module, EveryCycleHasOneReason) {
    Machine m("m", {"m.sampler.messages_in_flight=4"});
    gen9::test::SignalLog log(m.test.environment.signals);
    m.load();
    for (unsigned n = 0; n < 40; ++n) {
        m.sample(n % 2, Cycles(n), static_cast<float>(n % 4) / 4, static_cast<float>(n % 8) / 8);
        if (n % 16 == 15) m.flush(0, Cycles(n));
    }
    m.sample(0, Cycles(10'000), 0, 0);
    m.run();
    m.expect_quiet();
    m.sampler.settle();
    const SamplerStats& s = m.sampler.stats;
    const std::uint64_t cycles[] = {s.idle_cycles.value(),       s.busy_cycles.value(),
                                    s.lookup_cycles.value(),     s.stall_memory_cycles.value(),
                                    s.stall_full_cycles.value(), s.waiting_cycles.value(),
                                    s.front_end_cycles.value(),  s.return_cycles.value()};
    std::uint64_t sum = 0;
    for (unsigned activity = 0; activity < std::size(cycles); ++activity) {
        sum += cycles[activity];
        EXPECT_GT(cycles[activity], 0u) << kActivityWords[activity];
        std::uint64_t shown = 0;
        for (std::uint64_t cycle = 0; cycle < m.clock.now().value; ++cycle)
            shown += log.value("m.sampler.state", cycle) == activity;
        EXPECT_EQ(shown, cycles[activity]) << kActivityWords[activity];
    }
    EXPECT_EQ(sum, m.clock.now().value);
    EXPECT_EQ(s.samples.value(), 41u);
    EXPECT_EQ(s.flushes.value(), 2u);
    EXPECT_EQ(s.messages.value(), 43u);
    EXPECT_EQ(log.value("m.sampler.in_flight", m.clock.now().value), 0u);
    EXPECT_EQ(log.value("m.sampler.lines", m.clock.now().value), 0u);
}

TEST(Module, IsFullOnlyWithoutRoom) {
    Machine m;
    m.load();
    for (unsigned n = 0; n < 6; ++n)
        m.sample(n % 2, Cycles(n), 0, static_cast<float>(n) / 8);
    m.run();
    m.expect_quiet();
    m.sampler.settle();
    EXPECT_EQ(m.sampler.stats.samples.value(), 6u);
    EXPECT_GT(m.sampler.stats.front_end_cycles.value(), 0u);
    EXPECT_EQ(m.sampler.stats.stall_full_cycles.value(), 0u);
}

// However short the way back is.
TEST(Module, AnAnswerIsAnnouncedANoticeAhead) {
    Machine m("m", {"m.sampler.return_cycles=0"});
    m.load();
    for (unsigned n = 0; n < 8; ++n) {
        m.sample(n % 2, Cycles(n * 500), 0, static_cast<float>(n) / 8);
        m.flush(n % 2, Cycles(n * 500 + 250));
    }
    m.run();
    m.expect_quiet();
    const Cycles notice(m.test.environment.notice_cycles);
    EXPECT_GT(notice, Cycles(1));
    for (const FakeEu& eu : m.eus)
        for (const FakeEu::Item& item : eu.items)
            EXPECT_GE(item.answered, item.announced + notice);
    // Of each of the eight flushes the filter has one cycle, and the way back the others.
    m.sampler.settle();
    EXPECT_GE(m.sampler.stats.return_cycles.value(), 8 * (notice.value - 1));
}

TEST(Module, EveryRequestCarriesTheIdOfItsMessage) {
    Machine m;
    m.load();
    for (unsigned n = 0; n < 8; ++n)
        m.sample(0, Cycles(n * 1000), 0, static_cast<float>(n) / 8);
    m.run();
    m.expect_quiet();
    ASSERT_EQ(m.memory.seen.size(), m.sampler.stats.misses.value());
    ASSERT_GE(m.memory.seen.size(), 8u);
    TraceId last = 0;
    for (const auto& seen : m.memory.seen) {
        EXPECT_EQ(seen.requester, Requester::Sampler);
        EXPECT_GE(seen.attributes.trace_id, last);
        last = std::max(last, seen.attributes.trace_id);
    }
    EXPECT_EQ(last, 8u);
}

TEST(Module, NothingIsWrittenAndNoResultIsKept) {
    GEN9_COVERS("SMP-04");
    Machine m;
    m.bench.put(0, std::uint32_t{0xFF0000FF});
    m.load();
    const auto before = m.memory.bytes;
    for (unsigned n = 0; n < 20; ++n)
        m.sample(n % 2, Cycles(n * 20), static_cast<float>(n) / 20, 0);
    m.flush(0, Cycles(500));
    m.run();
    m.expect_quiet();
    EXPECT_TRUE(m.memory.bytes == before);
    EXPECT_EQ(m.memory.blocking_writes, 0u);
    for (const auto& seen : m.memory.seen)
        EXPECT_FALSE(seen.write);
    // The same message again is filtered again.
    EXPECT_EQ(m.sampler.stats.places.value(), 20u * 16);
    EXPECT_GE(m.sampler.stats.busy_cycles.value(), 20u * 4);
}

TEST(Module, TheLatencyIsThatOfItsStages) {
    // A lone message whose texels are in one line: its parts add up, each to the cycle.
    const auto latency = [](const std::string& name, const std::string& setting, bool hit) {
        Machine m(name.c_str(), {setting.empty() ? name + ".sampler.cache_ways=4"
                                                 : name + ".sampler." + setting});
        m.load();
        m.send(0, Cycles(10), kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.send(0, Cycles(1010), kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.run(3000);
        m.expect_quiet();
        EXPECT_EQ(m.sampler.stats.misses.value(), 1u);
        return m.latency(0, hit ? 1 : 0);
    };
    // One cycle to arrive, three for five registers of payload, the front end, a second cycle of
    // lookups, four of the filter for 16 places, the way back, four cycles for eight registers of
    // response.
    static std::uint64_t hit = 0;
    hit = latency("a", "", true);
    EXPECT_EQ(hit, 1u + 3 + 16 + 1 + 4 + 40 + 4);
}

/// Cycles between the answers of equal messages that come as fast as can be, in the steady state.
double interval(Machine& m, unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
                Bench::Options o = Machine::sixteen()) {
    m.load();
    constexpr unsigned kMessages = 64;
    for (unsigned n = 0; n < kMessages; ++n)
        m.send(n % 2, Cycles(1000 + n), code, params, o);
    m.send(0, Cycles(0), code, params, o);  // warms the cache
    m.run();
    m.expect_quiet();
    std::vector<std::uint64_t> answered;
    for (const FakeEu& eu : m.eus)
        for (const FakeEu::Item& item : eu.items)
            if (item.issue >= Cycles(1000)) answered.push_back(item.answered.value);
    std::sort(answered.begin(), answered.end());
    constexpr unsigned kFrom = 16;
    return static_cast<double>(answered.back() - answered[kFrom]) /
           static_cast<double>(answered.size() - 1 - kFrom);
}
/// 16 places in a row of texels.
std::vector<std::uint32_t> row() {
    std::vector<std::uint32_t> u(16);
    for (unsigned i = 0; i < 16; ++i)
        u[i] = f((static_cast<float>(i) + 0.25f) / 64);
    return u;
}
/// The product tables of the PRM (volume 4): texels a clock and sampler, by product.
struct Rate {
    const char* name;
    const char* settings;  ///< of the product; names of parameters and values
    unsigned filter;       ///< 0 nearest, 1 linear, 3 linear between two levels
    unsigned format, bytes;
    double texels;  ///< a clock
};
class FilterRate : public testing::TestWithParam<Rate> {};
constexpr const char* kSkylake = "";
constexpr const char* kKabyLake = "trilinear_32_cycles=1 trilinear_64_cycles=2";
constexpr const char* kBroxton =
    "bilinear_128_cycles=2 trilinear_32_cycles=1 trilinear_64_cycles=2";

// L and A formats count as the RGBA they become.
TEST_P(FilterRate, IsThatOfTheProduct) {
    GEN9_COVERS("SMP-274 SMP-86");
    // As many lookups as it takes: what is left is the filter.
    const std::string name = "m";
    std::vector<std::string> settings = {name + ".sampler.lookups_per_cycle=16",
                                         name + ".sampler.payload_registers=16",
                                         name + ".sampler.writeback_registers=16"};
    std::istringstream words(GetParam().settings);
    for (std::string word; words >> word;)
        settings.push_back(name + ".sampler." + word);
    Machine m(name.c_str(), settings);
    m.image(64, 64, GetParam().format, GetParam().bytes);
    const unsigned filter = GetParam().filter;
    m.bench.filters(filter ? 1 : 0, filter ? 1 : 0, filter == 3 ? 3 : 0);
    m.bench.set(surface_state::MIPCountLOD, filter == 3 ? 3 : 0);
    const double cycles = interval(m, kSampleL, {all(filter == 3 ? 0.5f : 0), row(), all(0.5f)});
    EXPECT_EQ(16 / cycles, GetParam().texels);
}
INSTANTIATE_TEST_SUITE_P(
    Module, FilterRate,
    testing::Values(Rate{"Point32", kSkylake, 0, 0x0C7, 4, 4},
                    Rate{"Point64", kSkylake, 0, kRgba16, 8, 4},
                    Rate{"Point128", kSkylake, 0, kRgba32Float, 16, 4},
                    Rate{"Bilinear32", kSkylake, 1, 0x0C7, 4, 4},
                    Rate{"Bilinear64", kSkylake, 1, kRgba16, 8, 4},
                    Rate{"Bilinear128", kSkylake, 1, kRgba32Float, 16, 1},
                    Rate{"BilinearL8", kSkylake, 1, kL8, 1, 4},
                    Rate{"Trilinear32", kSkylake, 3, 0x0C7, 4, 2},
                    Rate{"Trilinear64", kSkylake, 3, kRgba16, 8, 1},
                    Rate{"TrilinearL16", kSkylake, 3, kL16, 2, 1},
                    Rate{"Trilinear128", kSkylake, 3, kRgba32Float, 16, 0.5},
                    Rate{"KabyLakeTrilinear32", kKabyLake, 3, 0x0C7, 4, 4},
                    Rate{"KabyLakeTrilinear64", kKabyLake, 3, kRgba16, 8, 2},
                    Rate{"KabyLakeTrilinear128", kKabyLake, 3, kRgba32Float, 16, 0.5},
                    Rate{"BroxtonBilinear128", kBroxton, 1, kRgba32Float, 16, 2},
                    Rate{"BroxtonTrilinear32", kBroxton, 3, 0x0C7, 4, 4},
                    Rate{"BroxtonTrilinear128", kBroxton, 3, kRgba32Float, 16, 0.5}),
    [](const auto& info) { return std::string(info.param.name); });

/// Luma of 16x4 pixels, in four lines.
MediaMessage scaled_block(Machine& m) {
    m.bench.shape_picture(12, 16, 4, 64);
    m.bench.linear_table();
    m.bench.filter_mode(0, true, 255);
    for (unsigned i = 0; i < 256; ++i)
        m.bench.put<std::uint8_t>(i, static_cast<std::uint8_t>(7 * i));
    MediaMessage block;
    block.masked = 0xD;
    block.du = 0.8f / 16;
    block.dv = 0.9f / 4;
    m.load_media(block);
    return block;
}

TEST(Module, AScaledBlockTakesItsStages) {
    GEN9_COVERS("SMP-273");
    Machine m;
    const MediaMessage block = scaled_block(m);
    m.send_media(0, Cycles(10), block);
    m.send_media(0, Cycles(5010), block);
    m.run(8000);
    m.expect_quiet();
    // The first reads its states; those of the scaler are 18 lines.
    EXPECT_EQ(m.sampler.stats.misses.value(), 4u);
    EXPECT_EQ(m.sampler.stats.lookups.value(), 8u);
    EXPECT_EQ(m.sampler.stats.scalings.value(), 2u);
    EXPECT_EQ(m.sampler.stats.pixels.value(), 128u);
    // One cycle to arrive, one for two registers of payload, the front end, a second cycle of
    // lookups, 64 pixels, the way back, two cycles for four registers of response.
    EXPECT_EQ(m.latency(0, 1), 1u + 1 + 16 + 1 + 16 + 40 + 2);
}

/// SMP-259: lines leave the filter one a cycle; the message ends when the last is in memory.
TEST(Module, ResultsForMemory) {
    GEN9_COVERS("SMP-259");
    Machine timed("timed"), functional("functional", {}, Timing::Functional);
    const std::uint64_t out = Bench::kTexels + 0x8000;
    MediaMessage block;
    for (Machine* const m : {&timed, &functional}) {
        block = scaled_block(*m);
        m->bench.set(surface_state::TileMode, 0);
        m->bench.shape(surface_state::SURFTYPE_2D, 0x140, 16, 8, 1, 64);
        m->bench.set(surface_state::SurfaceBaseAddress, out);
        const std::uint32_t state = 0x7000, index = 5;
        store(m->bench.memory.at(Bench::kStates + 4 * index), state);
        std::memcpy(m->bench.memory.at(Bench::kStates + state), m->bench.surface.data(), 64);
        m->load_media(block);
        MediaMessage there = block;
        there.response = 0;
        there.target = index;
        there.target_format = 5;
        there.target_x = 12;
        m->send_media(0, Cycles(10), there);
        m->send_media(0, Cycles(5010), there);
        m->send_media(0, Cycles(5011), block);
    }
    timed.run(8000);
    block.form = 2;
    for (Machine* const m : {&timed, &functional}) {
        m->expect_quiet();
        m->bench.build_media(block);
        m->bench.run({});
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 16; ++x)
                EXPECT_EQ(m->memory.bytes[out + 64 * y + 12 + x],
                          m->bench.message.response[y / 2].bytes[y % 2 * 16 + x])
                    << x << ", " << y;
    }
    // Up to the filter as any block; then four lines, one a cycle, to memory and back.
    // That it has ended is told `notice_cycles` before.
    EXPECT_EQ(timed.latency(0, 1), 1u + 1 + 16 + 1 + 16 + 3 + Machine::kMemoryLatency +
                                       timed.test.environment.notice_cycles);
    EXPECT_GT(timed.latency(0, 2), timed.latency(0, 1));
}

TEST(Module, TheScalersRateIsAParameter) {
    Machine m("m", {"m.sampler.scaled_pixels_per_cycle=16"});
    const MediaMessage block = scaled_block(m);
    m.send_media(0, Cycles(10), block);
    m.send_media(0, Cycles(5010), block);
    m.run(8000);
    EXPECT_EQ(m.latency(0, 1), 1u + 1 + 16 + 1 + 4 + 40 + 2);
}

/// Two EUs send blocks of all kinds; the order in which lines come changes no result.
TEST(Module, TimedModeReturnsWhatTheCoreDoes) {
    GEN9_COVERS("SMP-247 SMP-271");
    Machine m;
    MediaMessage block = scaled_block(m);
    std::vector<Message> wanted;
    for (unsigned n = 0; n < 40; ++n) {
        block.masked = n % 3 ? 0xD : 0x0;
        block.form = n % 4;
        block.u = static_cast<float>(n % 7) / 8;
        block.block = n % 5;
        block.group = n;
        m.bench.build_media(block);
        m.bench.run({});
        ASSERT_EQ(m.bench.message.status, MessageStatus::Ok);
        wanted.push_back(m.bench.message);
        m.send_media(n % 2, Cycles(10 + 3 * n), block);
    }
    m.run();
    m.expect_quiet();
    for (unsigned n = 0; n < 40; ++n) {
        const Message& got = m.item(n % 2, n / 2).message;
        for (unsigned r = 0; r < got.response_length; ++r) {
            EXPECT_EQ(got.response_enable[r], wanted[n].response_enable[r]);
            EXPECT_EQ(std::memcmp(got.response[r].bytes, wanted[n].response[r].bytes, 32), 0)
                << n << ": register " << r;
        }
    }
}

// 3T-5: a buffer's texels of any width.
TEST(Module, EightLoadsOfABufferTakeFiveCycles) {
    Machine narrow("narrow"), wide("wide");
    const auto loads = [](Machine& m, unsigned format, unsigned bytes) {
        m.image(64, 1, format, bytes);
        m.bench.set(surface_state::SurfaceType, surface_state::SURFTYPE_BUFFER);
        std::vector<std::uint32_t> neighbours(16);
        std::iota(neighbours.begin(), neighbours.end(), 0u);
        return interval(m, kLdLz, {neighbours});
    };
    EXPECT_EQ(loads(narrow, 0x0C7, 4), 10);
    EXPECT_EQ(loads(wide, kRgba32Float, 16), 10);
}

// W-48: random reads are a line each, of which two are looked up in a cycle.
TEST(Module, PixelsOfDifferentLinesTakeALookupEach) {
    const auto reads = [](Machine& m, const std::vector<std::uint32_t>& u,
                          const std::vector<std::uint32_t>& v) {
        m.image(64, 64, 0x0C7, 4);
        m.bench.filters(0, 0);
        return interval(m, kSampleLz, {u, v});
    };
    // Every fourth texel: each is in another line, which has 4 x 4.
    std::vector<std::uint32_t> fourth(16);
    for (unsigned i = 0; i < 16; ++i)
        fourth[i] = f((static_cast<float>(4 * i) + 0.25f) / 64);
    Machine together("together"), apart("apart"),
        four("four", {"four.sampler.lookups_per_cycle=4"});
    EXPECT_EQ(reads(together, row(), all(0)), 4) << "a line for each four pixels";
    EXPECT_NEAR(reads(apart, fourth, all(0)), 8, 1) << "each in a line of its own";
    EXPECT_EQ(reads(four, fourth, all(0)), 4);
}

// The product table: 1 texel a clock and sampler at 2x, 0.125 at 16x, between two levels (SMP-32:
// ways are the ratio), also where a lone trilinear sample takes no longer than a bilinear one.
class AnisotropicRate : public testing::TestWithParam<std::tuple<unsigned, const char*>> {};
TEST_P(AnisotropicRate, EachWayTakesTheTimeOfABilinearPlaceOfEachLevel) {
    const auto [ratio, trilinear] = GetParam();
    Machine m("m", {std::string("m.sampler.trilinear_32_cycles=") + trilinear});
    m.bench.set(surface_state::MIPCountLOD, 3);
    m.bench.filters(2, 2, 3);
    m.bench.set_sampler(sampler_state::MaximumAnisotropy, 7);
    const auto texels = [](double count) { return all(static_cast<float>(count) / 64); };
    Bench::Options eight;
    eight.simd = 1;
    // The minor axis of 1.5 texels is between the levels.
    EXPECT_EQ(interval(m, kSampleD,
                       {row(), texels(1.5 * ratio), all(0), all(0.5f), all(0), texels(1.5)}, eight),
              4 * ratio);
}
INSTANTIATE_TEST_SUITE_P(Module, AnisotropicRate,
                         testing::Combine(testing::Values(2, 4, 8, 16), testing::Values("2", "1")));

TEST(Module, RegistersOfPayloadAreBusCycles) {
    GEN9_COVERS("SMP-116");
    // Sixteen places in a cycle: what is left is the bus.
    Machine m("m", {"m.sampler.places_per_cycle=16", "m.sampler.lookups_per_cycle=16",
                    "m.sampler.writeback_registers=16"});
    m.bench.filters(0, 0);
    EXPECT_EQ(interval(m, kSampleLz, {row(), all(0), all(0), all(0)}), 5);
}
TEST(Module, MoreThanFourParametersAreSlower) {
    GEN9_COVERS("SMP-116");
    Machine m("m", {"m.sampler.places_per_cycle=16", "m.sampler.lookups_per_cycle=16",
                    "m.sampler.writeback_registers=16"});
    m.bench.filters(0, 0);
    EXPECT_EQ(interval(m, kSampleL, {all(0), row(), all(0), all(0), all(0)}), 6);
}
TEST(Module, RegistersOfTheAnswerAreBusCycles) {
    GEN9_COVERS("SMP-273");
    Machine m("m", {"m.sampler.places_per_cycle=16", "m.sampler.lookups_per_cycle=16",
                    "m.sampler.payload_registers=16", "m.sampler.writeback_registers=1"});
    m.bench.filters(0, 0);
    EXPECT_EQ(interval(m, kSampleLz, {row(), all(0)}), 8);
}
TEST(Module, TheHeaderIsOneRegisterMore) {
    GEN9_COVERS("SMP-273");
    Machine m("m", {"m.sampler.places_per_cycle=16", "m.sampler.lookups_per_cycle=16",
                    "m.sampler.payload_registers=1", "m.sampler.writeback_registers=16"});
    m.bench.filters(0, 0);
    Bench::Options o = Machine::sixteen();
    o.header = false;
    for (ThreadSideband& sender : m.senders)
        sender.sampler_state_offset = Bench::kSampler;
    EXPECT_EQ(interval(m, kSampleLz, {row(), all(0)}, o), 4) << "with the header it is five";
}

TEST(Module, AnswersComeInTheOrderOfTheMessages) {
    GEN9_COVERS("SMP-271");
    Machine m;
    m.load();
    // Misses and hits of both EUs in turns: a hit behind a miss waits for it.
    m.sample(0, Cycles(0), 0, 0);
    for (unsigned n = 0; n < 12; ++n)
        m.sample(n % 2, Cycles(1000 + 3 * n), 0, n % 3 ? 0 : static_cast<float>(n) / 12);
    m.run();
    m.expect_quiet();
    std::vector<std::pair<Cycles, Cycles>> order;
    for (const FakeEu& eu : m.eus)
        for (const FakeEu::Item& item : eu.items)
            order.emplace_back(item.issue, item.answered);
    std::sort(order.begin(), order.end());
    for (std::size_t n = 1; n < order.size(); ++n)
        EXPECT_LT(order[n - 1].second, order[n].second) << n;
}

TEST(Module, AFlushWaitsForEarlierMessagesAndLaterOnesMiss) {
    GEN9_COVERS("SMP-166 VME-84");
    Machine m;
    m.load();
    m.sample(0, Cycles(0), 0, 0);
    m.sample(0, Cycles(2), 0, 0.5f);  // misses, so that the flush has somebody to wait for
    m.flush(1, Cycles(4));
    m.sample(0, Cycles(5), 0, 0);
    m.run();
    m.expect_quiet();
    const FakeEu::Item& flush = m.item(1, 0);
    EXPECT_GT(flush.answered, m.item(0, 1).answered);
    EXPECT_EQ(m.sampler.stats.misses.value(), m.memory.seen.size());
    const std::uint64_t again = m.memory.seen.back().address;
    EXPECT_EQ(std::count_if(m.memory.seen.begin(), m.memory.seen.end(),
                            [&](const auto& seen) { return seen.address == again; }),
              2);
    EXPECT_GE(m.latency(0, 2), Machine::kMemoryLatency + 100u) << "behind two misses";
    EXPECT_EQ(flush.message.response_length, 1);
    EXPECT_EQ(flush.message.response_enable[0], 0u) << "a token: the register keeps its value";
    EXPECT_EQ(flush.message.status, MessageStatus::Ok);
}

}  // namespace
}  // namespace gen9::sampler

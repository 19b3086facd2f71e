// SPDX-License-Identifier: Apache-2.0
// Draws that Mesa's drivers submitted, rewritten into hardware binding tables and gather constants:
// what the resource streamer writes equals what the driver had written, however late it is.
#include "tests/support/covers.h"
#include "tests/system/resource_streamer/rewriter.h"
#include "tests/unit/rs/bench.h"

namespace gen9::test {
namespace {

constexpr const char* kDraws[] = {"iris-triangle", "iris-triangle-noccs", "iris-blit",
                                  "iris-query",    "anv-triangle-noccs",  "anv-blit"};

struct DrawBench : StreamersBench {
    Draw draw;
    Rewritten rewritten;
    std::vector<std::string> wrong;  ///< what was not there when its command was passed
    unsigned checked = 0;

    DrawBench(const std::string& name, unsigned seed, std::vector<std::string> settings = {},
              Timing timing = Timing::Timed)
        : StreamersBench("bench", timing, with_privilege(std::move(settings))),
          draw(Draw::load(std::string(GEN9_DRAWS) + "/" + name + ".txt")),
          rewritten(rewrite(draw, seed)) {
        for (const auto& [address, words] : draw.lines)
            ppgtt.put(address, words);
        for (const auto& [address, words] : rewritten.memory)
            ppgtt.put(address, words);
        for (const std::uint64_t pool : {Rewritten::kTables, Rewritten::kGathers})
            ppgtt.map(pool, Rewritten::kPoolPages * 4096);
        ppgtt.map(Rewritten::kMarks, 0x4000);
        // A mark is written when the command before it has been passed.
        const auto inner = cs_memory.on_blocking;
        cs_memory.on_blocking = [this, inner](tlm::tlm_generic_payload& payload, Time& delay) {
            inner(payload, delay);
            if (payload.is_write()) check(payload.get_address());
        };
    }
    static std::vector<std::string> with_privilege(std::vector<std::string> settings) {
        settings.push_back("bench.cs.privilege=all");
        return settings;
    }
    void run() {
        const std::uint64_t batch = 0x6000'0000;
        ppgtt.put(batch, rewritten.batch);
        run_ring(batch_start(batch, 0x500));
    }
    void check(std::uint64_t mark) {
        for (const ExpectedTable& table : rewritten.tables)
            if (table.mark == mark) compare(table);
        for (const ExpectedConstants& constants : rewritten.constants)
            if (constants.mark == mark) compare(constants);
    }
    void compare(const ExpectedTable& table) {
        ++checked;
        for (std::size_t i = 0; i < 32; ++i) {
            const std::uint64_t entry = ppgtt.get<std::uint16_t>(table.address + 2 * i);
            const std::uint64_t driver = i < table.states.size() ? table.states[i] : 0;
            bool same = (entry == 0) == (driver == 0);
            // The entry names a state with the contents of the driver's.
            for (unsigned n = 0; same && driver != 0 && n < 16; ++n)
                same = ppgtt.get<std::uint32_t>(Rewritten::kHeap + 64 * entry + 4 * n) ==
                       draw.dword(driver + 4 * n);
            if (!same)
                wrong.push_back("table " + std::to_string(table.address) + " entry " +
                                std::to_string(i));
        }
    }
    void compare(const ExpectedConstants& constants) {
        ++checked;
        for (std::size_t i = 0; i < constants.values.size(); ++i)
            if (ppgtt.get<std::uint32_t>(constants.address + 4 * i) != constants.values[i])
                wrong.push_back("constants " + std::to_string(constants.address) + " DWord " +
                                std::to_string(i));
    }
    /// As they are passed, and again when all is done.
    void expect_all(unsigned times = 2) {
        for (const ExpectedTable& table : rewritten.tables)
            compare(table);
        for (const ExpectedConstants& constants : rewritten.constants)
            compare(constants);
        EXPECT_EQ(wrong, std::vector<std::string>());
        EXPECT_EQ(checked, times * (rewritten.tables.size() + rewritten.constants.size()));
        EXPECT_TRUE(cs.idle()) << cs.describe_waiting();
        EXPECT_TRUE(rs.idle()) << rs.describe_waiting();
        // Nothing draws yet.
        EXPECT_EQ(environment.reporter.guest_errors(), 0u) << trouble();
    }
};

class Draws : public ::testing::TestWithParam<const char*> {};
std::string draw_name(const ::testing::TestParamInfo<const char*>& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
}

TEST_P(Draws, RunningFree) {
    DrawBench bench(GetParam(), 1);
    bench.run();
    bench.expect_all();
    EXPECT_GE(bench.rewritten.tables.size(), 10u) << "five stages, at least two draws";
    EXPECT_EQ(bench.rs.stats.tables.value(), bench.rewritten.tables.size());
    EXPECT_EQ(bench.rs.stats.gathers.value(), bench.rewritten.constants.size());
}

TEST_P(Draws, HeldBackByRandomDelays) {
    DrawBench bench(GetParam(), 2, {"bench.rs.products_ahead=3"});
    bench.jitter = 4000;
    bench.random.seed(11);
    bench.cs_latency = 5;
    bench.run();
    bench.expect_all();
    EXPECT_GT(bench.cs.stats.streamer_cycles.value(), 1000u);
}

TEST_P(Draws, StartedAgainEvery256Bytes) {
    DrawBench bench(GetParam(), 3, {"bench.rs.ahead_bytes=256"});
    bench.jitter = 50;
    bench.run();
    bench.expect_all();
    EXPECT_GT(bench.rs.stats.limits.value(), 3u);
}

TEST_P(Draws, InFunctionalMode) {
    DrawBench bench(GetParam(), 4, {}, Timing::Functional);
    bench.cs_latency = bench.rs_latency = 0;
    bench.run();
    bench.expect_all();
}

TEST_P(Draws, OffItIsReportedAndNothingIsWritten) {
    DrawBench bench(GetParam(), 5, {"bench.cs.resource_streamer=off"});
    bench.run();
    EXPECT_TRUE(bench.cs.idle());
    bool reported = false;
    for (const auto& entry : bench.environment.reporter.entries())
        reported |= entry.kind.find("RS-03") != std::string::npos;
    EXPECT_TRUE(reported);
    for (std::uint64_t at = 0; at < 4096; at += 4) {
        EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(Rewritten::kTables + at), 0u);
        EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(Rewritten::kGathers + at), 0u);
    }
    EXPECT_FALSE(bench.wrong.empty()) << "the comparison sees that nothing is there";
}
INSTANTIATE_TEST_SUITE_P(Mesa, Draws, ::testing::ValuesIn(kDraws), draw_name);

// The comparison can fail: one entry, one DWord.
TEST(DrawComparison, SeesOneWrongEntryAndOneWrongConstant) {
    DrawBench bench("anv-triangle-noccs", 1);
    ASSERT_FALSE(bench.rewritten.constants.empty());
    for (ExpectedTable& table : bench.rewritten.tables)
        if (!table.states.empty()) {
            table.states.back() += 64;
            break;
        }
    bench.rewritten.constants.front().values.back() ^= 1;
    bench.run();
    EXPECT_EQ(bench.wrong.size(), 2u);
}

TEST(Capture, HasTablesOfSeveralSurfacesAndConstantsThatAreNotZero) {
    unsigned surfaces = 0, values = 0, draws = 0;
    for (const char* name : kDraws) {
        const Rewritten rewritten =
            rewrite(Draw::load(std::string(GEN9_DRAWS) + "/" + name + ".txt"), 1);
        for (const ExpectedTable& table : rewritten.tables)
            surfaces = std::max(surfaces, static_cast<unsigned>(table.states.size()));
        for (const ExpectedConstants& constants : rewritten.constants)
            for (const std::uint32_t value : constants.values)
                values += value != 0;
        ++draws;
    }
    EXPECT_GE(surfaces, 2u);
    EXPECT_GE(values, 4u);
    EXPECT_EQ(draws, 6u);
}

}  // namespace
}  // namespace gen9::test

// SPDX-License-Identifier: Apache-2.0
// The core against the rules written down a second time (plain_core.h), with random streams.
#include <algorithm>

#include "packets/commands.h"
#include "tests/support/covers.h"
#include "tests/unit/rs/fixture.h"
#include "tests/unit/rs/random_stream.h"

namespace gen9::test {
namespace {

struct RsCoreRandom : RsCoreTest {
    using Bytes = plain::Bus::Bytes;
    ByteMemory second;
    plain::Core plain;
    plain::Bus bus;
    RsCoreRandom() {
        bus.read = [this](const std::vector<std::uint64_t>& lines) {
            std::vector<Bytes> out;
            for (const std::uint64_t line : lines) {
                second.reads.push_back(line);
                Bytes& bytes = out.emplace_back(64);
                for (unsigned n = 0; n < 64; ++n)
                    if (const auto byte = second.bytes.find(line + n); byte != second.bytes.end())
                        bytes[n] = byte->second;
            }
            return out;
        };
        bus.write = [this](const std::vector<std::pair<std::uint64_t, Bytes>>& lines) {
            for (const auto& [at, bytes] : lines) {
                second.writes.push_back(at);
                for (std::size_t n = 0; n < bytes.size(); ++n)
                    second.bytes[at + n] = bytes[n];
            }
        };
    }
    static void expect_pool(const ResourcePool& pool, const plain::Pool& expected) {
        EXPECT_EQ(pool.enabled, expected.on);
        EXPECT_EQ(pool.base.value, expected.base);
        EXPECT_EQ(pool.size_bytes, expected.bytes);
        EXPECT_EQ(pool.mocs, expected.mocs);
    }
    void expect_same() {
        EXPECT_EQ(memory.reads, second.reads);
        EXPECT_EQ(memory.writes, second.writes);
        EXPECT_EQ(memory.bytes, second.bytes);
        EXPECT_EQ(reporter.guest_errors(), plain.errors.size());
        EXPECT_EQ(core.state().surface_state_base.value, plain.base);
        expect_pool(core.state().tables, plain.tables);
        expect_pool(core.state().gathers, plain.gathers);
        EXPECT_EQ(core.image(), plain.image());
        EXPECT_EQ(stats.edits.value(), plain.edits);
        EXPECT_EQ(stats.tables.value(), plain.tables_made);
        EXPECT_EQ(stats.gathers.value(), plain.gathers_made);
        EXPECT_EQ(stats.gathered_dwords.value(), plain.packed);
        EXPECT_EQ(stats.stores.value(), plain.stores);
        EXPECT_EQ(stats.fences.value(), plain.fences);
    }
};

TEST_F(RsCoreRandom, RandomStreamsDoWhatTheRulesSay) {
    GEN9_COVERS("RS-15 RS-16 RS-20 RS-25 RS-26 RS-34");
    for (unsigned seed = 0; seed < 8; ++seed) {
        plain::RandomStream stream(seed);
        for (const auto& [at, dword] : stream.contents()) {
            memory.put(at, {dword});
            second.put(at, {dword});
        }
        for (unsigned n = 0; n < 400 && !HasFailure(); ++n) {
            const Words words = stream.command();
            const plain::Header header = plain::read_header(words[0]);
            if (!header.readable() || header.kind == plain::Kind::Stop ||
                header.kind == plain::Kind::Block)
                continue;
            if (stream.once_in(50)) {
                core.take_over(core.state(), true);
                plain.begin_batch();
            }
            SCOPED_TRACE(testing::Message()
                         << "seed " << seed << ", command " << n << std::hex << " 0x" << words[0]);
            EXPECT_EQ(run(words), plain.execute(words, bus));
            EXPECT_EQ(reporter.guest_errors(), plain.errors.size())
                << (log.empty() ? "" : log.back());
            EXPECT_EQ(memory.reads, second.reads);
            EXPECT_EQ(memory.writes, second.writes);
            if (n % 50 == 0) expect_same();
            memory.reads.clear(), second.reads.clear();
            memory.writes.clear(), second.writes.clear();
        }
        expect_same();
    }
}

}  // namespace
}  // namespace gen9::test

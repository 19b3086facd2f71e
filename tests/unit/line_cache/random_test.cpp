// SPDX-License-Identifier: Apache-2.0
// Random accesses of all kinds, against bytes that know no cache.
#include <algorithm>
#include <array>
#include <deque>
#include <random>

#include "tests/unit/line_cache/bench.h"

namespace gen9::line_cache {
namespace {

/// Sixteen lines of a part with four sets of two ways, in the order in which they were asked for.
class Plain {
  public:
    static constexpr std::uint64_t kBase = 0x1000, kBytes = 16 * kLineBytes;

    Plain(Bench& bench, std::uint32_t seed) : bench_(bench), random_(seed) {
        std::copy_n(bench.memory.bytes.begin() + kBase, kBytes, bytes_.begin());
    }
    ~Plain() { bench_.unit.clear(); }
    unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

    /// An access within a line, or over the end of one, and what it must read.
    MemoryTransaction* make(bool within_line) {
        const unsigned size = 1 + draw(64);
        const unsigned line = draw(kBytes / kLineBytes - 1);
        const unsigned at = line * 64 + (within_line ? draw(65 - size) : draw(64));
        if (draw(2) != 0) {
            MemoryTransaction* const read = bench_.read(kBase + at, size);
            expect(read, {bytes_.begin() + at, bytes_.begin() + at + size});
            return read;
        }
        MemoryTransaction* const write = bench_.write(kBase + at, size, 0);
        for (unsigned i = 0; i < size; ++i)
            write->data[i] = static_cast<std::uint8_t>(random_());
        // Every byte, or those of a pattern, which repeats.
        unsigned period = 0;
        if (draw(2) != 0) {
            period = draw(2) != 0 ? size : 1 + draw(size);
            for (unsigned i = 0; i < period; ++i)
                write->enables[i] = draw(2) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            write->set_byte_enable_ptr(write->enables);
            write->set_byte_enable_length(period);
        }
        for (unsigned i = 0; i < size; ++i)
            if (period == 0 || write->enables[i % period] != 0) bytes_[at + i] = write->data[i];
        expect(write, {});
        return write;
    }
    /// Lanes, whose places are counted around the end of their line.
    MemoryTransaction* make_lanes() {
        const unsigned line = draw(kBytes / kLineBytes), start = draw(64);
        MemoryTransaction* const t = bench_.read(kBase + line * 64 + start, 1);
        t->attributes.operation = MemoryAttributes::Operation::Lanes;
        LaneAccess& lanes = t->attributes.lanes;
        lanes.kind = static_cast<LaneAccess::Kind>(draw(3));
        lanes.op = AtomicOp::Add;
        lanes.width_bytes = lanes.kind == LaneAccess::Kind::Atomic ? 4 : 1u << draw(4);
        lanes.count = static_cast<std::uint8_t>(1 + draw(LaneAccess::kMaxLanes));
        std::array<std::uint64_t, LaneAccess::kMaxLanes> read{};
        for (unsigned lane = 0; lane < lanes.count; ++lane) {
            lanes.offset[lane] = draw(128);
            lanes.source0[lane] = random_() * 0x1'0000'0001ull;
            const auto byte = [&](unsigned i) -> std::uint8_t& {
                return bytes_[line * 64 + (start + lanes.offset[lane] + i) % 64];
            };
            for (unsigned i = 0; i < lanes.width_bytes; ++i)
                read[lane] |= std::uint64_t{byte(i)} << 8 * i;
            const std::uint64_t after =
                lanes.source0[lane] + (lanes.kind == LaneAccess::Kind::Atomic ? read[lane] : 0);
            if (lanes.kind != LaneAccess::Kind::Read)
                for (unsigned i = 0; i < lanes.width_bytes; ++i)
                    byte(i) = static_cast<std::uint8_t>(after >> 8 * i);
        }
        expect(t, {}, read);
        return t;
    }
    void send(MemoryTransaction* t) {
        bench_.unit.send(t);
        ++sent_;
    }
    /// All that was sent has been looked up: what is asked within a call comes behind it.
    bool looked_up() const {
        const std::string waiting = bench_.cache.describe_waiting();
        return bench_.unit.sent == sent_ &&
               (waiting.empty() || waiting.find(", 0 requests") != std::string::npos);
    }
    void block(MemoryTransaction* t) {
        bench_.unit.block(t);
        check(expected_.back());
        expected_.pop_back();
    }
    void debug() {
        const unsigned size = 1 + draw(64), at = draw(kBytes - size);
        MemoryTransaction* const look = bench_.read(kBase + at, size);
        EXPECT_EQ(bench_.unit.mem_out->transport_dbg(*look), size);
        EXPECT_TRUE(std::equal(look->data, look->data + size, bytes_.begin() + at));
        look->release();
        MemoryTransaction* const change = bench_.write(kBase + at, size, 0);
        for (unsigned i = 0; i < size; ++i)
            bytes_[at + i] = change->data[i] = static_cast<std::uint8_t>(random_());
        EXPECT_EQ(bench_.unit.mem_out->transport_dbg(*change), size);
        change->release();
    }
    /// After the run: all were answered, each with its bytes.
    void end() {
        EXPECT_EQ(bench_.unit.ended.size(), sent_);
        for (const Expected& expected : expected_)
            check(expected);
        expected_.clear();
    }
    void expect_memory() const {
        EXPECT_TRUE(std::equal(bytes_.begin(), bytes_.end(), bench_.memory.bytes.begin() + kBase));
    }

  private:
    struct Expected {
        const MemoryTransaction* of;
        std::vector<std::uint8_t> data;
        std::array<std::uint64_t, LaneAccess::kMaxLanes> lanes;
    };
    void expect(const MemoryTransaction* of, std::vector<std::uint8_t> data,
                const std::array<std::uint64_t, LaneAccess::kMaxLanes>& lanes = {}) {
        expected_.push_back({of, std::move(data), lanes});
    }
    static void check(const Expected& expected) {
        const MemoryTransaction& t = *expected.of;
        EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_TRUE(std::equal(expected.data.begin(), expected.data.end(), t.data));
        const LaneAccess& lanes = t.attributes.lanes;
        if (t.attributes.operation == MemoryAttributes::Operation::Lanes &&
            lanes.kind != LaneAccess::Kind::Write) {
            EXPECT_TRUE(std::equal(lanes.result.begin(), lanes.result.begin() + lanes.count,
                                   expected.lanes.begin()));
        }
    }
    Bench& bench_;
    std::mt19937 random_;
    std::array<std::uint8_t, kBytes> bytes_{};
    std::deque<Expected> expected_;
    std::size_t sent_ = 0;
};

/// Accesses of all kinds, with flushes between them, at so many a burst.
void play(Bench& b, std::uint32_t seed, unsigned burst) {
    Plain plain(b, seed);
    for (unsigned round = 0; round < 300; ++round) {
        for (unsigned n = 1 + plain.draw(burst); n != 0; --n)
            plain.send(plain.draw(4) == 0 ? plain.make_lanes() : plain.make(true));
        b.run(plain.draw(4) == 0 ? 1 + plain.draw(300) : 1 + plain.draw(12));
        if (plain.draw(8) == 0) b.memory.stalled = !b.memory.stalled;
        if (!b.memory.stalled) b.memory.resume();
        if (plain.looked_up())
            for (unsigned n = plain.draw(4); n != 0; --n)
                plain.block(plain.draw(4) == 0 ? plain.make_lanes() : plain.make(false));
        if (plain.draw(16) == 0) b.flush();
        if (b.cache.idle()) plain.debug();
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", round " << round;
    }
    b.memory.resume();
    b.run(20000);
    plain.end();
    b.expect_consistent();
    b.flush();
    plain.expect_memory();
    EXPECT_EQ(b.cache.dirty_lines(), 0u);
}

TEST(LineCacheAtRandom, ReadsGiveWhatWasWrittenBefore) {
    Bench b;
    play(b, 1, 12);
}

TEST(LineCacheAtRandom, AlsoWithLittleRoom) {
    Bench b(Timing::Timed,
            {"cache.queue=1", "cache.misses=2", "cache.waiting=3", "cache.memory_queue=2"});
    play(b, 2, 6);
}

TEST(LineCacheAtRandom, AlsoWhereMemoryIsNear) {
    Bench b(Timing::Timed, {"cache.color.ways=1", "cache.hit_cycles=1", "cache.fill_cycles=1"});
    b.memory.latency = 2;
    play(b, 3, 30);
}

}  // namespace
}  // namespace gen9::line_cache

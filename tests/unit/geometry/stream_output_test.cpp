// SPDX-License-Identifier: Apache-2.0
// Stream output with the stages around it and a memory, which is the URB as well, played by the
// test.
#include "geometry/stream_output.h"

#include "tests/unit/geometry/stage_bench.h"

namespace gen9::geometry::test {
namespace {

using packets::Topology;

constexpr std::uint64_t kOffsets = kMemory + 0x8000;  ///< where write offsets are stored

/// Stream output of slot 0 of stream 0, of all four components, into buffer 0 of `dwords`.
DrawState captured(std::uint32_t dwords, std::uint32_t offset_control = 0,
                   std::uint32_t offset = 0) {
    DrawState state;
    state.take("3DSTATE_STREAMOUT", {0x781E0003, 1u << 31 | 1u << 25, 0, 16, 0})
        .take("3DSTATE_PS_EXTRA", {0x784F0000, 1u << 31})
        .take("3DSTATE_SO_DECL_LIST", {0x79170003, 1, 1, 0xF, 0})
        .take("3DSTATE_SO_BUFFER",
              {0x79180006, 1u << 31 | 7u << 22 | offset_control << 20, kMemory, 0, dwords - 1,
               static_cast<std::uint32_t>(kOffsets), 0, offset});
    return state;
}

struct StreamBench : sc_core::sc_module {
    TestEnvironment env;
    Clock clock{1'000'000'000};
    MemoryTarget memory;
    StreamOutput sol;
    NextStage next;
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};
    std::deque<Draw> draws;
    std::deque<DrawCounts> counts;
    std::deque<PrimitiveBatch> batches;
    std::map<const PrimitiveBatch*, Cycles> read, ended;

    StreamBench(sc_core::sc_module_name module_name, Timing timing)
        : sc_module(module_name),
          env(timing, {}),
          memory("memory", clock, 1),
          sol("sol", env.environment, clock),
          next("next", env.environment, clock, memory),
          wakeup_(clock),
          out_(batch_out, clock, wakeup_) {
        batch_out.bind(sol.batch_in);
        sol.batch_out.bind(next.batch_in);
        sol.mem_out.bind(memory.mem_in[0]);
        out_.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase&, Cycles at) {
            EXPECT_TRUE(read.emplace(&batch, at).second);
        };
        out_.on_ended = [this](PrimitiveBatch& batch, Cycles at) { ended[&batch] = at; };
        wakeup_.runs<&StreamBench::step>(this);
        // Vertex n of the URB: its entry is two rows, whose DWords are n * 100 and so on.
        for (unsigned n = 0; n < 256; ++n)
            for (std::uint32_t i = 0; i < 16; ++i)
                put(n * 64 + 4 * i, std::vector<std::uint32_t>{n * 100 + i});
    }
    template <class Value>
    void put(std::uint64_t address, const std::vector<Value>& values) {
        std::memcpy(&memory.bytes[address], values.data(), values.size() * sizeof(Value));
    }
    std::uint32_t get(std::uint64_t address) const {
        std::uint32_t value;
        std::memcpy(&value, &memory.bytes[address], 4);
        return value;
    }
    Draw& draw(const DrawState& state, WorkKind kind = WorkKind::Draw) {
        Draw& made = draws.emplace_back();
        made.state = state.get();
        made.work.kind = kind;
        made.work.name = "3DPRIMITIVE";
        made.order = draws.size();
        made.counts = &counts.emplace_back();
        return made;
    }
    PrimitiveBatch& batch(const Draw& draw) {
        PrimitiveBatch& made = batches.emplace_back();
        made.draw = &draw;
        made.entry_rows = 2;
        return made;
    }
    static void add(PrimitiveBatch& batch, std::vector<std::uint32_t> vertices,
                    Topology topology = Topology::TriList, unsigned stream = 0, bool odd = false) {
        PrimitiveObject& made = batch.objects.emplace_back();
        made.topology = topology;
        made.stream = static_cast<std::uint8_t>(stream);
        made.odd = odd;
        for (const std::uint32_t vertex : vertices) {
            made.vertices[made.count++] = static_cast<std::uint32_t>(batch.vertices.size());
            batch.vertices.push_back({vertex * 2, true});
        }
    }
    /// A draw of points, and the batch without objects that ends it.
    Draw& points(const DrawState& state, std::vector<std::uint32_t> vertices) {
        Draw& made = draw(state);
        PrimitiveBatch& filled = batch(made);
        for (const std::uint32_t vertex : vertices)
            add(filled, {vertex}, Topology::PointList);
        batch(made);
        return made;
    }
    void begin() { wakeup_.at(clock.now() + Cycles(1)); }
    void start(std::uint64_t cycles = 20'000) {
        begin();
        sc_core::sc_start(clock.time(Cycles(cycles)));
    }
    void expect_done() const {
        EXPECT_EQ(ended.size(), batches.size());
        EXPECT_EQ(read.size(), batches.size());
        EXPECT_TRUE(sol.idle());
        EXPECT_EQ(sol.describe_waiting(), "");
        EXPECT_EQ(env.log.size(), 0u) << env.log.front();
    }
    std::vector<Dwords> buffer(unsigned vertices) const {
        std::vector<Dwords> all;
        for (unsigned v = 0; v < vertices; ++v) {
            Dwords& one = all.emplace_back(4);
            std::memcpy(one.data(), &memory.bytes[kMemory + 16 * v], 16);
        }
        return all;
    }

  private:
    void step() {
        while (sent_ < batches.size() && out_.can_send(clock.now()))
            out_.send(batches[sent_++]);
        out_.wake(clock.now());
    }
    std::size_t sent_ = 0;
    Wakeup wakeup_;
    StageOutput<PrimitiveProtocol> out_;
};

Dwords vertex(std::uint32_t n) {
    return {n * 100, n * 100 + 1, n * 100 + 2, n * 100 + 3};
}

class Streams : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Streams, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

TEST_P(Streams, VerticesAreAppendedAndCounted) {
    GEN9_COVERS("SOL-01 SOL-15 SOL-22 SOL-23");
    StreamBench b("bench", GetParam());
    const DrawState state = captured(256);
    Draw& draw = b.draw(state);
    draw.stream_offsets = {{16, 0, 0, 0}, 1};
    PrimitiveBatch& first = b.batch(draw);
    b.add(first, {5, 6, 7}, Topology::TriStrip);
    b.add(first, {6, 7, 8}, Topology::TriStrip, 0, true);
    b.add(b.batch(draw), {9}, Topology::PointList);
    b.batch(draw);
    Draw& more = b.points(state, {3});
    b.start();
    b.expect_done();
    const auto have = b.buffer(9);
    EXPECT_EQ(have[0], Dwords(4));
    const std::uint32_t want[] = {5, 6, 7, 6, 8, 7, 9, 3};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(have[1 + i], vertex(want[i])) << i;
    EXPECT_EQ(draw.counts->so_primitives_written[0], 3u);
    EXPECT_EQ(draw.counts->so_primitives_needed[0], 3u);
    EXPECT_EQ(draw.counts->stream_offsets.value[0], 16u + 7 * 16);
    EXPECT_EQ(more.counts->stream_offsets.value[0], 16u + 8 * 16);
    EXPECT_EQ(more.counts->stream_offsets.changed, 0xFu);
    EXPECT_EQ(b.sol.stats().written[0].value(), 4u);
    // They went on as well, unchanged.
    ASSERT_EQ(b.next.seen.size(), 3u);
    EXPECT_TRUE(b.next.seen[0].objects[1].odd);
    for (const auto& seen : b.memory.seen)
        if (seen.write) {
            EXPECT_EQ(seen.attributes.mocs, 7u);
        }
}

TEST_P(Streams, VerticesOf16BytesAreReadFromTheMiddleOfARow) {
    GEN9_COVERS("GS-14");
    StreamBench b("bench", GetParam());
    // Two slots, of which the vertices have one.
    DrawState state = captured(256);
    state.take("3DSTATE_SO_DECL_LIST", {0x79170005, 1, 2, 0xF, 0, 0x1F, 0})
        .take("3DSTATE_STREAMOUT", {0x781E0003, 1u << 31 | 1u << 25 | 1u << 30, 0, 32, 0});
    Draw& draw = b.draw(state);
    PrimitiveBatch& batch = b.batch(draw);
    for (const std::uint32_t n : {5u, 6u})
        b.add(batch, {n}, Topology::PointList);
    batch.vertices[1].urb_row |= kHalfRow;
    b.batch(draw);
    b.start();
    const auto have = b.buffer(4);
    EXPECT_EQ(have[0], vertex(5));
    EXPECT_EQ(have[2], (Dwords{604, 605, 606, 607}));
    EXPECT_EQ(have[3], Dwords(4)) << "nothing behind it";
}

TEST_P(Streams, AnotherStreamHasItsPartOfVerticesAndItsCounts) {
    GEN9_COVERS("SOL-22 SOL-23");
    StreamBench b("bench", GetParam());
    DrawState state = captured(256);
    // Stream 1 alone has a declaration, and reads from the second row on.
    state.take("3DSTATE_SO_DECL_LIST", {0x79170003, 1u << 4, 1u << 8, 0xFu << 16, 0})
        .take("3DSTATE_STREAMOUT", {0x781E0003, 1u << 31 | 1u << 25, 1u << 13, 16, 0});
    Draw& draw = b.draw(state);
    PrimitiveBatch& batch = b.batch(draw);
    b.add(batch, {1}, Topology::PointList, 1);
    b.add(batch, {2}, Topology::PointList, 0);
    b.batch(draw);
    b.start();
    b.expect_done();
    EXPECT_EQ(b.buffer(2), (std::vector<Dwords>{{108, 109, 110, 111}, Dwords(4)}));
    const DrawCounts& counts = *draw.counts;
    EXPECT_EQ(counts.so_primitives_written, (decltype(counts.so_primitives_written){0, 1, 0, 0}));
    EXPECT_EQ(counts.so_primitives_needed, (decltype(counts.so_primitives_needed){0, 1, 0, 0}));
}

TEST_P(Streams, NothingIsCountedUnlessTheStateAsks) {
    GEN9_COVERS("SOL-22 SOL-23");
    StreamBench b("bench", GetParam());
    DrawState state = captured(256);
    state.take("3DSTATE_STREAMOUT", {0x781E0003, 1u << 31, 0, 16, 0});
    Draw& draw = b.points(state, {1, 2});
    b.start();
    b.expect_done();
    EXPECT_EQ(b.buffer(2), (std::vector<Dwords>{vertex(1), vertex(2)}));
    EXPECT_EQ(draw.counts->so_primitives_written[0], 0u);
    EXPECT_EQ(draw.counts->so_primitives_needed[0], 0u);
}

TEST_P(Streams, AnObjectThatDoesNotFitIsCountedAndNotWritten) {
    GEN9_COVERS("SOL-14 SOL-22 SOL-23");
    StreamBench b("bench", GetParam());
    Draw& draw = b.draw(captured(4 * 5));
    PrimitiveBatch& batch = b.batch(draw);
    b.add(batch, {1, 2, 3});
    b.add(batch, {4, 5, 6});
    b.add(batch, {7}, Topology::PointList);  // which does fit
    b.batch(draw);
    b.start();
    b.expect_done();
    EXPECT_EQ(draw.counts->so_primitives_written[0], 2u);
    EXPECT_EQ(draw.counts->so_primitives_needed[0], 3u);
    EXPECT_EQ(draw.counts->stream_offsets.value[0], 64u);
    EXPECT_EQ(b.buffer(5),
              (std::vector<Dwords>{vertex(1), vertex(2), vertex(3), vertex(7), Dwords(4)}));
}

TEST_P(Streams, WriteOffsetsAreLoadedBeforeADrawAndStoredBehindIt) {
    GEN9_COVERS("SOL-18 SOL-19 SOL-20");
    struct Row {
        std::uint32_t control, offset, loaded, stored;
    };
    // One vertex of 16 bytes is written; the register holds 32 and memory 128.
    constexpr std::uint32_t kRegister = 32, kStored = 128;
    const Row kRows[] = {{0, 64, kRegister, kStored},
                         {0, ~0u, kRegister, kStored},
                         {1, 64, kRegister, kRegister + 16},
                         {1, ~0u, kRegister, kRegister + 16},
                         {2, 64, 64, kStored},
                         {2, ~0u, kStored, kStored},
                         {3, 64, 64, 64 + 16},
                         {3, ~0u, kStored, kStored + 16}};
    std::deque<StreamBench> benches;
    for (const Row& row : kRows) {
        StreamBench& b = benches.emplace_back(sc_core::sc_gen_unique_name("bench"), GetParam());
        b.put<std::uint32_t>(kOffsets, {kStored});
        b.points(captured(256, row.control, row.offset), {4}).stream_offsets = {
            {kRegister, 0, 0, 0}, 1};
        b.begin();
    }
    sc_core::sc_start(20, sc_core::SC_US);
    for (unsigned i = 0; i < std::size(kRows); ++i) {
        const Row& row = kRows[i];
        SCOPED_TRACE(testing::Message() << row.control << " " << row.offset);
        const StreamBench& b = benches[i];
        b.expect_done();
        EXPECT_EQ(b.get(kMemory + row.loaded), 400u);
        EXPECT_EQ(b.counts[0].stream_offsets.value[0], row.loaded + 16);
        EXPECT_EQ(b.get(kOffsets), row.stored);
    }
}

TEST_P(Streams, ObjectsOfOtherStreamsAndPatchesEndHere) {
    GEN9_COVERS("SOL-03 SOL-04 SOL-05 SOL-11 SOL-13");
    StreamBench b("bench", GetParam());
    DrawState state = captured(256);
    // Stream 1 is drawn; it has no declarations.
    state.take("3DSTATE_STREAMOUT", {0x781E0003, 1u << 31 | 1u << 27 | 1u << 25, 0, 16, 0});
    Draw& draw = b.draw(state);
    PrimitiveBatch& mixed = b.batch(draw);
    b.add(mixed, {1}, Topology::PointList, 0);
    b.add(mixed, {2}, Topology::PointList, 1);
    b.add(mixed, {3}, Topology::PointList, 0);
    b.add(b.batch(draw), {4}, Topology::PointList, 0);
    b.add(b.batch(draw), {5}, Topology::PatchList1, 1);
    PrimitiveBatch& whole = b.batch(draw);
    b.add(whole, {6, 7}, Topology::LineList, 1);
    b.batch(draw);
    // Without stream output: adjacency goes on as it is, and what is not rendered does not.
    DrawState off;
    off.take("3DSTATE_PS_EXTRA", {0x784F0000, 1u << 31});
    Draw& plain = b.draw(off);
    b.add(b.batch(plain), {1, 2, 3, 4}, Topology::LineListAdj);
    off.take("3DSTATE_STREAMOUT", {0x781E0003, 1u << 30, 0, 0, 0});
    Draw& hidden = b.draw(off);
    b.add(b.batch(hidden), {1}, Topology::PointList);
    b.batch(b.draw(off, WorkKind::Clear));
    b.start();
    b.expect_done();
    EXPECT_EQ(draw.counts->so_primitives_written[0], 3u);
    EXPECT_EQ(draw.counts->so_primitives_needed[1], 0u);
    EXPECT_EQ(b.buffer(4), (std::vector<Dwords>{vertex(1), vertex(3), vertex(4), Dwords(4)}));
    const auto& seen = b.next.seen;
    ASSERT_EQ(seen.size(), 4u);
    ASSERT_EQ(seen[0].objects.size(), 1u);
    EXPECT_EQ(seen[0].entries[seen[0].objects[0].vertices[0]][0], 200u);
    EXPECT_EQ(seen[1].objects[0].count, 2u);
    EXPECT_EQ(seen[2].objects[0].count, 4u);
    EXPECT_EQ(seen[3].kind, WorkKind::Clear);
    EXPECT_EQ(plain.counts->stream_offsets.changed, 0u);
}

TEST_P(Streams, BuffersThatAreNotMappedAreReportedOnce) {
    StreamBench b("bench", GetParam());
    DrawState state = captured(256);
    state.take("3DSTATE_SO_BUFFER",
               {0x79180006, 1u << 31 | 3u << 20, 0x70000000, 0, 255, 0x70001000, 0, ~0u});
    b.points(state, {1, 2, 3});
    b.start();
    EXPECT_EQ(b.ended.size(), 2u);
    ASSERT_EQ(b.env.log.size(), 2u);
    EXPECT_NE(b.env.log[0].find("stream output: a write offset is not mapped"), std::string::npos)
        << b.env.log[0];
    EXPECT_NE(b.env.log[1].find("a buffer is not mapped"), std::string::npos) << b.env.log[1];
}

TEST(StreamsTime, ABatchEndsWhenItsBuffersAreWritten) {
    GEN9_COVERS("SOL-17");
    StreamBench b("bench", Timing::Timed);
    b.memory.latency = 500;
    b.points(captured(256), {1, 2, 3});
    b.start();
    b.expect_done();
    // What follows is over long before.
    EXPECT_LT(b.read[&b.batches[0]] + Cycles(400), b.ended[&b.batches[0]]);
    std::uint64_t cycles = 0;
    b.sol.settle();
    for (const auto& counter : b.sol.stats().cycles)
        cycles += counter.value();
    EXPECT_EQ(cycles, b.clock.now().value);
    EXPECT_GE(b.sol.stats().cycles[static_cast<unsigned>(StageActivity::WaitMemory)].value(),
              2u * 480);
}

TEST(StreamsTime, ObjectsAreWrittenAtTheirPaceAndTheNextStageHoldsThem) {
    StreamBench b("bench", Timing::Timed);
    b.memory.latency = 2;
    b.next.holds = true;
    Draw& draw = b.draw(captured(4096));
    for (unsigned i = 0; i < 4; ++i) {
        PrimitiveBatch& batch = b.batch(draw);
        for (std::uint32_t v = 0; v < 64; ++v)
            b.add(batch, {v}, Topology::PointList);
    }
    b.start(5000);
    EXPECT_TRUE(b.ended.empty());
    EXPECT_NE(b.sol.describe_waiting().find("waits until the clipper takes a batch"),
              std::string::npos)
        << b.sol.describe_waiting();
    b.next.go_on();
    b.start();
    b.expect_done();
    EXPECT_GE(b.sol.stats().cycles[static_cast<unsigned>(StageActivity::Working)].value(), 256u);
    EXPECT_GE(b.sol.stats().cycles[static_cast<unsigned>(StageActivity::WaitNext)].value(), 3000u);
}

}  // namespace
}  // namespace gen9::geometry::test

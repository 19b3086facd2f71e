// SPDX-License-Identifier: Apache-2.0
// Random walkers from their commands to their threads. Commands, descriptors and R0 are written and
// read here bit by bit, as the PRM draws them (003:16917-16980, 003:17100-17330).
#include <random>

#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace {

constexpr std::uint64_t kCurbeData = 0x12000, kIndirectData = kIndirectBase;

struct Case {
    // MEDIA_VFE_STATE.
    unsigned scratch_code, stack_code, max_threads, slice_disable, curbe_rows, entries, entry_rows;
    std::uint64_t scratch_base;
    // The descriptor.
    std::uint32_t kernel, flags, sampler, bindings, slm_code, rounding, barrier_threads;
    bool barrier;
    unsigned per_thread, cross, read_offset, index;
    // The walker.
    unsigned simd, width, height, depth;
    std::array<std::uint32_t, 3> start, dimensions;
    std::uint32_t right, bottom;
    bool from_registers, indirect;
    std::uint32_t indirect_bytes, indirect_offset, curbe_offset;

    unsigned threads() const { return width * height * depth; }
    unsigned rows() const { return cross + per_thread * threads(); }
};

Case random_case(std::mt19937& random) {
    const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    Case c{};
    c.scratch_code = below(12);
    c.stack_code = below(12);
    c.max_threads = 12 + below(160);
    c.slice_disable = below(3) == 0 ? 3 : below(2);
    c.entries = 1 + below(4);
    c.scratch_base = std::uint64_t{below(1 << 20)} << 10;
    c.kernel = below(1 << 20) << 6;
    c.flags = static_cast<std::uint32_t>(random());
    c.sampler = below(1 << 20) << 5;
    c.bindings = below(1 << 11) << 5;
    c.slm_code = below(2) ? below(8) : 0;
    c.barrier = below(2);
    c.rounding = below(4);
    c.per_thread = below(4);
    c.cross = below(5);
    c.index = below(4);
    c.simd = below(3);
    c.width = 1 + below(3);
    c.height = 1 + below(2);
    c.depth = 1 + below(2);
    c.barrier_threads = c.barrier ? c.threads() : below(1 << 10);
    for (unsigned i = 0; i < 3; ++i) {
        c.start[i] = below(3) ? 0 : below(1000);
        c.dimensions[i] = c.start[i] + 1 + below(3);
    }
    c.right = static_cast<std::uint32_t>(random());
    c.bottom = static_cast<std::uint32_t>(random());
    c.from_registers = below(2);
    c.indirect = below(2);
    c.indirect_bytes = 32 * (c.rows() + below(3));
    if (c.indirect_bytes == 0) c.indirect = false;
    c.indirect_offset = below(0x400) * 64;
    c.read_offset = below(5);
    c.curbe_rows = c.read_offset + c.rows() + below(4);
    c.curbe_offset = kCurbeData - kDynamicBase + below(0x400) * 32;
    c.entry_rows = c.rows() + 2 + below(8);
    if (c.rows() == 0) c.read_offset = below(256);  // nothing is read there
    return c;
}

std::array<std::uint32_t, 8> descriptor_of(const Case& c) {
    constexpr std::uint32_t kFlags = 1u << 7 | 1u << 11 | 1u << 13 | 1u << 16 | 1u << 17 | 1u << 18;
    return {
        c.kernel,
        0,
        c.flags & kFlags,
        c.sampler | (c.flags & 0x1C),
        c.bindings | (c.flags & 0x1F),
        c.per_thread << 16 | c.read_offset,
        c.rounding << 22 | std::uint32_t{c.barrier} << 21 | c.slm_code << 16 | c.barrier_threads,
        c.cross};
}

void add(ModuleBench& bench, const Case& c, unsigned number) {
    auto vfe = make_command(0x70000007, 9, bench.state);
    vfe.dwords[1] = static_cast<std::uint32_t>(c.scratch_base) | c.stack_code << 4 | c.scratch_code;
    vfe.dwords[2] = static_cast<std::uint32_t>(c.scratch_base >> 32);
    vfe.dwords[3] = (c.max_threads - 1) << 16 | c.entries << 8;
    vfe.dwords[4] = c.slice_disable;
    vfe.dwords[5] = c.entry_rows << 16 | c.curbe_rows;
    bench.add(vfe);
    auto curbe = make_command(0x70010002, 4, bench.state);
    curbe.dwords[2] = 32 * c.curbe_rows;
    curbe.dwords[3] = c.curbe_offset;
    bench.add(curbe);
    // Four descriptors, of which the others are of no walker.
    const std::uint32_t at = 128 * number;
    const auto descriptor = descriptor_of(c);
    for (unsigned i = 0; i < 4; ++i) {
        const std::array<std::uint32_t, 8> other{0xFFC0, 0, 0, 0, 0, 1u << 16, 0, 1};
        bench.memory.put(kDynamicBase + at + 32 * i, i == c.index ? &descriptor : &other, 32);
    }
    auto load = make_command(0x70020002, 4, bench.state);
    load.dwords[2] = 128;
    load.dwords[3] = at;
    bench.add(load);
    auto walker = make_command(0x7105000D, 15, bench.state);
    if (c.from_registers) walker.dwords[0] |= 1u << 10;
    walker.dwords[1] = c.index;
    walker.dwords[2] = c.indirect ? c.indirect_bytes : 0;
    walker.dwords[3] = c.indirect_offset;
    walker.dwords[4] = c.simd << 30 | (c.depth - 1) << 16 | (c.height - 1) << 8 | (c.width - 1);
    for (unsigned i = 0; i < 3; ++i) {
        constexpr unsigned kStart[] = {5, 8, 11}, kDimension[] = {7, 10, 12};
        walker.dwords[kStart[i]] = c.start[i];
        walker.dwords[kDimension[i]] = c.from_registers ? 0xFFFFFFFF : c.dimensions[i];
        walker.indirect_dimensions[i] = c.from_registers ? c.dimensions[i] : 7777;
    }
    walker.dwords[13] = c.right;
    walker.dwords[14] = c.bottom;
    bench.add(walker);
}

struct RandomWalks : testing::TestWithParam<Timing> {
    ModuleBench bench{{}, GetParam()};
    std::vector<Case> cases;
    std::size_t at = 0;  ///< the walker of the next thread
    std::array<std::uint32_t, 3> group{};
    unsigned thread = 0;
    unsigned seen = 0;
    std::uint64_t registers = 0;  ///< that they were given

    void begin_next() {
        thread = 0;
        if (at != cases.size()) group = cases[at].start;
    }
    void next_thread() {
        const Case& c = cases[at];
        if (++thread != c.threads()) return;
        thread = 0;
        for (unsigned i = 0; i < 3; ++i) {
            if (++group[i] != c.dimensions[i]) return;
            group[i] = c.start[i];
        }
        ++at;
        begin_next();
    }
    std::vector<std::uint8_t> bytes(std::uint64_t address, unsigned rows) const {
        const auto* from = &bench.memory.bytes[address - Memory::kBase];
        return {from, from + std::size_t{32} * rows};
    }
    std::vector<std::uint8_t> payload_of(const Case& c) const {
        const std::uint64_t data = c.indirect ? kIndirectData + c.indirect_offset
                                              : kDynamicBase + c.curbe_offset + 32 * c.read_offset;
        std::vector<std::uint8_t> cross = bytes(data, c.cross);
        std::vector<std::uint8_t> own =
            bytes(data + 32 * (c.cross + c.per_thread * thread), c.per_thread);
        auto& first = c.indirect ? own : cross;
        const auto& second = c.indirect ? cross : own;
        first.insert(first.end(), second.begin(), second.end());
        return first;
    }
    void check(const ThreadDispatch& d) {
        ASSERT_LT(at, cases.size()) << "a thread too many";
        const Case& c = cases[at];
        SCOPED_TRACE("walker " + std::to_string(at) + ", thread " + std::to_string(thread));
        const unsigned fftid = d.sideband.fftid;
        const unsigned subslice = fftid / 56;
        if (c.slice_disable == 3) {
            EXPECT_EQ(subslice, 0u);
        }
        std::array<std::uint32_t, 8> r0;
        std::memcpy(r0.data(), d.payload[0].bytes, 32);
        // DW0 and DW2: what the group holds.
        EXPECT_EQ(r0[0] & 0xFFFF, c.indirect ? (64 + c.curbe_rows + 1) / 2 : 0) << "URB handle";
        const unsigned granule = r0[0] >> 24 & 63;
        if (c.slm_code) {
            EXPECT_EQ(granule % (1u << (c.slm_code - 1)), 0u);
        } else {
            EXPECT_EQ(granule, 0u);
        }
        EXPECT_EQ(r0[0] & ~0x3F00FFFFu, 0u);
        EXPECT_EQ(r0[2] >> 28 & 1, c.slm_code != 0);
        EXPECT_EQ(r0[2] >> 29 & 1, c.barrier);
        if (!c.barrier) {
            EXPECT_EQ(r0[2] & 0x8F000000, 0u);
        }
        EXPECT_EQ(r0[2] & ~0xBF000000u, 0u);
        EXPECT_EQ(r0[1], group[0]);
        EXPECT_EQ(r0[6], group[1]);
        EXPECT_EQ(r0[7], group[2]);
        EXPECT_EQ(r0[3], c.sampler | c.scratch_code);
        EXPECT_EQ(r0[4], c.bindings | c.stack_code);
        const std::uint64_t scratch =
            c.scratch_base + std::uint64_t{fftid} * (std::uint64_t{1024} << c.scratch_code);
        EXPECT_EQ(r0[5], static_cast<std::uint32_t>(scratch) | 1u << 9 | fftid);
        // What the EU is told beside the registers.
        EXPECT_EQ(d.instruction_pointer, c.kernel);
        EXPECT_EQ(d.sideband.kernel_start.value, 0x100000u + c.kernel);
        EXPECT_EQ(d.sideband.sampler_state_offset, c.sampler);
        EXPECT_EQ(d.sideband.binding_table_offset, c.bindings);
        EXPECT_EQ(d.sideband.slm_size, c.slm_code ? 512u << c.slm_code : 0u);
        EXPECT_EQ(d.sideband.slm_base, 1024 * granule);
        EXPECT_EQ(d.sideband.priority, c.flags >> 17 & 1);
        EXPECT_EQ(d.sideband.place, (ThreadAddress{SliceId(0), SubsliceId(subslice),
                                                   EuId(fftid / 7 % 8), ThreadSlot(fftid % 7)}));
        EXPECT_FALSE(d.sideband.of_geometry);
        EXPECT_EQ(d.sideband.unanswered, nullptr);
        EXPECT_EQ(d.software_exception, c.flags >> 7 & 1);
        EXPECT_EQ(d.stack_exception, c.flags >> 11 & 1);
        EXPECT_EQ(d.illegal_opcode_exception, c.flags >> 13 & 1);
        EXPECT_EQ(d.alternate_float, c.flags >> 16 & 1);
        EXPECT_EQ(d.single_program_flow, c.flags >> 18 & 1);
        EXPECT_EQ(d.rounding, c.rounding);
        EXPECT_EQ(d.stack_pointer, scratch + (std::uint64_t{1024} << c.scratch_code) - 1);
        EXPECT_EQ(d.stack_limit, scratch + (std::uint64_t{1024} << c.stack_code));
        EXPECT_EQ(d.simd_width, 8u << c.simd);
        EXPECT_EQ(d.ffid, 0);
        EXPECT_EQ(d.client, 0);
        EXPECT_EQ(d.urb_handle_count, 0);
        EXPECT_FALSE(d.uses_vector_mask || d.restored);
        EXPECT_EQ(d.dependency, (std::array<std::uint16_t, 8>{}));
        EXPECT_EQ(d.gpgpu.group_id, group);
        EXPECT_EQ(d.gpgpu.local_thread, thread);
        EXPECT_EQ(d.work, at);
        // The right mask ends each line of threads, the bottom mask the last line of a layer.
        std::uint32_t mask = c.simd == 2 ? ~0u : (1u << (8u << c.simd)) - 1;
        if (thread % c.width == c.width - 1) mask &= c.right;
        if (thread / c.width % c.height == c.height - 1) mask &= c.bottom;
        EXPECT_EQ(d.dispatch_mask, mask);
        EXPECT_EQ(d.payload_registers, 1 + c.cross + c.per_thread);
        const std::vector<std::uint8_t> payload = payload_of(c);
        std::vector<std::uint8_t> loaded;
        for (unsigned row = 1; row < d.payload_registers; ++row)
            loaded.insert(loaded.end(), d.payload[row].bytes, d.payload[row].bytes + 32);
        EXPECT_EQ(loaded, payload);
    }
};

TEST_P(RandomWalks, HaveTheThreadsThatTheirCommandsSay) {
    std::mt19937 random(11);
    for (auto& byte : bench.memory.bytes)
        byte = static_cast<std::uint8_t>(random());
    for (unsigned n = 0; n < 60; ++n) {
        cases.push_back(random_case(random));
        add(bench, cases.back(), n);
    }
    begin_next();
    bench.inspect = [this](ThreadDispatch& d) {
        if (HasFailure()) return;
        check(d);
        ++seen;
        registers += d.payload_registers;
        next_thread();
    };
    bench.takes_next = GetParam() == Timing::Functional;
    bench.run(10'000'000);
    EXPECT_EQ(bench.followed != 0, bench.takes_next);
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(at, cases.size()) << seen << " threads";
    EXPECT_EQ(bench.env.reporter.guest_errors(), 0u) << bench.env.log.at(0);
    // Each group with a barrier is announced with the count of its descriptor, and given up.
    std::vector<unsigned> counts;
    for (const auto& write : bench.barriers)
        if (write.count) counts.push_back(write.count);
    std::vector<unsigned> expected;
    std::uint64_t all_groups = 0;
    for (const Case& c : cases) {
        unsigned groups = 1;
        for (unsigned i = 0; i < 3; ++i)
            groups *= c.dimensions[i] - c.start[i];
        all_groups += groups;
        if (c.barrier) expected.insert(expected.end(), groups, c.barrier_threads);
    }
    EXPECT_EQ(counts, expected);
    const MediaStats& stats = bench.spawner.stats();
    EXPECT_EQ(stats.walkers.value(), cases.size());
    EXPECT_EQ(stats.groups.value(), all_groups);
    EXPECT_EQ(stats.threads.value(), seen);
    EXPECT_EQ(stats.threads_retired.value(), seen);
    EXPECT_EQ(stats.payload_registers.value(), registers);
    EXPECT_EQ(stats.memory_bytes.value(), bench.memory_bytes);
    EXPECT_EQ(stats.urb_bytes.value(), bench.urb_bytes);
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomWalks, testing::Values(Timing::Timed, Timing::Functional));

}  // namespace
}  // namespace gen9::media::test

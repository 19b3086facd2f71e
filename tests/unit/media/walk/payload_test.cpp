// SPDX-License-Identifier: Apache-2.0
#include "media/walk/payload.h"

#include <cstring>
#include <memory>
#include <random>
#include <set>

#include "tests/support/covers.h"
#include "tests/unit/media/commands.h"

namespace gen9::media::test {
namespace {

constexpr ThreadTopology kGt2{};

std::uint32_t dword(const Grf& grf, unsigned index) {
    return load<std::uint32_t>(grf.bytes + 4 * index);
}

Walk make_walk(const DescriptorFields& fields, unsigned threads = 1, bool indirect = true) {
    Walk walk;
    walk.descriptor = decode_descriptor(make_descriptor(fields));
    walk.walker.thread_max = {static_cast<std::uint8_t>(threads - 1), 0, 0};
    walk.indirect = indirect;
    const unsigned rows = fields.cross_thread_rows + fields.per_thread_rows * threads;
    for (unsigned row = 0; row < rows; ++row)
        walk.data.insert(walk.data.end(), 32, static_cast<std::uint8_t>(row));
    walk.state = make_state();
    return walk;
}

std::vector<unsigned> rows_of(const ThreadDispatch& d) {
    std::vector<unsigned> rows;
    for (unsigned r = 1; r < d.payload_registers; ++r) {
        EXPECT_EQ(d.payload[r].bytes[0], d.payload[r].bytes[31]);
        rows.push_back(d.payload[r].bytes[0]);
    }
    return rows;
}

TEST(Payload, HeaderCarriesTheGroupId) {
    GEN9_COVERS("TD-37");
    const Grf r0 =
        make_header(make_walk({}), kGt2, {.group_id = {0x11111111, 0x22222222, 0x33333333}});
    EXPECT_EQ(dword(r0, 1), 0x11111111u);
    EXPECT_EQ(dword(r0, 6), 0x22222222u);
    EXPECT_EQ(dword(r0, 7), 0x33333333u);
}

TEST(Payload, TheStackLiesInTheThreadsScratchSpace) {
    GEN9_COVERS("EU-093");
    // 003:19896-19911: 2 KB of scratch for each thread, 1 KB of it for the stack.
    Walk walk = make_walk({});
    walk.vfe.scratch_base = 0x10000;
    walk.vfe.scratch_code = 1;
    walk.vfe.stack_code = 0;
    auto dispatch = std::make_unique<ThreadDispatch>();
    make_thread(walk, kGt2, {}, *dispatch);
    const std::uint64_t scratch = 0x10000 + 0x800 * std::uint64_t{dispatch->sideband.fftid};
    EXPECT_EQ(dispatch->stack_pointer, scratch + 0x7FF);
    EXPECT_EQ(dispatch->stack_limit, scratch + 0x400);
}

TEST(Payload, TheDescriptorEnablesExceptions) {
    GEN9_COVERS("EU-101");
    auto dispatch = std::make_unique<ThreadDispatch>();
    for (const unsigned bit : {7u, 11u, 13u}) {
        auto dwords = make_descriptor({});
        dwords[2] |= 1u << bit;
        Walk walk = make_walk({});
        walk.descriptor = decode_descriptor(dwords);
        make_thread(walk, kGt2, {}, *dispatch);
        EXPECT_EQ(dispatch->software_exception, bit == 7);
        EXPECT_EQ(dispatch->stack_exception, bit == 11);
        EXPECT_EQ(dispatch->illegal_opcode_exception, bit == 13);
    }
}

TEST(Payload, HeaderNamesBarrierAndSlmOnlyWhenTheGroupHasThem) {
    GEN9_COVERS("TD-41 TD-42 GW-04");
    const Walk both = make_walk({.slm_code = 5, .barrier = true});
    const Grf r0 = make_header(both, kGt2, {.barrier = 27, .slm_granule = 48});
    EXPECT_EQ(dword(r0, 2), 0x8B000000u | 3u << 28);
    EXPECT_EQ(bits(dword(r0, 0), 29u, 24u), 48u);
    const Grf plain = make_header(make_walk({}), kGt2, {.barrier = 27, .slm_granule = 48});
    EXPECT_EQ(dword(plain, 2), 0u);
    EXPECT_EQ(dword(plain, 0), 0u);
    const Grf eleven = make_header(make_walk({.barrier = true}), kGt2, {.barrier = 11});
    EXPECT_EQ(dword(eleven, 2), 0x2B000000u);
}

TEST(Payload, HeaderCarriesPointersWithTheirSizeCodes) {
    GEN9_COVERS("TD-39 TD-40");
    Walk walk = make_walk({.sampler_offset = 0x1260, .binding_table = 0x3FE0});
    walk.vfe.scratch_code = 3;
    walk.vfe.stack_code = 11;
    const Grf r0 = make_header(walk, kGt2, {});
    EXPECT_EQ(dword(r0, 3), 0x1263u);
    EXPECT_EQ(dword(r0, 4), 0x3FEBu);
}

TEST(Payload, ScratchPointerIsBasePlusFftidTimesSize) {
    GEN9_COVERS("TD-38");
    Walk walk = make_walk({});
    walk.vfe.scratch_base = 4096;
    walk.vfe.scratch_code = 1;  // 2 KB
    const ThreadPlace place{1, 2, 3};
    // ((0 * 3 + 1) * 8 + 2) * 7 + 3 = 73 (guide 3.7).
    const Grf r0 = make_header(walk, kGt2, {.place = place});
    EXPECT_EQ(dword(r0, 5), (4096u + 73u * 2048u) | 1u << 9 | 73u);
}

TEST(Payload, FftidsAreDenseAndDistinct) {
    GEN9_COVERS("TD-38");
    for (const ThreadTopology t :
         {ThreadTopology{}, ThreadTopology{3, 3, 8, 7}, ThreadTopology{1, 3, 6, 6}}) {
        std::set<unsigned> ids;
        for (unsigned s = 0; s < t.total_subslices(); ++s)
            for (unsigned e = 0; e < t.eus; ++e)
                for (unsigned h = 0; h < t.threads; ++h) {
                    const ThreadPlace place{std::uint8_t(s), std::uint8_t(e), std::uint8_t(h)};
                    const ThreadPlace back = ThreadPlace::of_fftid(t, place.fftid(t));
                    EXPECT_EQ(std::tuple(back.subslice, back.eu, back.slot), std::tuple(s, e, h));
                    ids.insert(place.fftid(t));
                }
        EXPECT_EQ(ids.size(), t.total_threads());
        EXPECT_EQ(*ids.rbegin(), t.total_threads() - 1);
    }
    EXPECT_EQ(ThreadTopology{}.total_threads() - 1, 167u);
    EXPECT_EQ((ThreadTopology{3, 3, 8, 7}.total_threads() - 1), 503u);
}

TEST(Payload, IndirectOrderIsPerThreadThenCrossThread) {
    GEN9_COVERS("TD-35 TD-21 TD-30");
    const Walk walk = make_walk({.per_thread_rows = 3, .cross_thread_rows = 2}, 2);
    ThreadDispatch d;
    make_thread(walk, kGt2, {.local_thread = 1}, d);
    EXPECT_EQ(d.payload_registers, 6);
    EXPECT_EQ(rows_of(d), (std::vector<unsigned>{5, 6, 7, 0, 1}));
    make_thread(walk, kGt2, {.local_thread = 0}, d);
    EXPECT_EQ(rows_of(d), (std::vector<unsigned>{2, 3, 4, 0, 1}));
}

// 003:17178-17202: 2 x 2 x 12 work items, SIMD16, a row each for X, Y and Z.
TEST(Payload, ThreadsOfAGroupTakeTheirIdsOneAfterTheOther) {
    GEN9_COVERS("TD-22");
    const Walk walk = make_walk({.per_thread_rows = 3}, 2 * 2 * 12 / 16, false);
    const std::vector<unsigned> first_rows = {0, 3, 6};
    ThreadDispatch d;
    for (const std::uint16_t thread : {0, 1, 2}) {
        make_thread(walk, kGt2, {.local_thread = thread}, d);
        const unsigned row = first_rows[thread];
        EXPECT_EQ(rows_of(d), (std::vector<unsigned>{row, row + 1, row + 2}));
    }
}

TEST(Payload, CurbeOrderIsCrossThreadThenPerThread) {
    GEN9_COVERS("TD-34 TD-60");
    const Walk walk = make_walk({.per_thread_rows = 3, .cross_thread_rows = 2}, 2, false);
    ThreadDispatch d;
    make_thread(walk, kGt2, {.local_thread = 1}, d);
    EXPECT_EQ(rows_of(d), (std::vector<unsigned>{0, 1, 5, 6, 7}));
}

TEST(Payload, ThreadGetsSidebandAndInitialState) {
    GEN9_COVERS("TD-20 TD-27");
    Walk walk = make_walk({.kernel_start = 0x1240,
                           .slm_code = 3,
                           .sampler_offset = 0x40,
                           .binding_table = 0x80,
                           .rounding = 2});
    walk.walker.simd_width = 8;
    ThreadDispatch d;
    make_thread(walk, kGt2, {.place = {2, 7, 6}, .mask = 0x0F, .slm_granule = 12, .slm = 2}, d);
    EXPECT_EQ(d.sideband.place, (ThreadAddress{SliceId(0), SubsliceId(2), EuId(7), ThreadSlot(6)}));
    EXPECT_EQ(d.sideband.fftid, 167u);
    EXPECT_EQ(d.sideband.slm_base, 12u * 1024);
    EXPECT_EQ(d.sideband.slm_size, 4u * 1024);
    EXPECT_EQ(d.sideband.sampler_state_offset, 0x40u);
    EXPECT_EQ(d.sideband.binding_table_offset, 0x80u);
    EXPECT_EQ(d.sideband.state, walk.state);
    EXPECT_EQ(d.instruction_pointer, 0x1240u);
    EXPECT_EQ(d.sideband.kernel_start, walk.state->instruction_base + 0x1240);
    EXPECT_EQ(d.dispatch_mask, 0x0Fu);
    EXPECT_EQ(d.rounding, 2);
    EXPECT_EQ(d.simd_width, 8);
}

/// All that an EU reads of a dispatch.
void expect_same(const ThreadDispatch& a, const ThreadDispatch& b) {
    ASSERT_EQ(a.payload_registers, b.payload_registers);
    EXPECT_EQ(std::memcmp(a.payload.data(), b.payload.data(), a.payload_registers * kGrfBytes), 0);
    EXPECT_EQ(a.instruction_pointer, b.instruction_pointer);
    EXPECT_EQ(a.dispatch_mask, b.dispatch_mask);
    EXPECT_EQ(a.simd_width, b.simd_width);
    EXPECT_EQ(a.work, b.work);
    EXPECT_EQ(a.gpgpu.group_id, b.gpgpu.group_id);
    EXPECT_EQ(a.gpgpu.local_thread, b.gpgpu.local_thread);
    EXPECT_EQ(a.stack_pointer, b.stack_pointer);
    EXPECT_EQ(a.stack_limit, b.stack_limit);
    EXPECT_EQ(a.sideband.fftid, b.sideband.fftid);
    EXPECT_EQ(a.sideband.slm_base, b.sideband.slm_base);
    EXPECT_EQ(a.sideband.slm_size, b.sideband.slm_size);
    EXPECT_EQ(a.sideband.state, b.sideband.state);
    EXPECT_EQ(a.retire.instructions, b.retire.instructions);
    EXPECT_EQ(a.retire.saved, b.retire.saved);
}

TEST(Payload, ASlotsNextThreadIsAsIfItWereMadeAnew) {
    std::mt19937 engine(7);
    const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    for (unsigned round = 0; round < 200; ++round) {
        DescriptorFields fields;
        fields.per_thread_rows = random() % 4;
        fields.cross_thread_rows = random() % 5;
        fields.slm_code = random() % 2 * 5;
        fields.barrier = random() % 2 != 0;
        const unsigned threads = 1 + random() % 8;
        Walk walk = make_walk(fields, threads, random() % 2 != 0);
        walk.vfe.scratch_code = 2;
        walk.number = round;
        ThreadFacts facts{.place = {1, 5, 3}};
        const auto next = std::make_unique<ThreadDispatch>(),
                   anew = std::make_unique<ThreadDispatch>();
        for (unsigned n = 0; n < 4; ++n) {
            facts.group_id = {random(), random(), random()};
            facts.local_thread = static_cast<std::uint16_t>(random() % threads);
            facts.mask = random();
            facts.barrier = static_cast<std::uint8_t>(random() % 32);
            facts.slm_granule = static_cast<std::uint8_t>(random() % 64);
            facts.slm = static_cast<std::uint8_t>(random() % 3);
            if (n == 0)
                make_thread(walk, kGt2, facts, *next);
            else
                make_next_thread(walk, kGt2, facts, *next);
            EXPECT_EQ(next->repeats, n != 0);
            make_thread(walk, kGt2, facts, *anew);
            expect_same(*next, *anew);
            next->retire = {round, n, true};
        }
    }
}

// In a slice of three subslices: from subslice 1, that of 0 is two on.
TEST(Payload, TheSlmOfAnotherSubsliceIsSoManyTimes64KBOn) {
    GEN9_COVERS("POOL-10");
    const Walk walk = make_walk({.slm_code = 3});
    ThreadDispatch d;
    make_thread(walk, kGt2, {.place = {1, 0, 0}, .slm_granule = 12, .slm = 0}, d);
    EXPECT_EQ(d.sideband.slm_base, 2u * 64 * 1024 + 12 * 1024);
    make_thread(make_walk({}), kGt2, {.place = {1, 0, 0}, .slm = 0}, d);
    EXPECT_EQ(d.sideband.slm_base, 0u) << "a group without any";
}

TEST(Descriptor, CountsOfSamplersAndBindingsAreHints) {
    GEN9_COVERS("SMP-80");
    auto counted = make_descriptor({.sampler_offset = 0x20, .binding_table = 0x40});
    const Descriptor plain = decode_descriptor(counted);
    packets::INTERFACE_DESCRIPTOR_DATA::SamplerCount.set(counted, 4);
    packets::INTERFACE_DESCRIPTOR_DATA::BindingTableEntryCount.set(counted, 31);
    EXPECT_EQ(decode_descriptor(counted), plain);
}

}  // namespace
}  // namespace gen9::media::test

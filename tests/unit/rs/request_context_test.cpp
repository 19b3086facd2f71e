// SPDX-License-Identifier: Apache-2.0
// Requests to save and restore the resource streamer's part of a context.
#include "tests/support/covers.h"
#include "tests/unit/rs/request_bench.h"

namespace gen9::test {
namespace {

using namespace requests;

TEST(RsRequest, AContextIsMovedWithoutParsingAnything) {
    GEN9_COVERS("RS-13");
    constexpr std::uint64_t kImage = 0x7000'0000;
    Bench bench("bench");
    bench.memory.map(kImage, 0x9000);
    EXPECT_EQ(bench.rs.describe_waiting(), "");
    for (const Operation operation : {Operation::Save, Operation::Restore}) {
        ResourceRequest request;
        request.operation = operation;
        request.address = GpuAddr(kImage);
        bench.send(request);
        Bench::run(50);
        EXPECT_EQ(bench.rs.describe_waiting(), "resource streamer at 0x0: works");
        Bench::run(1000);
        EXPECT_TRUE(bench.rs.idle());
    }
    EXPECT_EQ(bench.answers, 2u);
    EXPECT_EQ(bench.memory.get<std::uint32_t>(kImage + 4 * 0x1699), 0x791A0002u);
    EXPECT_EQ(bench.rs.stats.starts.value() + bench.rs.stats.fetches.value(), 0u);
    EXPECT_EQ(bench.rs.stats.context_cycles.value(), 2u * 100);
    ASSERT_EQ(bench.ids.size(), 2u);
    EXPECT_NE(bench.ids[0], 0u);
    EXPECT_NE(bench.ids[1], bench.ids[0]) << "each is somebody's";
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    // What is no command of an image, at its beginning, and an image without an end.
    ResourceRequest request;
    request.operation = Operation::Restore;
    request.address = GpuAddr(kImage);
    bench.memory.put<std::uint32_t>(kImage + 4 * 0x1690, 0x0F800000);
    bench.send(request);
    Bench::run(1000);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
    bench.memory.put(kImage + 4 * 0x1690, Words(0x802, 0));
    bench.send(request);
    Bench::run(1000);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 2u);
}

// A command that is not whole, and what is behind it, is not loaded.
TEST(RsRequest, AnImageIsLoadedUpToWhatDoesNotBelongThere) {
    GEN9_COVERS("RS-13");
    constexpr std::uint64_t kImage = 0x7000'0000, kFirst = kImage + 4 * 0x1690,
                            kEnd = kImage + 4 * 0x1E92, kEntries = kImage + 4 * 0x1968;
    Bench bench("bench");
    bench.memory.map(kImage, 0x9000);
    const auto loaded = [&](const Words& image, std::uint64_t at) {
        bench.memory.put(kFirst, Words(0x802, 0));
        bench.memory.put(at, image);
        bench.memory.put(kEnd, Words(300, 0x00010001));  // behind it
        const std::uint64_t before = bench.environment.reporter.guest_errors();
        ResourceRequest request;
        request.address = GpuAddr(kImage);
        for (const Operation operation : {Operation::Restore, Operation::Save}) {
            request.operation = operation;
            bench.send(request);
            Bench::run(1'000);
        }
        EXPECT_EQ(bench.environment.reporter.guest_errors(), before + 1);
        return bench.memory.get<std::uint32_t>(kEntries) & 0xFFFF;
    };
    EXPECT_EQ(loaded(edit(kVs, {7}), kEnd - 12), 7u) << "whole, without an end behind it";
    EXPECT_EQ(loaded({0x78430004, 3, 8}, kEnd - 12), 7u) << "not whole";
    EXPECT_EQ(loaded({0x79190000, 0x800, 0x78430001, 3, 9, 0x05000000}, kFirst), 7u) << "too short";
}

// The command streamer parses pools also while the resource streamer stands, and says what they are.
TEST(RsRequest, ASavedContextHasThePoolsThatTheCommandStreamerKnows) {
    GEN9_COVERS("RS-13 RS-18");
    constexpr std::uint64_t kImage = 0x7000'0000, kGathers = 0x2'3456'7000;
    Bench bench("bench");
    bench.memory.map(kImage, 0x9000);
    ResourceRequest request;
    request.operation = Operation::Save;
    request.address = GpuAddr(kImage);
    request.state.tables = {.enabled = true, .base = GpuAddr(kPool), .size_bytes = 3 * 4096};
    request.state.gathers = {.enabled = true, .base = GpuAddr(kGathers), .size_bytes = 5 * 4096};
    bench.send(request);
    Bench::run(1000);
    const Words tables = table_pool(kPool, 3), gathers = gather_pool(kGathers, 5);
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(bench.memory.get<std::uint32_t>(kImage + 4 * (0x1962 + i)), tables[i]) << i;
        EXPECT_EQ(bench.memory.get<std::uint32_t>(kImage + 4 * (0x1699 + i)), gathers[i]) << i;
    }
}

}  // namespace
}  // namespace gen9::test

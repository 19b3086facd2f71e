// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/requests.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

unsigned requests_of(const Send& send,
                     RequestList::Channels channels = RequestList::Channels::Together,
                     unsigned batch_bytes = RequestList::kWholeMessage) {
    Bench b;
    b.run(send);
    RequestList list;
    list.build(b.plan, channels, batch_bytes);
    return list.size();
}

TEST(Requests, AccessesToOneLineMakeOneRequest) {
    GEN9_COVERS("DP-078 DP-224");
    EXPECT_EQ(requests_of(Send(DC1, kA64Read16).add(U64(16, kData))), 1u)
        << "all slots read one DWord";
    EXPECT_EQ(requests_of(Send(DC1, kA64Read16).add(ramp<std::uint64_t>(16, kData, 64))), 16u)
        << "stride 64";
    EXPECT_EQ(requests_of(Send(DC1, kA64Read16).add(ramp<std::uint64_t>(16, kData, 4))), 1u)
        << "contiguous";
    EXPECT_EQ(requests_of(Send(DC1, kA64Read16).add(ramp<std::uint64_t>(16, kData + 32, 4))), 2u)
        << "over a boundary";
    EXPECT_EQ(requests_of(Send(DC1, 0x088419FF).add(ramp<std::uint64_t>(16, kData, 16))), 4u)
        << "a float4 per slot";
    EXPECT_EQ(
        requests_of(
            Send(DC1, kA64Read16).add(ramp<std::uint64_t>(16, kData + 60, std::uint64_t(-4)))),
        1u)
        << "any order";
}

TEST(Requests, ChannelsApartMakeARequestEachOfALine) {
    const auto apart = [](unsigned step) {
        return requests_of(Send(DC1, 0x088419FF).add(ramp<std::uint64_t>(16, kData, step)),
                           RequestList::Channels::Apart);
    };
    EXPECT_EQ(apart(16), 16u) << "four lines, four channels of four slots each";
    EXPECT_EQ(apart(64), 64u) << "a line a slot: a DWord each";
    EXPECT_EQ(requests_of(Send(DC1, kA64Read16).add(ramp<std::uint64_t>(16, kData, 4)),
                          RequestList::Channels::Apart),
              1u)
        << "one channel";
}

TEST(Requests, SlotsOfSeveralWordsMergeWithinABatch) {
    const auto batched = [](std::uint32_t descriptor, unsigned at, unsigned step, unsigned bytes) {
        return requests_of(Send(DC1, descriptor).add(ramp<std::uint64_t>(16, kData + at, step)),
                           RequestList::Channels::Together, bytes);
    };
    constexpr std::uint32_t kFour = 0x088419FF;
    EXPECT_EQ(batched(kFour, 0, 16, 64), 4u) << "four slots fill a line";
    EXPECT_EQ(batched(kFour, 16, 16, 64), 8u) << "each four slots are in two lines";
    EXPECT_EQ(batched(kFour, 16, 16, 128), 6u) << "each eight slots in three";
    EXPECT_EQ(batched(kFour, 16, 16, RequestList::kWholeMessage), 5u);
    EXPECT_EQ(batched(kFour, 0, 0, 64), 1u) << "one place for all";
    EXPECT_EQ(batched(kA64Read16, 4, 4, 64), 2u) << "a word each: one batch";
}

TEST(Requests, ABytesAccessOverALineEndMakesTwo) {
    EXPECT_EQ(requests_of(Send(DC1, 0x041408FF, 1).add(U64(8, kData + 62))), 2u);
}

TEST(Requests, AtomicsOfOneLineGoTogether) {
    EXPECT_EQ(requests_of(Send(DC1, kA64Add8, 0xFF).add(U64(8, kData)).add(U32(8, 1))), 1u);
    EXPECT_EQ(requests_of(
                  Send(DC1, kA64Add8, 0xFF).add(ramp<std::uint64_t>(8, kData, 64)).add(U32(8, 1))),
              8u);
}

TEST(Requests, SharedLocalMemoryTakesSixteenLanesAtATime) {
    EXPECT_EQ(requests_of(Send(DC1, kUntypedRead16 | kLocal).add(ramp<std::uint32_t>(16, 0, 4))),
              1u);
    EXPECT_EQ(requests_of(Send(DC1, kUntypedRead16 | kLocal).add(ramp<std::uint32_t>(16, 0, 1000))),
              1u);
    EXPECT_EQ(requests_of(Send(DC1, kUntypedReadXyzw16 | 0xFE).add(ramp<std::uint32_t>(16, 0, 16))),
              4u);
    EXPECT_EQ(requests_of(Send(DC0, 0x042101FE).add(ramp<std::uint32_t>(16, 0, 1))), 1u);
}

}  // namespace
}  // namespace gen9::hdc

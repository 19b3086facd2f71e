// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/lane_access.h"

#include <vector>

#include "tests/support/covers.h"

namespace gen9 {
namespace {

TEST(LaneAccess, SixteenAddsToOneWordReturnAPermutationAndAddUp) {
    GEN9_COVERS("L3-45 L3-48 L3-49");
    std::vector<std::uint8_t> line(64, 0);
    LaneAccess lanes;
    lanes.kind = LaneAccess::Kind::Atomic;
    lanes.op = AtomicOp::Add;
    lanes.count = 16;
    lanes.offset.fill(8);
    lanes.source0.fill(1);
    perform_lanes(lanes, line, 4);
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(lanes.result[i], i);
    EXPECT_EQ(line[12], 16);
}

TEST(LaneAccess, WidthsOfOneTwoFourAndEightBytesTouchJustTheirBytes) {
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
        std::vector<std::uint8_t> line(64, 0xEE);
        LaneAccess lanes;
        lanes.kind = LaneAccess::Kind::Write;
        lanes.width_bytes = static_cast<std::uint8_t>(width);
        lanes.count = 1;
        lanes.offset[0] = 16;
        lanes.source0[0] = 0x1122334455667788;
        perform_lanes(lanes, line, 0);
        EXPECT_EQ(line[15], 0xEE);
        EXPECT_EQ(line[16], 0x88);
        EXPECT_EQ(line[16 + width], 0xEE);
        lanes.kind = LaneAccess::Kind::Read;
        perform_lanes(lanes, line, 0);
        EXPECT_EQ(lanes.result[0],
                  width == 8 ? 0x1122334455667788 : 0x1122334455667788 & ((1ull << 8 * width) - 1));
    }
}

TEST(LaneAccess, PositionsWrapAtTheWindow) {
    std::vector<std::uint8_t> window(64, 0);
    LaneAccess lanes;
    lanes.kind = LaneAccess::Kind::Write;
    lanes.count = 2;
    lanes.offset = {62, 0xFFFFFFFF};
    lanes.source0 = {0xDDCCBBAA, 0};
    perform_lanes(lanes, window, 64 * 5);
    EXPECT_EQ(window[62], 0xAA);
    EXPECT_EQ(window[63], 0);  // lane 1 came after and wrote 63, 0, 1, 2
    EXPECT_EQ(window[1], 0);
}

}  // namespace
}  // namespace gen9

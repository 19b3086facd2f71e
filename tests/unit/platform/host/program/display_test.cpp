// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/display.h"

#include <gtest/gtest.h>

#include "common/check.h"

namespace gen9::platform {
namespace {

TEST(Display, ASizeIsTwoNumbersWithinWhatCanBeRendered) {
    EXPECT_EQ(display_size("640x480"), std::pair(640u, 480u));
    EXPECT_EQ(display_size("1x16384"), std::pair(1u, 16384u));
    for (const char* wrong : {"", "640", "640x", "x480", "0x480", "640x0", "16385x1", "1x16385",
                              "640x480 ", " 640x480", "-1x1", "640X480", "99999999999x1"})
        EXPECT_THROW(display_size(wrong), UserError) << wrong;
}

TEST(Display, WhatTheCompositorSaysIsReadFromWholeLines) {
    const std::string renderer = "[09:24:57.803] GL renderer: Mesa Intel(R) HD Graphics 530";
    EXPECT_EQ(renderer_in_log(renderer), "");
    EXPECT_EQ(renderer_in_log(renderer + "\n[...] next\n"), "Mesa Intel(R) HD Graphics 530");
    EXPECT_EQ(x_display_in_log("a\n[09:26:30.127] xserver listening on display :12"), "");
    EXPECT_EQ(x_display_in_log("a\n[09:26:30.127] xserver listening on display :12\n"), ":12");
    EXPECT_EQ(x_display_in_log("nothing\n"), "");
}

TEST(Display, FramesAreCountedFromWholeLinesThatComeInPieces) {
    const std::string shown = R"({ "T":[1, 2], "N":"core_repaint_begin", "wo":1 })"
                              "\n"
                              R"({ "T":[1, 3], "N":"core_repaint_posted", "wo":1 })"
                              "\n";
    FrameCount count;
    for (unsigned frame = 1; frame <= 3; ++frame)
        for (const char letter : shown) {
            EXPECT_EQ(count.frames(), frame - 1);
            count.add(std::string(1, letter));
        }
    EXPECT_EQ(count.frames(), 3u);
    count.add(shown + shown + "{ \"N\":\"core_repaint_posted\"");
    EXPECT_EQ(count.frames(), 5u);
}

TEST(Display, APictureIsOfTheFirstFrameAndOfEachNthAfterOne) {
    PictureTimes times(3);
    EXPECT_FALSE(times.due(0));
    EXPECT_TRUE(times.due(1));
    times.taken(2);  // it made a frame
    EXPECT_FALSE(times.due(4));
    EXPECT_TRUE(times.due(5));
    EXPECT_TRUE(times.due(9)) << "late, as two frames came at once";
    times.taken(9);
    EXPECT_FALSE(times.due(11));
    EXPECT_TRUE(times.due(12));
}

}  // namespace
}  // namespace gen9::platform

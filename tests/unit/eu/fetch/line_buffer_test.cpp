// SPDX-License-Identifier: Apache-2.0
#include "eu/fetch/line_buffer.h"

#include <gtest/gtest.h>

namespace gen9::eu {
namespace {

TEST(LineBuffer, AnInvalidationForgetsLinesAskedForSinceTheLast) {
    LineBuffer buffer(8);
    for (const std::uint64_t address : {0x1000u, 0x1040u, 0x2000u}) {
        const GpuAddr line(address);
        buffer.ask(line);
        EXPECT_EQ(buffer.state(line), LineBuffer::State::Asked);
        buffer.invalidate();
        EXPECT_EQ(buffer.state(line), LineBuffer::State::Absent);
        buffer.invalidate();
        buffer.ask(line);
        EXPECT_TRUE(buffer.fill(line));
        buffer.invalidate();
        EXPECT_EQ(buffer.state(line), LineBuffer::State::Absent);
        EXPECT_FALSE(buffer.fill(line)) << "what comes late is not wanted any more";
    }
}

}  // namespace
}  // namespace gen9::eu

// SPDX-License-Identifier: Apache-2.0
// One test for each rule that the checker names: pins that keep it, then pins that break it.
#include <gtest/gtest.h>

#include "platform/cosim/axi.h"

namespace gen9::platform {
namespace {

struct Port {
    AxiChecker checker;
    AxiPins pins;
    std::string clock() { return checker.check(pins); }
    void address(bool write, unsigned id, unsigned beats, std::uint64_t at = 0x1000) {
        const auto number = static_cast<std::uint8_t>(id);
        const auto length = static_cast<std::uint8_t>(beats - 1);
        if (write) {
            pins.awvalid = pins.awready = true;
            pins.awid = number;
            pins.awlen = length;
            pins.awaddr = at;
        } else {
            pins.arvalid = pins.arready = true;
            pins.arid = number;
            pins.arlen = length;
            pins.araddr = at;
        }
    }
    void quiet() { pins = AxiPins(); }
    /// Taken in a clock of its own.
    void take(bool write, unsigned id, unsigned beats) {
        address(write, id, beats);
        EXPECT_EQ(clock(), "");
        quiet();
    }
    std::string data(bool last) {
        pins.wvalid = pins.wready = true;
        pins.wlast = last;
        const std::string broken = clock();
        quiet();
        return broken;
    }
    std::string read_beat(unsigned id, bool last) {
        pins.rvalid = pins.rready = true;
        pins.rid = static_cast<std::uint8_t>(id);
        pins.rlast = last;
        const std::string broken = clock();
        quiet();
        return broken;
    }
    std::string answer(unsigned id) {
        pins.bvalid = pins.bready = true;
        pins.bid = static_cast<std::uint8_t>(id);
        const std::string broken = clock();
        quiet();
        return broken;
    }
};

TEST(AxiChecker, ReadsAndWritesThatKeepTheRulesPass) {
    Port port;
    port.take(false, 3, 2);
    port.take(false, 4, 1);
    EXPECT_EQ(port.read_beat(4, true), "");
    EXPECT_EQ(port.read_beat(3, false), "");
    EXPECT_EQ(port.read_beat(3, true), "");
    port.take(true, 5, 2);
    EXPECT_EQ(port.data(false), "");
    EXPECT_EQ(port.data(true), "");
    EXPECT_EQ(port.answer(5), "");
}

TEST(AxiChecker, AddressesMayNotChangeBeforeTheyAreTaken) {
    for (const bool write : {true, false}) {
        Port port;
        port.address(write, 1, 1);
        port.pins.awready = port.pins.arready = false;
        EXPECT_EQ(port.clock(), "");
        EXPECT_EQ(port.clock(), "");
        (write ? port.pins.awaddr : port.pins.araddr) += 64;
        EXPECT_EQ(port.clock(), write ? "A3.2.1: AW changed before AWREADY"
                                      : "A3.2.1: AR changed before ARREADY");
    }
}

TEST(AxiChecker, DataMayNotChangeBeforeTheyAreTaken) {
    Port port;
    port.take(true, 1, 2);
    port.pins.wvalid = true;
    EXPECT_EQ(port.clock(), "");
    port.pins.wstrb = 1;
    EXPECT_EQ(port.clock(), "A3.2.1: W changed before WREADY");
}

TEST(AxiChecker, AnswersMayNotBeTakenBack) {
    Port write;
    write.take(true, 1, 1);
    EXPECT_EQ(write.data(true), "");
    write.pins.bvalid = true;
    write.pins.bid = 1;
    EXPECT_EQ(write.clock(), "");
    write.pins.bvalid = false;
    EXPECT_EQ(write.clock(), "A3.2.1: B changed before BREADY");
    Port read;
    read.take(false, 1, 1);
    read.pins.rvalid = true;
    read.pins.rid = 1;
    read.pins.rlast = true;
    EXPECT_EQ(read.clock(), "");
    read.pins.rdata[3] = 1;
    EXPECT_EQ(read.clock(), "A3.2.1: R changed before RREADY");
}

TEST(AxiChecker, AnswersBelongToRequests) {
    Port port;
    EXPECT_EQ(port.read_beat(2, true), "A3.3.1: RVALID for a read nobody asked for");
    EXPECT_EQ(port.answer(2), "A3.3.1: BVALID for a write nobody asked for");
}

TEST(AxiChecker, AWriteIsAnsweredAfterItsLastBeat) {
    Port port;
    port.take(true, 2, 2);
    EXPECT_EQ(port.data(false), "");
    EXPECT_EQ(port.answer(2), "A3.3.1: BVALID before the last W beat");
}

TEST(AxiChecker, TheLastBeatsAreMarked) {
    Port early, late, write_early, write_late;
    early.take(false, 2, 2);
    EXPECT_EQ(early.read_beat(2, true), "A3.4.1: RLAST before the last beat");
    late.take(false, 2, 1);
    EXPECT_EQ(late.read_beat(2, false), "A3.4.1: no RLAST at the last beat");
    write_early.take(true, 2, 2);
    EXPECT_EQ(write_early.data(true), "A3.4.1: WLAST before the last beat");
    write_late.take(true, 2, 1);
    EXPECT_EQ(write_late.data(false), "A3.4.1: no WLAST at the last beat");
}

TEST(AxiChecker, ABurstStaysWithin4Kilobytes) {
    for (const bool write : {true, false}) {
        Port inside, over;
        inside.address(write, 1, 4, 0x1FC0);
        EXPECT_EQ(inside.clock(), "");
        over.address(write, 1, 5, 0x1FC0);
        EXPECT_EQ(over.clock(), write ? "A3.4.1: a write burst crosses 4 KB"
                                      : "A3.4.1: a read burst crosses 4 KB");
    }
}

TEST(AxiChecker, DataFollowTheirAddress) {
    Port port;
    EXPECT_EQ(port.data(true), "W before its AW: allowed, but not by this port");
}

}  // namespace
}  // namespace gen9::platform

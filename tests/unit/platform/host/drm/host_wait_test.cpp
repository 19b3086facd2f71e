// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/host_wait.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platform/host/drm/protocol.h"
#include "tests/unit/platform/host/fake_engine.h"

namespace gen9::drm {
namespace {

struct DrmHostWait : testing::Test {
    platform::test::FakeEngine engine;
    std::vector<std::string> said;
    Progress progress{};
    HostWait wait{engine, [this](const std::string& line) { said.push_back(line); }};
    unsigned looked = 0;

    DrmHostWait() {
        wait.progress = &progress;
        wait.meanwhile = [this] { ++looked; };
    }
    /// All threads of the program wait as well.
    void program_waits() { progress.program_waits = progress.engine_waits.load(); }
};

// Short waits are nothing to tell a person.
TEST_F(DrmHostWait, TheProgramIsToldOfEachWaitAndAPersonOfNone) {
    for (std::uint64_t number = 1; number <= 3; ++number) {
        EXPECT_TRUE(wait.wait());
        EXPECT_EQ(progress.engine_waits, number);
        EXPECT_TRUE(wait.wait());
        EXPECT_EQ(progress.engine_waits, number) << "the same wait";
        wait.end();
        EXPECT_EQ(progress.engine_waits, 0u);
    }
    EXPECT_EQ(looked, 6u);
    EXPECT_TRUE(said.empty());
    EXPECT_TRUE(engine.given_up.empty());
}

// Memory may have been written before the program's threads went to wait.
TEST_F(DrmHostWait, ItIsGivenUpWhenTheProgramWaitsTwiceInARow) {
    EXPECT_TRUE(wait.wait());
    program_waits();
    EXPECT_TRUE(wait.wait());
    progress.program_waits = 0;
    EXPECT_TRUE(wait.wait());
    program_waits();
    EXPECT_TRUE(wait.wait());
    EXPECT_TRUE(engine.given_up.empty());
    EXPECT_FALSE(wait.wait());
    EXPECT_EQ(engine.given_up.size(), 1u);
}

TEST_F(DrmHostWait, AProgramThatWaitedForAnEarlierWaitDoesNotWaitForThisOne) {
    EXPECT_TRUE(wait.wait());
    program_waits();
    wait.end();
    for (unsigned i = 0; i < 3; ++i)
        EXPECT_TRUE(wait.wait());
}

TEST_F(DrmHostWait, AnotherEnginesWaitThatIsGivenUpIsNamed) {
    EXPECT_TRUE(wait.wait("a semaphore"));
    program_waits();
    EXPECT_TRUE(wait.wait("a semaphore"));
    EXPECT_FALSE(wait.wait("a semaphore"));
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].find("engine hang: a semaphore: "), 0u) << said[0];
    EXPECT_TRUE(engine.given_up.empty());
}

TEST_F(DrmHostWait, AnotherEngineDoesNotWaitWhenNobodyWantsItsResult) {
    engine.wanted = [] { return false; };
    EXPECT_FALSE(wait.wait("a semaphore"));
    EXPECT_TRUE(said.empty());
}

TEST_F(DrmHostWait, WithoutAPageItWaits) {
    wait.progress = nullptr;
    for (unsigned i = 0; i < 3; ++i)
        EXPECT_TRUE(wait.wait());
    wait.end();
}

}  // namespace
}  // namespace gen9::drm

// SPDX-License-Identifier: Apache-2.0
#include "eu/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <stdexcept>

namespace gen9::test {
namespace {

/// What the members of a subslice do.
struct Subslice {
    std::atomic<int> inside = 0;
    bool two_at_once = false;
    std::vector<unsigned> order;  ///< numbers of members
};
struct Member : eu::Crew::Member {
    Subslice& subslice;
    ThreadAddress where;
    unsigned number, rounds = 0;
    bool ready = true, fails = false;
    Member(Subslice& of, std::uint8_t index, unsigned given)
        : subslice(of), where{{}, SubsliceId(index), {}, {}}, number(given) {}
    ThreadAddress place() const override { return where; }
    bool waits() const override { return ready; }
    void run_ahead() override {
        subslice.two_at_once |= ++subslice.inside != 1;
        subslice.order.push_back(number);
        ++rounds;
        for (int i = 0; i < 3; ++i)
            std::this_thread::yield();
        --subslice.inside;
        if (fails) throw std::runtime_error("failed");
    }
};
struct Crewed {
    std::array<Subslice, 3> subslices;
    std::deque<Member> members;
    eu::Crew crew;
    explicit Crewed(unsigned threads, unsigned used = 3) : crew(threads) {
        for (unsigned n = 0; n < 12; ++n)
            crew.add(
                members.emplace_back(subslices[n % used], static_cast<std::uint8_t>(n % used), n));
    }
};

TEST(Crew, RunsASubslicesMembersOneAfterTheOtherAndAllBeforeItReturns) {
    for (const unsigned threads : {2u, 3u, 5u}) {
        Crewed machine(threads);
        machine.members[4].ready = false;
        for (unsigned round = 1; round <= 5; ++round) {
            machine.crew.run_ahead();
            for (const Member& member : machine.members)
                ASSERT_EQ(member.rounds, member.ready ? round : 0u) << member.number;
        }
        EXPECT_EQ(machine.crew.rounds(), 5u);
        EXPECT_TRUE(machine.crew.pays());
        for (unsigned s = 0; s < 3; ++s) {
            const Subslice& subslice = machine.subslices[s];
            EXPECT_FALSE(subslice.two_at_once);
            for (std::size_t i = 1; i < subslice.order.size(); ++i)
                EXPECT_TRUE(subslice.order[i] > subslice.order[i - 1] || subslice.order[i] == s)
                    << "not in the order in which they were added";
        }
    }
}

TEST(Crew, IsNotAskedForTheMembersOfOneSubslice) {
    Crewed machine(2, 1);
    EXPECT_TRUE(machine.crew.pays()) << "it has not been asked yet";
    machine.crew.run_ahead();
    EXPECT_EQ(machine.crew.rounds(), 0u);
    EXPECT_FALSE(machine.crew.pays());
    for (const Member& member : machine.members)
        EXPECT_EQ(member.rounds, 0u);
}

TEST(Crew, NextRoundWaitsForTheStepsOfThoseThatRanAhead) {
    Crewed machine(2);
    machine.members[4].ready = false;
    EXPECT_TRUE(machine.crew.may_begin());
    machine.crew.run_ahead();
    machine.crew.expect_step(Cycles(70));
    machine.crew.expect_step(Cycles(30));
    EXPECT_TRUE(eu::Crew::has_run_ahead(machine.members[3]));
    EXPECT_FALSE(eu::Crew::has_run_ahead(machine.members[4])) << "it was not ready";
    EXPECT_EQ(machine.crew.latest_step(), Cycles(70));
    for (eu::Crew::Member& member : machine.members) {
        EXPECT_FALSE(machine.crew.may_begin());
        machine.crew.stepped(member);
        EXPECT_FALSE(eu::Crew::has_run_ahead(member));
        machine.crew.stepped(member);  // changes nothing
    }
    EXPECT_TRUE(machine.crew.may_begin());
}

TEST(Crew, FailureOfAMemberIsTheCallers) {
    Crewed machine(4);
    machine.members[7].fails = true;
    EXPECT_THROW(machine.crew.run_ahead(), std::runtime_error);
    machine.members[7].fails = false;
    machine.crew.run_ahead();
    EXPECT_EQ(machine.members[7].rounds, 2u);
}

}  // namespace
}  // namespace gen9::test

// SPDX-License-Identifier: Apache-2.0
// Ends of threads in compiled code, and the next thread of the slot.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "common/bits.h"
#include "eu/execute/prepare.h"
#include "eu/jit/compiled_region.h"
#include "tests/unit/eu/execute/builder.h"
#include "tests/unit/eu/jit/levels.h"

namespace gen9::eu::test {
namespace {

/// Takes or refuses the message that ends a thread.
struct LastSite : DirectSite {
    bool takes = true;
    bool run(const DirectSender&, std::uint32_t, const Grf*, const Grf*, Grf*) override {
        return takes;
    }
};

/// A thread whose end begins another, as often as `more` says.
struct NextMessages : Messages {
    LastSite site;
    DirectSite* sites = &site;
    std::uint32_t called = 0;
    unsigned more = 3;
    Next next{true, 10, 1};
    std::uint32_t ip = 0;
    std::vector<std::uint64_t> executed;
    std::vector<std::uint32_t> results;
    bool send(Thread&, const DecodedInstruction&, unsigned, Cycles) override {
        ADD_FAILURE() << "its site takes it";
        return false;
    }
    Direct direct(unsigned) override { return {&sites, nullptr, &called}; }
    Next end(Thread& thread, std::uint64_t done) override {
        EXPECT_EQ(called, executed.size() + 1) << "messages are counted before";
        executed.push_back(done);
        results.push_back(load<std::uint32_t>(thread.grf[20].bytes));
        if (more-- == 0) return {};
        store<std::uint32_t>(thread.grf[10].bytes, 100 + more);
        thread.ip = ip;
        return next;
    }
};

struct LastMessages : Messages {
    LastSite site;
    DirectSite* sites = &site;
    std::uint32_t called = 0;
    unsigned sent = 0, ended = 0;
    bool send(Thread& thread, const DecodedInstruction& d, unsigned, Cycles) override {
        EXPECT_EQ(thread.ip, d.ip);
        ++sent;
        return false;
    }
    Direct direct(unsigned) override { return {&sites, nullptr, &called}; }
    Next end(Thread& thread, std::uint64_t) override {
        EXPECT_EQ(thread.ip, 32u);
        ++ended;
        return {};
    }
};

TEST(CompiledRegions, GoOnWithTheNextThreadOfTheSlot) {
    isa::Instruction move = make(Opcode::Mov, 8, dst(20, Type::UD), {grf(10, Type::UD)});
    isa::Instruction send = make(Opcode::Send, 8, null(Type::UD), {grf(20, Type::UD)});
    send.end_of_thread = true;
    const DecodedInstruction first = prepare(move, 0), last = prepare(send, 16);
    const std::array<jit::Part, 2> parts{jit::Part{&first, 0, 16}, jit::Part{&last, 16, 32}};
    for (const jit::Level level : levels()) {
        auto thread = make_thread();
        const auto begin = [&] {
            thread->ip = 0;
            store<std::uint32_t>(thread->grf[10].bytes, 99);
        };
        const auto region = jit::CompiledRegion::make(parts, thread->control[0], level);
        ASSERT_NE(region, nullptr);
        begin();
        NextMessages all;
        const CodeRegion::Run ran = region->run(*thread, all, Cycles(), 10);
        EXPECT_EQ(ran.instructions, 8u);
        EXPECT_TRUE(ran.left);
        EXPECT_EQ(all.executed, (std::vector<std::uint64_t>{2, 4, 6, 8}));
        EXPECT_EQ(all.results, (std::vector<std::uint32_t>{99, 102, 101, 100}));
        // Where it may not go on the next thread stands at its beginning, and has not been left.
        for (const bool elsewhere : {false, true}) {
            begin();
            NextMessages one;
            if (elsewhere)
                one.ip = 64;
            else
                one.next.most = region->size() - 1;
            const CodeRegion::Run stopped = region->run(*thread, one, Cycles(), 10);
            EXPECT_EQ(stopped.instructions, 2u);
            EXPECT_FALSE(stopped.left);
            EXPECT_EQ(thread->ip, one.ip);
            EXPECT_EQ(one.results, (std::vector<std::uint32_t>{99}));
        }
    }
}

TEST(CompiledRegions, EndTheirThreadByACall) {
    isa::Instruction move = make(Opcode::Mov, 8, dst(20, Type::UD), {grf(10, Type::UD)});
    isa::Instruction send = make(Opcode::Send, 8, null(Type::UD), {grf(20, Type::UD)});
    send.end_of_thread = true;
    const DecodedInstruction first = prepare(move, 0), last = prepare(send, 16);
    const std::array<jit::Part, 2> parts{jit::Part{&first, 0, 16}, jit::Part{&last, 16, 32}};
    for (const jit::Level level : levels())
        for (const bool takes : {true, false}) {
            auto thread = make_thread();
            thread->ip = 0;
            const auto region = jit::CompiledRegion::make(parts, thread->control[0], level);
            ASSERT_NE(region, nullptr);
            LastMessages messages;
            messages.site.takes = takes;
            const CodeRegion::Run ran = region->run(*thread, messages, Cycles(), 10);
            EXPECT_EQ(ran.instructions, 2u);
            EXPECT_TRUE(ran.left);
            EXPECT_EQ(messages.called, takes ? 1u : 0u);
            EXPECT_EQ(messages.ended, takes ? 1u : 0u);
            EXPECT_EQ(messages.sent, takes ? 0u : 1u);
        }
}

}  // namespace
}  // namespace gen9::eu::test

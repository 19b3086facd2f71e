// SPDX-License-Identifier: Apache-2.0
// What the front end refuses, and in which words.
#include <gtest/gtest.h>

#include <set>

#include "media/types.h"
#include "media/walk/front_end.h"
#include "media/walk/payload.h"
#include "media/walk/spawner_message.h"
#include "tests/unit/media/commands.h"

namespace gen9::media::test {
namespace {

TEST(Refusal, EveryCommandButVfeStateNeedsStateBaseAddress) {
    Memory memory;
    FrontEnd front_end{ThreadTopology{}, 4096};
    EXPECT_FALSE(front_end.execute(vfe_command(nullptr), memory));
    for (const auto& command : {idd_load(nullptr), curbe_load(nullptr, 32, 0)}) {
        const auto refusal = front_end.execute(command, memory);
        ASSERT_TRUE(refusal);
        EXPECT_EQ(refusal->text, "no STATE_BASE_ADDRESS before it");
    }
    EXPECT_EQ(memory.reads, 0u);
}

TEST(Refusal, ReservedValuesOfVfeState) {
    const auto text = [](const VfeState& state) {
        const auto refusal = check(state, 4096);
        return refusal ? refusal->text : "";
    };
    VfeState state;
    for (unsigned code = 0; code < 16; ++code) {
        state.scratch_code = static_cast<std::uint8_t>(code);
        EXPECT_EQ(text(state) != "", code > 11) << code;
    }
    state = {};
    for (unsigned code = 0; code < 16; ++code) {
        state.stack_code = static_cast<std::uint8_t>(code);
        EXPECT_EQ(text(state) != "", code > 11) << code;
    }
    state = {};
    for (unsigned value = 0; value < 4; ++value) {
        state.slice_disable = static_cast<std::uint8_t>(value);
        EXPECT_EQ(text(state), value == 2 ? "reserved value 2 of SliceDisable" : "") << value;
    }
}

TEST(Refusal, CodesAboveThatOf64KBAreLegalOnlyWhereASubsliceHasMore) {
    Memory memory;
    const auto state = make_state();
    // Code 8 is 128 KB, 9 is 256 KB.
    for (const auto& [slm_kb, code, legal] : {std::tuple{64u, 7u, true},
                                              {64u, 8u, false},
                                              {127u, 8u, false},
                                              {128u, 8u, true},
                                              {128u, 9u, false},
                                              {256u, 9u, true},
                                              {256u, 10u, false}}) {
        memory.put(0, {.slm_code = static_cast<std::uint8_t>(code)});
        FrontEnd front_end{ThreadTopology{}, 4096, slm_kb};
        EXPECT_FALSE(front_end.execute(vfe_command(state, {}), memory));
        EXPECT_FALSE(front_end.execute(idd_load(state), memory));
        Walk walk;
        const auto refusal = front_end.prepare(walker_command(state, {}), memory, walk);
        EXPECT_EQ(refusal.has_value(), !legal) << slm_kb << " KB, code " << code;
        if (refusal) {
            EXPECT_NE(refusal->text.find("reserved shared local memory size"), std::string::npos)
                << refusal->text;
        }
    }
}

TEST(Refusal, AGroupWithMoreLocalMemoryThanASubsliceHas) {
    Memory memory;
    const auto state = make_state();
    for (const unsigned slm_kb : {16u, 15u}) {
        memory.put(0, {.slm_code = 5});  // 16 KB
        FrontEnd front_end{ThreadTopology{}, 4096, slm_kb};
        EXPECT_FALSE(front_end.execute(vfe_command(state, {}), memory));
        EXPECT_FALSE(front_end.execute(idd_load(state), memory));
        Walk walk;
        const auto refusal = front_end.prepare(walker_command(state, {}), memory, walk);
        EXPECT_EQ(refusal.has_value(), slm_kb < 16);
        if (refusal) {
            EXPECT_NE(refusal->text.find("16 KB of shared local memory; a subslice has 15 KB"),
                      std::string::npos)
                << refusal->text;
        }
    }
}

TEST(Refusal, DataThatCannotBeReadChangesNothing) {
    Memory memory;
    auto state = std::make_shared<PipelineState>(*make_state());
    state->dynamic_state_base = GpuAddr(Memory::kBase + Memory::kSize - 64);
    FrontEnd front_end{ThreadTopology{}, 4096};
    EXPECT_FALSE(
        front_end.execute(vfe_command(state, {.entry_rows = 4, .curbe_rows = 16}), memory));
    EXPECT_FALSE(front_end.execute(idd_load(state, 64), memory));
    EXPECT_FALSE(front_end.execute(curbe_load(state, 64, 0), memory));
    EXPECT_EQ(front_end.execute(idd_load(state, 96), memory)->text,
              "descriptors could not be read");
    EXPECT_TRUE(front_end.execute(curbe_load(state, 96, 0), memory));
}

TEST(Refusal, IndirectDataThatCannotBeReadTakesNoUrbEntry) {
    Memory memory;
    auto state = std::make_shared<PipelineState>(*make_state());
    state->indirect_object_base = GpuAddr(Memory::kBase + Memory::kSize - 32);
    memory.put(0, {.per_thread_rows = 1});
    FrontEnd front_end{ThreadTopology{}, 4096};
    EXPECT_FALSE(front_end.execute(vfe_command(state, {.entries = 2, .entry_rows = 4}), memory));
    EXPECT_FALSE(front_end.execute(idd_load(state), memory));
    Walk walk;
    EXPECT_FALSE(front_end.prepare(walker_command(state, {.indirect_bytes = 32}), memory, walk));
    EXPECT_EQ(front_end.urb_handles().free(FrontEnd::kUrbOwner), 1u);
    const auto refusal =
        front_end.prepare(walker_command(state, {.indirect_bytes = 64}), memory, walk);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->text, "indirect data could not be read");
    EXPECT_EQ(front_end.urb_handles().free(FrontEnd::kUrbOwner), 1u);
}

TEST(Refusal, AnEndOfThreadHasAPayload) {
    auto message = std::make_unique<Message>();
    message->end_of_thread = true;
    const auto refusal = check_message(*message, nullptr);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->text, "no payload register");
    message->length = 1;
    EXPECT_FALSE(check_message(*message, nullptr));
}

TEST(Refusal, EachReasonToWaitHasItsWords) {
    std::set<std::string> texts;
    for (const SendState a :
         {SendState::Idle, SendState::Sending, SendState::FrontEnd, SendState::WaitSlot,
          SendState::WaitSlm, SendState::WaitBarrier, SendState::WaitHandshake,
          SendState::WaitPayload, SendState::WaitDrain, SendState::WaitScoreboard,
          SendState::WaitSpawn, SendState::WaitFence})
        texts.insert(to_text(a));
    EXPECT_EQ(texts.size(), 12u);
    EXPECT_FALSE(texts.contains("?"));
}

TEST(Payload, AThreadBeginsWithNothingOfTheOneBefore) {
    Walk walk;
    walk.descriptor = decode_descriptor(make_descriptor({}));
    walk.state = make_state();
    auto dispatch = std::make_unique<ThreadDispatch>();
    dispatch->retire = {10, 2};
    dispatch->simd_width = 32;
    dispatch->ffid = 5;
    walk.walker.simd_width = 16;
    make_thread(walk, ThreadTopology{}, {}, *dispatch);
    EXPECT_EQ(dispatch->simd_width, 16u);
    EXPECT_EQ(dispatch->ffid, 0u);
    EXPECT_EQ(dispatch->retire.instructions, 0u);
    EXPECT_EQ(dispatch->retire.messages, 0u);
}

}  // namespace
}  // namespace gen9::media::test

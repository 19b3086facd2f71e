// SPDX-License-Identifier: Apache-2.0
// What state commands set, what work takes along of it, and what a context image keeps.
#include <gtest/gtest.h>

#include "cs/context/state_store.h"
#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;
using packets::Unit;

Words words_of(std::span<const std::uint32_t> dwords) {
    return {dwords.begin(), dwords.end()};
}
const packets::CommandRow& row_of(const char* name) {
    return packets::command_named(name);
}
Words vertex_buffer(std::uint32_t number, std::uint32_t value) {
    return {number << 26 | 0x1000, value, value + 1, value + 2};
}
Words instancing(std::uint32_t element, std::uint32_t enable, std::uint32_t rate) {
    return {0x78490001, enable << 8 | element, rate};
}
Words constants(std::uint32_t sub_opcode, std::uint32_t value) {
    Words words = {0x78000009u | sub_opcode << 16};
    words.resize(11, value);
    return words;
}
const Words kMayRestore = {0x11000001, 0x2244, 0x00010000};

struct Store : ::testing::Test {
    cs::StateStore state;
    bool give(const Words& command) {
        return state.take(*packets::find_command(command[0]), command);
    }
    Words given(const char* name, unsigned number = 0) {
        return words_of(state.command(row_of(name), number));
    }
};

TEST_F(Store, TheLastCommandIsKeptWithItsLength) {
    EXPECT_EQ(given("3DSTATE_DS"), Words());
    const Words longest = {0x781D0009, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                shorter = {0x781D0007, 11, 12, 13, 14, 15, 16, 17, 18};
    EXPECT_TRUE(give(longest));
    EXPECT_EQ(given("3DSTATE_DS"), longest);
    EXPECT_TRUE(give(shorter));
    EXPECT_EQ(given("3DSTATE_DS"), shorter);
    EXPECT_FALSE(give({0x781E0004, 1, 2, 3, 4, 5})) << "a DWord more than STREAMOUT has";
    EXPECT_EQ(given("3DSTATE_STREAMOUT"), (Words{0x781E0003, 1, 2, 3, 4}));
    state.forget(row_of("3DSTATE_DS"));
    EXPECT_EQ(given("3DSTATE_DS"), Words());
}

TEST_F(Store, VertexBuffersAreKeptByTheirNumber) {
    EXPECT_TRUE(give(Words{0x78080007} + vertex_buffer(3, 30) + vertex_buffer(32, 320)));
    EXPECT_TRUE(give(Words{0x78080007} + vertex_buffer(1, 10) + vertex_buffer(3, 33)));
    const auto block = state.snapshot()->stage(Unit::Vf);
    const auto& row = row_of("3DSTATE_VERTEX_BUFFERS");
    EXPECT_EQ(words_of(block->element(row, 1)), vertex_buffer(1, 10));
    EXPECT_EQ(words_of(block->element(row, 3)), vertex_buffer(3, 33));
    EXPECT_EQ(words_of(block->element(row, 32)), vertex_buffer(32, 320));
    EXPECT_EQ(words_of(block->element(row, 0)), Words());
    EXPECT_FALSE(give(Words{0x78080003} + vertex_buffer(33, 1)));
    EXPECT_EQ(given("3DSTATE_VERTEX_BUFFERS").size(), 13u);
}

TEST_F(Store, NumberedCommandsAreKeptByTheirNumber) {
    EXPECT_TRUE(give(instancing(2, 1, 5)));
    EXPECT_TRUE(give(instancing(33, 1, 6)));
    EXPECT_TRUE(give(instancing(2, 0, 7)));
    EXPECT_FALSE(give(instancing(34, 1, 1)));
    EXPECT_EQ(given("3DSTATE_VF_INSTANCING", 2), instancing(2, 0, 7));
    EXPECT_EQ(given("3DSTATE_VF_INSTANCING", 33), instancing(33, 1, 6));
    EXPECT_EQ(given("3DSTATE_VF_INSTANCING", 1), Words());
}

TEST_F(Store, ConstantsActFromTheNextBindingTablePointerOfTheirStageOn) {
    GEN9_COVERS("FF-91");
    give(constants(0x15, 7));
    EXPECT_EQ(given("3DSTATE_CONSTANT_VS"), Words());
    give({0x782A0000, 0x40});
    EXPECT_EQ(given("3DSTATE_CONSTANT_VS"), Words()) << "of another stage";
    give({0x78260000, 0x40});
    EXPECT_EQ(given("3DSTATE_CONSTANT_VS"), constants(0x15, 7));
    give(constants(0x15, 8));
    EXPECT_EQ(given("3DSTATE_CONSTANT_VS"), constants(0x15, 7));
}

TEST_F(Store, WorkKeepsTheStateItWasGivenWithAndSharesWhatDidNotChange) {
    const Words first = {0x78140000, 1}, second = {0x78140000, 2};
    give(first);
    give({0x78180000, 0xFFFF});
    give({0x78240000, 0x80});
    const PipelineStatePtr before = state.snapshot();
    EXPECT_EQ(state.snapshot(), before) << "nothing was given between";
    give(second);
    const PipelineStatePtr after = state.snapshot();
    const auto& wm = row_of("3DSTATE_WM");
    EXPECT_EQ(words_of(before->stage(Unit::Wm)->command(wm)), first);
    EXPECT_EQ(words_of(after->stage(Unit::Wm)->command(wm)), second);
    EXPECT_EQ(words_of(after->stage(Unit::Wm)->command(row_of("3DSTATE_SAMPLE_MASK"))),
              (Words{0x78180000, 0xFFFF}));
    EXPECT_EQ(before->stage(Unit::Cc), after->stage(Unit::Cc));
    EXPECT_EQ(after->stage(Unit::Vs), nullptr);
    // The media pipe's own state does not travel: its work shares all.
    give({0x70010002, 1, 2, 3});
    EXPECT_EQ(state.snapshot(), after);
}

TEST_F(Store, StateOfOneContextIsNotFoundUnderTheBasesOfTheNext) {
    const std::uint32_t number = state.snapshot()->number;
    give({0x78140000, 1});
    state.reset();
    EXPECT_NE(state.snapshot()->number, number);
    EXPECT_EQ(given("3DSTATE_WM"), Words());
}

// Assumed (CS-99): what the image gives again, the program may have written meanwhile.
TEST_F(Contexts, AContextThatComesBackAfterTheEngineWasIdleHasItsConstantsReadAgain) {
    GEN9_COVERS("FF-91");
    std::uint32_t tail = 0;
    const Words work = kSelectGpgpu + walker();
    const auto submit = [&](const Words& words) {
        add(tail, words);
        engine.submit();
        engine.core.run();
    };
    Words given = kMayRestore + Words{0x78140000, 1};
    given = given + constants(0x15, 7) + Words{0x78260000, 0x40} + constants(0x19, 7) +
            Words{0x78270000, 0x40} + constants(0x1A, 7) + Words{0x78280000, 0x40} +
            constants(0x16, 7) + Words{0x78290000, 0x40};
    submit(given + work + work);
    submit(work);
    ASSERT_EQ(engine.sent.size(), 3u);
    for (const Unit unit : {Unit::Vs, Unit::Hs, Unit::Ds, Unit::Gs}) {
        const auto of = [&](unsigned i) { return engine.sent[i].state->stage(unit); };
        ASSERT_NE(of(0), nullptr);
        EXPECT_EQ(of(0), of(1)) << "of one commit";
        EXPECT_NE(of(1), of(2)) << "given again by the image";
    }
    const auto& row = row_of("3DSTATE_CONSTANT_VS");
    EXPECT_EQ(words_of(engine.sent[2].state->stage(Unit::Vs)->command(row)), constants(0x15, 7));
    EXPECT_EQ(engine.sent[1].state->stage(Unit::Wm), engine.sent[2].state->stage(Unit::Wm));
}

// 003:2067-2219.
TEST_F(Contexts, StateOf3DIsTheContextsOwnAndStandsInItsImage) {
    GEN9_COVERS("CS-108 CS-109 CS-112");
    std::uint32_t tail = 0, tail2 = 0;
    const Words buffers = Words{0x78080007} + vertex_buffer(3, 30) + vertex_buffer(1, 10),
                list = [] {
                    Words words = {0x79170101};
                    words.resize(259, 0x55);
                    return words;
                }();
    // Elements: those that are not instanced need no place.
    Words elements;
    for (std::uint32_t n = 0; n < 34; ++n)
        elements = elements + instancing(n, n >= 20, n >= 20 ? 1 : 0);
    add(tail, kMayRestore + constants(0x15, 7) + Words{0x78260000, 0x40} + constants(0x15, 8) +
                  buffers + list + elements + Words{0x781E0003, 1, 2, 3, 4} +
                  Words{0x78520003, 0, 0, 0, 9} + Words{0x79180006, 2u << 29, 1, 2, 3, 4, 5, 6} +
                  Words{0x78550003, 1, 2, 3, 4} + Words{0x680B0001});
    engine.submit();
    engine.core.run();
    const auto expect_image = [&](const char* when) {
        const auto at = [&](std::uint32_t dword, const Words& words) {
            for (std::uint32_t i = 0; i < words.size(); ++i)
                EXPECT_EQ(engine.image(dword + i), words[i]) << when << std::hex << dword + i;
        };
        at(0x260, constants(0x15, 7));
        at(0x295, {0x78260000, 0x40});
        at(0x2EC, constants(0x15, 8));
        at(0x2CF, {0x781E0003, 1, 2, 3, 4});
        at(0x2E5, {0x78520003, 0, 0, 0, 9});
        at(0x68A, {0x79180006, 2u << 29, 1, 2, 3, 4, 5, 6, 0});
        at(0x6AD, list);
        at(0x7B5, buffers + Words{0});
        at(0x87F, {0x680B0001});
        at(0x884, instancing(20, 1, 1) + instancing(21, 1, 1));
        at(0x962, {0x78550003, 1, 2, 3, 4});
    };
    expect_image("saved: ");
    // Another context has none of it, and clears what it finds in its image.
    engine.ggtt.put<std::uint32_t>(kContext2 + 0x1000 + 4 * 0x7B0, 0x780A0003);
    add(tail2, kSelectGpgpu + walker(), kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    ASSERT_EQ(engine.sent.size(), 1u);
    for (unsigned unit = 0; unit < packets::kTravellingUnits; ++unit)
        EXPECT_EQ(engine.sent[0].state->stage(static_cast<Unit>(unit)), nullptr);
    EXPECT_EQ(engine.image(0x7B0, kContext2), 0u);
    EXPECT_EQ(engine.image(0x7B5, kContext2), 0u);

    add(tail, kSelectGpgpu + walker());
    engine.submit();
    engine.core.run();
    expect_image("again: ");
    ASSERT_EQ(engine.sent.size(), 2u);
    const PipelineState& back = *engine.sent[1].state;
    EXPECT_EQ(words_of(back.stage(Unit::Vs)->command(row_of("3DSTATE_CONSTANT_VS"))),
              constants(0x15, 7));
    EXPECT_EQ(words_of(back.stage(Unit::Vf)->element(row_of("3DSTATE_VERTEX_BUFFERS"), 3)),
              vertex_buffer(3, 30));
    EXPECT_EQ(words_of(back.stage(Unit::Sol)->command(row_of("3DSTATE_SO_BUFFER"), 2)),
              (Words{0x79180006, 2u << 29, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 0u);
}

TEST_F(Contexts, AnImageHasRoomFor23InstancedElements) {
    for (const std::uint32_t count : {23u, 24u}) {
        Engine e;
        Words elements = kMayRestore;
        for (std::uint32_t n = 0; n < count; ++n)
            elements = elements + instancing(n, 1, 1);
        for (std::uint32_t n = count; n < 34; ++n)
            elements = elements + instancing(n, 0, 1);
        e.run_ring(elements);
        const auto kinds = e.kinds();
        EXPECT_EQ(std::ranges::count(kinds, "CS-112"), count > 23) << count;
        EXPECT_EQ(e.image(0x8C9), 0u) << "what lies behind is untouched";
    }
}

TEST_F(Contexts, StateThatNamesWhatDoesNotExistIsReported) {
    engine.run_ring(instancing(34, 1, 1) + Words{0x781E0004, 1, 2, 3, 4, 5});
    EXPECT_EQ(engine.kinds(),
              (std::vector<std::string>{"cs: 3DSTATE_VF_INSTANCING", "cs: 3DSTATE_STREAMOUT"}));
}

}  // namespace
}  // namespace gen9

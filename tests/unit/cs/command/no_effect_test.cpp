// SPDX-License-Identifier: Apache-2.0
// What changes nothing here: 3D state, and what models/cs/no_effect.cpp lists.
#include "cs/no_effect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cs/registers/registers.h"
#include "tests/support/covers.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

std::vector<std::string> noted(const Engine& engine) {
    std::vector<std::string> names;
    for (const Reporter::Entry& entry : engine.environment.reporter.without_effect())
        names.push_back(entry.kind);
    return names;
}

TEST(NoEffect, AFieldBeyondACommandsEndIsNotAsked) {
    for (const cs::NoEffect& row : cs::no_effects()) {
        const Words none(row.dword, 0xFFFFFFFF);
        EXPECT_EQ(row.asked(none), !*row.field) << row.name;
        Words all(row.dword + 1u, 0xFFFFFFFF);
        EXPECT_TRUE(row.asked(all) || row.usual == (1u << (row.high - row.low + 1)) - 1)
            << row.name << " " << row.field;
    }
}

// Bits as Linux's i915_reg.h and Mesa's gen90.xml have them; the other half of a masked register is
// its mask, and TD_CTL has exceptions in one half. (Fields of commands are in packets/second_source_test.)
TEST(NoEffect, RegistersHaveTheirFields) {
    struct Part {
        std::uint32_t offset, high, low, usual;
        bool operator==(const Part&) const = default;
    };
    std::vector<Part> parts{{0x20C0, 3, 1, 0}, {0x20C0, 6, 6, 0},   {0x20C8, 3, 0, 0},
                            {0x229C, 9, 9, 1}, {0x229C, 11, 11, 0}, {0x229C, 13, 13, 0},
                            {0x2580, 0, 0, 0}};
    // The fine filters of EU_PERF_CNT_CTL0 to 6, two counters each.
    for (const std::uint32_t control : {0xE458, 0xE45C, 0xE558, 0xE55C, 0xE658, 0xE65C, 0xE758}) {
        parts.push_back({control, 11, 8, 0});
        parts.push_back({control, 23, 20, 0});
    }
    std::vector<Part> found;
    unsigned whole = 0;
    for (const cs::RegisterRow& known : cs::register_rows())
        for (const cs::NoEffect& row : cs::no_effects_of(known)) {
            EXPECT_EQ(row.name, std::string(known.name));
            EXPECT_EQ(row.dword, 0u) << row.name;
            if (row.field != std::string("all")) {
                found.push_back({row.place, row.high, row.low, row.usual});
                continue;
            }
            const bool half = known.access == cs::Access::Masked || known.offset == 0xE400;
            const unsigned bits = half ? 16 : 32;
            EXPECT_EQ((Part{row.place, row.high, row.low, row.usual}),
                      (Part{known.offset, bits - 1, 0, known.reset}))
                << row.name;
            ++whole;
        }
    EXPECT_EQ(found, parts);
    EXPECT_EQ(whole, 9u);
}

// Both Mesa drivers put 3DSTATE_CC_STATE_POINTERS into compute batches, and send 0x680B0000.
TEST_F(Interpreter, StateForDrawsIsNoErrorAndADrawIs) {
    run(Stream() << Words{0x680B0001} << Words{0x780E0000, 0} << kSelectGpgpu << walker()
                 << Words{0x78200000 | 10} << Words(11, 0xFFFFFFFF) << Words{0x78520003, 0, 0, 0, 0}
                 << Words{0x7B000005} << Words(6, 0xFFFFFFFF) << sdi(kData, 1));
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.stats.state_3d.value(), 4u);
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"CS-126"});
}

TEST_F(Interpreter, EveryCommandOf3DIsPassedByItsLength) {
    GEN9_COVERS("CS-148");
    for (const packets::CommandRow& row : packets::command_rows()) {
        if (row.name[0] != '3') continue;
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        const bool single = row.length == packets::Length::Single;
        const std::uint32_t more = single ? 0 : std::max<std::uint32_t>(row.minimum_dwords, 2) - 2;
        Words command(row.dwords(row.value | more), 0xFFFFFFFF);
        command[0] = row.value | more;
        e.run_ring((Stream() << command << sdi(kData, 1)).words);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 1u) << row.name;
        // Of these, all ones name an element that does not exist.
        const std::string name = row.name;
        const bool reported = name == "3DSTATE_VERTEX_BUFFERS" || name == "3DSTATE_VF_INSTANCING";
        EXPECT_EQ(e.environment.reporter.guest_errors(), reported) << name;
    }
}

// Lengths are those of the rasterizer guide's list (its source: Mesa's gen90.xml), in one stream: a
// wrong one takes zeros for commands or the next header for state.
TEST_F(Interpreter, TheRasterizersStateIsSkippedByItsExactLength) {
    // WM-37, but for unknown sub-opcodes.
    struct Length {
        std::uint32_t opcode, dwords;
    };
    constexpr Length kList[] = {{0x7804, 3},  {0x7805, 8},  {0x7806, 5},  {0x7807, 5}, {0x780D, 2},
                                {0x780E, 2},  {0x780F, 2},  {0x7812, 4},  {0x7813, 4}, {0x7814, 2},
                                {0x7818, 2},  {0x781F, 6},  {0x7820, 12}, {0x7821, 2}, {0x7823, 2},
                                {0x7824, 2},  {0x784C, 2},  {0x784D, 2},  {0x784E, 4}, {0x784F, 2},
                                {0x7850, 5},  {0x7851, 11}, {0x7852, 5},  {0x7900, 4}, {0x7906, 2},
                                {0x7907, 33}, {0x7908, 3},  {0x790A, 3},  {0x791C, 9}};
    Stream stream;
    for (const Length& each : kList) {
        Words command(each.dwords, 0);
        command[0] = each.opcode << 16 | (each.dwords - 2);
        EXPECT_EQ(packets::find_command(command[0])->dwords(command[0]), each.dwords);
        // Filled with what ends a stream, were it executed.
        std::fill(command.begin() + 1, command.end(), each.opcode == 0x7852 ? 0u : kEnd[0]);
        stream << command;
    }
    run(stream << sdi(kData, 1));
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 0u);
    EXPECT_EQ(engine.stats.state_3d.value(), std::size(kList));
    // The row's other half is not followed (docs/blocks/cs.md): an unknown one stops the engine.
    Engine e;
    e.ppgtt.map(kData, 0x1000);
    e.run_ring((Stream() << Words{0x78FF0002, 0, 0, 0} << sdi(kData, 1)).words);
    EXPECT_TRUE(e.core.stopped());
    EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 0u);
}

TEST_F(Interpreter, AClearOrResolveByWmHzOpDraws) {
    GEN9_COVERS("WM-12");
    for (const unsigned bit : {27u, 28u, 30u, 31u}) {
        Engine e;
        e.run_ring({0x78520003, 1u << bit, 0, 0, 0});
        EXPECT_EQ(e.kinds(), std::vector<std::string>{"WM-12"}) << bit;
    }
    Engine e;
    e.run_ring({0x78520003, 1u << 26 | 1u << 25 | 1u << 29, 0, 0, 0});
    EXPECT_TRUE(e.kinds().empty());
}

TEST_F(Interpreter, ADrawIsPredicatedAndCanBeDisabled) {
    GEN9_COVERS("CS-03");
    const auto uses = [](const Words& before, std::uint32_t flags) {
        Engine e;
        Words draw(7, 0);
        draw[0] = 0x7B000005 | flags;
        e.run_ring((Stream() << before << draw).words);
        return e.environment.reporter.not_modelled_uses();
    };
    EXPECT_EQ(uses(lri(0x2418, 0), 0x100), 0u);
    EXPECT_EQ(uses(lri(0x2418, 1), 0x100), 1u);
    EXPECT_EQ(uses(lri(0x2418, 0), 0), 1u);
    EXPECT_EQ(uses(lri(0x20D8, 0x00010001), 0), 0u);
}

TEST_F(Interpreter, DisabledMediaCommandsAreParsedAndNotExecuted) {
    run(Stream() << kSelectGpgpu << lri(0x20D8, 0x00020002) << walker() << sdi(kData, 1)
                 << lri(0x20D8, 0x00020000) << walker());
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(engine.sent.size(), 1u);
    EXPECT_TRUE(engine.kinds().empty());
}

// Every row is met by a stream that asks for it, and by nothing when the field has its usual value.
// A field asks if any bit of it is not as usual, and no bit beside it counts.
TEST(NoEffect, EachBitOfAFieldAsksAndNoOther) {
    for (const cs::NoEffect& row : cs::no_effects())
        for (unsigned bit = 0; bit < 32 && *row.field; ++bit) {
            Words dwords(row.dword + 1u, 0);
            const std::uint32_t usual = row.usual << row.low;
            dwords[row.dword] = usual ^ 1u << bit;
            EXPECT_EQ(row.asked(dwords), bit >= row.low && bit <= row.high)
                << row.name << " " << row.field << " bit " << bit;
        }
}

TEST_F(Interpreter, EachRowIsNotedWhenItsFieldAsksAndOnlyThen) {
    for (const cs::NoEffect& row : cs::no_effects()) {
        const packets::CommandRow* command = packets::find_command(row.place);
        const bool is_command = command && command->name == std::string(row.name);
        const std::uint32_t ones = ~0u >> (31 - row.high) & ~0u << row.low;
        const std::uint32_t usual = row.usual << row.low & ones,
                            asks = ~(row.usual << row.low) & ones;
        for (const bool ask : {true, false}) {
            Engine e;
            e.ppgtt.put<std::uint32_t>(0, 1);  // satisfies a semaphore
            Words stream;
            if (is_command) {
                const bool single = command->length == packets::Length::Single;
                const std::uint32_t more =
                    single ? 0 : std::max<std::uint32_t>(command->minimum_dwords, 2) - 2;
                stream.assign(command->dwords(row.place | more), 0);
                stream[0] = row.place | more;
                if (*row.field) stream[row.dword] |= ask ? asks : usual;
                if (command->command == packets::Command::MI_ATOMIC) stream[0] |= 0x0500;
            } else {
                // The host has written some of them as the driver does; masked ones take all bits.
                const std::uint32_t value = ask ? asks : usual;
                const bool masked = row.high < 16;
                stream = lri(row.place, masked ? value | 0xFFFF0000 : value);
            }
            const std::size_t before = e.environment.reporter.entries().size();
            e.run_ring(stream);
            std::string name = row.name;
            if (*row.field) name += std::string(" ") + row.field;
            std::size_t found = 0;
            if (*row.ledger) {
                for (std::size_t i = before; i < e.environment.reporter.entries().size(); ++i) {
                    const Reporter::Entry& entry = e.environment.reporter.entries()[i];
                    found += entry.kind == row.ledger && entry.text.rfind(name, 0) == 0;
                }
            } else {
                const auto names = noted(e);
                found = static_cast<std::size_t>(std::ranges::count(names, name));
            }
            const bool expected = ask || !*row.field;
            EXPECT_EQ(found, expected ? 1u : 0u) << name << (ask ? " asked" : " usual");
            EXPECT_EQ(e.environment.reporter.guest_errors(), 0u) << name;
        }
    }
}

TEST_F(Interpreter, WhatHasNoEffectIsNotedOnceAndPassedByLength) {
    run(Stream() << Words{0x01800000, 0x04000001, 0x05800000} << Words{0x05800001}
                 << Words{0x13800001, 0, 0} << Words{0x60030000, 0x40} << Words{0x06800000}
                 << Words{0x03000000} << Words{0x0E800000, 0} << Words{0x09000000, 0}
                 << sdi(kData, 1));
    EXPECT_EQ(data(0), 1u);
    EXPECT_TRUE(engine.kinds().empty());
    const std::vector<std::string> names = noted(engine);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (const char* name : {"MI_SUSPEND_FLUSH", "MI_CLFLUSH", "STATE_PREFETCH", "MI_FORCE_WAKEUP"})
        EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

// There is no display: an event that would come from one is named, and the stream goes on.
TEST_F(Interpreter, AWaitForAnEventOfTheDisplayIsReportedByName) {
    const auto told = [](const Words& command) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.run_ring((Stream() << command << sdi(kData, 1)).words);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 1u);
        std::string text;
        for (const Reporter::Entry& entry : e.environment.reporter.entries())
            text += entry.kind + " " + entry.text;
        return text;
    };
    EXPECT_EQ(told({0x01800000}), "") << "it waits for nothing";
    EXPECT_EQ(told({0x01800000 | 1u << 3}),
              "CS-130 MI_WAIT_FOR_EVENT DisplayPlane1AVerticalBlankWaitEnable: there is no "
              "display; the wait is passed");
    EXPECT_EQ(told({0x01800000 | 1u << 19})
                  .rfind("CS-130 MI_WAIT_FOR_EVENT DisplayPlane12FlipPendingWaitEnable", 0),
              0u);
    EXPECT_EQ(told({0x0A000001, 0, 0}).rfind("CS-148 MI_DISPLAY_FLIP", 0), 0u);
}

// What has no public layout, or moves how much is not public, is refused by its name.
TEST_F(Interpreter, UrbMemoryCommandsAreRefusedByName) {
    for (const auto& [command, name] :
         {std::pair{Words{0x16000002, 0x40, low(kData + 64), high(kData + 64)}, "MI_LOAD_URB_MEM"},
          {Words{0x16800002, 0x40, low(kData + 64), high(kData + 64)}, "MI_STORE_URB_MEM"},
          {Words{0x791D0000, 0x00010000}, "3DSTATE_URB_CLEAR"}}) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.run_ring((Stream() << command << sdi(kData, 1)).words);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 1u) << name;
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData + 64), 0u) << name;
        ASSERT_EQ(e.environment.reporter.entries().size(), 1u) << name;
        EXPECT_EQ(e.environment.reporter.entries()[0].text.rfind(name, 0), 0u) << name;
    }
    // What Haswell had in the place of the last one is no command here.
    Engine e;
    e.run_ring({0x0C800000, 0});
    EXPECT_EQ(e.kinds(), std::vector<std::string>{"cs: unknown command"});
}

TEST_F(Interpreter, WorkWithTheResourceStreamerOnIsReportedAndDone) {
    GEN9_COVERS("RS-22 RS-23");
    Words pool = {0x79190002, 1u << 11, 0, 0}, gathers = {0x791A0002, 1u << 11, 0, 0};
    const Words off = {0x03000000}, on = {0x03000001};
    const Words pool_off = {0x79190002, 0, 0, 0}, gathers_off = {0x791A0002, 0, 0, 0};
    const Words batch = (Stream() << walker() << kEnd).words;
    const auto errors = [&](const Words& words) {
        Engine e;
        e.ppgtt.map(kBatch, 0x1000);
        e.ppgtt.put(kBatch, batch);
        e.run_ring((Stream() << kSelectGpgpu << words).words);
        EXPECT_EQ(e.sent.size(), 1u) << "it is done all the same";
        return e.environment.reporter.guest_errors();
    };
    EXPECT_EQ(errors(start(kBatch)), 0u);
    EXPECT_EQ(errors(start(kBatch, 0x500)), 1u) << "armed by the batch's start";
    EXPECT_EQ(errors((Stream() << on << walker()).words), 1u);
    EXPECT_EQ(errors((Stream() << on << off << walker()).words), 0u);
    EXPECT_EQ(errors((Stream() << pool << walker()).words), 1u);
    EXPECT_EQ(errors((Stream() << gathers << walker()).words), 1u);
    EXPECT_EQ(errors((Stream() << pool << gathers << pool_off << walker()).words), 1u);
    // The order of a mixed batch (003:2858-2875).
    EXPECT_EQ(errors((Stream() << on << pool << gathers << off << pool_off << gathers_off
                               << Words{0x69040302} << walker() << Words{0x69040300} << on << pool)
                         .words),
              0u);
}

}  // namespace
}  // namespace gen9

// SPDX-License-Identifier: Apache-2.0
// Where a saved context has its commands, and that they bring back what was saved.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "cs/context/base_address.h"
#include "cs/context/context_image.h"

namespace gen9::cs {
namespace {

StateBases distinct_state() {
    StateBases s;
    s.general_state_base = GpuAddr(0x1111'1111'1000);
    s.surface_state_base = GpuAddr(0x2222'2222'2000);
    s.dynamic_state_base = GpuAddr(0x3333'3333'3000);
    s.indirect_object_base = GpuAddr(0x4444'4444'4000);
    s.instruction_base = GpuAddr(0x5555'5555'5000);
    s.bindless_surface_base = GpuAddr(0x6666'6666'6000);
    s.general_state_size = 0x1000;
    s.dynamic_state_size = 0x2000;
    s.indirect_object_size = 0x3000;
    s.instruction_size = 0x4000;
    s.bindless_surface_count = 77;
    s.stateless_mocs = 1 << 1;
    s.general_mocs = 2 << 1;
    s.surface_mocs = 3 << 1;
    s.dynamic_mocs = 4 << 1;
    s.indirect_mocs = 5 << 1;
    s.instruction_mocs = 6 << 1;
    s.bindless_mocs = 7 << 1;
    s.system_instruction_pointer = GpuAddr(0x7777'89AB'CDE0);
    return s;
}

struct ImageLayout : ::testing::Test {
    RegisterFile registers;
    ContextCommands commands = [] {
        ContextCommands given;
        given.base_addresses = true;
        return given;
    }();
    StateBases state = distinct_state();
    StateStore store;
    ContextImage image{registers};

    void build(bool streamer_on = false) {
        store.set_bases(state);
        image.build(commands, store, streamer_on);
    }
    void give(const std::vector<std::uint32_t>& command) {
        store.take(*packets::find_command(command[0]), command);
    }
    std::vector<std::uint32_t> at(unsigned dword, unsigned count) const {
        const auto words =
            image.chunk({static_cast<std::uint16_t>(dword), static_cast<std::uint16_t>(count)});
        return {words.begin(), words.end()};
    }
};

using Words = std::vector<std::uint32_t>;

// Saved with the image, or in the part of it that belongs to the 3D pipe, which is left out here.
// The clock goes on whatever is loaded.
TEST(RegistersOfAContext, AreThoseOfItsImageAndOfThe3DPipe) {
    const RegisterFile file;
    std::set<std::uint32_t> held;
    for (const ImageSection& section : image_sections())
        for (const ImageRun& run : section.runs)
            for (unsigned n = 0; n < run.count && run.offset; ++n) {
                const std::uint32_t offset = run.offset + 4 * n;
                EXPECT_NE(file.row(offset), nullptr) << std::hex << offset;
                held.insert(offset);
            }
    held.erase(TIMESTAMP);
    for (const RegisterRow& row : register_rows())
        for (unsigned n = 0; n < row.count && row.access != Access::External; ++n) {
            const std::uint32_t offset = row.offset + 4 * n;
            const bool of_3d = offset >= 0x5000 && offset < 0x9000 && offset != SC_INSTDONE;
            EXPECT_EQ(row.context, of_3d || held.contains(offset)) << row.name << " " << n;
        }
}

TEST_F(ImageLayout, ItsBaseAddressCommandBringsBackTheState) {
    build();
    const StateBases back = apply_state_base_address({}, at(0x144, 19));
    EXPECT_EQ(back.general_state_base, state.general_state_base);
    EXPECT_EQ(back.surface_state_base, state.surface_state_base);
    EXPECT_EQ(back.dynamic_state_base, state.dynamic_state_base);
    EXPECT_EQ(back.indirect_object_base, state.indirect_object_base);
    EXPECT_EQ(back.instruction_base, state.instruction_base);
    EXPECT_EQ(back.bindless_surface_base, state.bindless_surface_base);
    EXPECT_EQ(back.general_state_size, state.general_state_size);
    EXPECT_EQ(back.dynamic_state_size, state.dynamic_state_size);
    EXPECT_EQ(back.indirect_object_size, state.indirect_object_size);
    EXPECT_EQ(back.instruction_size, state.instruction_size);
    EXPECT_EQ(back.bindless_surface_count, state.bindless_surface_count);
    EXPECT_EQ(back.stateless_mocs, state.stateless_mocs);
    EXPECT_EQ(back.general_mocs, state.general_mocs);
    EXPECT_EQ(back.surface_mocs, state.surface_mocs);
    EXPECT_EQ(back.dynamic_mocs, state.dynamic_mocs);
    EXPECT_EQ(back.indirect_mocs, state.indirect_mocs);
    EXPECT_EQ(back.instruction_mocs, state.instruction_mocs);
    EXPECT_EQ(back.bindless_mocs, state.bindless_mocs);
}

// Positions: CS-102, CS-109, CS-113.
TEST_F(ImageLayout, CommandsStandAtTheirPlaces) {
    state.context_save_base = GpuAddr(0x1234'5678'9000);
    give({0x70000007, 2, 3, 4, 5, 6, 7, 8, 9});
    give({0x70050004, 12, 13, 14, 15, 16});
    give({0x70010002, 22, 23, 24});
    give({0x70020002, 32, 33, 34});
    build();
    EXPECT_EQ(at(0x44, 3), (Words{0x61040001, 0x5678'9000, 0x1234}));
    EXPECT_EQ(at(0x381, 3), (Words{0x61020001, 0x89AB'CDE0, 0x7777}));
    EXPECT_EQ(at(0x1670, 23),
              (Words{0x70000007, 2,  3,  4,          5,  6,  7,  8,          9,  0x70050004, 12, 13,
                     14,         15, 16, 0x70010002, 22, 23, 24, 0x70020002, 32, 33,         34}));
    EXPECT_EQ(at(0, kImageDwords).size(), 0x1690u);
}

TEST_F(ImageLayout, PairsWithoutANameLoadTheRegisterThatMeansNothing) {
    registers.set(NOPID, 0x12345);
    build();
    unsigned pairs = 0;
    for (const ImageSection& section : image_sections())
        for (const ImageRun& run : section.runs)
            for (unsigned n = 0; n < run.count && run.offset == 0; ++n, ++pairs)
                EXPECT_EQ(at(run.dword + 2 * n, 2), (Words{NOPID, 0x12345})) << run.dword << n;
    EXPECT_GT(pairs, 0u);
}

// The image keeps what the registers hold, whoever writes them, also where the general purpose
// registers are elsewhere.
TEST(ImageOfRegisters, HoldsWhatEachSaves) {
    AluCore alu;
    for (AluUnit* const gprs : {static_cast<AluUnit*>(nullptr), static_cast<AluUnit*>(&alu)}) {
        RegisterFile registers(gprs);
        ContextImage image(registers);
        const auto same = [&](const char* when) {
            image.build({}, {}, false);
            for (const ImageSection& section : image_sections()) {
                EXPECT_EQ(image.chunk({section.header_dword, 1})[0], section.header);
                for (const ImageRun& run : section.runs)
                    for (unsigned n = 0; n < run.count && run.offset; ++n) {
                        const std::uint32_t offset = run.offset + 4 * n;
                        const auto dword = static_cast<std::uint16_t>(run.dword + 2 * n);
                        const auto pair = image.chunk({dword, 2});
                        EXPECT_EQ(pair[0], offset) << when;
                        EXPECT_EQ(pair[1], registers.saved(offset)) << when << std::hex << offset;
                    }
            }
        };
        same("at reset ");
        std::mt19937 random(1);
        for (const RegisterRow& row : register_rows())
            for (unsigned n = 0; n < row.count; ++n)
                registers.set(row.offset + 4 * n,
                              row.access == Access::Masked ? random() & 0xFFFF : random());
        same("set ");
        for (const RegisterRow& row : register_rows())
            registers.write(row.offset, random(), 0, Writer::Restore);
        registers.set64(MI_PREDICATE_SRC0, 0x1234'5678'9ABC'DEF0);
        same("written ");
        registers.reset_context();
        same("in a new context ");
    }
}

TEST_F(ImageLayout, HasOfTheStreamerThatItIsOn) {
    build(true);
    const unsigned place = packets::command_of(packets::Command::MI_RS_CONTROL).latch.image;
    EXPECT_EQ(at(place, 1), Words{0x03000001});
    build();
    EXPECT_EQ(at(place, 1), Words{0});
}

// Commands of all chunks, which a context that gives none then leaves out.
TEST_F(ImageLayout, NothingIsLeftOfTheImageBefore) {
    const auto all = [this] { return at(0, kImageDwords); };
    const auto commands_in = [this] {
        std::vector<bool> in;
        for (const StateChunk& chunk : kStateChunks)
            in.push_back(image.has_command(chunk));
        return in;
    };
    const std::vector<bool> none(std::size(kStateChunks), false);
    build();
    const Words fresh = all();
    EXPECT_EQ(commands_in(), none);
    for (const packets::CommandRow& row : packets::command_rows()) {
        if (!row.latch.image || !row.latch.dwords) continue;
        Words command(row.latch.dwords, 1);
        command[0] = row.with_length(row.value, row.latch.dwords);
        give(command);
        give(command);
    }
    build(true);
    EXPECT_NE(all(), fresh);
    EXPECT_NE(commands_in(), none);
    store.reset();
    build();
    EXPECT_EQ(all(), fresh);
    EXPECT_EQ(commands_in(), none);
}

}  // namespace
}  // namespace gen9::cs

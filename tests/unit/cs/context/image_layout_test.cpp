// SPDX-License-Identifier: Apache-2.0
// Where a saved context has its commands, and that they bring back what was saved.
#include <gtest/gtest.h>

#include <set>

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
    std::vector<std::uint32_t> image;

    void build() {
        store.set_bases(state);
        build_context_image(image, registers, commands, store);
    }
    void give(const std::vector<std::uint32_t>& command) {
        store.take(*packets::find_command(command[0]), command);
    }
    std::vector<std::uint32_t> at(std::size_t dword, std::size_t count) const {
        return {image.begin() + static_cast<std::ptrdiff_t>(dword),
                image.begin() + static_cast<std::ptrdiff_t>(dword + count)};
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
    EXPECT_EQ(image.size(), 0x1690u);
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

// A context that has given nothing is built where one that has given everything was.
TEST_F(ImageLayout, NothingIsLeftOfTheImageBefore) {
    build();
    const Words fresh = image;
    image.assign(kImageDwords, 0xFFFFFFFF);
    build();
    const auto same = [&](ImageChunk chunk) {
        const auto first = fresh.begin() + chunk.dword;
        EXPECT_EQ(at(chunk.dword, chunk.count), Words(first, first + chunk.count))
            << "chunk at " << chunk.dword;
    };
    same(kExeclistChunk);
    for (const ImageChunk chunk : kEngineChunks)
        same(chunk);
    for (const StateChunk& chunk : kStateChunks)
        same(chunk);
}

}  // namespace
}  // namespace gen9::cs

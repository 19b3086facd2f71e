// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_thread.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::geometry::test {
namespace {

using Dwords = std::vector<std::uint32_t>;
using Row = std::array<std::uint32_t, 8>;

struct Shader {
    PipelineState state;
    std::vector<std::string> problems;

    Shader() {
        state.instruction_base = GpuAddr(0x2'0000'0000);
        state.dynamic_state_base = GpuAddr(0x9000'0000);
    }
    Shader& take(const char* name, const Dwords& dwords) {
        const packets::CommandRow& row = packets::command_named(name);
        const auto unit = static_cast<unsigned>(row.latch.unit);
        auto block = state.stages[unit] ? std::make_shared<StageState>(*state.stages[unit])
                                        : std::make_shared<StageState>(row.latch.unit);
        EXPECT_TRUE(block->take(row, dwords)) << name;
        state.stages[unit] = block;
        return *this;
    }
    /// Lengths in rows; buffer i lies at 1000h * (i + 1).
    Shader& constants(const std::array<unsigned, 4>& rows) {
        Dwords dwords(11);
        dwords[0] = 0x78150409;
        dwords[1] = rows[1] << 16 | rows[0];
        dwords[2] = rows[3] << 16 | rows[2];
        for (unsigned i = 0; i < 4; ++i)
            dwords[3 + 2 * i] = 0x1000 * (i + 1);
        return take("3DSTATE_CONSTANT_VS", dwords)
            .take("3DSTATE_BINDING_TABLE_POINTERS_VS", {0x78260000, 0x1240});
    }
    /// 3DSTATE_VS by its DWords 3, 4, 6 and 7.
    Shader& vs(std::uint32_t dword3, std::uint32_t dword4, std::uint32_t dword6,
               std::uint32_t dword7 = 0xA7800405) {
        return take("3DSTATE_VS",
                    {0x78100007, 0x9ABCDEC0, 0x5678, dword3, dword4, 0, dword6, dword7, 0});
    }
    VertexShaderState decode(bool absolute = true) {
        return decode_vertex_shader(state, absolute, problems);
    }
};
Row row_of(const ThreadDispatch& thread, unsigned reg) {
    Row row;
    std::memcpy(row.data(), thread.payload[reg].bytes, sizeof row);
    return row;
}
ThreadDispatch make(const VertexShaderState& shader, unsigned vertices, std::uint32_t slot = 0,
                    const ThreadPlace& place = {0, 1, 2}) {
    const ThreadTopology topology{1, 2, 4, 7};
    std::vector<std::uint32_t> rows(vertices), data(8 * shader.read_rows * vertices),
        constants(8 * shader.constant_rows);
    for (unsigned n = 0; n < vertices; ++n)
        rows[n] = 0x400 + 4 * n;
    for (unsigned n = 0; n < vertices; ++n)
        std::iota(data.begin() + n * 8 * shader.read_rows,
                  data.begin() + (n + 1) * 8 * shader.read_rows, 1000 * (n + 1));
    std::iota(constants.begin(), constants.end(), 0xC000u);
    const auto bytes = [](const std::vector<std::uint32_t>& words) {
        return std::span(reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
    };
    ThreadDispatch thread;
    // What an earlier thread left.
    for (Grf& reg : thread.payload)
        std::memset(reg.bytes, 0xEE, sizeof reg.bytes);
    make_vertex_thread(shader,
                       {.constants = bytes(constants),
                        .scratch_slot = slot,
                        .number = 0x1'0000'0BADu & 0xFFFFFFFF},
                       rows, bytes(data), topology, place, thread);
    return thread;
}

TEST(VertexThread, ItsHeaderSaysWhatTheStageHas) {
    GEN9_COVERS("FF-05 FF-18 FF-19 FF-61 VS-05 FF-10 FF-17 FF-20 FF-25 FF-48 FF-62 FF-63 FF-68");
    Shader s;
    s.constants({}).take("3DSTATE_SAMPLER_STATE_POINTERS_VS", {0x782B0000, 0x2460});
    s.vs(0, 16u << 10 | 2, 2u << 20);
    const VertexShaderState shader = s.decode();
    EXPECT_TRUE(s.problems.empty());
    const ThreadDispatch thread = make(shader, 3, 3);
    EXPECT_EQ(row_of(thread, 0),
              (Row{0, 0, 0, 0x2462, 0x1240, 0x7000u | thread.sideband.fftid, 0xBAD, 0}));
    EXPECT_EQ(row_of(thread, 1), (Row{0x200, 0x202, 0x204}));
    EXPECT_EQ(thread.payload_registers, 2u);
    EXPECT_EQ(thread.sideband.fftid, 1u * 7 + 2);
    EXPECT_EQ(thread.sideband.binding_table_offset, 0x1240u);
    EXPECT_EQ(thread.sideband.sampler_state_offset, 0x2460u);
    EXPECT_EQ(thread.instruction_pointer, 0x9ABCDEC0u);
    EXPECT_EQ(thread.sideband.kernel_start.value, 0x2'9ABC'DEC0u);
}

TEST(VertexThread, ControlBitsAreThoseOfTheState) {
    GEN9_COVERS("FF-07 FF-08 FF-11");
    Shader s;
    s.vs(0, 0, 2u << 20);
    const ThreadDispatch plain = make(s.decode(), 8);
    EXPECT_FALSE(plain.alternate_float || plain.uses_vector_mask || plain.software_exception ||
                 plain.illegal_opcode_exception || plain.single_program_flow ||
                 plain.sideband.priority);
    s.vs(1u << 7 | 1u << 13 | 1u << 16 | 1u << 17 | 1u << 30, 0, 2u << 20);
    const ThreadDispatch all = make(s.decode(), 8);
    EXPECT_TRUE(all.alternate_float && all.uses_vector_mask && all.software_exception &&
                all.illegal_opcode_exception && all.sideband.priority);
    EXPECT_FALSE(all.single_program_flow);
    EXPECT_EQ(all.rounding, 0u);
    for (unsigned reg = 0; reg < 2; ++reg)
        EXPECT_EQ(row_of(all, reg), row_of(plain, reg)) << "no register shows them";
}

// Guide test 17.
TEST(VertexThread, ConstantsComeFirstAndThenTheVerticesBySideOfEachOther) {
    GEN9_COVERS("FF-60 FF-67 FF-82 VS-06 VS-07 FF-24");
    Shader s;
    s.constants({0, 1, 0, 2}).vs(0, 0, 2u << 20 | 1u << 11);
    const VertexShaderState shader = s.decode();
    EXPECT_EQ(shader.constant_rows, 3u);
    EXPECT_EQ(shader.registers(), 2u + 3 + 8);
    const ThreadDispatch whole = make(shader, 8), part = make(shader, 3);
    EXPECT_EQ(whole.dispatch_mask, 0xFFu);
    EXPECT_EQ(part.dispatch_mask, 7u);
    EXPECT_EQ(row_of(whole, 2)[0], 0xC000u);
    EXPECT_EQ(row_of(whole, 4)[7], 0xC017u);
    EXPECT_EQ(row_of(whole, 5), (Row{1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000}));
    EXPECT_EQ(row_of(whole, 12), (Row{1007, 2007, 3007, 4007, 5007, 6007, 7007, 8007}));
    EXPECT_EQ(row_of(part, 12), (Row{1007, 2007, 3007}));
}

TEST(VertexThread, OfTwoVerticesHasTheirElementsInHalves) {
    GEN9_COVERS("VS-03 VS-04 VS-07 VS-09");
    Shader s;
    s.constants({0, 1, 0, 0}).take("3DSTATE_SAMPLER_STATE_POINTERS_VS", {0x782B0000, 0x2460});
    s.vs(0, 16u << 10 | 2, 1u << 20 | 1u << 11, 0xA7800401);
    const VertexShaderState shader = s.decode();
    EXPECT_TRUE(s.problems.empty());
    EXPECT_EQ(shader.vertices(), 2u);
    const ThreadDispatch both = make(shader, 2, 3), one = make(shader, 1);
    EXPECT_EQ(both.dispatch_mask, 0xFFu);
    EXPECT_EQ(one.dispatch_mask, 0xFu);
    EXPECT_EQ(both.payload_registers, 1u + 1 + 2);
    EXPECT_EQ(row_of(both, 0),
              (Row{0x200, 0x202, 0, 0x2462, 0x1240, 0x7000u | both.sideband.fftid, 0xBAD, 0}));
    EXPECT_EQ(row_of(one, 0)[0], 0x200u);
    EXPECT_EQ(row_of(both, 1)[7], 0xC007u);
    EXPECT_EQ(row_of(both, 2), (Row{1000, 1001, 1002, 1003, 2000, 2001, 2002, 2003}));
    EXPECT_EQ(row_of(both, 3), (Row{1004, 1005, 1006, 1007, 2004, 2005, 2006, 2007}));
    EXPECT_EQ(row_of(one, 3), (Row{1004, 1005, 1006, 1007}));
    s.vs(1u << 31, 0, 1u << 20 | 1u << 11, 0xA7800401);
    EXPECT_EQ(s.decode().vertices(), 1u);
}

TEST(VertexThread, WhatLiesBetweenHeaderAndDataIsZero) {
    GEN9_COVERS("FF-22");
    Shader s;
    s.constants({}).vs(0, 0, 5u << 20 | 1u << 11);
    const ThreadDispatch thread = make(s.decode(), 1);
    for (unsigned reg = 2; reg < 5; ++reg)
        EXPECT_EQ(row_of(thread, reg), Row{}) << reg;
    EXPECT_EQ(row_of(thread, 5), Row{1000});
}

TEST(VertexThread, ConstantBuffersLieWhereTheRegisterSays) {
    GEN9_COVERS("FF-80 FF-83");
    Shader s;
    s.constants({1, 2, 0, 3}).vs(0, 0, 2u << 20);
    const VertexShaderState absolute = s.decode(true), relative = s.decode(false);
    EXPECT_EQ(absolute.constants[0].address.value, 0x1000u);
    EXPECT_EQ(relative.constants[0].address.value, 0x9000'1000u);
    EXPECT_EQ(relative.constants[1].address.value, 0x2000u);
    EXPECT_EQ(relative.constants[2].bytes, 0u);
    EXPECT_EQ(relative.constants[3].address.value, 0x4000u);
    EXPECT_EQ(relative.constants[3].bytes, 96u);
    EXPECT_EQ(relative.constants[3].mocs, 4u);
}

TEST(VertexThread, GatheredConstantsLieInTheirPool) {
    GEN9_COVERS("FF-83 FF-92 RS-25");
    Shader s;
    s.constants({1, 2, 0, 3}).vs(0, 0, 2u << 20);
    s.state.gather_pool = GpuAddr(0x7'0000'0000);
    const VertexShaderState relative = s.decode(false);
    EXPECT_EQ(relative.constants[0].address.value, 0x9000'1000u);
    EXPECT_EQ(relative.constants[1].address.value, 0x7'0000'2000u);
    EXPECT_EQ(relative.constants[3].address.value, 0x4000u);
}

// FF-91: until the pointers of the stage's binding table come, the old ones act.
TEST(VertexThread, ConstantsActFromTheNextBindingTablePointersOn) {
    GEN9_COVERS("FF-91");
    Shader s;
    s.constants({1, 0, 0, 0}).vs(0, 0, 2u << 20);
    s.take("3DSTATE_CONSTANT_VS", Dwords{0x78150409, 0x30002, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(s.decode().constant_rows, 1u);
    s.take("3DSTATE_BINDING_TABLE_POINTERS_VS", {0x78260000, 0});
    EXPECT_EQ(s.decode().constant_rows, 5u);
}

TEST(VertexThread, WhatDoesNotFitIsReportedAndCutOff) {
    GEN9_COVERS("FF-64 FF-81");
    Shader s;
    s.constants({40, 40, 0, 0}).vs(0, 0, 2u << 20 | 15u << 11);
    const VertexShaderState shader = s.decode();
    ASSERT_EQ(s.problems.size(), 2u);
    EXPECT_NE(s.problems[0].find("more than 2 KB"), std::string::npos);
    EXPECT_NE(s.problems[1].find("more than 128 registers"), std::string::npos);
    EXPECT_EQ(shader.constant_rows, 40u);
    EXPECT_EQ(make(shader, 8).payload_registers, 128u);
    Shader low;
    low.constants({}).vs(0, 0, 1u << 11);
    EXPECT_EQ(low.decode().registers(), 10u);
    EXPECT_EQ(low.problems.size(), 1u);
}

// 3d-settled 2.6: all else of a stage that is off counts for nothing.
TEST(VertexThread, AStageThatIsOffHasNoKernel) {
    GEN9_COVERS("FF-02");
    Shader s;
    s.constants({1, 1, 1, 1}).vs(0, 0, 0, 0x400);
    const VertexShaderState shader = s.decode();
    EXPECT_FALSE(shader.enabled);
    EXPECT_TRUE(shader.statistics);
    EXPECT_EQ(shader.constant_rows, 0u);
    for (const packets::Unit unit :
         {packets::Unit::Vs, packets::Unit::Hs, packets::Unit::Ds, packets::Unit::Gs}) {
        const ShaderCommands& commands = shader_commands(unit);
        Dwords all(commands.shader.latch.dwords, ~0u);
        all[0] = commands.shader.value | (static_cast<std::uint32_t>(all.size()) - 2);
        commands.enable.set(all, 0);
        Dwords constants(11, 0x00400040);
        constants[0] = commands.constants.value | 9;
        Shader off;
        off.take(commands.shader.name, all).take(commands.constants.name, constants);
        off.take(commands.binding_table.name, {commands.binding_table.value, 0x40});
        const ShaderState state = decode_shader(off.state, unit, true, off.problems);
        EXPECT_TRUE(off.problems.empty()) << commands.stage;
        EXPECT_FALSE(state.enabled || state.high_priority || state.software_exception);
        EXPECT_EQ(state.kernel + state.constant_rows + state.read_rows + state.start +
                      state.binding_table + state.scratch_code,
                  0u)
            << commands.stage;
        EXPECT_EQ(state.max_threads, 1u);
    }
}

}  // namespace
}  // namespace gen9::geometry::test

// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/support/covers.h"
#include "tests/unit/pixel/pixel_bench.h"

namespace gen9::pixel::module_test {
namespace {

constexpr unsigned kLinear = 0, kX = 2, kY = 3;

/// Clear of both drivers without auxiliary surfaces: a rectangle and a REP16 shader, as iris sends
/// it.
StateMaker clear_state() {
    StateMaker maker;
    maker.state.dynamic_state_base = GpuAddr(kDynamic);
    maker.state.surface_state_base = GpuAddr(kSurfaces);
    for (const std::vector<std::uint32_t>& command : std::vector<std::vector<std::uint32_t>>{
             {0x78240000, 0x00000001},                    // BLEND_STATE_POINTERS
             {0x784d0000, 0x40000000},                    // PS_BLEND
             {0x780e0000, 0x00000041},                    // CC_STATE_POINTERS
             {0x784e0002, 0, 0, 0},                       // WM_DEPTH_STENCIL
             {0x78170409, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},  // CONSTANT_PS
             {0x780d0000, 0},                             // MULTISAMPLE
             {0x78180000, 1},                             // SAMPLE_MASK
             {0x78140000, 0},                             // WM
             {0x7820000a, 0xffff7000, 0, 0x00040000, 0, 0, 0x1f800002, 0x00020000, 0xffff7000, 0,
              0xffff7000, 0},                             // PS
             {0x784f0000, 0x80000100},                    // PS_EXTRA
             {0x782a0000, 0x00000020},                    // BINDING_TABLE_POINTERS_PS
             {0x78050006, 0xe0040000, 0, 0, 0, 4, 0, 0},  // DEPTH_BUFFER
             {0x78060003, 0x01000000, 0, 0, 0}})          // STENCIL_BUFFER
        maker.give(command);
    return maker;
}

SetUpObject rectangle_object(const std::array<float, 4>& flat) {
    SetUpObject object;
    object.type = ObjectType::Rectangle;
    object.topology = 0x0F;
    object.attribute_count = 1;
    object.attributes[0] = {};
    for (unsigned c = 0; c < 4; ++c)
        object.attributes[0][4 * c + 3] = std::bit_cast<std::uint32_t>(flat[c]);
    return object;
}

/// The shader of 25.4: a message of four scalars that stand in its set-up data.
std::vector<Message> rep16_shader(const ThreadDispatch& thread) {
    Grf color{};
    for (unsigned c = 0; c < 4; ++c)
        std::memcpy(color.bytes + 4 * c, thread.payload[2 + c / 2].bytes + 16 * (c % 2) + 12, 4);
    MessageMaker maker{.subtype = kRep16};
    maker.registers = {color};
    maker.execution_mask = thread.dispatch_mask;
    return {maker.make()};
}

/// A target at kTarget behind binding 0 of the table at 0x20.
void bind_target(PixelBench& bench, const std::vector<std::uint32_t>& surface) {
    bench.put<std::uint32_t>(kSurfaces + 0x20, 0x400);
    bench.put_dwords(kSurfaces + 0x400, surface);
}

void clears(Timing timing, unsigned tile_mode) {
    PixelBench bench("bench", timing);
    const std::uint32_t pitch = 512;
    bind_target(bench, surface_state(kRgba8, tile_mode, 64, 64, pitch, kTarget));
    bench.shader = rep16_shader;
    bench.new_draw(clear_state().state);
    // Half a block over to each side of 2x2 and 8x4 pixels.
    bench.add_rectangle(rectangle_object({0.25f, 0.5f, 0.75f, 1.0f}), {3, 5, 50, 62});
    bench.run();
    EXPECT_EQ(bench.env.reporter.entries().size(), 0u);
    std::vector<std::uint8_t> expected(64 * 512, 0);
    for (unsigned y = 5; y <= 62; ++y)
        for (unsigned x = 3; x <= 50; ++x) {
            constexpr std::uint8_t kColor[4] = {0x40, 0x80, 0xBF, 0xFF};
            for (unsigned c = 0; c < 4; ++c)
                expected[byte_place(tile_mode, pitch, 4 * x + c, y)] = kColor[c];
        }
    const auto* at = &bench.memory.bytes[kTarget];
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), at));
    EXPECT_EQ(bench.target.stats().pixels.value(), 48u * 58u);
}

TEST(PixelModules, AReplicatedClearWritesItsPixelsOfALinearTarget) {
    clears(Timing::Functional, kLinear);
}
TEST(PixelModules, AReplicatedClearWritesItsPixelsOfAnXTiledTarget) {
    GEN9_COVERS("RT-24 CC-49");
    clears(Timing::Functional, kX);
}
TEST(PixelModules, AReplicatedClearWritesItsPixelsOfAYTiledTarget) {
    clears(Timing::Functional, kY);
}
TEST(PixelModules, AReplicatedClearWritesTheSameInTimedMode) {
    clears(Timing::Timed, kY);
}
TEST(PixelModules, AReplicatedClearWritesTheSameInTimedModeLinear) {
    clears(Timing::Timed, kLinear);
}

TEST(PixelModules, ThePayloadOfAClearIsSetUpDataOnly) {
    GEN9_COVERS("PS-20 PS-24 PS-25 PS-26 PS-33");
    PixelBench bench("bench", Timing::Functional);
    bench.new_draw(clear_state().state);
    bench.add_rectangle(rectangle_object({0.25f, 0.5f, 0.75f, 1.0f}), {3, 5, 7, 5});
    bench.run();
    // Pixels 3 to 7 of row 5 lie in three pairs of columns: one thread of 16 slots.
    ASSERT_EQ(bench.seen.size(), 1u);
    const ThreadDispatch& thread = bench.seen[0].dispatch;
    EXPECT_EQ(thread.simd_width, 16);
    EXPECT_EQ(thread.instruction_pointer, 0xffff7000u);
    EXPECT_EQ(thread.sideband.binding_table_offset, 0x20u);
    EXPECT_EQ(thread.dispatch_mask, 0x0FFFu);
    EXPECT_EQ(thread.payload_registers, 4);
    EXPECT_EQ(dword_at(thread.payload[0], 0), 0x0Fu);
    EXPECT_EQ(dword_at(thread.payload[0], 1), 0x40u);
    EXPECT_EQ(dword_at(thread.payload[0], 4), 0x20u);
    EXPECT_EQ(dword_at(thread.payload[0], 5), thread.sideband.fftid);
    EXPECT_EQ(dword_at(thread.payload[1], 2), 4u << 16 | 2);
    EXPECT_EQ(dword_at(thread.payload[1], 3), 4u << 16 | 4);
    EXPECT_EQ(dword_at(thread.payload[1], 4), 4u << 16 | 6);
    // Row 5 is the lower one: slots 3; 6, 7; 10, 11.
    EXPECT_EQ(dword_at(thread.payload[1], 7), 0x0CC80CC8u);
    EXPECT_EQ(float_at(thread.payload[2], 3), 0.25f);
    EXPECT_EQ(float_at(thread.payload[2], 7), 0.5f);
    EXPECT_EQ(float_at(thread.payload[3], 3), 0.75f);
    EXPECT_EQ(float_at(thread.payload[3], 7), 1.0f);
}

}  // namespace
}  // namespace gen9::pixel::module_test

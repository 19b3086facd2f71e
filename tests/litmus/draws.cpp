// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/draws.h"

#include <array>
#include <bit>

#include "isa/text/assemble.h"
#include "packets/draw/pixels.h"
#include "packets/draw/setup.h"
#include "packets/draw/vf.h"
#include "packets/surface_state.h"

namespace gen9::litmus::draws {
namespace {

constexpr std::uint32_t kShader = 0x8000;  ///< from the code on
/// The state of texels from the surfaces on, and their place in the binding table. The target's is 0.
constexpr std::uint32_t kTexels = 0x480, kTexelsIndex = 1;
constexpr std::uint32_t kMocs = 2 << 1;  // write back everywhere
constexpr std::uint32_t kFloat32 = 0x0D8, kUint32 = 0x0D7, kTwoFloats = 0x085;
constexpr std::uint32_t kRectangles = 0xF;

/// A command with its fields.
template <class... Setters>
Words command(std::uint32_t header, unsigned length, Setters&&... set) {
    Words words(length);
    words[0] = header | (length - 2);
    (set(words), ...);
    return words;
}
auto with(const packets::Field& field, std::uint64_t value) {
    return [&field, value](Words& words) { field.set(words, value); };
}

std::array<float, 6> corners_of(Pixels pixels) {
    const auto left = static_cast<float>(pixels.first),
               right = static_cast<float>(pixels.first + pixels.count);
    return {right, 1, left, 1, left, 0};
}

}  // namespace

void load(CommandMachine& machine, std::uint32_t value) {
    using isa::grf;
    using isa::Inst;
    using isa::Opcode;
    using isa::Type;
    constexpr unsigned kRenderCache = 5, kColor = 120;
    // Write, eight slots of one source, last target.
    constexpr std::uint32_t kWrite = 0xC << 14 | 1 << 12 | 4 << 8 | 4 << 25;
    isa::Program program;
    for (unsigned channel = 0; channel < 4; ++channel)
        program << Inst(Opcode::Mov)
                       .exec(8)
                       .no_mask()
                       .dst(grf(kColor + channel), Type::UD)
                       .src(isa::imm(value));
    program << Inst(Opcode::Send)
                   .exec(8)
                   .dst(isa::null(), Type::UD)
                   .src(grf(kColor), Type::UD)
                   .message(kRenderCache, kWrite)
                   .eot();
    const auto bytes = program.bytes();
    for (std::size_t at = 0; at < bytes.size(); at += 4)
        machine.write(CommandMachine::kCode + kShader + static_cast<std::uint32_t>(at),
                      gen9::load<std::uint32_t>(&bytes[at]));
}

void load_sampled(CommandMachine& machine, unsigned slots) {
    using isa::grf;
    using isa::Inst;
    using isa::Opcode;
    using isa::Type;
    constexpr unsigned kSampler = 2, kHeader = 110, kU = 111, kLdLz = 0x1A;
    const unsigned rows = slots / 8;
    const std::uint32_t message =
        (1 + rows) << 25 | 1u << 19 | (slots == 16 ? 2u : 1u) << 17 | kLdLz << 12 | kTexelsIndex;
    isa::Program program;
    // All channels, and target 0.
    program << Inst(Opcode::Mov)
                   .exec(8)
                   .no_mask()
                   .dst(grf(kHeader), Type::UD)
                   .src(isa::imm(std::uint32_t{0}));
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned lane = 0; lane < 8; ++lane)
            program << Inst(Opcode::Mov)
                           .exec(1)
                           .no_mask()
                           .dst(grf(kU + row, lane), Type::UD)
                           .src(isa::imm(8 * row + lane));
    program << Inst(Opcode::Sendc)
                   .exec(slots)
                   .dst(isa::null(), Type::UD)
                   .src(grf(kHeader), Type::UD)
                   .message(kSampler, message)
                   .eot();
    const auto bytes = program.bytes();
    for (std::size_t at = 0; at < bytes.size(); at += 4)
        machine.write(CommandMachine::kCode + kShader + static_cast<std::uint32_t>(at),
                      gen9::load<std::uint32_t>(&bytes[at]));
}

void write_corners(CommandMachine& machine, std::uint32_t address, Pixels pixels) {
    for (const float value : corners_of(pixels)) {
        machine.write(address, std::bit_cast<std::uint32_t>(value));
        address += 4;
    }
}

Words store_corners(std::uint32_t address, Pixels pixels) {
    Words words;
    for (const float value : corners_of(pixels)) {
        words = words + Words{0x10000002, address, 0, std::bit_cast<std::uint32_t>(value)};
        address += 4;
    }
    return words;
}

namespace {

namespace s = packets::render_surface_state;

void bind(CommandMachine& machine, std::uint32_t index, std::uint32_t state, std::uint32_t address,
          Words surface = Words(s::kDwords)) {
    s::SurfaceType.set(surface, s::SURFTYPE_2D);
    s::SurfaceFormat.set(surface, kUint32);
    s::Width.set(surface, 15);
    s::SurfacePitch.set(surface, 63);
    s::MemoryObjectControlState.set(surface, kMocs);
    s::SurfaceBaseAddress.set(surface, address);
    std::uint32_t at = CommandMachine::kSurfaces + state;
    for (const std::uint32_t word : surface) {
        machine.write(at, word);
        at += 4;
    }
    machine.write(CommandMachine::kSurfaces + kTable + 4 * index, state);
}

}  // namespace

void bind_target(CommandMachine& machine, std::uint32_t address) {
    bind(machine, 0, kTarget, address);
}

void bind_texels(CommandMachine& machine, std::uint32_t address) {
    constexpr std::uint32_t kRed = 4, kGreen = 5, kBlue = 6, kAlpha = 7;
    Words surface(s::kDwords);
    s::ShaderChannelSelectRed.set(surface, kRed);
    s::ShaderChannelSelectGreen.set(surface, kGreen);
    s::ShaderChannelSelectBlue.set(surface, kBlue);
    s::ShaderChannelSelectAlpha.set(surface, kAlpha);
    bind(machine, kTexelsIndex, kTexels, address, surface);
}

Words state(unsigned slots) {
    namespace ps = packets::STATE_PS;
    namespace extra = packets::STATE_PS_EXTRA;
    constexpr std::uint32_t kStore0 = 2, kStore1 = 3, kStoreSource = 1;
    constexpr auto kParts = [](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        return a << 28 | b << 24 | c << 20 | d << 16;
    };
    // The header of a vertex, and its position.
    const Words elements = {0x78090003, 1u << 25 | kFloat32 << 16,
                            kParts(kStore0, kStore0, kStore0, kStore0), 1u << 25 | kTwoFloats << 16,
                            kParts(kStoreSource, kStoreSource, kStore0, kStore1)};
    return Words{0x78300000, 4u << 25 | 64, 0x784B0000, kRectangles} + elements +
           command(0x78500000, 5, with(packets::STATE_RASTER::CullMode, 1)) +
           Words{0x79000002, 0, 0x0000000F, 0, 0x78180000, 1, 0x782A0000, kTable} +
           command(0x784D0000, 2, with(packets::STATE_PS_BLEND::HasWriteableRT, 1)) +
           command(0x784F0000, 2, with(extra::PixelShaderValid, 1)) +
           command(0x78200000, 12, with(ps::KernelStartPointer0, kShader),
                   with(ps::PixelDispatchEnable8, slots == 8),
                   with(ps::PixelDispatchEnable16, slots == 16),
                   with(ps::BindingTableEntryCount, 1), with(ps::MaximumNumberOfThreadsPerPSD, 7));
}

Words rectangle(std::uint32_t corners) {
    return {
        0x78080003, 1u << 14 | kMocs << 16 | 8, corners, 0, 24, 0x7B000005, kRectangles, 3, 0, 1, 0,
        0};
}

Words clear_depth(std::uint32_t buffer, Pixels pixels) {
    namespace db = packets::STATE_DEPTH_BUFFER;
    namespace hz = packets::STATE_WM_HZ_OP;
    constexpr std::uint32_t kFloats = 1, k2D = 1;
    return command(0x78050000, 8, with(db::SurfaceType, k2D), with(db::DepthWriteEnable, 1),
                   with(db::SurfaceFormat, kFloats), with(db::SurfacePitch, 127),
                   with(db::SurfaceBaseAddress, buffer), with(db::Width, 31), with(db::Height, 31),
                   with(db::MOCS, kMocs)) +
           Words{0x78040001, std::bit_cast<std::uint32_t>(1.0f), 1} +
           Words{0x79000002, 0, 0x001F001F, 0} +
           command(0x78520000, 5, with(hz::DepthBufferClearEnable, 1),
                   with(hz::ClearRectangleXMin, pixels.first),
                   with(hz::ClearRectangleXMax, pixels.first + pixels.count),
                   with(hz::ClearRectangleYMax, 4), with(hz::SampleMask, 1)) +
           command(0x78520000, 5);
}

}  // namespace gen9::litmus::draws

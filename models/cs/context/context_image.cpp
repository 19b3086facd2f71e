// SPDX-License-Identifier: Apache-2.0
#include "cs/context/context_image.h"

#include <algorithm>

#include "packets/mi.h"
#include "packets/state.h"

namespace gen9::cs {
namespace {

// clang-format off
constexpr ImageRun kExeclist[] = {
    {0x02, CTXT_SR_CTL, 1}, {0x04, RING_HEAD, 1}, {0x06, RING_TAIL, 1}, {0x08, RING_START, 1}, {0x0A, RING_CTL, 1},
    {0x0C, BB_ADDR_UDW, 1}, {0x0E, BB_ADDR, 1}, {0x10, BB_STATE, 1}, {0x12, SBB_ADDR_UDW, 1}, {0x14, SBB_ADDR, 1},
    {0x16, SBB_STATE, 1}, {0x18, BB_PER_CTX_PTR, 1}, {0x1A, INDIRECT_CTX, 1}, {0x1C, INDIRECT_CTX_OFFSET, 1}};
constexpr ImageRun kPpgtt[] = {
    {0x22, CTX_TIMESTAMP, 1}, {0x24, 0x228C, 1}, {0x26, 0x2288, 1}, {0x28, 0x2284, 1}, {0x2A, 0x2280, 1},
    {0x2C, 0x227C, 1}, {0x2E, 0x2278, 1}, {0x30, 0x2274, 1}, {0x32, 0x2270, 1}};
constexpr ImageRun kPower[] = {{0x42, R_PWR_CLK_STATE, 1}};
constexpr ImageRun kEngine1[] = {
    {0x52, 0x2028, 1}, {0x54, MI_MODE, 1}, {0x56, 0x20C0, 1}, {0x58, 0x2178, 2}, {0x5C, TIMESTAMP, 1}, {0x5E, 0x2170, 1},
    {0x60, 0x2150, 3}, {0x66, MI_PREDICATE_RESULT_1, 1}, {0x68, CS_GPR, 32}, {0xA8, IPEHR, 1}};
// Assumed: the pair without a name at the end is CS_CHICKEN1, which the public table leaves out and
// which is a context's own (Public: Linux i915 sets it up with each context).
constexpr ImageRun kEngine2[] = {
    {0xB2, 0, 1}, {0xB4, 0x2184, 1}, {0xB6, 0x2310, 4}, {0xBE, 0x2320, 2}, {0xC2, 0x2300, 4}, {0xCA, 0x2328, 8},
    {0xDA, 0x22C8, 2}, {0xDE, 0x22D8, 2}, {0xE2, 0, 1}, {0xE4, GPGPU_DISPATCHDIMX, 3}, {0xEA, MI_PREDICATE_SRC0, 7},
    {0xF8, 0x2420, 1}, {0xFA, 0x2430, 5}, {0x104, 0x2290, 2}, {0x108, 0x22F0, 2}, {0x10C, 0x22F8, 2}, {0x110, 0x215C, 1},
    {0x112, 0x24B4, 2}, {0x116, 0x2480, 2}, {0x11A, 0x248C, 3}, {0x120, 0, 4}, {0x128, 0x2360, 2}, {0x12C, 0x2448, 4},
    {0x134, 0x2174, 1}, {0x136, CS_CHICKEN1, 1}};
constexpr ImageRun kGamt[] = {{0x182, GFX_MOCS, 64}, {0x202, 0x4DE0, 6}};
constexpr ImageRun kL3Control[] = {{0x212, L3CNTLREG, 1}};
constexpr ImageRun kLncf[] = {{0x216, LNCFCMOCS, 32}};
constexpr ImageRun kTdl[] = {
    {0x3B2, 0xE400, 5}, {0x3BC, 0xE428, 1}, {0x3BE, 0xE4B0, 2}, {0x3C2, 0, 14}, {0x3DE, 0xE458, 1}, {0x3E0, 0xE558, 1},
    {0x3E2, 0xE658, 1}, {0x3E4, 0xE758, 1}, {0x3E6, 0xE45C, 1}, {0x3E8, 0xE55C, 1}, {0x3EA, 0xE65C, 1}, {0x3EC, 0, 1}};
constexpr ImageRun kSol[] = {{0x662, SO_NUM_PRIMS_WRITTEN, 8}, {0x672, SO_PRIM_STORAGE_NEEDED, 8}, {0x682, SO_WRITE_OFFSET, 4}};

constexpr ImageSection kSections[] = {
    {"execlist", 0x01, 0x1100101B, kExeclist},
    {"PPGTT", 0x21, 0x11001011, kPpgtt},
    {"power clock", 0x41, 0x11000001, kPower},
    {"engine CS 1", 0x51, 0x11001057, kEngine1},
    {"engine CS 2", 0xB1, 0x11001085, kEngine2},
    {"GAMT", 0x181, 0x1100108B, kGamt},
    {"L3 control", 0x211, 0x11001001, kL3Control},
    {"LNCF", 0x215, 0x1100103F, kLncf},
    {"TDL", 0x3B1, 0x1100103B, kTdl},
    {"SOL", 0x661, 0x11001027, kSol},
};
// clang-format on

/// CS-117: a header's length byte is twice its registers less one, and the pairs leave no hole.
constexpr bool consistent(const ImageSection& section) {
    unsigned next = section.header_dword + 1u;
    unsigned registers = 0;
    for (const ImageRun& run : section.runs) {
        if (run.dword != next) return false;
        next += 2u * run.count;
        registers += run.count;
    }
    return (section.header & 0xFF) == 2 * registers - 1;
}
static_assert(std::ranges::all_of(kSections, consistent));

/// A STATE_BASE_ADDRESS that, executed, gives `state`.
std::array<std::uint32_t, 19> base_address_command(const StateBases& state) {
    namespace row = packets::STATE_BASE_ADDRESS;
    std::array<std::uint32_t, 19> out{};
    out[0] = row::kHeader;
    const auto set = [&](const packets::Field& modify, const packets::Field& field,
                         std::uint64_t value) {
        modify.set(out, 1);
        field.set(out, value);
    };
    set(row::GeneralStateBaseAddressModifyEnable, row::GeneralStateBaseAddress,
        state.general_state_base.value);
    set(row::SurfaceStateBaseAddressModifyEnable, row::SurfaceStateBaseAddress,
        state.surface_state_base.value);
    set(row::DynamicStateBaseAddressModifyEnable, row::DynamicStateBaseAddress,
        state.dynamic_state_base.value);
    set(row::IndirectObjectBaseAddressModifyEnable, row::IndirectObjectBaseAddress,
        state.indirect_object_base.value);
    set(row::InstructionBaseAddressModifyEnable, row::InstructionBaseAddress,
        state.instruction_base.value);
    set(row::GeneralStateBufferSizeModifyEnable, row::GeneralStateBufferSize,
        state.general_state_size);
    set(row::DynamicStateBufferSizeModifyEnable, row::DynamicStateBufferSize,
        state.dynamic_state_size);
    set(row::IndirectObjectBufferSizeModifyEnable, row::IndirectObjectBufferSize,
        state.indirect_object_size);
    set(row::InstructionBuffersizeModifyEnable, row::InstructionBufferSize, state.instruction_size);
    set(row::BindlessSurfaceStateBaseAddressModifyEnable, row::BindlessSurfaceStateBaseAddress,
        state.bindless_surface_base.value);
    row::BindlessSurfaceStateSize.set(out, state.bindless_surface_count);
    row::StatelessDataPortAccessMemoryObjectControlState.set(out, state.stateless_mocs);
    row::GeneralStateMemoryObjectControlState.set(out, state.general_mocs);
    row::SurfaceStateMemoryObjectControlState.set(out, state.surface_mocs);
    row::DynamicStateMemoryObjectControlState.set(out, state.dynamic_mocs);
    row::IndirectObjectMemoryObjectControlState.set(out, state.indirect_mocs);
    row::InstructionMemoryObjectControlState.set(out, state.instruction_mocs);
    row::BindlessSurfaceStateMemoryObjectControlState.set(out, state.bindless_mocs);
    return out;
}

}  // namespace

std::span<const ImageSection> image_sections() {
    return kSections;
}

ContextImage::ContextImage(RegisterFile& registers)
    : registers_(registers), words_(kImageDwords, 0) {
    for (const ImageSection& section : kSections) {
        words_[section.header_dword] = section.header;
        for (const ImageRun& run : section.runs)
            for (unsigned n = 0; n < run.count; ++n) {
                const auto pair = static_cast<std::uint16_t>(run.dword + 2 * n);
                // Pairs without a name load the register that means nothing.
                const std::uint32_t offset = run.offset ? run.offset + 4 * n : NOPID;
                words_[pair] = offset;
                if (run.offset == 0)
                    unnamed_.push_back(pair);
                else if (!registers.show_in(words_[pair + 1u], offset))
                    elsewhere_.push_back(pair);
            }
    }
}

void ContextImage::put(unsigned dword, std::span<const std::uint32_t> command) {
    if (command.empty()) return;
    std::ranges::copy(command, words_.begin() + dword);
    commands_.push_back(
        {static_cast<std::uint16_t>(dword), static_cast<std::uint16_t>(command.size())});
}

bool ContextImage::has_command(ImageChunk chunk) const {
    return std::ranges::any_of(commands_, [&](ImageChunk command) {
        return command.dword >= chunk.dword && command.dword < chunk.dword + chunk.count;
    });
}

const char* ContextImage::build(const ContextCommands& commands, const StateStore& state,
                                bool streamer_on) {
    using packets::Command;
    const auto place = [](Command command) { return packets::command_of(command).latch.image; };
    for (const ImageChunk command : commands_)
        std::fill_n(words_.begin() + command.dword, command.count, 0u);
    commands_.clear();
    const std::uint32_t nothing = registers_.saved(NOPID);
    for (const unsigned pair : unnamed_)
        words_[pair + 1] = nothing;
    // General purpose registers, which have no mask.
    for (const unsigned pair : elsewhere_)
        words_[pair + 1] = registers_.read(words_[pair]);
    const char* const too_long =
        state.put([this](unsigned dword, StateStore::Dwords command) { put(dword, command); });
    const StateBases& bases = state.bases();
    const std::uint64_t csr = bases.context_save_base.value,
                        sip = bases.system_instruction_pointer.value;
    put(place(Command::GPGPU_CSR_BASE_ADDRESS),
        std::array{packets::GPGPU_CSR_BASE_ADDRESS::kHeader, static_cast<std::uint32_t>(csr),
                   static_cast<std::uint32_t>(csr >> 32)});
    put(place(Command::PIPELINE_SELECT), std::array{0x69040300u | commands.pipeline});
    if (commands.base_addresses)
        put(place(Command::STATE_BASE_ADDRESS), base_address_command(bases));
    put(place(Command::STATE_SIP),
        std::array{packets::STATE_SIP::kHeader, static_cast<std::uint32_t>(sip),
                   static_cast<std::uint32_t>(sip >> 32)});
    if (streamer_on) {
        const packets::CommandRow& row = packets::command_of(Command::MI_RS_CONTROL);
        std::array<std::uint32_t, 1> on{row.header()};
        packets::MI_RS_CONTROL::ResourceStreamerControl.set(on, 1);
        put(row.latch.image, on);
    }
    return too_long;
}

}  // namespace gen9::cs

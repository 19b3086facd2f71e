// SPDX-License-Identifier: Apache-2.0
#include "packets/commands.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "common/check.h"
#include "tests/support/covers.h"

namespace gen9::packets {
namespace {

struct Known {
    const char* name;
    std::uint32_t header;
    std::uint32_t dwords;
};

// Headers with their normal length field, from the public documents (not from the table).
const Known kKnown[] = {
    {"MI_NOOP", 0x00000000, 1},
    {"MI_SET_PREDICATE", 0x00800000, 1},
    {"MI_USER_INTERRUPT", 0x01000000, 1},
    {"MI_WAIT_FOR_EVENT", 0x01800000, 1},
    {"MI_ARB_CHECK", 0x02800000, 1},
    {"MI_RS_CONTROL", 0x03000000, 1},
    {"MI_REPORT_HEAD", 0x03800000, 1},
    {"MI_ARB_ON_OFF", 0x04000000, 1},
    {"MI_URB_ATOMIC_ALLOC", 0x04800000, 1},
    {"MI_BATCH_BUFFER_END", 0x05000000, 1},
    {"MI_SUSPEND_FLUSH", 0x05800000, 1},
    {"MI_PREDICATE", 0x06000000, 1},
    {"MI_TOPOLOGY_FILTER", 0x06800000, 1},
    {"MI_RS_CONTEXT", 0x07800000, 1},
    {"MI_SET_CONTEXT", 0x0C000000, 2},
    {"MI_MATH", 0x0D000003, 5},
    {"MI_SEMAPHORE_SIGNAL", 0x0D800000, 2},
    {"MI_SEMAPHORE_WAIT", 0x0E000002, 4},
    {"MI_FORCE_WAKEUP", 0x0E800000, 2},
    {"MI_STORE_DATA_IMM", 0x10000002, 4},
    {"MI_STORE_DATA_IMM", 0x10200003, 5},
    {"MI_STORE_DATA_IMM", 0x100003FE, 1024},
    {"MI_STORE_DATA_INDEX", 0x10800001, 3},
    {"MI_LOAD_REGISTER_IMM", 0x11000001, 3},
    {"MI_STORE_REGISTER_MEM", 0x12000002, 4},
    {"MI_FLUSH_DW", 0x13000003, 5},
    {"MI_CLFLUSH", 0x13800001, 3},
    {"MI_REPORT_PERF_COUNT", 0x14000002, 4},
    {"MI_LOAD_REGISTER_MEM", 0x14800002, 4},
    {"MI_LOAD_REGISTER_REG", 0x15000001, 3},
    {"MI_RS_STORE_DATA_IMM", 0x15800002, 4},
    {"MI_LOAD_URB_MEM", 0x16000002, 4},
    {"MI_STORE_URB_MEM", 0x16800002, 4},
    {"MI_COPY_MEM_MEM", 0x17000003, 5},
    {"MI_ATOMIC", 0x17800001, 3},
    {"MI_ATOMIC", 0x17840009, 11},
    {"MI_BATCH_BUFFER_START", 0x18800001, 3},
    {"MI_CONDITIONAL_BATCH_BUFFER_END", 0x1B000002, 4},
    {"PIPELINE_SELECT", 0x69041312, 1},
    {"STATE_PREFETCH", 0x60030000, 2},
    {"STATE_BASE_ADDRESS", 0x61010011, 19},
    {"STATE_SIP", 0x61020001, 3},
    {"GPGPU_CSR_BASE_ADDRESS", 0x61040001, 3},
    {"PIPE_CONTROL", 0x7A000004, 6},
    {"3DPRIMITIVE", 0x7B000005, 7},
    {"MEDIA_VFE_STATE", 0x70000007, 9},
    {"MEDIA_CURBE_LOAD", 0x70010002, 4},
    {"MEDIA_INTERFACE_DESCRIPTOR_LOAD", 0x70020002, 4},
    {"MEDIA_STATE_FLUSH", 0x70040000, 2},
    {"MEDIA_POOL_STATE", 0x70050004, 6},
    {"MEDIA_OBJECT", 0x71000004, 6},
    {"MEDIA_OBJECT", 0x71000204, 518},
    {"MEDIA_OBJECT_PRT", 0x7102000E, 16},
    {"MEDIA_OBJECT_WALKER", 0x7103000F, 17},
    {"GPGPU_WALKER", 0x7105000D, 15},
    {"GPGPU_WALKER", 0x7105050D, 15},
    {"MEDIA_OBJECT_GRPID", 0x71060005, 7},
    {"3DSTATE_BINDING_TABLE_POOL_ALLOC", 0x79190002, 4},
    {"3DSTATE_GATHER_POOL_ALLOC", 0x791A0002, 4},
    {"3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC", 0x791B0002, 4},
    {"3DSTATE_RS_CONSTANT_POINTER", 0x78540002, 4},
    {"3DSTATE_VF_STATISTICS", 0x680B0001, 1},
    {"3DSTATE_BINDING_TABLE_EDIT_VS", 0x784301FF, 513},
};

TEST(Commands, HeadersAreNamedAndMeasured) {
    GEN9_COVERS("CS-45 CS-148");
    for (const Known& known : kKnown) {
        const CommandRow* row = find_command(known.header);
        ASSERT_NE(row, nullptr) << known.name;
        EXPECT_STREQ(row->name, known.name);
        EXPECT_EQ(row->dwords(known.header), known.dwords) << known.name;
    }
}

TEST(Commands, GatherCommandsStandInTheCorrectedOrder) {
    GEN9_COVERS("RS-10");
    const char* names[] = {"VS", "GS", "HS", "DS", "PS"};
    for (std::uint32_t i = 0; i < 5; ++i)
        EXPECT_EQ(find_command(0x78340000 + (i << 16))->name,
                  std::string("3DSTATE_GATHER_CONSTANT_") + names[i]);
}

TEST(Commands, EveryRowFindsItselfWhateverItsOtherBits) {
    for (const CommandRow& row : command_rows()) {
        EXPECT_EQ(find_command(row.value), &row);
        EXPECT_EQ(find_command(row.value | ~row.mask), &row);
        EXPECT_GE(row.dwords(row.value | ~row.mask), row.minimum_dwords) << row.name;
        EXPECT_LE(row.dwords(row.value | ~row.mask), kMaxCommandDwords);
        EXPECT_NE(std::string(row.ledger), "");
    }
}

TEST(Commands, NamesAreUnique) {
    std::set<std::string> names;
    for (const CommandRow& row : command_rows())
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(Commands, TheSeedsListOf3DCommandsIsComplete) {
    GEN9_COVERS("CC-30");
    // 003:2660-2804, sub-opcodes of group 0 that name a Gen9 command. 0Bh, 3DSTATE_VF_STATISTICS,
    // is a single DWord of pipeline type 1: both Mesa drivers send 0x680B0000.
    EXPECT_STREQ(find_command(0x680B0000)->name, "3DSTATE_VF_STATISTICS");
    for (std::uint32_t opcode = 0x04; opcode <= 0x65; ++opcode) {
        static const std::set<std::uint32_t> kReserved = {0x0B, 0x22, 0x25, 0x56};
        EXPECT_EQ(find_command(0x78000000 | opcode << 16) != nullptr, kReserved.count(opcode) == 0)
            << std::hex << opcode;
    }
    for (std::uint32_t opcode = 0x11; opcode <= 0x1D; ++opcode)
        EXPECT_NE(find_command(0x79000000 | opcode << 16), nullptr) << std::hex << opcode;
}

TEST(Commands, ReservedOpcodesAndOtherEnginesCommandsAreNone) {
    GEN9_COVERS("CS-149");
    for (const std::uint32_t header :
         {0x0F800000u, 0x07000000u, 0x0B000000u, 0x7A010000u, 0x7B010000u, 0x71010000u, 0x40000000u,
          0x54000000u, 0x20000000u, 0x80000000u, 0xFFFFFFFFu})
        EXPECT_EQ(find_command(header), nullptr) << std::hex << header;
}

TEST(Commands, AreFoundByName) {
    EXPECT_EQ(command_named("MI_ATOMIC").value, 0x17800000u);
    EXPECT_EQ(command_named("MI_ARB_CHECK").header(), 0x02800000u);
    EXPECT_EQ(command_named("3DSTATE_GATHER_POOL_ALLOC").header(), 0x791A0002u);
    EXPECT_THROW(command_named("MI_ATOMI"), InternalError);
    const CommandSet some{"MI_NOOP", "3DPRIMITIVE"};
    unsigned in = 0;
    for (const CommandRow& row : command_rows())
        in += some.contains(row);
    EXPECT_EQ(in, 2u);
    EXPECT_TRUE(some.contains(command_named("3DPRIMITIVE")));
}

// 003:1936-2346. What the image holds beside registers: name, DWords, place.
struct Place {
    const char* name;
    unsigned dwords, at;
};
constexpr Place kImage[] = {
    {"MI_TOPOLOGY_FILTER", 1, 0x140},
    {"PIPELINE_SELECT", 1, 0x143},
    {"STATE_BASE_ADDRESS", 19, 0x144},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_VS", 2, 0x157},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_HS", 2, 0x159},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_DS", 2, 0x15B},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_GS", 2, 0x15D},
    {"3DSTATE_PUSH_CONSTANT_ALLOC_PS", 2, 0x15F},
    {"3DSTATE_BINDING_TABLE_POOL_ALLOC", 4, 0x161},
    {"3DSTATE_GATHER_POOL_ALLOC", 4, 0x165},
    {"3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC", 4, 0x169},
    {"MI_RS_CONTROL", 1, 0x16D},
    {"MI_URB_ATOMIC_ALLOC", 1, 0x16E},
    {"3DSTATE_CONSTANT_VS", 11, 0x260},
    {"3DSTATE_CONSTANT_HS", 11, 0x26B},
    {"3DSTATE_CONSTANT_DS", 11, 0x276},
    {"3DSTATE_CONSTANT_GS", 11, 0x281},
    {"3DSTATE_VS", 9, 0x28C},
    {"3DSTATE_BINDING_TABLE_POINTERS_VS", 2, 0x295},
    {"3DSTATE_SAMPLER_STATE_POINTERS_VS", 2, 0x297},
    {"3DSTATE_URB_VS", 2, 0x299},
    {"3DSTATE_HS", 9, 0x29B},
    {"3DSTATE_BINDING_TABLE_POINTERS_HS", 2, 0x2A4},
    {"3DSTATE_SAMPLER_STATE_POINTERS_HS", 2, 0x2A6},
    {"3DSTATE_URB_HS", 2, 0x2A8},
    {"3DSTATE_TE", 4, 0x2AA},
    {"3DSTATE_DS", 11, 0x2AE},
    {"3DSTATE_BINDING_TABLE_POINTERS_DS", 2, 0x2B9},
    {"3DSTATE_SAMPLER_STATE_POINTERS_DS", 2, 0x2BB},
    {"3DSTATE_URB_DS", 2, 0x2BD},
    {"3DSTATE_GS", 10, 0x2BF},
    {"3DSTATE_BINDING_TABLE_POINTERS_GS", 2, 0x2C9},
    {"3DSTATE_SAMPLER_STATE_POINTERS_GS", 2, 0x2CB},
    {"3DSTATE_URB_GS", 2, 0x2CD},
    {"3DSTATE_STREAMOUT", 5, 0x2CF},
    {"3DSTATE_CLIP", 4, 0x2D4},
    {"3DSTATE_SF", 4, 0x2D8},
    {"3DSTATE_SCISSOR_STATE_POINTERS", 2, 0x2DC},
    {"3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", 2, 0x2DE},
    {"3DSTATE_RASTER", 5, 0x2E0},
    {"3DSTATE_WM_HZ_OP", 5, 0x2E5},
    {"3DSTATE_MULTISAMPLE", 2, 0x2EA},
    {"3DSTATE_DRAWING_RECTANGLE", 4, 0x318},
    {"3DSTATE_CONSTANT_PS", 11, 0x320},
    {"3DSTATE_WM", 2, 0x32C},
    {"3DSTATE_VIEWPORT_STATE_POINTERS_CC", 2, 0x32E},
    {"3DSTATE_CC_STATE_POINTERS", 2, 0x330},
    {"3DSTATE_SAMPLE_MASK", 2, 0x332},
    {"3DSTATE_WM_DEPTH_STENCIL", 4, 0x334},
    {"3DSTATE_WM_CHROMAKEY", 2, 0x338},
    {"3DSTATE_DEPTH_BUFFER", 8, 0x33A},
    {"3DSTATE_HIER_DEPTH_BUFFER", 5, 0x342},
    {"3DSTATE_STENCIL_BUFFER", 5, 0x347},
    {"3DSTATE_CLEAR_PARAMS", 3, 0x34C},
    {"3DSTATE_SBE", 6, 0x34F},
    {"3DSTATE_SBE_SWIZ", 11, 0x355},
    {"3DSTATE_PS", 12, 0x360},
    {"3DSTATE_BINDING_TABLE_POINTERS_PS", 2, 0x36C},
    {"3DSTATE_SAMPLER_STATE_POINTERS_PS", 2, 0x36E},
    {"3DSTATE_BLEND_STATE_POINTERS", 2, 0x370},
    {"3DSTATE_PS_EXTRA", 2, 0x372},
    {"3DSTATE_PS_BLEND", 2, 0x374},
    {"STATE_SIP", 3, 0x381},
    {"3DSTATE_SAMPLE_PATTERN", 9, 0x384},
    {"3DSTATE_POLY_STIPPLE_PATTERN", 33, 0x3FA},
    {"3DSTATE_AA_LINE_PARAMETERS", 3, 0x41B},
    {"3DSTATE_POLY_STIPPLE_OFFSET", 2, 0x41E},
    {"3DSTATE_LINE_STIPPLE", 3, 0x420},
    {"3DSTATE_MONOFILTER_SIZE", 2, 0x43C},
    {"3DSTATE_CHROMA_KEY", 16, 0x43E},
    {"3DSTATE_SAMPLER_PALETTE_LOAD0", 257, 0x451},
    {"3DSTATE_SAMPLER_PALETTE_LOAD1", 257, 0x553},
    {"3DSTATE_SO_BUFFER", 32, 0x68A},
    {"3DSTATE_SO_DECL_LIST", 259, 0x6AD},
    {"3DSTATE_INDEX_BUFFER", 5, 0x7B0},
    {"3DSTATE_VERTEX_BUFFERS", 133, 0x7B5},
    {"3DSTATE_VERTEX_ELEMENTS", 69, 0x83A},
    {"3DSTATE_VF_STATISTICS", 1, 0x87F},
    {"3DSTATE_VF", 2, 0x880},
    {"3DSTATE_VF_SGVS", 2, 0x882},
    {"3DSTATE_VF_INSTANCING", 69, 0x884},
    {"3DSTATE_VF_TOPOLOGY", 2, 0x8C9},
    {"3DSTATE_VF_COMPONENT_PACKING", 5, 0x962},
    {"MEDIA_VFE_STATE", 9, 0x1670},
    {"MEDIA_POOL_STATE", 6, 0x1679},
    {"MEDIA_CURBE_LOAD", 4, 0x167F},
    {"MEDIA_INTERFACE_DESCRIPTOR_LOAD", 4, 0x1683},
};
TEST(StateCommands, StandInTheImageWhereTheSeedHasThem) {
    GEN9_COVERS("CS-105 CS-108 CS-109 CS-111 CS-112 VF-30");
    unsigned end = 0, found = 0;
    for (const Place& place : kImage) {
        const Latch& latch = command_named(place.name).latch;
        EXPECT_EQ(latch.image, place.at) << place.name;
        EXPECT_EQ(latch.image_dwords, place.dwords) << place.name;
        EXPECT_GE(place.at, end) << place.name;
        end = place.at + place.dwords;
    }
    for (const CommandRow& row : command_rows())
        found += row.latch.image != 0;
    EXPECT_EQ(found, std::size(kImage) + 1) << "GPGPU_CSR_BASE_ADDRESS, at 44h";
    const std::pair<const char*, unsigned> not_committed[] = {
        {"VS", 0x2EC}, {"HS", 0x2F7}, {"DS", 0x302}, {"GS", 0x30D}, {"PS", 0x376}};
    for (const auto& [stage, at] : not_committed)
        EXPECT_EQ(command_named(std::string("3DSTATE_CONSTANT_") + stage).latch.pending_image, at);
}

// 003:2660-2804 by opcode (bits 26:24 of a header of pipeline type 3, or of type 0 for common
// state): 0 is pipelined, 1 is not.
TEST(StateCommands, ThoseThatAreNotPipelinedWaitForWork) {
    GEN9_COVERS("WM-30");
    unsigned of_3d = 0, others = 0;
    for (const CommandRow& row : command_rows()) {
        const Latch& latch = row.latch;
        if (latch.unit == Unit::None || latch.unit == Unit::Media) continue;
        const bool is_3d = row.value >> 27 == 0xF;
        const bool pipelined = !is_3d || (row.value >> 24 & 7) == 0;
        if (is_3d) {
            EXPECT_EQ(latch.waits.empty(), pipelined) << row.name;
        }
        if (latch.waits.empty()) continue;
        EXPECT_TRUE(latch.waits.contains(Pipe::Pipe3D)) << row.name;
        ++(latch.waits.contains(Pipe::Media) ? others : of_3d);
    }
    EXPECT_EQ(of_3d, 16u);
    EXPECT_EQ(others, 7u) << "bases, CSR base, pipe, two palettes, keys, filter";
}

TEST(StateCommands, HaveSlotsOfTheirOwnThatHoldTheShortestAndTheImages) {
    for (const CommandRow& row : command_rows()) {
        const Latch& latch = row.latch;
        if (!latch.dwords) continue;
        EXPECT_GE(latch.dwords, row.minimum_dwords) << row.name;
        EXPECT_LE(latch.offset + latch.slot_dwords(), block_dwords(latch.unit)) << row.name;
        if (latch.image && latch.form != Form::Numbered) {
            EXPECT_EQ(latch.image_dwords, latch.dwords) << row.name;
        }
        for (const CommandRow& other : command_rows())
            if (&other < &row && other.latch.unit == latch.unit && other.latch.dwords) {
                EXPECT_LE(other.latch.offset + other.latch.slot_dwords(), latch.offset) << row.name;
            }
    }
}

}  // namespace
}  // namespace gen9::packets

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

}  // namespace
}  // namespace gen9::packets

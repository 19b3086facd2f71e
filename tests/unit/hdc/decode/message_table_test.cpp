// SPDX-License-Identifier: Apache-2.0
// The table of messages against another list of codes, and against the messages' own names.
#include "hdc/decode/message_table.h"

#include <gtest/gtest.h>

#include <string>

namespace gen9::hdc {
namespace {

// Public: mesa brw_eu_defines.h, GEN7_DATAPORT_DC_*, HSW_DATAPORT_DC_PORT1_*, GEN8_..., GEN9_...
TEST(MessageTable, CodesOfPorts0And1) {
    const struct {
        Sfid sfid;
        unsigned code;
        const char* name;
    } expected[] = {
        {Sfid::DataPort0, 0x00, "OWord block read"},
        {Sfid::DataPort0, 0x01, "OWord aligned block read"},
        {Sfid::DataPort0, 0x02, "OWord dual block read"},
        {Sfid::DataPort0, 0x03, "DWord scattered read"},
        {Sfid::DataPort0, 0x04, "byte scattered read"},
        {Sfid::DataPort0, 0x07, "memory fence"},
        {Sfid::DataPort0, 0x08, "OWord block write"},
        {Sfid::DataPort0, 0x0A, "OWord dual block write"},
        {Sfid::DataPort0, 0x0B, "DWord scattered write"},
        {Sfid::DataPort0, 0x0C, "byte scattered write"},
        {Sfid::DataPort1, 0x01, "untyped surface read"},
        {Sfid::DataPort1, 0x02, "untyped atomic integer"},
        {Sfid::DataPort1, 0x03, "untyped atomic integer SIMD4x2"},
        {Sfid::DataPort1, 0x04, "media block read"},
        {Sfid::DataPort1, 0x05, "typed surface read"},
        {Sfid::DataPort1, 0x06, "typed atomic integer"},
        {Sfid::DataPort1, 0x07, "typed atomic integer SIMD4x2"},
        {Sfid::DataPort1, 0x09, "untyped surface write"},
        {Sfid::DataPort1, 0x0A, "media block write"},
        {Sfid::DataPort1, 0x0B, "atomic counter"},
        {Sfid::DataPort1, 0x0C, "atomic counter SIMD4x2"},
        {Sfid::DataPort1, 0x0D, "typed surface write"},
        {Sfid::DataPort1, 0x10, "A64 scattered read"},
        {Sfid::DataPort1, 0x11, "A64 untyped surface read"},
        {Sfid::DataPort1, 0x12, "A64 untyped atomic integer"},
        {Sfid::DataPort1, 0x14, "A64 block read"},
        {Sfid::DataPort1, 0x15, "A64 block write"},
        {Sfid::DataPort1, 0x19, "A64 untyped surface write"},
        {Sfid::DataPort1, 0x1A, "A64 scattered write"},
        {Sfid::DataPort1, 0x1B, "untyped atomic float"},
        {Sfid::DataPort1, 0x1D, "A64 untyped atomic float"},
    };
    for (const auto& e : expected) {
        const MessageRow* row = find_row(e.sfid, e.code << 14);
        ASSERT_NE(row, nullptr) << e.name;
        EXPECT_STREQ(row->name, e.name);
    }
    for (const unsigned unused : {0x05u, 0x06u, 0x09u, 0x0Du, 0x0Eu, 0x0Fu})
        EXPECT_EQ(find_row(Sfid::DataPort0, unused << 14), nullptr) << unused;
}

/// The shapes of names that begin or end so, the first that fits.
Shape shape_of(const std::string& name) {
    const auto has = [&](const char* words) { return name.find(words) != std::string::npos; };
    const bool a64 = has("A64");
    if (has("fence")) return Shape::Fence;
    if (has("surface info")) return Shape::SurfaceInfo;
    if (has("transpose")) return Shape::Transpose;
    if (has("media block")) return Shape::MediaBlock;
    if (has("atomic counter")) return Shape::AtomicCounter;
    if (has("atomic float")) return a64 ? Shape::A64AtomicFloat : Shape::AtomicFloat;
    if (has("untyped atomic")) return a64 ? Shape::A64AtomicInt : Shape::AtomicInt;
    if (has("typed atomic")) return Shape::TypedAtomic;
    if (has("untyped")) return Shape::Untyped;
    if (has("typed")) return Shape::Typed;
    if (has("dual block")) return Shape::DualBlock;
    if (has("scratch block")) return Shape::ScratchBlock;
    if (has("block")) return a64 ? Shape::A64Block : Shape::OwordBlock;
    if (a64) return Shape::A64Scattered;
    return has("byte") ? Shape::ByteScattered : Shape::DwordScattered;
}

TEST(MessageTable, ANameSaysWhatTheMessageDoes) {
    for (const MessageRow& row : message_table()) {
        const std::string name = row.name;
        const auto has = [&](const char* words) { return name.find(words) != std::string::npos; };
        EXPECT_EQ(row.shape, shape_of(name)) << name;
        EXPECT_EQ(row.operation, has("fence")    ? Operation::Fence
                                 : has("atomic") ? Operation::Atomic
                                 : has("write")  ? Operation::Write
                                                 : Operation::Read)
            << name;
        EXPECT_EQ(row.sfid, has("scaled")                      ? Sfid::DataPort2
                            : has("constant") || has("cache")  ? Sfid::ConstantCache
                            : has("surface info")              ? Sfid::ConstantCache
                            : has("A64") || has("typed")       ? Sfid::DataPort1
                            : has("transpose") || has("media") ? Sfid::DataPort1
                            : has("atomic")                    ? Sfid::DataPort1
                                                               : Sfid::DataPort0)
            << name;
        EXPECT_EQ(row.pair, has("SIMD4x2")) << name;
        EXPECT_EQ(row.models == kA64, has("A64")) << name;
        // What takes its address from the header needs one (DP-007); what has slots of 64 bits, and
        // no scale to be told by a header, has none.
        const bool block = has("block") && !has("dual");
        const bool needs = block || has("transpose") || has("fence");
        EXPECT_EQ(row.header == Header::Required, needs) << name;
        EXPECT_EQ(row.header == Header::Forbidden,
                  !needs && ((has("A64") && !has("scaled")) || has("surface info")))
            << name;
    }
}

TEST(MessageTable, ScratchBlocksAreToldByBits18And17Alone) {
    for (unsigned bits = 0; bits < 8; ++bits)
        for (const bool writes : {false, true}) {
            const MessageRow* row =
                find_row(Sfid::DataPort0, 1u << 18 | std::uint32_t{writes} << 17 | bits << 14);
            ASSERT_NE(row, nullptr) << bits;
            EXPECT_EQ(row->shape, Shape::ScratchBlock);
            EXPECT_EQ(row->operation, writes ? Operation::Write : Operation::Read);
        }
}

TEST(MessageTable, WordsAreTheNamesByNumber) {
    ASSERT_EQ(message_words().size(), message_table().size() + 2);
    EXPECT_STREQ(message_words().front(), "none") << "before the first message";
    EXPECT_STREQ(message_words()[message_word(nullptr)], "undefined");
    for (const MessageRow& row : message_table())
        EXPECT_STREQ(message_words()[message_word(&row)], row.name);
}

}  // namespace
}  // namespace gen9::hdc

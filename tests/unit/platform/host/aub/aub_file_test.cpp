// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/aub_file.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/host/aub/aub_builder.h"

namespace gen9::platform {
namespace {

using namespace test;

/// Reads to the end; the message of the error, or nothing.
std::string error_of(const Bytes& bytes) {
    AubFile file(bytes_of(bytes), "x.aub");
    aub::Packet packet;
    try {
        while (file.next(packet)) {
        }
    } catch (const AubError& error) {
        return error.what();
    }
    return "";
}

TEST(AubFile, PacketsComeWithNumberOffsetAndBody) {
    const auto bytes = AubBuilder()
                           .register_write(0x20D8, 0x20000)
                           .memory_write(kPhysical, 0x1'0000'2000, {1, 2, 3, 4, 5})
                           .bytes;
    AubFile file(bytes_of(bytes), "x.aub");
    aub::Packet packet;
    ASSERT_TRUE(file.next(packet));
    EXPECT_EQ(packet.kind(), aub::Kind::Version);
    EXPECT_EQ(packet.dwords(), 6u);
    ASSERT_TRUE(file.next(packet));
    EXPECT_EQ(packet.number, 1u);
    EXPECT_EQ(packet.offset, 24u);
    const aub::RegisterFields written(packet);
    EXPECT_EQ(written.offset, 0x20D8u);
    EXPECT_EQ(written.size_bytes(), 4u);
    EXPECT_EQ(written.space(), 0u);
    EXPECT_EQ(written.mask, 0xFFFF'FFFFu);
    ASSERT_TRUE(file.next(packet));
    const aub::MemoryFields memory(packet);
    EXPECT_EQ(memory.address, 0x1'0000'2000u);
    EXPECT_EQ(memory.space(), aub::Space::PhysicalNonlocal);
    EXPECT_EQ(memory.size, 5u);
    EXPECT_EQ(memory.data.size(), 8u);
    EXPECT_FALSE(file.next(packet));
}

TEST(AubFile, OfAFileThatIsNoCaptureTheFirstPacketIsRefused) {
    EXPECT_NE(error_of({}).find("not an AUB capture"), std::string::npos);
    EXPECT_NE(error_of({1, 2}).find("not an AUB capture"), std::string::npos);
    EXPECT_NE(error_of(Bytes(64, 'x')).find("not an AUB capture"), std::string::npos);
}

TEST(AubFile, CapturesOfTheOldestFormAreRefusedByName) {
    EXPECT_NE(error_of(dwords({0xE085'0004, 0, 0, 0, 0, 0})).find("oldest form"),
              std::string::npos);
}

TEST(AubFile, CapturesOfAnotherVersionAreRefusedByNumber) {
    auto bytes = AubBuilder().bytes;
    bytes[4] = 1;
    EXPECT_EQ(error_of(bytes), "");
    bytes[4] = 2;
    EXPECT_NE(error_of(bytes).find("version 2"), std::string::npos) << error_of(bytes);
}

TEST(AubFile, AFileCutAnywhereIsRefusedAtTheCutPacket) {
    const auto whole = AubBuilder().memory_write(kPhysical, 0, Bytes(64)).bytes;
    for (std::size_t size = 25; size < whole.size(); ++size) {
        const auto error =
            error_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        EXPECT_NE(error.find("packet 1 at offset 0x18"), std::string::npos) << size;
        EXPECT_NE(error.find("cut off"), std::string::npos) << size;
    }
    EXPECT_EQ(error_of(whole), "");
}

TEST(AubFile, AMemoryPacketThatClaimsMoreDataThanItHasIsRefused) {
    EXPECT_NE(
        error_of(AubBuilder().memory_write(kPhysical, 0, Bytes(4), 0, 5).bytes).find("too short"),
        std::string::npos);
}

TEST(AubFile, APatternNeedsData) {
    EXPECT_EQ(error_of(AubBuilder().memory_write(kPhysical, 0, Bytes(4), 2, 4096).bytes), "");
    EXPECT_NE(error_of(AubBuilder().memory_write(kPhysical, 0, {}, 2, 4096).bytes), "");
}

TEST(AubFile, PacketsTooShortForTheirFieldsAreRefused) {
    for (const std::uint32_t kind : {0x1u, 0x2u, 0x3u, 0x4u, 0x5u, 0x6u, 0xBu})
        EXPECT_NE(error_of(AubBuilder().packet(kind, {0x20D8}).bytes).find("too short"),
                  std::string::npos)
            << kind;
}

TEST(AubFile, ARegisterOfEightBytesNeedsEight) {
    EXPECT_NE(
        error_of(AubBuilder().packet(0x3, {0x2358, 3u << 16, 0, 0, 1}).bytes).find("too short"),
        std::string::npos);
    EXPECT_EQ(error_of(AubBuilder().packet(0x3, {0x2358, 3u << 16, 0, 0, 1, 2}).bytes), "");
    EXPECT_NE(error_of(AubBuilder().packet(0x3, {0x2358, 4u << 16, 0, 0, 1, 2}).bytes), "");
}

}  // namespace
}  // namespace gen9::platform

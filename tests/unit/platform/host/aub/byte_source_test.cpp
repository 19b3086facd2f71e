// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/byte_source.h"

#include "platform/host/aub/byte_sink.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/check.h"

namespace gen9::platform {
namespace {

struct ByteSourceTest : testing::Test {
    std::filesystem::path folder = std::filesystem::path(testing::TempDir()) /
                                   testing::UnitTest::GetInstance()->current_test_info()->name();
    ByteSourceTest() { std::filesystem::create_directories(folder); }
    ~ByteSourceTest() override { std::filesystem::remove_all(folder); }

    std::string file(const char* name, const std::vector<std::uint8_t>& bytes) {
        const auto path = (folder / name).string();
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return path;
    }
};

std::vector<std::uint8_t> numbers(std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::uint8_t>(i * i >> 3);
    return bytes;
}

TEST_F(ByteSourceTest, APackedFileReadsAsWhatWasPacked) {
    for (const std::size_t size : {0u, 1u, 131072u, 3000001u}) {
        const auto bytes = numbers(size);
        const auto plain = file("plain", bytes), packed = (folder / "packed.zst").string();
        pack_file(plain, packed);
        EXPECT_EQ(read_all(packed, 10'000'000), bytes) << size;
        EXPECT_EQ(read_all(plain, 10'000'000), bytes) << size;
    }
}

TEST_F(ByteSourceTest, ADamagedOrCutPackedFileIsAUserError) {
    const auto packed = (folder / "packed.zst").string();
    pack_file(file("plain", numbers(200'000)), packed);
    auto bytes = numbers(0);
    {
        std::ifstream in(packed, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    auto cut = bytes;
    cut.resize(bytes.size() / 2);
    EXPECT_THROW(read_all(file("cut.zst", cut), 10'000'000), UserError);
    bytes[bytes.size() / 2] ^= 0x55;
    EXPECT_THROW(read_all(file("damaged.zst", bytes), 10'000'000), UserError);
}

TEST_F(ByteSourceTest, AFileLongerThanTheLimitIsAUserError) {
    const auto path = file("long", numbers(3'000'000));
    EXPECT_THROW(read_all(path, 2'000'000), UserError);
}

TEST_F(ByteSourceTest, AMissingFileAndAFolderAreUserErrors) {
    EXPECT_THROW(open_bytes((folder / "nothing").string()), UserError);
    EXPECT_THROW(read_all(folder.string(), 100), UserError);
}

}  // namespace
}  // namespace gen9::platform

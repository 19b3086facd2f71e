// SPDX-License-Identifier: Apache-2.0
// Damaged TBX streams neither crash nor hang a session, and it never writes outside memory.
#include <gtest/gtest.h>

#include "platform/host/address_space.h"
#include "platform/host/tbx/tbx_session.h"
#include "tests/fuzz/host/mutate.h"
#include "tests/unit/platform/host/fake_engine.h"
#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform {
namespace {

using namespace test;

/// An engine that checks what reaches it.
struct CheckingEngine : Engine {
    void write_register(std::uint32_t offset, std::uint32_t) override {
        EXPECT_LT(offset, kRegisterBytes);
    }
    std::uint32_t read_register(std::uint32_t offset) override {
        EXPECT_LT(offset, kRegisterBytes);
        return 0;
    }
    void write_gtt(std::uint32_t index, std::uint64_t) override { EXPECT_LT(index, kGgttEntries); }
    std::uint64_t read_gtt(std::uint32_t index) override {
        EXPECT_LT(index, kGgttEntries);
        return 0;
    }
    void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) override {
        EXPECT_LE(address.value + bytes.size(), kPhysicalBytes);
    }
    void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) override {
        EXPECT_LE(address.value + bytes.size(), kPhysicalBytes);
    }
    void run() override {}
    bool stopped() const override { return false; }
};

Bytes session_of_a_driver() {
    auto bytes = dwords({11, 0, 4, 0x00320002});
    append(bytes, mmio_write(0x20D8, 0x20000));
    append(bytes, gtt_write(1, 0x1001));
    append(bytes, memory_write(0x2000'0000, Bytes(200, 7)));
    append(bytes, memory_write(0xFF'FFFF'F000, Bytes(64, 7)));
    append(bytes, submission(0x6119));
    append(bytes, mmio_read(8, 0x2234));
    append(bytes, memory_read(9, 0x2000'0000, 256));
    append(bytes, dwords({9, 1, 4, 0}));
    append(bytes, dwords({17, 1, 8, 0, 0}));
    return bytes;
}

TEST(TbxMutation, DamagedStreamsNeitherCrashNorHang) {
    const auto stream = session_of_a_driver();
    CheckingEngine engine;
    for (std::uint32_t seed = 0; seed < 20'000; ++seed) {
        Mutator mutator(seed);
        const auto damaged = mutator.mutate(stream);
        std::size_t answered = 0;
        TbxSession session(
            engine, [&](std::span<const std::uint8_t> bytes) { answered += bytes.size(); },
            [](const std::string&) {});
        // In portions, as a socket gives them; what is not used is offered again.
        Bytes held;
        for (std::size_t at = 0; at < damaged.size() && !session.ended();) {
            const std::size_t portion =
                std::min<std::size_t>(1 + mutator.below(100), damaged.size() - at);
            append(held, std::span(damaged).subspan(at, portion));
            at += portion;
            const std::size_t used = session.take(held);
            ASSERT_LE(used, held.size()) << "seed " << seed;
            held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(used));
            ASSERT_LT(held.size(), TbxSession::kLongestHead) << "seed " << seed;
        }
        ASSERT_LE(answered, std::size_t{8} * TbxSession::kMaxTransferBytes) << "seed " << seed;
    }
}

}  // namespace
}  // namespace gen9::platform

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/unit/hdc/bench.h"

namespace gen9::hdc {
namespace {
namespace scattered_places_test {

constexpr std::uint64_t kStart = 0x7000000, kPages = 64;

/// A buffer whose pages lie in the host in another order, by fours.
struct ShuffledPages final : FunctionalMemory {
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kPages * kPageBytes);
    std::uint8_t* at(std::uint64_t address) {
        const std::uint64_t page = (address - kStart) / kPageBytes;
        return bytes.data() + (page ^ 0x2C) * kPageBytes + address % kPageBytes;
    }
    DirectPage direct(std::uint64_t address, const MemoryFacts&) override {
        return {at(address), true, nullptr};
    }
    std::uint8_t* slm(unsigned) override { return nullptr; }
    void by_requests(const Access&, Message&) override {}
};

/// 16 slots, each with a DWord or a QWord anywhere in the buffer.
void put_anywhere(std::mt19937& random, unsigned item_bytes, bool reads, ScatteredAccess& access) {
    access.reads = reads;
    access.slots = 16;
    access.items = 1;
    access.item_bytes = static_cast<std::uint8_t>(item_bytes);
    access.mask = random() % 4 == 0 ? 0x5A5A : 0xFFFF;
    access.address = kStart;
    access.span = kPages * kPageBytes;
    for (std::uint32_t& offset : access.offsets)
        offset = static_cast<std::uint32_t>(random() % access.span) & ~(item_bytes - 1);
}

TEST(ScatteredPlaces, AreFoundWherePagesDoNotFollowEachOtherInTheHost) {
    ShuffledPages memory;
    FunctionalDriver driver(memory);
    std::mt19937 random(3);
    for (std::uint8_t& byte : memory.bytes)
        byte = static_cast<std::uint8_t>(random());
    auto message = std::make_unique<Message>();
    for (unsigned n = 0; n < 3000; ++n) {
        const unsigned bytes = random() % 2 ? 4 : 8;
        const bool reads = random() % 2;
        Access form{.form = Access::Form::Scattered};
        const ScatteredAccess& access = form.scattered;
        put_anywhere(random, bytes, reads, form.scattered);
        message->ip = random() % 3 * 16;
        auto expected = memory.bytes;
        for (Grf& grf : message->payload)
            grf.bytes[random() % kGrfBytes] ^= 0x55;
        ASSERT_TRUE(driver.run(form, *message));
        for (unsigned slot = 0; slot < 16; ++slot) {
            if (!(access.mask >> slot & 1)) continue;
            const std::uint8_t* const host = memory.at(kStart + access.offsets[slot]);
            if (reads)
                ASSERT_EQ(std::memcmp(bytes_from(message->response[0]) + slot * bytes, host, bytes),
                          0);
            else
                std::memcpy(expected.data() + (host - memory.bytes.data()),
                            bytes_from(message->payload[0]) + slot * bytes, bytes);
        }
        ASSERT_EQ(memory.bytes, expected) << n;
    }
}

}  // namespace scattered_places_test
}  // namespace
}  // namespace gen9::hdc

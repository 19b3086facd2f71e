// SPDX-License-Identifier: Apache-2.0
// Damaged messages of a program's library neither crash nor hang a session, and it never leaves the
// machine's memory.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm {
namespace {

std::vector<Message> session_of_a_driver() {
    return {{.kind = Kind::Hello, .number = kVersion},
            {.kind = Kind::Buffer, .id = 1, .size = 4 * kPage},
            {.kind = Kind::Part, .id = 1, .size = 4 * kPage},
            {.kind = Kind::Bind, .id = 1, .vm = 1, .address = 0x10000},
            {.kind = Kind::Buffer, .id = 2, .size = 2 << 20},
            {.kind = Kind::Part, .id = 2, .address = kPage, .size = kPage},
            {.kind = Kind::Bind, .id = 2, .vm = 1, .address = 0x200000},
            {.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x10000, .number = 1},
            {.kind = Kind::Wake},
            {.kind = Kind::StreamMore},
            {.kind = Kind::Bind, .id = 2, .vm = 1, .address = 0x10000},
            {.kind = Kind::BufferGone, .id = 1},
            {.kind = Kind::ContextGone, .context = 1},
            {.kind = Kind::VmGone, .vm = 1}};
}

TEST(DrmMutation, DamagedMessagesNeitherCrashNorLeaveTheMemory) {
    const auto file = test::make_file(4 * kPage);
    unsigned refused = 0;
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
        std::mt19937 random(seed);
        auto messages = session_of_a_driver();
        for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
            auto& message = messages[random() % messages.size()];
            auto* bytes = reinterpret_cast<std::uint8_t*>(&message);
            const std::size_t at = random() % sizeof message;
            bytes[at] ^= static_cast<std::uint8_t>(1u << random() % 8);
            if (random() % 4 == 0) std::swap(message, messages[random() % messages.size()]);
        }
        test::SharedMemoryEngine engine;
        DrmSession session(engine, [](const std::string&) {});
        for (const auto& message : messages)
            session.take(message, platform::FileDescriptor(dup(file.get())));
        refused += session.complaints() != 0;
    }
    EXPECT_GT(refused, 200u);
}

}  // namespace
}  // namespace gen9::drm

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "common/bits.h"
#include "platform/host/address_space.h"
#include "platform/host/graphics_memory.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm::test {

/// A program at a session, without a socket.
struct SessionBench : testing::Test {
    explicit SessionBench(const Frames& frames = PageSize::Large)
        : session(
              engine, [this](const std::string& line) { said.push_back(line); }, frames) {}
    SharedMemoryEngine engine;
    std::vector<std::string> said;
    DrmSession session;
    platform::FileDescriptor page = make_file(kPage);
    const Progress* progress = static_cast<const Progress*>(
        mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, page.get(), 0));

    static platform::FileDescriptor copy_of(const platform::FileDescriptor& file) {
        return platform::FileDescriptor(dup(file.get()));
    }
    void send(Message message, platform::FileDescriptor file = {}) {
        session.take(message, std::move(file));
    }
    void greet() { send({.kind = Kind::Hello, .number = kVersion}, copy_of(page)); }
    platform::FileDescriptor add_buffer(std::uint32_t id, std::uint64_t size) {
        auto file = make_file(size);
        send({.kind = Kind::Buffer, .id = id, .size = size});
        send({.kind = Kind::Part, .id = id, .size = size}, copy_of(file));
        return file;
    }
    /// The engine does what its ring says of the number of the submission: it writes it.
    void complete_submissions() {
        engine.work = [this](platform::test::FakeEngine&) {
            const auto ring = ring_of_last_submission();
            // The last PIPE_CONTROL has the address in its third DWord, the number in its fifth.
            const auto at = ring.size() - 8;
            const auto status = global(ring[at + 2]);
            std::uint8_t number[8];
            store(number, std::uint64_t{ring[at + 5]} << 32 | ring[at + 4]);
            engine.write_memory(status, number);
        };
    }
    PhysAddr global(std::uint64_t address) {
        return PhysAddr((engine.gtt[static_cast<std::uint32_t>(address / kPage)] & ~0xFFFull) +
                        address % kPage);
    }
    std::uint32_t image_dword(std::uint32_t offset) {
        const auto descriptor = engine.registers[platform::kExeclistSubmitPort];
        return engine.get<std::uint32_t>(global((descriptor & ~0xFFFu) + offset).value);
    }
    std::vector<std::uint32_t> ring_of_last_submission() {
        const auto start = image_dword(platform::ContextImage::kRingStart);
        const auto tail = image_dword(platform::ContextImage::kRingTail);
        std::vector<std::uint32_t> dwords;
        for (std::uint32_t at = 0; at < tail; at += 4)
            dwords.push_back(engine.get<std::uint32_t>(global(start + at).value));
        return dwords;
    }
    PhysAddr root() {
        return PhysAddr(std::uint64_t{image_dword(platform::ContextImage::kPdp0High)} << 32 |
                        image_dword(platform::ContextImage::kPdp0Low));
    }
};

}  // namespace gen9::drm::test

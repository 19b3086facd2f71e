// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "memory/mmu/page_table.h"
#include "memory/physical_memory.h"
#include "platform/host/drm/drm_session.h"
#include "tests/unit/platform/host/fake_engine.h"

namespace gen9::drm::test {

/// An engine with the machine's memory, which can be attached, and its page walker.
struct SharedMemoryEngine : platform::test::FakeEngine {
    memory::PhysicalMemory bytes;
    void write_memory(PhysAddr address, std::span<const std::uint8_t> from) override {
        if (!bytes.write(address, from)) throw std::out_of_range("write");
    }
    void read_memory(PhysAddr address, std::span<std::uint8_t> to) override {
        if (!bytes.read(address, to)) throw std::out_of_range("read");
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> of_others;  ///< address, bytes
    void others_write(PhysAddr address, std::uint64_t size) override {
        of_others.emplace_back(address.value, size);
    }
    bool attach_memory(PhysAddr address, std::span<std::uint8_t> host) override {
        return bytes.attach(address, host);
    }
    void detach_memory(PhysAddr address, std::uint64_t size) override {
        bytes.detach(address, size);
    }
    bool attach_when_used(PhysAddr page, PageSource& source) override {
        return bytes.attach_when_used(page, source);
    }
    void detach_when_used(PhysAddr page) override { bytes.detach_when_used(page); }
    memory::Translation walk(PhysAddr root, std::uint64_t address) const {
        memory::PageDirectories roots;
        roots.pdp[0] = root.value;
        return memory::walk(bytes, roots, GpuAddr(address));
    }
};

/// A file in memory; with `seals`, one that cannot shrink.
inline platform::FileDescriptor make_file(std::uint64_t size, bool seals = true) {
    platform::FileDescriptor file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (ftruncate(file.get(), static_cast<off_t>(size)) != 0) return {};
    if (seals) fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK);
    return file;
}

}  // namespace gen9::drm::test

// SPDX-License-Identifier: Apache-2.0
#include "platform/host/own_heap.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

namespace gen9::platform {

namespace {

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;
#endif

/// Has the next allocations come from the heap, where they will lie.
void lengthen_heap(std::size_t more_bytes) {
    constexpr int kDefaultMmapThreshold = 128 * 1024;
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(2 * more_bytes));
    void* volatile block = std::malloc(more_bytes);
    std::free(block);
    mallopt(M_MMAP_THRESHOLD, kDefaultMmapThreshold);
}

}  // namespace

void own_heap(std::size_t more_bytes) {
    lengthen_heap(more_bytes);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (!line.ends_with("[heap]")) continue;
        char* rest = nullptr;
        const auto begin = std::strtoull(line.c_str(), &rest, 16);
        const auto end = std::strtoull(rest + 1, nullptr, 16);
        madvise(reinterpret_cast<void*>(static_cast<std::uintptr_t>(begin)), end - begin,
                MADV_POPULATE_WRITE);
    }
}

}  // namespace gen9::platform

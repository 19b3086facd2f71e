// SPDX-License-Identifier: Apache-2.0
#include "platform/host/own_heap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <vector>

namespace gen9::platform {
namespace {
namespace own_heap_test {

constexpr std::size_t kPage = 4096, kBlock = 16 * kPage, kBlocks = 32;

using Blocks = std::vector<std::unique_ptr<char[]>>;

Blocks make_blocks() {
    Blocks blocks;
    for (std::size_t n = 0; n < kBlocks; ++n)
        blocks.emplace_back(new char[kBlock]);
    return blocks;
}
void write(const Blocks& blocks) {
    for (const auto& block : blocks)
        std::memset(block.get(), 1, kBlock);
}
long faults() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/// Faults that a forked process takes when it writes to what it has from its parent, and to as much
/// that it allocates itself. Each is a page for each 4 KB if nothing is done.
long faults_of_child(bool owns) {
    const Blocks old = make_blocks();
    write(old);
    int result[2];
    if (pipe(result) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        if (owns) own_heap(2 * kBlocks * kBlock);
        const long before = faults();
        write(old);
        write(make_blocks());
        const long taken = faults() - before;
        const bool told = ::write(result[1], &taken, sizeof taken) == sizeof taken;
        _exit(told ? 0 : 1);
    }
    long taken = -1;
    const bool told = read(result[0], &taken, sizeof taken) == sizeof taken;
    waitpid(child, nullptr, 0);
    close(result[0]);
    close(result[1]);
    return told ? taken : -1;
}

TEST(OwnHeap, AForkedProcessWritesWithoutFaults) {
    // Older kernels know no such request; sanitizers have a heap of their own.
    char* const page = static_cast<char*>(
        mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const bool possible = madvise(page, kPage, 23) == 0;  // MADV_POPULATE_WRITE
    munmap(page, kPage);
    if (!possible) GTEST_SKIP() << "this kernel has no MADV_POPULATE_WRITE";
#ifdef GEN9_SANITIZED
    GTEST_SKIP() << "the heap is the sanitizer's";
#endif
    EXPECT_GT(faults_of_child(false), 900);
    EXPECT_LT(faults_of_child(true), 100);
}

}  // namespace own_heap_test
}  // namespace
}  // namespace gen9::platform

// SPDX-License-Identifier: Apache-2.0
#include "common/bus_errors.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gen9 {
namespace {

const void* g_asked = nullptr;

/// The second page of a file of two, which is cut to one page.
char* cut_page() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int file = memfd_create("cut", MFD_CLOEXEC);
    EXPECT_EQ(ftruncate(file, static_cast<off_t>(2 * bytes)), 0);
    void* const pages = mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    EXPECT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
    close(file);
    return static_cast<char*>(pages) + bytes;
}

TEST(BusErrors, APageThatMayBeLostBecomesZerosThatCanBeWritten) {
    add_page_loser([](const void* page) {
        g_asked = page;
        return true;
    });
    volatile char* const page = cut_page();
    EXPECT_EQ(page[100], 0);
    EXPECT_EQ(g_asked, const_cast<const char*>(page));
    g_asked = nullptr;
    page[100] = 7;
    EXPECT_EQ(page[100], 7);
    EXPECT_EQ(g_asked, nullptr);
}

TEST(BusErrorsDeathTest, AnothersFaultEndsTheProcess) {
    EXPECT_EXIT(
        {
            add_page_loser([](const void*) { return false; });
            *const_cast<volatile char*>(cut_page()) = 1;
        },
        testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace gen9

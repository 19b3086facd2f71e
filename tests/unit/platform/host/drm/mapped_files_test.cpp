// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/mapped_files.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csignal>

#include "platform/host/drm/protocol.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm {
namespace {

/// Two pages of a file that has none any more.
volatile char* cut_pages() {
    const auto file = test::make_file(2 * kPage, false);
    void* const pages = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    EXPECT_EQ(ftruncate(file.get(), 0), 0);
    return static_cast<volatile char*>(pages);
}

TEST(DrmMappedFiles, ALostPageOfTheirsIsZerosAndIsToldOnce) {
    volatile char* const pages = cut_pages();
    MappedFiles::add(const_cast<char*>(pages), 2 * kPage);
    EXPECT_FALSE(MappedFiles::take_loss());
    EXPECT_EQ(pages[2 * kPage - 1], 0);
    EXPECT_TRUE(MappedFiles::take_loss());
    EXPECT_FALSE(MappedFiles::take_loss());
}

TEST(DrmMappedFilesDeathTest, AFaultBehindThemEndsTheProcess) {
    EXPECT_EXIT(
        {
            volatile char* const pages = cut_pages();
            MappedFiles::add(const_cast<char*>(pages), kPage);
            pages[kPage] = 1;
        },
        testing::KilledBySignal(SIGBUS), "");
}

TEST(DrmMappedFilesDeathTest, AFaultBeforeThemEndsTheProcess) {
    EXPECT_EXIT(
        {
            volatile char* const pages = cut_pages();
            MappedFiles::add(const_cast<char*>(pages) + kPage, kPage);
            pages[kPage - 1] = 1;
        },
        testing::KilledBySignal(SIGBUS), "");
}

TEST(DrmMappedFilesDeathTest, WhatIsRemovedIsTheirsNoMore) {
    EXPECT_EXIT(
        {
            volatile char* const pages = cut_pages();
            MappedFiles::add(const_cast<char*>(pages), 2 * kPage);
            MappedFiles::remove(const_cast<char*>(pages));
            pages[0] = 1;
        },
        testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace gen9::drm

// SPDX-License-Identifier: Apache-2.0
// What a sampler keeps until it is told to forget it.
#include <gtest/gtest.h>

#include "sampler/filter/pages.h"
#include "sampler/timing/texture_cache.h"

namespace gen9::sampler {
namespace {

/// Pages that lie elsewhere in the host each time they are asked for.
struct MovingPages final : TexelMemory {
    std::uint8_t bytes[4096];
    unsigned asked = 0;
    const std::uint8_t* direct(std::uint64_t) override { return bytes + asked++; }
    void read(std::uint64_t, void*, unsigned) override {}
};

TEST(SamplerPages, AllThatWereUsedAreForgotten) {
    for (const unsigned count : {1u, 2u, 1500u}) {  // the last: more than there are places
        MovingPages memory;
        Pages pages;
        for (unsigned page = 0; page < count; ++page)
            pages.find(page, memory);
        EXPECT_EQ(pages.find(count - 1, memory), memory.bytes + count - 1) << "kept";
        pages.forget();
        for (unsigned page = 0; page < count; ++page)
            EXPECT_GE(pages.find(page, memory), memory.bytes + count) << "page " << page;
    }
}

TEST(TextureCache, AllLinesAreForgotten) {
    for (const unsigned count : {1u, 2u, 20u}) {  // the last: more than there are
        TextureCache cache(16, 4);
        const TextureCache::Line data{};
        for (unsigned line = 0; line < count; ++line)
            cache.fill(line, data.data());
        EXPECT_NE(cache.find(count - 1), nullptr);
        cache.invalidate();
        for (unsigned line = 0; line < count; ++line)
            EXPECT_EQ(cache.find(line), nullptr) << "line " << line;
    }
}

}  // namespace
}  // namespace gen9::sampler

// SPDX-License-Identifier: Apache-2.0
// Buffers mapped and unmapped at random, against a plain list of pages.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "platform/host/drm/page_tables.h"
#include "platform/host/drm/protocol.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm::random_tables {
namespace {

constexpr std::uint64_t kMedium = 64 << 10, kLarge = 2 << 20;
/// Over the end of a page table, of a directory and of all below a PML4 entry.
constexpr std::uint64_t kFirst = (std::uint64_t{1} << 39) - 4 * kLarge, kRegions = 8;
constexpr std::uint64_t kEnd = kFirst + kRegions * kLarge;

struct Buffer {
    std::uint64_t place, size;
};

/// What page_tables.h promises: 2 MB where both addresses allow it and no page table is there yet,
/// 64 KB where a whole table can have them, else 4 KB; behind what is mapped the scratch page.
struct Plain {
    PageSize largest;
    std::map<std::uint64_t, Buffer> buffers;  ///< by address
    std::map<std::uint64_t, unsigned> shift;  ///< of a page that is mapped
    std::set<std::uint64_t> tables;           ///< regions of 2 MB that have had a small page

    const std::pair<const std::uint64_t, Buffer>* at(std::uint64_t address) const {
        auto next = buffers.upper_bound(address);
        if (next == buffers.begin()) return nullptr;
        --next;
        return address < next->first + next->second.size ? &*next : nullptr;
    }
    bool is_scratch(std::uint64_t address) const { return !at(address) && at(address - kPage); }
    void note_tables(std::uint64_t address) {
        if (is_scratch(address)) tables.insert(address / kLarge);
    }
    void map(std::uint64_t address, const Buffer& buffer) {
        buffers[address] = buffer;
        std::set<std::uint64_t> small;
        for (std::uint64_t page = address; page < address + buffer.size; page += kPage) {
            const std::uint64_t region = page / kLarge * kLarge;
            const bool whole = region >= address && region + kLarge <= address + buffer.size;
            const std::uint64_t place = buffer.place + (region - address);
            unsigned size = 12;
            if (whole && largest == PageSize::Large && place % kLarge == 0 &&
                !tables.contains(region / kLarge))
                size = 21;
            else if (whole && largest != PageSize::Small && place % kMedium == 0)
                size = 16;
            shift[page] = size;
            if (size != 21) small.insert(region / kLarge);
        }
        tables.merge(small);
        note_tables(address + buffer.size);
    }
    void unmap(std::uint64_t address) {
        buffers.erase(address);
        note_tables(address);
    }
};

class DrmRandomTables : public testing::TestWithParam<PageSize> {};

TEST_P(DrmRandomTables, LeadWhereAPlainListSays) {
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    const auto below = [&](std::uint64_t end) { return random() % end; };
    test::SharedMemoryEngine engine;
    Ranges physical{std::uint64_t{4} << 30, std::uint64_t{1} << 40};
    TablePages pages{engine, physical};
    const std::uint64_t scratch = pages.scratch_entry() & 0x7FFF'FFFF'F000;
    for (unsigned space = 0; space < 4; ++space) {
        PageTables tables{engine, pages, GetParam()};
        Plain plain{GetParam(), {}, {}, {}};
        const auto check = [&](std::uint64_t address) {
            const auto found = engine.walk(tables.root(), address);
            const std::uint64_t page = address / kPage * kPage;
            if (const auto* buffer = plain.at(page)) {
                ASSERT_TRUE(found.ok()) << std::hex << address;
                ASSERT_EQ(found.address.value, buffer->second.place + (address - buffer->first));
                ASSERT_EQ(found.attribute, 4u);
                ASSERT_TRUE(found.writable);
                ASSERT_EQ(found.page_shift, plain.shift.at(page)) << std::hex << address;
            } else if (plain.is_scratch(page)) {
                ASSERT_TRUE(found.ok()) << std::hex << address;
                ASSERT_EQ(found.address.value / kPage * kPage, scratch) << std::hex << address;
            } else {
                ASSERT_FALSE(found.ok()) << std::hex << address;
            }
        };
        std::set<std::uint64_t> ends;
        for (unsigned round = 0; round < 120; ++round) {
            if (plain.buffers.size() > 2 && below(2)) {
                auto gone = plain.buffers.begin();
                std::advance(gone, below(plain.buffers.size()));
                const std::uint64_t address = gone->first;
                tables.unmap(address, gone->second.size);
                plain.unmap(address);
            } else {
                const std::uint64_t sizes[] = {kPage * (1 + below(20)), kLarge,
                                               kLarge * (1 + below(3)),
                                               kLarge + kPage * below(600)};
                const std::uint64_t alignments[] = {kPage, kMedium, kLarge, kLarge};
                const std::uint64_t address =
                    kFirst + below(2) * kPage * below(512) + kLarge * below(kRegions);
                const std::uint64_t alignment = alignments[below(4)];
                const Buffer buffer{
                    (0x10'0000'0000 + below(1 << 20) * kPage) / alignment * alignment,
                    sizes[below(4)]};
                const std::uint64_t end = address + buffer.size;
                bool fits = end <= kEnd;
                for (std::uint64_t page = address; page < end && fits; page += kPage)
                    fits = !plain.at(page);
                if (!fits) continue;
                tables.map(address, PhysAddr(buffer.place), buffer.size);
                plain.map(address, buffer);
                ends.insert(address);
                ends.insert(end);
            }
            for (const std::uint64_t end : ends)
                for (const std::uint64_t address :
                     {end - kPage - 1, end - 1, end, end + kPage - 1, end + kPage, end + 2 * kPage})
                    check(address);
            for (unsigned n = 0; n < 60; ++n)
                check(kFirst + below(kEnd - kFirst));
            if (HasFatalFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, DrmRandomTables,
                         testing::Values(PageSize::Small, PageSize::Medium, PageSize::Large));

}  // namespace
}  // namespace gen9::drm::random_tables

// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/page_tables.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/bits.h"
#include "common/check.h"
#include "platform/host/drm/protocol.h"

namespace gen9::drm {
namespace {

constexpr auto kLargePage = static_cast<std::uint64_t>(PageSize::Large);
constexpr auto kMediumPage = static_cast<std::uint64_t>(PageSize::Medium);
constexpr std::uint64_t kPresentWritable = 3;
/// In a directory entry it says that the table's pages have 64 KB.
constexpr std::uint64_t kOfMedium = 1 << 11;
// Attribute 4 of the private PAT, cached: bit 7 of a 4 KB entry, bit 12 of a 2 MB one, whose bit 7
// says that it is one.
constexpr std::uint64_t kSmall = kPresentWritable | 1 << 7;
constexpr std::uint64_t kLarge = kPresentWritable | 1 << 7 | 1 << 12;

/// Lowest address bit of the index into a table of this level.
constexpr unsigned low_bit(unsigned level) {
    return 12 + 9 * (level - 1);
}

}  // namespace

TablePages::TablePages(platform::Engine& engine, Ranges& physical)
    : engine_(engine), physical_(physical), scratch_(make()) {}

PhysAddr TablePages::make() {
    const PhysAddr page = take();
    clear(page);
    return page;
}

void TablePages::clear(PhysAddr page) {
    const std::array<std::uint8_t, kPage> zeros{};
    engine_.write_memory(page, zeros);
}

std::uint64_t TablePages::scratch_entry() const {
    return scratch_.value | kSmall;
}

bool TablePages::take_scratch_writes() {
    static constexpr std::array<std::uint8_t, kPage> kZeros{};
    std::array<std::uint8_t, kPage> bytes;
    engine_.read_memory(scratch_, bytes);
    if (std::memcmp(bytes.data(), kZeros.data(), kPage) == 0) return false;
    clear(scratch_);
    return true;
}

PhysAddr TablePages::take() {
    if (spare_.empty()) {
        constexpr std::uint64_t kBlock = 1 << 20;
        const auto block = physical_.take(kBlock, kPage);
        if (!block) throw UserError("the machine's physical memory is used up");
        for (std::uint64_t page = kBlock; page > 0; page -= kPage)
            spare_.emplace_back(*block + page - kPage);
    }
    const PhysAddr page = spare_.back();
    spare_.pop_back();
    return page;
}

PageTables::PageTables(platform::Engine& engine, TablePages& pages, const Frames& frames)
    : engine_(engine), pages_(pages), frames_(frames), root_(pages.make()) {}

PageTables::~PageTables() {
    for (const auto& [page, late] : late_)
        engine_.detach_when_used(PhysAddr(page));
    for (const auto& level : tables_)
        for (const auto& [address, page] : level)
            pages_.give_back(page);
    pages_.give_back(root_);
}

PhysAddr PageTables::table(unsigned level, std::uint64_t address) {
    if (level == 4) return root_;
    const std::uint64_t key = address >> low_bit(level + 1);
    const auto found = tables_[level].find(key);
    if (found != tables_[level].end()) return found->second;
    const PhysAddr above = table(level + 1, address);
    const PhysAddr made = pages_.make();
    tables_[level].emplace(key, made);
    std::uint8_t entry[8];
    store(entry, made.value | kPresentWritable);
    engine_.write_memory(above + 8 * (address >> low_bit(level + 1) & 511), entry);
    return made;
}

std::uint8_t* PageTables::bytes_of(PhysAddr page) {
    LateTable& late = late_.at(page.value);
    late.entries = std::make_unique<std::array<std::uint64_t, 512>>();
    if (late.mapped) {
        std::uint64_t place = late.place;
        for (std::uint64_t& entry : *late.entries) {
            store(reinterpret_cast<std::uint8_t*>(&entry), frames_.at(place) | kSmall);
            place += kPage;
        }
    }
    return reinterpret_cast<std::uint8_t*>(late.entries->data());
}

bool PageTables::map_late(std::uint64_t address, std::uint64_t place, bool mapped) {
    const auto known = tables_[1].find(address / kLargePage);
    const bool is_new = known == tables_[1].end();
    if (!is_new && !late_.contains(known->second.value)) return false;
    const PhysAddr above = table(2, address);
    const PhysAddr page = is_new ? pages_.take() : known->second;
    if (!is_new) engine_.detach_when_used(page);
    const bool is_late = engine_.attach_when_used(page, *this);
    if (is_late)
        late_[page.value] = {place, mapped, nullptr};
    else
        pages_.clear(page);
    if (is_new) {
        tables_[1].emplace(address / kLargePage, page);
        std::uint8_t entry[8];
        store(entry, page.value | kPresentWritable);
        engine_.write_memory(above + 8 * (address >> low_bit(2) & 511), entry);
    }
    return is_late;
}

void PageTables::write(unsigned level, std::uint64_t address,
                       const std::vector<std::uint64_t>& entries) {
    engine_.write_memory(table(level, address) + 8 * (address >> low_bit(level) & 511),
                         {reinterpret_cast<const std::uint8_t*>(entries.data()),
                          entries.size() * sizeof entries[0]});
}

void PageTables::set_page_size(std::uint64_t address, PageSize size) {
    const std::uint64_t of_medium = size == PageSize::Medium ? kOfMedium : 0;
    write(2, address, {table(1, address).value | kPresentWritable | of_medium});
}

/// Writes the entries of a range, a table at a time: entry(address).
template <class Entry>
void PageTables::fill(std::uint64_t address, std::uint64_t size, bool large, Entry&& entry) {
    const unsigned level = large ? 2 : 1;
    const std::uint64_t page = large ? kLargePage : kPage;
    std::vector<std::uint64_t> entries;
    for (const std::uint64_t end = address + size; address < end;) {
        const std::uint64_t first = address;
        const std::uint64_t of_table = std::uint64_t{1} << low_bit(level + 1);
        const std::uint64_t stop = std::min(end, (address / of_table + 1) * of_table);
        entries.clear();
        for (; address < stop; address += page)
            entries.push_back(entry(address));
        write(level, first, entries);
    }
}

void PageTables::map(std::uint64_t address, PhysAddr place, std::uint64_t size) {
    const auto at = [&](std::uint64_t page) { return frames_.at(place.value + (page - address)); };
    const std::uint64_t end = address + size;
    for (std::uint64_t from = address; from < end;) {
        const bool whole = from % kLargePage == 0 && end - from >= kLargePage;
        const bool large = frames_.largest() >= PageSize::Large && whole &&
                           at(from) % kLargePage == 0 && !tables_[1].contains(from / kLargePage);
        const std::uint64_t to =
            large ? from + kLargePage : std::min(end, (from / kLargePage + 1) * kLargePage);
        if (large) {
            large_.insert(from / kLargePage);
            fill(from, to - from, true, [&](std::uint64_t page) { return at(page) | kLarge; });
        } else {
            if (!whole || !map_late(from, place.value + (from - address), true))
                fill(from, to - from, false, [&](std::uint64_t page) { return at(page) | kSmall; });
            // The first of 16 entries counts then.
            if (frames_.largest() >= PageSize::Medium && whole && at(from) % kMediumPage == 0) {
                medium_.insert(from / kLargePage);
                set_page_size(from, PageSize::Medium);
            }
        }
        from = to;
    }
    guard(end);
}

void PageTables::unmap(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t end = address + size;
    for (std::uint64_t from = address; from < end;) {
        const std::uint64_t to = std::min(end, (from / kLargePage + 1) * kLargePage);
        const bool large = large_.erase(from / kLargePage) != 0;
        if (medium_.erase(from / kLargePage) != 0) set_page_size(from, PageSize::Small);
        const bool whole = from % kLargePage == 0 && to - from == kLargePage;
        if (large || !whole || !map_late(from, 0, false))
            fill(large ? from / kLargePage * kLargePage : from, large ? kLargePage : to - from,
                 large, [](std::uint64_t) { return std::uint64_t{0}; });
        from = to;
    }
    guard(address);
    guard(end);
}

std::uint64_t PageTables::leaf(std::uint64_t address) const {
    if (large_.contains(address / kLargePage)) return kLarge;
    const auto found = tables_[1].find(address / kLargePage);
    if (found == tables_[1].end()) return 0;
    std::uint8_t entry[8];
    engine_.read_memory(found->second + 8 * (address >> low_bit(1) & 511), entry);
    return load<std::uint64_t>(entry);
}

bool PageTables::maps_memory(std::uint64_t address) const {
    const std::uint64_t entry = leaf(address);
    return entry != 0 && entry != pages_.scratch_entry();
}

void PageTables::guard(std::uint64_t address) {
    if (address == 0 || address == kAddressSpaceBytes || maps_memory(address)) return;
    const std::uint64_t entry = maps_memory(address - kPage) ? pages_.scratch_entry() : 0;
    if (leaf(address) != entry) write(1, address, {entry});
}

}  // namespace gen9::drm

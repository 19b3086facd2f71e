// SPDX-License-Identifier: Apache-2.0
#include "memory/physical_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "common/bits.h"

namespace gen9::memory {

PhysicalMemory::PhysicalMemory() : root_(std::size_t{1} << kRootBits) {}

PhysicalMemory::LeafPtr PhysicalMemory::make_leaf() {
    LeafPtr leaf(static_cast<Leaf*>(std::calloc(1, sizeof(Leaf))));
    if (!leaf) throw std::bad_alloc();
    return leaf;
}

std::uint8_t* PhysicalMemory::make_page() {
    if (slab_used_ == kSlabPages) {
        // calloc hands out zero pages of the host lazily: an untouched guest page costs nothing.
        auto* slab = static_cast<std::uint8_t*>(std::calloc(kSlabPages, kPageBytes));
        if (!slab) throw std::bad_alloc();
        slabs_.emplace_back(slab);
        slab_used_ = 0;
    }
    ++pages_;
    return slabs_.back().get() + kPageBytes * slab_used_++;
}

std::uint8_t* PhysicalMemory::page(PhysAddr address) {
    if (address.value >= kBytes || elsewhere_) return nullptr;
    const std::uint64_t number = address.value / kPageBytes;
    auto& leaf = root_[number >> kLeafBits];
    if (!leaf) leaf = make_leaf();
    auto& page = leaf->page[bits(number, kLeafBits - 1, 0)];
    if (!page) page = attached(number);
    if (!page) page = make_page();
    return page;
}

std::uint8_t* PhysicalMemory::attached(std::uint64_t number) const {
    if (!sources_.empty())
        if (const auto source = sources_.find(number); source != sources_.end())
            return source->second->bytes_of(PhysAddr(number * kPageBytes));
    auto found = attached_.upper_bound(number);
    if (found == attached_.begin()) return nullptr;
    --found;
    if (number >= found->second.end) return nullptr;
    return found->second.host + (number - found->first) * kPageBytes;
}

HostRun PhysicalMemory::run_around(PhysAddr address) const {
    const std::uint64_t number = address.value / kPageBytes;
    auto found = attached_.upper_bound(number);
    if (elsewhere_ || found == attached_.begin()) return {};
    --found;
    if (number >= found->second.end) return {};
    return {(number - found->first) * kPageBytes, (found->second.end - 1 - number) * kPageBytes};
}

bool PhysicalMemory::attach(PhysAddr address, std::span<std::uint8_t> host) {
    if (elsewhere_ || host.empty() || address.value % kPageBytes || host.size() % kPageBytes ||
        !covers(address, host.size()))
        return false;
    const std::uint64_t first = address.value / kPageBytes;
    const std::uint64_t end = first + host.size() / kPageBytes;
    const auto next = attached_.lower_bound(first);
    const auto source = sources_.lower_bound(first);
    if (attached(first) || (next != attached_.end() && next->first < end) ||
        (source != sources_.end() && source->first < end))
        return false;
    bool made = false;
    for_each_page(first, end, [&](std::uint8_t*&) { made = true; });
    if (!made) attached_.emplace(first, Attached{end, host.data()});
    return !made;
}

bool PhysicalMemory::attach_when_used(PhysAddr page, PageSource& source) {
    const std::uint64_t number = page.value / kPageBytes;
    if (elsewhere_ || page.value % kPageBytes || !covers(page, kPageBytes)) return false;
    bool there = sources_.contains(number) || attached(number);
    for_each_page(number, number + 1, [&](std::uint8_t*&) { there = true; });
    if (!there) sources_.emplace(number, &source);
    return !there;
}

void PhysicalMemory::detach_when_used(PhysAddr page) {
    const std::uint64_t number = page.value / kPageBytes;
    if (sources_.erase(number) == 0) return;
    for_each_page(number, number + 1, [](std::uint8_t*& there) { there = nullptr; });
}

void PhysicalMemory::detach(PhysAddr address, std::uint64_t bytes) {
    const std::uint64_t first = address.value / kPageBytes;
    const auto found = attached_.find(first);
    if (found == attached_.end() || found->second.end != first + bytes / kPageBytes) return;
    // The table forgets it as well.
    for_each_page(first, found->second.end, [](std::uint8_t*& page) { page = nullptr; });
    attached_.erase(found);
}

/// Calls visit(page) for the entries of a range of the table that hold a page.
template <class Visit>
void PhysicalMemory::for_each_page(std::uint64_t first, std::uint64_t end, Visit&& visit) {
    for (std::uint64_t number = first; number < end;) {
        const std::uint64_t stop = std::min(end, ((number >> kLeafBits) + 1) << kLeafBits);
        if (const auto& leaf = root_[number >> kLeafBits])
            for (std::uint64_t at = number; at < stop; ++at)
                if (auto& page = leaf->page[bits(at, kLeafBits - 1, 0)]) visit(page);
        number = stop;
    }
}

const std::uint8_t* PhysicalMemory::find_page(PhysAddr address) const {
    if (address.value >= kBytes) return nullptr;
    const std::uint64_t number = address.value / kPageBytes;
    auto& leaf = root_[number >> kLeafBits];
    if (leaf)
        if (const std::uint8_t* page = leaf->page[bits(number, kLeafBits - 1, 0)]) return page;
    std::uint8_t* page = attached(number);
    if (!page) return nullptr;
    if (!leaf) leaf = make_leaf();
    return leaf->page[bits(number, kLeafBits - 1, 0)] = page;
}

bool PhysicalMemory::write(PhysAddr address, std::span<const std::uint8_t> bytes) {
    if (!covers(address, bytes.size())) return false;
    // The bytes that are written from are only read.
    if (elsewhere_)
        return elsewhere_(true, address, {const_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    while (!bytes.empty()) {
        const std::size_t offset = address.value % kPageBytes;
        const std::size_t count = std::min(bytes.size(), kPageBytes - offset);
        std::memcpy(page(address) + offset, bytes.data(), count);
        bytes = bytes.subspan(count);
        address = address + count;
    }
    return true;
}

bool PhysicalMemory::read(PhysAddr address, std::span<std::uint8_t> bytes) const {
    if (!covers(address, bytes.size())) {
        std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
        return false;
    }
    asked_ = true;
    if (elsewhere_) return elsewhere_(false, address, bytes);
    while (!bytes.empty()) {
        const std::size_t offset = address.value % kPageBytes;
        const std::size_t count = std::min(bytes.size(), kPageBytes - offset);
        const std::uint8_t* from = find_page(address);
        if (from)
            std::memcpy(bytes.data(), from + offset, count);
        else
            std::memset(bytes.data(), 0, count);
        bytes = bytes.subspan(count);
        address = address + count;
    }
    return true;
}

std::uint64_t PhysicalMemory::read_entry(PhysAddr address) const {
    if (elsewhere_) {
        std::uint8_t entry[8]{};
        const PhysAddr aligned(address.value & ~std::uint64_t{7});
        return read(aligned, entry) ? load<std::uint64_t>(entry) : 0;
    }
    const std::uint8_t* from = find_page(address);
    return from ? load<std::uint64_t>(from + (address.value % kPageBytes & ~std::uint64_t{7})) : 0;
}

void PhysicalMemory::move_to(Elsewhere elsewhere) {
    std::uint8_t byte = 0;
    asked_ = false;
    if (!elsewhere(false, PhysAddr(0), {&byte, 1}) || asked_) return;
    for (std::uint64_t number = 0; number < kBytes / kPageBytes; ++number) {
        const auto& leaf = root_[number >> kLeafBits];
        if (!leaf) {
            number |= bits(~std::uint64_t{0}, kLeafBits - 1, 0);
            continue;
        }
        if (std::uint8_t* page = leaf->page[bits(number, kLeafBits - 1, 0)])
            elsewhere(true, PhysAddr(number * kPageBytes), {page, kPageBytes});
    }
    elsewhere_ = std::move(elsewhere);
}

}  // namespace gen9::memory

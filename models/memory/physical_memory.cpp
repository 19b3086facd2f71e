// SPDX-License-Identifier: Apache-2.0
#include "memory/physical_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "common/bits.h"

namespace gen9::memory {

PhysicalMemory::PhysicalMemory() : root_(std::size_t{1} << kRootBits) {}

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
    if (address.value >= kBytes) return nullptr;
    const std::uint64_t number = address.value / kPageBytes;
    auto& leaf = root_[number >> kLeafBits];
    if (!leaf) leaf = std::make_unique<Leaf>();
    auto& page = leaf->page[bits(number, kLeafBits - 1, 0)];
    if (!page) page = make_page();
    return page;
}

const std::uint8_t* PhysicalMemory::find_page(PhysAddr address) const {
    if (address.value >= kBytes) return nullptr;
    const std::uint64_t number = address.value / kPageBytes;
    const auto& leaf = root_[number >> kLeafBits];
    return leaf ? leaf->page[bits(number, kLeafBits - 1, 0)] : nullptr;
}

bool PhysicalMemory::write(PhysAddr address, std::span<const std::uint8_t> bytes) {
    if (!covers(address, bytes.size())) return false;
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
    const std::uint8_t* from = find_page(address);
    return from ? load<std::uint64_t>(from + (address.value % kPageBytes & ~std::uint64_t{7})) : 0;
}

}  // namespace gen9::memory

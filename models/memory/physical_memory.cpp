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
    if (address.value >= kBytes || elsewhere_) return nullptr;
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
    // What is written is only read.
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

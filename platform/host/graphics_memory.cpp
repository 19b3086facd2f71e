// SPDX-License-Identifier: Apache-2.0
#include "platform/host/graphics_memory.h"

#include "common/bits.h"
#include "platform/host/address_space.h"

namespace gen9::platform {
namespace {

constexpr std::uint64_t kPresent = 1;
constexpr std::uint64_t kPageSizeBit = 1u << 7;  // in a PDP or PD entry: it maps a page itself
constexpr std::uint64_t kAddressMask = 0x7FFF'FFFF'F000;  // bits 46:12 of an entry

std::optional<PhysAddr> in_memory(std::uint64_t address) {
    if (address >= kPhysicalBytes) return std::nullopt;
    return PhysAddr(address);
}

}  // namespace

void GraphicsMemory::use_context(std::uint32_t descriptor_low) {
    pml4_.reset();
    if (bits(descriptor_low, 0, 0) == 0) return;
    // Addressing mode 3 is a legacy context with 48-bit addresses: PDP0 holds its PML4.
    if (bits(descriptor_low, 4, 3) != 3) return;
    const std::uint64_t image = descriptor_low & ~0xFFFu;
    const auto high = ggtt(image + ContextImage::kPdp0High);
    const auto low = ggtt(image + ContextImage::kPdp0Low);
    if (!high || !low) return;
    pml4_ = (std::uint64_t{read<std::uint32_t>(*high)} << 32 | read<std::uint32_t>(*low)) &
            kAddressMask;
}

std::optional<PhysAddr> GraphicsMemory::ggtt(std::uint64_t address) const {
    const std::uint64_t index = address / kPageBytes;
    if (index >= kGgttEntries) return std::nullopt;
    const std::uint64_t entry = engine_.read_gtt(static_cast<std::uint32_t>(index));
    if ((entry & kPresent) == 0) return std::nullopt;
    return in_memory((entry & kAddressMask) + address % kPageBytes);
}

std::optional<PhysAddr> GraphicsMemory::ppgtt(std::uint64_t address) const {
    if (!pml4_) return std::nullopt;
    std::uint64_t table = *pml4_;
    for (const unsigned low_bit : {39u, 30u, 21u, 12u}) {
        const auto place = in_memory(table + 8 * (address >> low_bit & 511));
        if (!place) return std::nullopt;
        const auto entry = read<std::uint64_t>(*place);
        if ((entry & kPresent) == 0) return std::nullopt;
        table = entry & kAddressMask;
        const bool maps_page = low_bit == 12 || (low_bit < 39 && (entry & kPageSizeBit) != 0);
        if (!maps_page) continue;
        const std::uint64_t page_bytes = std::uint64_t{1} << low_bit;
        return in_memory((table & ~(page_bytes - 1)) + (address & (page_bytes - 1)));
    }
    return std::nullopt;
}

}  // namespace gen9::platform

// SPDX-License-Identifier: Apache-2.0
#include "l3/front/urb_store.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "interconnect/payload/lane_access.h"

namespace gen9::l3 {

namespace {

constexpr std::uint64_t kLowBits = 0x0101010101010101;  ///< of eight bytes

}  // namespace

void UrbStore::set_size(std::uint64_t ways, std::uint64_t banks) {
    constexpr std::uint64_t kWayBytes = std::uint64_t{BankCore::kSets} * kLineBytes;
    bytes_.resize(std::min(ways * banks * kWayBytes, kMostBytes));
}

void UrbStore::write(std::uint64_t address, std::span<const std::uint8_t> data,
                     std::span<const std::uint8_t> enables) {
    if (enables.empty()) {
        const std::uint64_t room = bytes_.size() - std::min<std::uint64_t>(bytes_.size(), address);
        if (const std::uint64_t here = std::min<std::uint64_t>(data.size(), room))
            std::memcpy(&bytes_[address], data.data(), here);
        return;
    }
    std::size_t i = 0;
    // Enables that are not repeated and say 0x00 or 0xFF, eight bytes at a time.
    if (enables.size() == data.size() && address + data.size() <= bytes_.size())
        for (; i + sizeof(std::uint64_t) <= data.size(); i += sizeof(std::uint64_t)) {
            const auto enabled = load<std::uint64_t>(&enables[i]);
            if (enabled == 0) continue;
            if ((enabled & kLowBits) * 0xFF != enabled) break;
            std::uint8_t* const at = &bytes_[address + i];
            store(at,
                  (load<std::uint64_t>(at) & ~enabled) | (load<std::uint64_t>(&data[i]) & enabled));
        }
    for (; i < data.size() && address + i < bytes_.size(); ++i)
        if (enables[i % enables.size()]) bytes_[address + i] = data[i];
}

void UrbStore::read(std::uint64_t address, std::span<std::uint8_t> data) const {
    const std::uint64_t here =
        address < bytes_.size() ? std::min<std::uint64_t>(data.size(), bytes_.size() - address) : 0;
    if (here) std::memcpy(data.data(), &bytes_[address], here);
    std::fill(data.begin() + static_cast<std::ptrdiff_t>(here), data.end(), std::uint8_t{0});
}

void UrbStore::perform(std::uint64_t address, LaneAccess& lanes) {
    const std::uint64_t line = address & ~std::uint64_t{kLineBytes - 1};
    if (line + kLineBytes > bytes_.size()) {
        lanes.result.fill(0);
        return;
    }
    perform_lanes(lanes, {&bytes_[line], kLineBytes}, static_cast<std::uint32_t>(address - line));
}

}  // namespace gen9::l3

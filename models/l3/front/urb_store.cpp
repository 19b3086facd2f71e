// SPDX-License-Identifier: Apache-2.0
#include "l3/front/urb_store.h"

#include <algorithm>
#include <cstring>

#include "interconnect/payload/lane_access.h"

namespace gen9::l3 {

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
    for (std::size_t i = 0; i < data.size() && address + i < bytes_.size(); ++i)
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

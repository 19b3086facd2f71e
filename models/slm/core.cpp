// SPDX-License-Identifier: Apache-2.0
#include "slm/core.h"

#include <algorithm>
#include <bit>

#include "common/check.h"
#include "interconnect/payload/lane_access.h"

namespace gen9::slm {

SlmCore::SlmCore(std::uint32_t bytes) : bytes_(bytes) {
    GEN9_CHECK(std::has_single_bit(bytes), "the size of shared local memory is a power of two");
}

void SlmCore::perform(LaneAccess& lanes, std::uint32_t base) {
    perform_lanes(lanes, bytes_, base);
}

void SlmCore::read(std::uint32_t address, std::span<std::uint8_t> bytes) const {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = bytes_[(address + i) % size()];
}

void SlmCore::write(std::uint32_t address, std::span<const std::uint8_t> bytes,
                    std::span<const std::uint8_t> enables) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (enables.empty() || enables[i % enables.size()])
            bytes_[(address + i) % size()] = bytes[i];
}

namespace {

/// Are all lanes aligned, and within as many words from the first lane's on as there are banks?
/// Then no two different words are of one bank.
bool within_a_row(const LaneAccess& lanes, unsigned count, unsigned width, std::uint32_t base,
                  unsigned banks) {
    const std::uint32_t first = lanes.offset[0];
    std::uint32_t distances = 0;  // all bits of them
    for (unsigned lane = 0; lane < count; ++lane)
        distances |= lanes.offset[lane] - first;
    const std::uint32_t row = banks * SlmCore::kWordBytes;
    return distances < row && width <= row && distances % width == 0 &&
           (base + first) % std::max(width, SlmCore::kWordBytes) == 0;
}

}  // namespace

unsigned SlmCore::conflict_cycles(const LaneAccess& lanes, std::uint32_t base, unsigned banks,
                                  std::uint32_t size) {
    GEN9_CHECK(std::has_single_bit(banks) && banks <= kMaxBanks, "banks are a power of two");
    // At most 16 lanes of two words each (8 bytes), three where they are not aligned.
    constexpr unsigned kMaxWords = LaneAccess::kMaxLanes * 3;
    std::uint16_t first_word[kMaxBanks];  // of the banks touched: nearly always the only one
    std::uint16_t further[kMaxBanks][kMaxWords];
    std::uint8_t further_count[kMaxBanks]{};
    std::uint64_t touched = 0;  // banks
    const bool shares = lanes.kind != LaneAccess::Kind::Atomic;
    const unsigned lane_count = std::min<unsigned>(lanes.count, LaneAccess::kMaxLanes);
    const unsigned width = std::clamp<unsigned>(lanes.width_bytes, 1, 8);
    if (shares && within_a_row(lanes, lane_count, width, base, banks)) return 1;
    unsigned most = 0;  // of further_count
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        const std::uint32_t first = (base + lanes.offset[lane]) % size;
        const std::uint32_t last = first + width - 1;
        for (std::uint32_t word = first / kWordBytes; word <= last / kWordBytes; ++word) {
            const auto number = static_cast<std::uint16_t>(word % (size / kWordBytes));
            const unsigned bank = number & (banks - 1);
            if (!(touched >> bank & 1)) {
                touched |= std::uint64_t{1} << bank;
                first_word[bank] = number;
                continue;
            }
            if (shares && first_word[bank] == number) continue;
            auto* const begin = further[bank];
            auto* const end = begin + further_count[bank];
            if (shares && std::find(begin, end, number) != end) continue;
            *end = number;
            most = std::max<unsigned>(most, ++further_count[bank]);
        }
    }
    return 1 + most;
}

unsigned SlmCore::conflict_cycles(std::uint32_t address, std::uint32_t length, unsigned banks) {
    const std::uint32_t words = (address % kWordBytes + length + kWordBytes - 1) / kWordBytes;
    return std::max<std::uint32_t>(1, (words + banks - 1) / banks);
}

}  // namespace gen9::slm

// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/lane_access.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "common/bits.h"

namespace gen9 {
namespace {

template <unsigned width>
using Unsigned = std::conditional_t<
    width == 1, std::uint8_t,
    std::conditional_t<width == 2, std::uint16_t,
                       std::conditional_t<width == 4, std::uint32_t, std::uint64_t>>>;

class Window {
  public:
    explicit Window(std::span<std::uint8_t> bytes) : bytes_(bytes), mask_(bytes.size() - 1) {}

    std::uint64_t read(std::uint32_t position, unsigned width) const {
        std::uint64_t value = 0;
        const std::size_t at = position & mask_;
        if (at + width <= bytes_.size()) {
            std::memcpy(&value, &bytes_[at], width);
            return value;
        }
        for (unsigned i = 0; i < width; ++i)
            value |= std::uint64_t{bytes_[(at + i) & mask_]} << 8 * i;
        return value;
    }
    void write(std::uint32_t position, unsigned width, std::uint64_t value) {
        const std::size_t at = position & mask_;
        if (at + width <= bytes_.size()) {
            std::memcpy(&bytes_[at], &value, width);
            return;
        }
        for (unsigned i = 0; i < width; ++i)
            bytes_[(at + i) & mask_] = static_cast<std::uint8_t>(value >> 8 * i);
    }

  private:
    std::span<std::uint8_t> bytes_;
    std::size_t mask_;
};

/// CMPWR_2W of 16 bytes (DP-159): both halves compare, or nothing is written.
void compare_write_wide(LaneAccess& lanes, Window& storage, std::uint32_t base) {
    const unsigned count = std::min<unsigned>(lanes.count, LaneAccess::kMaxLanes / 2);
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t at = base + lanes.offset[i];
        const unsigned low = 2 * i, high = low + 1;
        lanes.result[low] = storage.read(at, 8);
        lanes.result[high] = storage.read(at + 8, 8);
        if (lanes.result[low] != lanes.source0[low] || lanes.result[high] != lanes.source0[high])
            continue;
        storage.write(at, 8, lanes.source1[low]);
        storage.write(at + 8, 8, lanes.source1[high]);
    }
}

/// Reads or writes of one width: with it fixed, a lane is a load and a store. Lanes that go around
/// the window's end are left to Window.
template <unsigned width>
void move_lanes(LaneAccess& lanes, unsigned count, std::span<std::uint8_t> window,
                std::uint32_t base) {
    std::uint8_t* const bytes = window.data();
    const auto last = static_cast<std::uint32_t>(window.size() - width);
    const bool reads = lanes.kind == LaneAccess::Kind::Read;
    Window storage(window);
    for (unsigned i = 0; reads && i < count; ++i) {
        const std::uint32_t at = base + lanes.offset[i];
        lanes.result[i] = at <= last ? load<Unsigned<width>>(bytes + at) : storage.read(at, width);
    }
    for (unsigned i = 0; !reads && i < count; ++i) {
        const std::uint32_t at = base + lanes.offset[i];
        if (at <= last) [[likely]]
            store(bytes + at, static_cast<Unsigned<width>>(lanes.source0[i]));
        else
            storage.write(at, width, lanes.source0[i]);
    }
}

void perform_atomics(LaneAccess& lanes, unsigned count, Window& storage, std::uint32_t base) {
    const unsigned width = std::min<unsigned>(lanes.width_bytes, 8);
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t at = base + lanes.offset[i];
        const auto done = apply_atomic(lanes.op, width, storage.read(at, width), lanes.source0[i],
                                       lanes.source1[i]);
        storage.write(at, width, done.memory);
        lanes.result[i] = done.returned;
    }
}

}  // namespace

void perform_lanes(LaneAccess& lanes, std::span<std::uint8_t> window, std::uint32_t base) {
    Window storage(window);
    const bool atomic = lanes.kind == LaneAccess::Kind::Atomic;
    if (lanes.width_bytes == 16 && atomic) return compare_write_wide(lanes, storage, base);
    const unsigned count = std::min<unsigned>(lanes.count, LaneAccess::kMaxLanes);
    if (atomic) return perform_atomics(lanes, count, storage, base);
    switch (lanes.width_bytes) {
        case 1:
            return move_lanes<1>(lanes, count, window, base);
        case 2:
            return move_lanes<2>(lanes, count, window, base);
        case 4:
            return move_lanes<4>(lanes, count, window, base);
        default:
            return move_lanes<8>(lanes, count, window, base);
    }
}

}  // namespace gen9

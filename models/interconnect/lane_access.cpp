// SPDX-License-Identifier: Apache-2.0
#include "interconnect/lane_access.h"

#include <algorithm>
#include <cstring>

namespace gen9 {
namespace {

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

}  // namespace

namespace {

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

}  // namespace

void perform_lanes(LaneAccess& lanes, std::span<std::uint8_t> window, std::uint32_t base) {
    Window storage(window);
    if (lanes.width_bytes == 16 && lanes.kind == LaneAccess::Kind::Atomic)
        return compare_write_wide(lanes, storage, base);
    const unsigned width = std::min<unsigned>(lanes.width_bytes, 8);
    const unsigned count = std::min<unsigned>(lanes.count, LaneAccess::kMaxLanes);
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t at = base + lanes.offset[i];
        switch (lanes.kind) {
            case LaneAccess::Kind::Read:
                lanes.result[i] = storage.read(at, width);
                break;
            case LaneAccess::Kind::Write:
                storage.write(at, width, lanes.source0[i]);
                break;
            case LaneAccess::Kind::Atomic: {
                const auto done = apply_atomic(lanes.op, width, storage.read(at, width),
                                               lanes.source0[i], lanes.source1[i]);
                storage.write(at, width, done.memory);
                lanes.result[i] = done.returned;
                break;
            }
        }
    }
}

}  // namespace gen9

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "common/units.h"

namespace gen9::media {

/// Where descriptors and payload come from.
class MemoryReader {
  public:
    virtual ~MemoryReader() = default;
    /// False when the memory refused; `data` is then zero. `mocs`: memory object control state.
    virtual bool read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) = 0;
    /// The same without an access of the machine: it takes no time and counts nowhere.
    virtual bool look(GpuAddr address, std::span<std::uint8_t> data) = 0;
};

}  // namespace gen9::media

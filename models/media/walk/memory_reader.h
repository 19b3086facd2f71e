// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "common/units.h"

namespace gen9::media {

/// Descriptors and payload come from here.
class MemoryReader {
  public:
    virtual ~MemoryReader() = default;
    /// Returns false when the memory refused; `data` is then zero. `mocs` is the memory object
    /// control state.
    virtual bool read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) = 0;
    /// Reads without an access of the machine: it takes no time and counts nowhere.
    virtual bool look(GpuAddr address, std::span<std::uint8_t> data) = 0;
};

}  // namespace gen9::media

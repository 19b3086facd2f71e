// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/units.h"

namespace gen9 {

/// Gives the memory of pages that are attached without it. It is asked once for each, when the page
/// is first read, written or pointed to. The memory stays the source's.
class PageSource {
  public:
    virtual std::uint8_t* bytes_of(PhysAddr page) = 0;

  protected:
    ~PageSource() = default;
};

}  // namespace gen9

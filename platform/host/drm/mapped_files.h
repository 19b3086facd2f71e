// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace gen9::drm {

/// Keeps where this process has mapped files of a program's. The program may cut them, or the
/// machine may have no memory for a page of them: such a page then reads zero instead of ending the
/// process.
class MappedFiles {
  public:
    static void add(const void* host, std::size_t bytes);
    static void remove(const void* host);
    /// Has a page been lost since this was asked last?
    static bool take_loss();
};

}  // namespace gen9::drm

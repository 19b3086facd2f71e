// SPDX-License-Identifier: Apache-2.0
/// What this process has mapped, as the kernel lists it.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace gen9::drm {

struct MappedRange {
    std::uint64_t begin = 0, end = 0;
    int protection = 0;          ///< PROT_*
    bool shared = false;         ///< with others who map the file
    std::uint64_t offset = 0;    ///< in the file, bytes
    dev_t device = 0;            ///< of the file,
    ino_t inode = 0;             ///< 0: it is mapped from no file
    std::string_view file_name;  ///< valid during the call
};

/// Visits the ranges in order of their addresses until the answer is false. False: there is no
/// list.
bool for_each_mapped_range(const std::function<bool(const MappedRange&)>& visit);

}  // namespace gen9::drm

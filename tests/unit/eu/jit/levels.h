// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "eu/jit/host.h"

namespace gen9::eu::test {

/// The instruction sets that this host has, of those that code is compiled for.
inline std::vector<jit::Level> levels() {
    std::vector<jit::Level> found;
    for (const jit::Level level : {jit::Level::Avx2, jit::Level::Avx512})
        if (level <= jit::host_level()) found.push_back(level);
    return found;
}

}  // namespace gen9::eu::test

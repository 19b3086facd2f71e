// SPDX-License-Identifier: Apache-2.0
/// How the layer of the OpenCL loader tells the libraries that are preloaded beside it which launch
/// a thread is at.
#pragma once
#include <dlfcn.h>

#include <cstdint>

namespace gen9::platform {

/// The calling thread keeps here the number of the enqueue that it is in, from 1; 0: it is in none.
/// The place is in the library of the kernel interface, which every program has. Null: it is not
/// there.
inline std::uint32_t* current_launch() {
    using Place = std::uint32_t* (*)();
    static const auto place =
        reinterpret_cast<Place>(dlsym(RTLD_DEFAULT, "gen9sim_current_launch"));
    return place ? place() : nullptr;
}

}  // namespace gen9::platform

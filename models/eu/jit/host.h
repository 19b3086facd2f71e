// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::eu::jit {

/// What the host's processor can do, as far as compiled code asks.
enum class Level : std::uint8_t {
    None,    ///< nothing is compiled
    Avx2,    ///< with FMA and BMI2
    Avx512,  ///< with the extensions VL, DQ and BW
};

/// Of this host; None also where the program was built without Xbyak.
Level host_level();

}  // namespace gen9::eu::jit

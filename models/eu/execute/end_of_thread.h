// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "isa/instruction.h"

namespace gen9::eu {

/// A message that ends the thread and names general registers as destination is never issued: the
/// thread hangs (EU-201, 003:19409). Accumulators, which a message cannot write (003:24400), do no
/// harm. Public: the kernels of intel-vaapi-driver end with acc0 as destination and run on Skylake
/// (D-37).
inline bool hangs_at_end(const isa::Instruction& in) {
    return in.end_of_thread && in.dst.file == isa::RegFile::Grf;
}

}  // namespace gen9::eu

// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/waveform/wave_file.h"

namespace gen9::platform {

std::unique_ptr<WaveFile> open_fst(const std::string& path) {
    throw UserError(
        "cannot write the waveform '" + path +
        "': this gen9sim was built without GTKWave's FST writer, which Debian's package "
        "verilator holds; name a file that ends in .vcd");
}

}  // namespace gen9::platform

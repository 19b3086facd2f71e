// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "platform/tell/waveform/wave_file.h"

namespace gen9::platform {

/// Writes GTKWave's save file of a waveform: a first screen of the machine from its command
/// streamer to its memory, of the variables there are. `picoseconds`: the time to fit in the
/// window.
void write_save_file(const std::string& path, const std::string& waveform,
                     const std::vector<WaveVariable>& variables, std::uint64_t begin,
                     std::uint64_t end);

}  // namespace gen9::platform

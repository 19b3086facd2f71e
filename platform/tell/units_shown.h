// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace gen9::platform {

/// The name of a module, or of a part of one, in waveforms, recordings, parameters and statistics.
/// The media front end and the thread dispatcher are shown as one unit, the spawner.
inline std::string unit_shown(std::string_view name) {
    struct Row {
        std::string_view module, unit;
    };
    static constexpr Row kRows[] = {{"gpu.media", "gpu.spawner"},
                                    {"gpu.dispatcher", "gpu.spawner"}};
    for (const Row& row : kRows) {
        const std::size_t at = name.find(row.module);
        if (at == std::string_view::npos) continue;
        const std::size_t end = at + row.module.size();
        const bool begins = at == 0 || name[at - 1] == '.';
        if (begins && (end == name.size() || name[end] == '.'))
            return std::string(name.substr(0, at)) + std::string(row.unit) +
                   std::string(name.substr(end));
    }
    return std::string(name);
}

}  // namespace gen9::platform

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "platform/host/engine.h"

namespace gen9::platform {

/// How a connection ended, as far as its messages tell.
struct TbxConnectionEnd {
    unsigned complaints = 0;  ///< sentences logged about what the peer sent
    bool gave_up = false;     ///< ended by us while the peer may still be waiting
};

/// Serves one TBX connection until the peer closes it, the engine stops or this process is asked
/// to stop.
TbxConnectionEnd serve_tbx_connection(
    int socket, Engine& engine, const std::function<void(const std::string&)>& log,
    const OnLaunch& on_launch = [](auto, auto) {});

}  // namespace gen9::platform

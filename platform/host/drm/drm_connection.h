// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "platform/host/drm/page_tables.h"
#include "platform/host/engine.h"
#include "platform/host/tbx/tbx_connection.h"

namespace gen9::drm {

/// Serves one connection of the kernel interface until the peer closes it, the engine stops or this
/// process is asked to stop. `build` makes the engine at the first message; `frames` are
/// those of its memory.
platform::TbxConnectionEnd serve_drm_connection(int socket,
                                                const std::function<platform::Engine&()>& build,
                                                const std::function<void(const std::string&)>& log,
                                                const platform::OnLaunch& on_launch,
                                                const Frames& frames);

}  // namespace gen9::drm

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "platform/blocks.h"

/// Version of what a plugin sees of gen9sim: it changes with the headers a plugin includes.
#define GEN9_PLUGIN_VERSION "gen9sim 0.1 plugin 4"

/// Makes a shared library a plugin: `function` takes BlockModels& and adds its models.
#define GEN9_PLUGIN(function)                                                     \
    extern "C" [[gnu::visibility("default")]] const char* gen9_plugin_version() { \
        return GEN9_PLUGIN_VERSION;                                               \
    }                                                                             \
    extern "C" [[gnu::visibility("default")]] void gen9_plugin_register(          \
        ::gen9::platform::BlockModels& models) {                                  \
        function(models);                                                         \
    }

namespace gen9::platform {

/// Loads a shared library that adds block models. Call before a machine is built. Throws UserError
/// when it cannot be loaded, is no plugin, is of another version, or adds a name that is taken.
void load_plugin(const std::string& path);

}  // namespace gen9::platform

// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/plugin.h"
#include "platform/machine/block_models.h"

#include <dlfcn.h>

namespace gen9::platform {

void load_plugin(const std::string& path) {
    // Without a slash dlopen would look in the system's folders.
    const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw UserError("cannot load the plugin: " + std::string(dlerror()));
    const auto version = reinterpret_cast<const char* (*)()>(dlsym(library, "gen9_plugin_version"));
    const auto add =
        reinterpret_cast<void (*)(BlockModels&)>(dlsym(library, "gen9_plugin_register"));
    if (version == nullptr || add == nullptr)
        throw UserError("'" + path + "' is no plugin of gen9sim (GEN9_PLUGIN is missing)");
    if (std::string(version()) != GEN9_PLUGIN_VERSION)
        throw UserError("the plugin '" + path + "' is for '" + version() + "', this is '" +
                        GEN9_PLUGIN_VERSION + "': build it again");
    add(block_models());
}

}  // namespace gen9::platform

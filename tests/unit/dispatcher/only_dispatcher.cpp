// SPDX-License-Identifier: Apache-2.0
// The registry of models for a program that has the dispatcher alone and no machine around it.
#include "dispatcher/module.h"
#include "platform/machine/block_models.h"

namespace gen9::platform {

BlockModels& block_models() {
    static BlockModels models = [] {
        BlockModels made;
        made.dispatcher.add("tlm",
                            [](const BlockPlace& at, const dispatcher::DispatcherSetup& setup) {
                                return std::make_unique<dispatcher::Dispatcher>(
                                    at.name.c_str(), at.env, at.clock, setup);
                            });
        return made;
    }();
    return models;
}

}  // namespace gen9::platform

// SPDX-License-Identifier: Apache-2.0
// A plugin whose "RTL" answers a cycle late: what is shown of it is what a wrong RTL would show.
#include "platform/cosim/beside.h"
#include "platform/machine/plugin.h"
#include "slm/module.h"

namespace {

using namespace gen9;

struct Faulty : platform::SlmBlock {
    explicit Faulty(const platform::BlockPlace& at)
        : SlmBlock(at.env), pair(at.name.c_str(), at.env, at.clock) {}
    slm::SlmSockets sockets() override { return {pair.beside.mem_in}; }
    platform::SideBySide<slm::Slm, &slm::Slm::mem_in, slm::Slm, &slm::Slm::mem_in> pair;
};

void add_models(platform::BlockModels& models) {
    models.slm.add("faulty", [](const platform::BlockPlace& at, const slm::SlmSetup&) {
        return std::make_unique<Faulty>(at);
    });
}

}  // namespace

GEN9_PLUGIN(add_models)

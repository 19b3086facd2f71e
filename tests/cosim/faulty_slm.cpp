// SPDX-License-Identifier: Apache-2.0
// A plugin whose "RTL" answers a cycle late: what is shown of it is what a wrong RTL would show.
#include "platform/cosim/beside.h"
#include "platform/plugin.h"
#include "slm/module.h"

namespace {

using namespace gen9;

struct Pair : sc_core::sc_module {
    Pair(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
        : sc_module(module_name),
          beside("beside", env, clock),
          tlm("tlm", env, clock),
          rtl("rtl", env, clock) {
        beside.model_out.bind(tlm.mem_in);
        beside.rtl_out.bind(rtl.mem_in);
        env.kept_signals.emplace_back(name());
    }
    platform::Beside beside;
    slm::Slm tlm, rtl;
};

struct Faulty : platform::SlmBlock {
    explicit Faulty(const platform::BlockPlace& at) : pair(at.name.c_str(), at.env, at.clock) {}
    platform::MemoryTarget& mem_in() override { return pair.beside.mem_in; }
    Pair pair;
};

void add_models(platform::BlockModels& models) {
    models.slm.add("faulty",
                   [](const platform::BlockPlace& at) { return std::make_unique<Faulty>(at); });
}

}  // namespace

GEN9_PLUGIN(add_models)

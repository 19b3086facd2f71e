// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/block_models.h"

#include <gtest/gtest.h>

#include "platform/machine/plugin.h"
#include "platform/run/simulation.h"

namespace gen9::platform {
namespace {

template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

RunOptions with(const std::string& setting) {
    RunOptions options;
    options.config.set_text(setting, "test");
    return options;
}

TEST(Blocks, AnUnknownModelIsAUserErrorThatNamesTheKeyAndTheModelsThereAre) {
    const std::string error = error_of([] { Simulation simulation(with("dram.model=hbm")); });
    EXPECT_NE(error.find("dram.model"), std::string::npos) << error;
    EXPECT_NE(error.find("hbm"), std::string::npos) << error;
    EXPECT_NE(error.find("tlm"), std::string::npos) << error;
    EXPECT_NE(error.find("rtl"), std::string::npos) << error;
}

TEST(Blocks, TheModelsThereAreOfACacheAreNamed) {
    const std::string error = error_of([] { Simulation simulation(with("l3.bank.model=rtl")); });
    EXPECT_NE(error.find("l3.bank.model=\"rtl\" is not allowed: tlm|none"), std::string::npos)
        << error;
}

TEST(Blocks, TheOneModelThereIsOfTheGatewayIsNamed) {
    const std::string error = error_of([] { Simulation simulation(with("gateway.model=rtl")); });
    EXPECT_NE(error.find("gateway.model=\"rtl\" is not allowed: tlm"), std::string::npos) << error;
}

TEST(Blocks, EveryKindHasTheModelOfTransactions) {
    BlockModels& all = block_models();
    const auto first = [](const auto&... models) {
        return std::vector<std::string>{models.names().front()...};
    };
    EXPECT_EQ(first(all.eu, all.icache, all.hdc, all.slm, all.gateway, all.urb, all.sampler,
                    all.alu, all.cs, all.streamer, all.media, all.dispatcher, all.bank, all.l3,
                    all.gti, all.llc, all.dram),
              std::vector<std::string>(17, "tlm"));
}

TEST(Blocks, AnExecutionUnitIsMadeByName) {
    const std::string error = error_of([] { Simulation simulation(with("eu3.model=fast")); });
    EXPECT_NE(error.find("eu3.model=\"fast\" is not allowed: tlm"), std::string::npos) << error;
}

TEST(Blocks, AModelsNameIsTakenOnce) {
    Models<DramBlock> models("dram");
    const auto make = [](const BlockPlace&, const memory::MemorySetup&) {
        return std::unique_ptr<DramBlock>();
    };
    models.add("mine", make);
    EXPECT_NE(error_of([&] { models.add("mine", make); }).find("'mine' of dram already"),
              std::string::npos);
}

TEST(Plugin, AMissingLibraryIsAUserError) {
    const std::string error = error_of([] { load_plugin("/nowhere/none.so"); });
    EXPECT_NE(error.find("cannot load the plugin"), std::string::npos) << error;
    EXPECT_NE(error.find("/nowhere/none.so"), std::string::npos) << error;
}

TEST(Plugin, ALibraryThatIsNoPluginIsAUserError) {
    EXPECT_NE(error_of([] { load_plugin(NO_PLUGIN); }).find("is no plugin of gen9sim"),
              std::string::npos);
}

TEST(Plugin, APluginOfAnotherVersionIsRefusedBeforeItAddsAnything) {
    const std::string error = error_of([] { load_plugin(OTHER_VERSION); });
    EXPECT_NE(error.find("is for 'gen9sim 0.1 plugin 3', this is '" GEN9_PLUGIN_VERSION "'"),
              std::string::npos)
        << error;
}

// Where RTL stands, and where the model does, the machine is built from the same names.
TEST(Blocks, EveryBlockIsAModuleInTheHierarchy) {
    Simulation simulation{RunOptions()};
    for (const char* name :
         {"gpu.cs", "gpu.cs.alu", "gpu.rs", "gpu.media", "gpu.dispatcher", "gpu.l3", "gpu.l3.bank0",
          "gpu.l3.bank3", "gpu.gti", "gpu.llc", "gpu.dram", "gpu.slice0.subslice0.slm",
          "gpu.slice0.subslice0.gateway", "gpu.slice0.subslice0.hdc", "gpu.slice0.subslice0.urb",
          "gpu.slice0.subslice0.icache", "gpu.slice0.subslice2.eu7"})
        EXPECT_NE(dynamic_cast<sc_core::sc_module*>(sc_core::sc_find_object(name)), nullptr)
            << name;
}

}  // namespace
}  // namespace gen9::platform

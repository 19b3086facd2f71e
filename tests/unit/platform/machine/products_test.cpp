// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/products/products.h"

#include <gtest/gtest.h>

#include "common/check.h"
#include "tests/support/covers.h"

namespace gen9::platform {
namespace {

TEST(Products, AllAreThere) {
    std::vector<std::string> names;
    for (const auto& product : products())
        names.push_back(product.name);
    EXPECT_EQ(names, (std::vector<std::string>{"bxt-2x6", "bxt-3x6", "kbl-gt2", "skl-gt1",
                                               "skl-gt2", "skl-gt3", "skl-gt4"}));
}

TEST(Products, EverySettingHasASourceAndNothingElseHas) {
    for (const auto& product : products()) {
        EXPECT_EQ(product.settings.size(), product.sources.size()) << product.name;
        for (const auto& [name, value] : product.settings) {
            ASSERT_TRUE(product.sources.contains(name)) << product.name << " " << name;
            EXPECT_GT(product.sources.at(name).as_string().size(), 10u)
                << product.name << " " << name;
        }
    }
}

// The driver computes thread counts from the topology it is told: it must be the model's.
TEST(Products, TheDriverIsToldTheTopologyOfTheModel) {
    for (const auto& product : products()) {
        std::string topology;
        for (const char* name : {"gpu.slices", "gpu.subslices", "gpu.eus"}) {
            if (!topology.empty()) topology += 'x';
            topology += std::to_string(product.settings.at(name).to_number<int>());
        }
        EXPECT_EQ(product.driver_topology, topology) << product.name;
        EXPECT_TRUE(product.name.starts_with(product.driver_family)) << product.name;
    }
}

TEST(Products, AnEuHasSevenThreadsOnSkylakeAndSixOnBroxton) {
    GEN9_COVERS("EU-003");
    for (const auto& product : products())
        EXPECT_EQ(product.settings.at("eu.threads").to_number<int>(),
                  product.name.starts_with("bxt") ? 6 : 7)
            << product.name;
}

// 000:933-939, 000:994-1000: there may be more subslices than L3 banks, each of which holds one
// SLM.
TEST(Products, BroxtonsSubslicesShareAnSlmOfEachL3Bank) {
    GEN9_COVERS("POOL-10 SLM-15");
    for (const auto& product : products()) {
        const auto& settings = product.settings;
        EXPECT_EQ(settings.contains("gpu.slm_banks"), product.name.starts_with("bxt"));
        if (settings.contains("gpu.slm_banks")) {
            EXPECT_EQ(settings.at("gpu.slm_banks"), settings.at("gpu.l3_banks")) << product.name;
        }
    }
}

// 000:700-702; 003:17967 says so of global ones only.
TEST(Products, AnyBarrierOfMediaGroupsWantsAStallOnBroxton) {
    GEN9_COVERS("MED-60");
    for (const auto& product : products()) {
        const bool any = product.settings.contains("cs.stall_after_barrier") &&
                         product.settings.at("cs.stall_after_barrier") == "any";
        EXPECT_EQ(any, product.name.starts_with("bxt")) << product.name;
    }
}

// Total threads of the white paper and Mesa's tables.
TEST(Products, ThreadsAddUpToThePublishedTotals) {
    const std::pair<const char*, int> totals[] = {
        {"skl-gt1", 84},  {"skl-gt2", 168}, {"skl-gt3", 336}, {"skl-gt4", 504},
        {"bxt-3x6", 108}, {"bxt-2x6", 72},  {"kbl-gt2", 168}};
    for (const auto& [name, total] : totals) {
        const auto& settings = find_product(name).settings;
        int threads = 1;
        for (const char* factor : {"gpu.slices", "gpu.subslices", "gpu.eus", "eu.threads"})
            threads *= settings.at(factor).to_number<int>();
        EXPECT_EQ(threads, total) << name;
    }
}

TEST(Products, AnUnknownNameIsAUserErrorThatListsTheNames) {
    try {
        find_product("skl-gt9");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("skl-gt9"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("bxt-3x6"), std::string::npos);
    }
}

TEST(Products, SettingsGiveWayToLaterOnes) {
    Config config;
    apply(find_product("skl-gt2"), config);
    config.set_text("gpu.eus=4", "--set");
    EXPECT_EQ(config.find("gpu.eus")->value.to_number<int>(), 4);
}

}  // namespace
}  // namespace gen9::platform

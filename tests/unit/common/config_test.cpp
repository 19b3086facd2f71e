// SPDX-License-Identifier: Apache-2.0
#include "common/config.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "common/check.h"
#include "common/params.h"
#include "common/stats.h"

namespace gen9 {
namespace {

struct EuLikeParams : ParamSet {
    using ParamSet::ParamSet;
    Param threads{*this, {"threads", "threads", "Hardware threads.", "test"}, 7, 1, 8};
    ChoiceParam policy{
        *this, {"policy", "", "Which thread issues.", "test"}, "oldest", {"oldest", "round_robin"}};
};

TEST(Config, AComponentWithoutIndexNamesAllInstances) {
    EXPECT_TRUE(Config::matches("eu.threads", "gpu.slice0.subslice2.eu5.threads"));
    EXPECT_TRUE(Config::matches("subslice2.eu.threads", "gpu.slice0.subslice2.eu5.threads"));
    EXPECT_TRUE(Config::matches("gpu.*.*.*.threads", "gpu.slice0.subslice2.eu5.threads"));
    EXPECT_FALSE(Config::matches("subslice1.eu.threads", "gpu.slice0.subslice2.eu5.threads"));
    EXPECT_FALSE(Config::matches("u5.threads", "gpu.slice0.subslice2.eu5.threads"));
    EXPECT_FALSE(Config::matches("eu.thread", "gpu.slice0.subslice2.eu5.threads"));
}

TEST(Config, TheLastSettingWins) {
    Config config;
    config.set_text("eu.threads=3", "first");
    config.set_text("eu1.threads=4", "second");
    EXPECT_EQ(EuLikeParams(config, "gpu.eu0").threads, 3u);
    EXPECT_EQ(EuLikeParams(config, "gpu.eu1").threads, 4u);
}

// A product's settings stay where a place has another model.
TEST(Config, AnUnknownNameIsAUserErrorUnlessNobodyNeedAskForIt) {
    Config config;
    config.load(boost::json::parse(R"({"eu": {"thread": 3}})"), "a product", Config::Asked::May);
    EXPECT_NO_THROW(config.check_all_used());
    config.load(boost::json::parse(R"({"eu": {"thread": 3}})"), "a file");
    EXPECT_THROW(config.check_all_used(), UserError);
}

TEST(Params, AValueOutOfRangeIsAUserErrorThatNamesKeyValueAndRange) {
    Config config;
    config.set_text("eu.threads=9", "--set");
    try {
        EuLikeParams params(config, "gpu.eu0");
        FAIL() << "9 threads were accepted";
    } catch (const UserError& error) {
        EXPECT_STREQ(error.what(), "--set: eu.threads=9 is not allowed: 1..8 threads");
    }
}

TEST(Params, AListHasNumbersInItsRangeAndAtLeastOne) {
    struct Params : ParamSet {
        using ParamSet::ParamSet;
        ListParam weights{*this, {"weights", "", "Weights.", "test"}, {1, 2}, 1, 9};
    };
    const auto with = [](const char* setting) {
        Config config;
        config.set_text(setting, "--set");
        return Params(config, "bus").weights.get();
    };
    EXPECT_EQ(with("other.weights=[3]"), (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(with("bus.weights=[3,1,9]"), (std::vector<std::uint64_t>{3, 1, 9}));
    for (const char* bad :
         {"bus.weights=[]", "bus.weights=3", "bus.weights=[0]", "bus.weights=[1,10]",
          "bus.weights=[1,-1]", "bus.weights=[1,\"x\"]", "bus.weights=[1.5]", "bus.weights=word"})
        EXPECT_THROW(with(bad), UserError) << bad;
    try {
        with("bus.weights=[10]");
    } catch (const UserError& error) {
        EXPECT_STREQ(error.what(), "--set: bus.weights=[10] is not allowed: a list of 1..9");
    }
}

TEST(Params, AnUnknownWordIsAUserErrorThatListsTheChoices) {
    Config config;
    config.set_text("eu.policy=random", "--set");
    EXPECT_THROW(
        {
            try {
                EuLikeParams params(config, "gpu.eu0");
            } catch (const UserError& error) {
                EXPECT_NE(std::string(error.what()).find("oldest|round_robin"), std::string::npos);
                throw;
            }
        },
        UserError);
}

TEST(Config, ASettingThatNamesNothingIsAUserError) {
    Config config;
    config.set_text("eu.treads=3", "--set");
    EuLikeParams params(config, "gpu.eu0");
    EXPECT_THROW(config.check_all_used(), UserError);
}

TEST(Stats, CountersNestByModuleName) {
    StatRegistry registry;
    struct S : StatSet {
        using StatSet::StatSet;
        Counter hits{*this, "hits", "requests", "Requests that hit."};
    } a("gpu.l3.bank0"), b("gpu.l3.bank1");
    registry.add(a);
    registry.add(b);
    a.hits += 3;
    ++b.hits;
    EXPECT_EQ(registry.sum("bank.hits"), 4u);
    EXPECT_EQ(registry.to_json().at("gpu").at("l3").at("bank0").at("hits").to_number<int>(), 3);
}

}  // namespace
}  // namespace gen9

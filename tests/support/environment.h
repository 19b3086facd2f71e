// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "common/environment.h"

namespace gen9::test {

/// An environment for one test: settings by text, reports kept instead of printed.
struct TestEnvironment {
    Config config;
    Reporter reporter;
    StatRegistry stats;
    std::vector<std::string> log;
    Environment environment;

    explicit TestEnvironment(Timing timing = Timing::Timed, std::vector<std::string> settings = {})
        : environment{config, reporter, stats, timing} {
        for (const auto& setting : settings)
            config.set_text(setting, "test");
        reporter.log = [this](const std::string& line) { log.push_back(line); };
    }
};

}  // namespace gen9::test

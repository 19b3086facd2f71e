// SPDX-License-Identifier: Apache-2.0
#include "each_case.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace gen9::test {
namespace {

using Run = int (*)(int argc, char** argv);

/// Ends this process with what the program returns for the command line with more words at its end,
/// which win over earlier ones.
[[noreturn]] void run_and_exit(int argc, char** argv, const std::vector<std::string>& more,
                               Run run) {
    std::vector<std::string> words(argv, argv + argc);
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::exit(run(static_cast<int>(words.size()), pointers.data()));
}

/// The names that GoogleTest lists for this command line.
std::vector<std::string> selected_cases(int argc, char** argv, Run run) {
    int ends[2];
    if (pipe(ends) != 0) return {};
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        run_and_exit(argc, argv, {"--gtest_list_tests"}, run);
    }
    close(ends[1]);
    std::string text;
    char block[4096];
    for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) return {};
    // The list is this shard's: a case of it is run whatever its place among all.
    unsetenv("GTEST_TOTAL_SHARDS");
    unsetenv("GTEST_SHARD_INDEX");

    // "Suite.", then a line of each case, indented; comments begin with #.
    std::vector<std::string> names;
    std::string suite;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line(text.data() + at, end - at);
        at = end + 1;
        line = line.substr(0, line.find("  #"));
        if (line.starts_with("  "))
            names.push_back(suite + std::string(line.substr(2)));
        else
            suite = line;
    }
    return names;
}

/// Empty when the case has passed, else what it did.
std::string run_one(int argc, char** argv, Run run, const std::string& name, unsigned seconds) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return "cannot be started";
    if (child == 0) {
        std::vector<std::string> more = {"--gtest_filter=" + name};
        if (const char* folder = std::getenv("GEN9_REPORTS")) {
            std::string report = name;
            std::replace(report.begin(), report.end(), '/', '_');
            more.push_back("--gtest_output=xml:" + std::string(folder) + "/" + report + ".xml");
        }
        alarm(seconds);
        run_and_exit(argc, argv, more, run);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return "has not ended within " + std::to_string(seconds) + " seconds";
    if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
    if (WEXITSTATUS(status) != 0) return "failed";
    return {};
}

bool lists_tests(int argc, char** argv) {
    return std::any_of(argv, argv + argc, [](std::string_view word) {
        return word == "--gtest_list_tests" || word == "--help";
    });
}

}  // namespace

int run_each_case(int argc, char** argv, Run run) {
    if (std::getenv("GEN9_CASES") || lists_tests(argc, argv)) return run(argc, argv);
    const std::vector<std::string> names = selected_cases(argc, argv, run);
    if (names.size() == 1 && !std::getenv("GEN9_REPORTS")) return run(argc, argv);
    const char* const limit = std::getenv("GEN9_CASE_SECONDS");
    const auto seconds = limit ? static_cast<unsigned>(std::strtoul(limit, nullptr, 10)) : 60u;
    std::vector<std::string> bad;
    for (const std::string& name : names) {
        const std::string outcome = run_one(argc, argv, run, name, seconds);
        if (!outcome.empty()) bad.push_back(name + " " + outcome);
    }
    std::printf("\n%zu cases, %zu not passed\n", names.size(), bad.size());
    for (const std::string& sentence : bad)
        std::printf("%s\n", sentence.c_str());
    return !names.empty() && bad.empty() ? 0 : 1;
}

}  // namespace gen9::test

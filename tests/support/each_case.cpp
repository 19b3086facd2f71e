// SPDX-License-Identifier: Apache-2.0
#include "each_case.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
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

/// What a case may take: so many seconds of processor time, and ten times as many by the clock, for
/// other work on the machine makes no test wrong.
constexpr unsigned kClockSeconds = 10;

/// Gives each case of this process its time.
class LimitTime final : public testing::EmptyTestEventListener {
  public:
    explicit LimitTime(unsigned seconds) : seconds_(seconds) {}
    void OnTestStart(const testing::TestInfo&) override {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        const auto so_far =
            static_cast<rlim_t>(used.ru_utime.tv_sec) + static_cast<rlim_t>(used.ru_stime.tv_sec);
        const rlimit limit{so_far + seconds_, RLIM_INFINITY};
        setrlimit(RLIMIT_CPU, &limit);
        alarm(kClockSeconds * seconds_);
    }

  private:
    unsigned seconds_;
};

/// Runs the cases of a filter in a process of their own, with a report of that name. Empty when they
/// have passed, else what they did.
std::string run_alone(int argc, char** argv, Run run, const std::string& filter, std::string report,
                      unsigned seconds) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return "cannot be started";
    if (child == 0) {
        std::vector<std::string> more = {"--gtest_filter=" + filter};
        if (const char* folder = std::getenv("GEN9_REPORTS")) {
            std::replace(report.begin(), report.end(), '/', '_');
            more.push_back("--gtest_output=xml:" + std::string(folder) + "/" + report + ".xml");
        }
        testing::UnitTest::GetInstance()->listeners().Append(new LimitTime(seconds));
        run_and_exit(argc, argv, more, run);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return "has not ended within " + std::to_string(seconds) + " seconds of processor time";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return "has not ended within " + std::to_string(kClockSeconds * seconds) + " seconds";
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

int run_each_case(int argc, char** argv, Run run, Together together) {
    if (std::getenv("GEN9_CASES") || lists_tests(argc, argv)) return run(argc, argv);
    const std::vector<std::string> names = selected_cases(argc, argv, run);
    if (names.size() == 1 && !std::getenv("GEN9_REPORTS")) return run(argc, argv);
    const char* const limit = std::getenv("GEN9_CASE_SECONDS");
    const auto seconds = limit ? static_cast<unsigned>(std::strtoul(limit, nullptr, 10)) : 60u;
    std::vector<std::string> bad;
    std::string one_process = "has not been tried";
    if (together == Together::WhileTheyPass && !names.empty()) {
        std::string filter;
        for (const std::string& name : names)
            filter += (filter.empty() ? "" : ":") + name;
        one_process = run_alone(argc, argv, run, filter, "all", seconds);
    }
    if (!one_process.empty())
        for (const std::string& name : names) {
            const std::string outcome = run_alone(argc, argv, run, name, name, seconds);
            if (!outcome.empty()) bad.push_back(name + " " + outcome);
        }
    if (together == Together::WhileTheyPass && !one_process.empty() && bad.empty())
        bad.push_back("each alone passes; one process of all " + one_process);
    std::printf("\n%zu cases, %zu not passed\n", names.size(), bad.size());
    for (const std::string& sentence : bad)
        std::printf("%s\n", sentence.c_str());
    return !names.empty() && bad.empty() ? 0 : 1;
}

}  // namespace gen9::test

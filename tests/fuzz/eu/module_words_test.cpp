// SPDX-License-Identifier: Apache-2.0
// Random and damaged kernels in a whole EU, in both modes: fetch, program cache, scoreboard,
// arbiter, send queue. Each runs in a process of its own, so that none leaves anything behind.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/eu/kernel_files.h"
#include "tests/fuzz/eu/word_fuzzer.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

constexpr unsigned kKernels = 600;
constexpr unsigned kThreads = 3;
constexpr std::uint64_t kCycles = 30'000;
/// A kernel of so many cycles takes milliseconds.
constexpr unsigned kSecondsUntilHung = 60;

void run_kernels(EuBench& bench, std::uint64_t seed) {
    eu::test::WordFuzzer fuzzer(seed);
    const auto originals = eu::test::compiled_kernels();
    for (unsigned n = 0; n < gen9::test::rounds(kKernels); ++n) {
        const bool compiled = !originals.empty() && n % 4 != 0;
        std::vector<std::uint8_t> kernel =
            compiled ? originals[n % originals.size()] : fuzzer.random_kernel();
        fuzzer.damage(kernel);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(kSecondsUntilHung);
            bench.code(0, kernel);
            bench.payload.assign(16, 0x100);
            for (unsigned slot = 0; slot < kThreads; ++slot)
                bench.dispatch(slot, 0);
            bench.run(kCycles);
            _exit(testing::Test::HasFailure() ? 1 : 0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
            << "kernel " << n << " of seed " << seed << ": "
            << (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                    : "status " + std::to_string(WEXITSTATUS(status)));
    }
}

TEST(AnyBytesInTheEu, FunctionalMode) {
    GEN9_COVERS("EU-294 EU-297");
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    run_kernels(bench, 1);
}

TEST(AnyBytesInTheEu, TimedMode) {
    GEN9_COVERS("EU-294 EU-297");
    TestEnvironment test(Timing::Timed);
    EuBench bench(test);
    run_kernels(bench, 2);
}

}  // namespace
}  // namespace gen9::test

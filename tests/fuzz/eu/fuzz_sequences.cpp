// SPDX-License-Identifier: Apache-2.0
// Random code, compiled against its instructions one after the other: of each seed a sequence of
// anything, and of some one of data port messages, which takes as long as ten of the others.
#include "tests/fuzz/eu/sequence_fuzzer.h"
#include "tests/fuzz/support/fuzz.h"

namespace {

/// Every so many seeds have messages.
constexpr std::uint64_t kMessages = 16;

}  // namespace

int main(int argc, char** argv) {
    gen9::eu::test::SequenceFuzzer fuzzer;
    const auto one = [&](std::uint64_t seed) {
        std::string found = fuzzer.run(seed);
        if (found.empty() && seed % kMessages == 0) found = fuzzer.run_messages(seed);
        if (!found.empty()) gen9::fuzz::broken(seed, found);
    };
    const int status =
        gen9::fuzz::run("compiled sequences", gen9::fuzz::options(argc, argv, 3000), one);
    const auto& counts = fuzzer.counts();
    std::printf("%llu instructions, %llu of them by compiled code; %llu taken out\n",
                static_cast<unsigned long long>(counts.executed),
                static_cast<unsigned long long>(counts.compiled),
                static_cast<unsigned long long>(counts.taken_out));
    std::uint64_t plain = 0;
    for (const auto& [form, count] : counts.plain)
        plain += count.all_on + count.some_on;
    std::printf("%llu messages, %llu of them direct, %llu plain\n",
                static_cast<unsigned long long>(counts.sent),
                static_cast<unsigned long long>(counts.direct),
                static_cast<unsigned long long>(plain));
    return status;
}

// SPDX-License-Identifier: Apache-2.0
// Random code, compiled against its instructions one after the other.
#include "tests/fuzz/eu/sequence_fuzzer.h"
#include "tests/fuzz/support/fuzz.h"

int main(int argc, char** argv) {
    gen9::eu::test::SequenceFuzzer fuzzer;
    const auto one = [&](std::uint64_t seed) {
        const std::string found = fuzzer.run(seed);
        if (!found.empty()) gen9::fuzz::broken(seed, found);
    };
    const int status =
        gen9::fuzz::run("compiled sequences", gen9::fuzz::options(argc, argv, 3000), one);
    const auto& counts = fuzzer.counts();
    std::printf("%llu instructions, %llu of them by compiled code; %llu taken out\n",
                static_cast<unsigned long long>(counts.executed),
                static_cast<unsigned long long>(counts.compiled),
                static_cast<unsigned long long>(counts.taken_out));
    return status;
}

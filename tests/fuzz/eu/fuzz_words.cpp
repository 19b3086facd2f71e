// SPDX-License-Identifier: Apache-2.0
// Random words and damaged kernels, as many as asked for: scripts/fuzz-words.
//
//   fuzz_words [--seed N] [--count N] [--kernels N]
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "tests/fuzz/eu/kernel_files.h"
#include "tests/fuzz/eu/word_fuzzer.h"

int main(int argc, char** argv) {
    std::uint64_t seed = 1, count = 1'000'000, kernels = 10'000;
    for (int i = 1; i < argc; i += 2) {
        const std::uint64_t number = i + 1 < argc ? std::strtoull(argv[i + 1], nullptr, 0) : 0;
        if (i + 1 < argc && std::strcmp(argv[i], "--seed") == 0) {
            seed = number;
        } else if (i + 1 < argc && std::strcmp(argv[i], "--count") == 0) {
            count = number;
        } else if (i + 1 < argc && std::strcmp(argv[i], "--kernels") == 0) {
            kernels = number;
        } else {
            std::cerr << "usage: fuzz_words [--seed N] [--count N] [--kernels N]\n";
            return 2;
        }
    }
    const auto originals = gen9::eu::test::compiled_kernels();
    gen9::eu::test::WordFuzzer fuzzer(seed);
    for (std::uint64_t i = 0; i < count; ++i)
        fuzzer.word();
    constexpr unsigned kLimit = 3000;
    for (std::uint64_t i = 0; i < kernels; ++i) {
        // Some are random from the start.
        const bool compiled = !originals.empty() && i % 4 != 0;
        fuzzer.kernel(compiled ? originals[i % originals.size()] : fuzzer.random_kernel(), kLimit);
    }
    std::cout << fuzzer.counts().text();
    return fuzzer.counts().failures == 0 ? 0 : 1;
}

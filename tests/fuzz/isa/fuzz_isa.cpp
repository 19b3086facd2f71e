// SPDX-License-Identifier: Apache-2.0
// Random instructions against the public assembler, as many as asked for: scripts/fuzz-isa.
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "tests/unit/isa/against_assembler.h"

int main(int argc, char** argv) {
    unsigned long long seed = 1, count = 200'000;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 0);
        if (std::strcmp(argv[i], "--count") == 0) count = std::strtoull(argv[i + 1], nullptr, 0);
    }
    const auto native = gen9::isa::test::compare_with_assembler(seed, count);
    std::cout << native.text() << "\nCompact words\n";
    const auto compact = gen9::isa::test::compare_compact_words(seed, count / 25'000 + 1);
    std::cout << compact.text();
    return native.failures + compact.failures == 0 ? 0 : 1;
}

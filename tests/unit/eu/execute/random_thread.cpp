// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/eu/execute/random_thread.h"

namespace gen9::eu::test {

unsigned pick(Random& random, std::initializer_list<unsigned> values) {
    return values.begin()[random() % values.size()];
}

std::uint32_t interesting_word(Random& random) {
    switch (random() % 9) {
        case 8:  // singles that are denormal, or just not
            return (random() & 0x80000000u) |
                   (random() % 4 != 0 ? random() & 0xFFFFFFu : 0x800000u);
        case 0:
            return random() % 5;
        case 1:
            return 0u - random() % 5;
        case 2:
            return 0x7FFFFFFFu + random() % 3;
        case 3:
            return pick(random, {0x00000000u, 0x80000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u,
                                 0x3F800000u, 0x00000001u, 0x4F000000u, 0xCF000000u, 0x4F800000u,
                                 0x7FF00000u, 0xFFF00000u});
        case 4:
            return std::bit_cast<std::uint32_t>(
                static_cast<float>(static_cast<std::int32_t>(random()) % 1000) / 4);
        default:
            return random();
    }
}

std::unique_ptr<Thread> random_thread(Random& random) {
    auto thread = make_thread(random() % 3 ? 0xFFFFFFFFu : static_cast<std::uint32_t>(random()));
    for (unsigned reg = 0; reg < kGrfCount; ++reg)
        for (unsigned i = 0; i < 8; ++i)
            set<std::uint32_t>(*thread, reg, i, interesting_word(random));
    for (auto& flag : thread->flag)
        flag = random();
    if (random() % 3 == 0) thread->control[0] ^= cr0::kFloatDenormals;
    if (random() % 16 == 0) thread->control[0] |= (random() % 4) << 4;
    if (random() % 16 == 0) thread->control[0] |= cr0::kIeeeMinMax;
    if (random() % 16 == 0) thread->control[0] |= cr0::kAlternate;
    if (random() % 16 == 0) thread->control[0] |= cr0::kRoundToInteger;
    thread->ip = 0x100;
    return thread;
}

}  // namespace gen9::eu::test

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <random>

#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {

using Random = std::mt19937;

unsigned pick(Random& random, std::initializer_list<unsigned> values);
/// Numbers where things happen: small, extreme, special floats, and any.
std::uint32_t interesting_word(Random& random);
/// A thread with such numbers in its registers; any channels may be active, any modes be set.
std::unique_ptr<Thread> random_thread(Random& random);

}  // namespace gen9::eu::test

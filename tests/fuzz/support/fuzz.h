// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace gen9::fuzz {

/// What a fuzz target is told. A case depends on its seed alone: case i of a run has seed + i, so
/// `--seed <that of the failure> --count 1` repeats it.
struct Options {
    std::uint64_t seed = 1;
    std::uint64_t count = 0;  ///< 0: until the seconds are over
    double seconds = 0;
};

inline Options options(int argc, char** argv, std::uint64_t default_count) {
    Options o;
    const auto usage = [&] {
        std::fprintf(stderr, "usage: %s [--seed N] [--count N | --seconds S]\n", argv[0]);
        std::exit(2);
    };
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) usage();
        const std::string name = argv[i];
        char* end = nullptr;
        if (name == "--seed")
            o.seed = std::strtoull(argv[i + 1], &end, 0);
        else if (name == "--count")
            o.count = std::strtoull(argv[i + 1], &end, 0);
        else if (name == "--seconds")
            o.seconds = std::strtod(argv[i + 1], &end);
        if (!end || *end) usage();
    }
    if (o.count == 0 && o.seconds == 0) o.count = default_count;
    return o;
}

/// The random numbers of a case.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t bits() { return engine_(); }
    std::uint32_t below(std::uint64_t limit) {
        return static_cast<std::uint32_t>(engine_() % limit);
    }
    bool one_in(unsigned n) { return below(n) == 0; }
    template <class T, std::size_t n>
    const T& of(const T (&list)[n]) {
        return list[below(n)];
    }

  private:
    std::mt19937_64 engine_;
};

/// A rule of the target that a case broke.
[[noreturn]] inline void broken(std::uint64_t seed, const std::string& rule) {
    std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed), rule.c_str());
    std::abort();
}

/// Runs cases until their number or the time is over. A crash names its seed if the case does not.
template <class Case>
int run(const char* name, const Options& o, Case&& one) {
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t done = 0;
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    while (o.count ? done < o.count : elapsed() < o.seconds)
        one(o.seed + done++);
    std::printf("%s: %llu cases from seed %llu\n", name, static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(o.seed));
    return 0;
}

}  // namespace gen9::fuzz

// SPDX-License-Identifier: Apache-2.0
// Host time of a data port message in functional mode, from decoding to the last byte.
#include <benchmark/benchmark.h>

#include "tests/unit/hdc/bench.h"

namespace gen9::hdc {
namespace {

using test::Bench;
using test::ramp;
using test::Send;
using test::SurfaceBits;

constexpr std::uint64_t kData = Bench::kData;
constexpr std::uint32_t kUntypedRead = 0x04205E00, kUntypedWrite = 0x08025E00,
                        kA64Read = 0x082411FF, kSlmRead = 0x04205EFE;

void measure(benchmark::State& state, Send send) {
    Bench bench;
    bench.bind(0, SurfaceBits::buffer(kData, 65536));
    send.message.sender = &bench.sender;
    for (auto _ : state) {
        bench.carry_out(send.message, kDirectForms);
        benchmark::DoNotOptimize(send.message.response[0]);
    }
    if (bench.statistics.accesses.value() == 0) state.SkipWithError("no access");
}

/// Offsets of 16 slots all over 64 KB, each on its own line.
std::vector<std::uint32_t> anywhere() {
    std::vector<std::uint32_t> offsets(16);
    for (unsigned i = 0; i < 16; ++i)
        offsets[i] = i * 7 % 16 * 4096 + i * 68;
    return offsets;
}

void contiguous_read(benchmark::State& s) {
    measure(s, Send(Sfid::DataPort1, kUntypedRead).add(ramp<std::uint32_t>(16, 64, 4)));
}
void contiguous_write(benchmark::State& s) {
    measure(s, Send(Sfid::DataPort1, kUntypedWrite)
                   .add(ramp<std::uint32_t>(16, 64, 4))
                   .add(ramp<std::uint32_t>(16, 1, 1)));
}
void contiguous_a64_read(benchmark::State& s) {
    measure(s, Send(Sfid::DataPort1, kA64Read).add(ramp<std::uint64_t>(16, kData, 4)));
}
void one_place_read(benchmark::State& s) {
    measure(s, Send(Sfid::DataPort1, kUntypedRead).add(std::vector<std::uint32_t>(16, 64)));
}
void gather(benchmark::State& s) {
    measure(s, Send(Sfid::DataPort1, kUntypedRead).add(anywhere()));
}
void scatter(benchmark::State& s) {
    measure(
        s, Send(Sfid::DataPort1, kUntypedWrite).add(anywhere()).add(ramp<std::uint32_t>(16, 1, 1)));
}
void slm_contiguous_read(benchmark::State& s) {
    measure(s, Send(Sfid::DataPort1, kSlmRead).add(ramp<std::uint32_t>(16, 64, 4)));
}
void slm_gather(benchmark::State& s) {
    measure(s, Send(Sfid::DataPort1, kSlmRead).add(anywhere()));
}

BENCHMARK(contiguous_read);
BENCHMARK(contiguous_write);
BENCHMARK(contiguous_a64_read);
BENCHMARK(one_place_read);
BENCHMARK(gather);
BENCHMARK(scatter);
BENCHMARK(slm_contiguous_read);
BENCHMARK(slm_gather);

}  // namespace
}  // namespace gen9::hdc

BENCHMARK_MAIN();

// SPDX-License-Identifier: Apache-2.0
// Host time of rows of sixteen texels, read and written, by format. Instructions:
// valgrind --tool=none tells nothing of a function; `perf stat` does, or --count, which has them from
// the host's counters where it lets a user read them.
#include <benchmark/benchmark.h>

#include "formats/codec.h"

namespace {

using namespace gen9::formats;

void read_row(benchmark::State& state, unsigned code) {
    const Codec codec(*find_format(code));
    std::vector<std::uint8_t> bytes(codec.format().bytes() * std::size_t{kLanes}, 0x3C);
    Lanes lanes;
    for (auto _ : state) {
        codec.read(bytes.data(), kLanes, lanes);
        benchmark::DoNotOptimize(lanes);
    }
}
void gather_row(benchmark::State& state, unsigned code) {
    const Codec codec(*find_format(code));
    std::vector<std::uint8_t> bytes(codec.format().bytes() * std::size_t{kLanes}, 0x3C);
    std::uint32_t at[kLanes];
    for (unsigned n = 0; n < kLanes; ++n)
        at[n] = (n * 5 % kLanes) * codec.format().bytes();
    Lanes lanes;
    for (auto _ : state) {
        codec.read(bytes.data(), at, kAllLanes, lanes);
        benchmark::DoNotOptimize(lanes);
    }
}
void write_row(benchmark::State& state, unsigned code, unsigned channels) {
    const Codec codec(*find_format(code));
    std::vector<std::uint8_t> bytes(codec.format().bytes() * std::size_t{kLanes});
    Lanes lanes;
    for (auto& channel : lanes.channel)
        channel.fill(0x3E900000);
    const WriteMask mask = codec.mask(channels);
    for (auto _ : state) {
        Elements elements;
        codec.encode(lanes, elements);
        codec.transfer().store(elements, mask, kAllLanes, bytes.data());
        benchmark::DoNotOptimize(bytes.data());
    }
}

}  // namespace

int main(int argc, char** argv) {
    for (const unsigned code : {0x0C7u, 0x0C8u, 0x0C0u, 0x000u, 0x084u, 0x0D8u, 0x0C2u, 0x0D3u,
                                0x100u, 0x140u, 0x0CBu, 0x0C9u, 0x0CCu}) {
        const std::string name = find_format(code)->name;
        benchmark::RegisterBenchmark(("read/" + name).c_str(), read_row, code);
        benchmark::RegisterBenchmark(("gather/" + name).c_str(), gather_row, code);
        benchmark::RegisterBenchmark(("write/" + name).c_str(), write_row, code, 15u);
    }
    benchmark::RegisterBenchmark("write rg/R8G8B8A8_UNORM", write_row, 0x0C7u, 3u);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}

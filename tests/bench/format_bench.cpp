// SPDX-License-Identifier: Apache-2.0
// Host time of a row of sixteen texels, read and written, by format. Host instructions of each:
// `valgrind --tool=callgrind --toggle-collect='*_once*'` over the benchmark's iterations.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "formats/codec.h"

namespace {

using namespace gen9::formats;

struct Row {
    explicit Row(unsigned code)
        : codec(*find_format(code)),
          bytes(codec.format().bytes() * std::size_t{kLanes}, 0x3C),
          mask(codec.mask(15)) {
        for (unsigned n = 0; n < kLanes; ++n)
            at[n] = n * 5 % kLanes * codec.format().bytes();
        for (auto& channel : lanes.channel)
            channel.fill(0x3E900000);
    }
    Codec codec;
    std::vector<std::uint8_t> bytes;
    WriteMask mask;
    std::array<std::uint32_t, kLanes> at;
    Lanes lanes;
};

[[gnu::noinline]] void read_once(Row& row) {
    row.codec.read(row.bytes.data(), kLanes, row.lanes);
}
[[gnu::noinline]] void gather_once(Row& row) {
    row.codec.read(row.bytes.data(), row.at.data(), kAllLanes, row.lanes);
}
[[gnu::noinline]] void write_once(Row& row) {
    Elements elements;
    row.codec.encode(row.lanes, elements);
    row.codec.transfer().store(elements, row.mask, kAllLanes, row.bytes.data());
}

void measure(benchmark::State& state, unsigned code, void (*once)(Row&)) {
    Row row(code);
    for (auto _ : state) {
        once(row);
        benchmark::DoNotOptimize(row.bytes.data());
        benchmark::ClobberMemory();
    }
}

}  // namespace

int main(int argc, char** argv) {
    for (const unsigned code : {0x0C7u, 0x0C8u, 0x0C0u, 0x000u, 0x084u, 0x0D8u, 0x0C2u, 0x0D3u,
                                0x100u, 0x140u, 0x0CBu, 0x0C9u, 0x0CCu}) {
        const std::string name = find_format(code)->name;
        benchmark::RegisterBenchmark(("read/" + name).c_str(), measure, code, read_once);
        benchmark::RegisterBenchmark(("gather/" + name).c_str(), measure, code, gather_once);
        benchmark::RegisterBenchmark(("write/" + name).c_str(), measure, code, write_once);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}

// SPDX-License-Identifier: Apache-2.0
// What a covered pixel costs: coverage, and the barycentrics of a block.
#include <benchmark/benchmark.h>

#include <bit>

#include "interpolation/barycentric.h"
#include "raster/coverage.h"
#include "setup/core.h"

namespace {
using namespace gen9;

setup::Object triangle(float size) {
    setup::Object object;
    object.vertices[0].position = {10.3f, 20.7f, 0, 1};
    object.vertices[1].position = {10.3f + size, 25.1f, 0.5f, 0.5f};
    object.vertices[2].position = {30.9f, 20.7f + size, 1, 0.25f};
    return object;
}

setup::Draw draw() {
    setup::Draw draw;
    draw.drawing.max_x = draw.drawing.max_y = 4095;
    draw.attributes.count = 2;
    draw.attributes.read_length = 1;
    return draw;
}

/// Arguments: pixels along a side, samples.
void coverage(benchmark::State& state) {
    setup::Objects objects;
    if (setup::set_up(draw(), triangle(static_cast<float>(state.range(0))), objects).count != 1)
        return state.SkipWithError("no object");
    raster::State raster;
    raster.samples = static_cast<std::uint8_t>(state.range(1));
    raster.at_each_sample = raster.samples > 1;
    for (unsigned s = 0; s < raster.samples && raster.samples > 1; ++s)
        raster.places[s] = {static_cast<std::uint8_t>(s * 7 % 16),
                            static_cast<std::uint8_t>(s * 3 % 16)};
    std::int64_t pixels = 0;
    for (auto _ : state) {
        raster::Coverage walk(objects[0], raster);
        for (PixelBlock block; walk.next(block);) {
            pixels += std::popcount(block.lit);
            benchmark::DoNotOptimize(block);
        }
    }
    state.counters["pixels"] =
        benchmark::Counter(static_cast<double>(pixels), benchmark::Counter::kIsRate);
}
BENCHMARK(coverage)->ArgsProduct({{8, 40, 1000}, {1, 4}});

void barycentrics(benchmark::State& state) {
    setup::Objects objects;
    if (setup::set_up(draw(), triangle(1000), objects).count != 1)
        return state.SkipWithError("no object");
    const Interpolation& interpolation = objects[0].interpolation;
    interpolation::Barycentrics b;
    std::int32_t x = 0;
    for (auto _ : state) {
        const interpolation::Places places =
            interpolation::block_places(x = (x + 8) % 512, 100, {8, 8});
        interpolation::perspective(interpolation, interpolation::weights_at(interpolation, places),
                                   b);
        benchmark::DoNotOptimize(b);
    }
    state.counters["pixels"] = benchmark::Counter(static_cast<double>(state.iterations()) * 32,
                                                  benchmark::Counter::kIsRate);
}
BENCHMARK(barycentrics);

void set_up(benchmark::State& state) {
    const setup::Draw all = draw();
    const setup::Object object = triangle(40);
    setup::Objects objects;
    for (auto _ : state) {
        benchmark::DoNotOptimize(setup::set_up(all, object, objects));
        benchmark::DoNotOptimize(objects[0]);
    }
}
BENCHMARK(set_up);

}  // namespace

BENCHMARK_MAIN();

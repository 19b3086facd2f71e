// SPDX-License-Identifier: Apache-2.0
// What the A counters of performance reports count, but for A0, which is the streamer's: sums of the
// blocks' statistics, so a report agrees with them. An EU that waits has not accounted for that yet:
// software flushes before it reads.
// Spec  3K-1 to 3K-4; Public: Mesa's oa-sklgt2.xml (numbers and units)
#include <iterator>
#include <vector>

#include "common/counter_sum.h"
#include "cs/bus.h"
#include "platform/machine/gpu.h"

namespace gen9::platform {
namespace {

/// A counter grows by 1 for each `divisor` of a statistic; one of several rows by all of these.
struct Source {
    unsigned counter, divisor;
    const char* pattern;
};
// Misses of the sampler's cache are lines (Assumed: hardware counts 2x2 texels of them). A transfer
// of SLM has 64 bytes.
constexpr Source kSources[] = {
    {1, 1, "vs.threads"},
    {2, 1, "hs.threads"},
    {3, 1, "ds.threads"},
    {4, 1, "spawner.threads"},
    {5, 1, "gs.threads"},
    {6, 1, "ps.threads_8"},
    {6, 1, "ps.threads_16"},
    {6, 1, "ps.threads_32"},
    {7, 1, "eu.busy"},
    {9, 1, "eu.coissue_cycles"},
    {21, 1, "raster.subspans"},
    {23, 1, "depth.subspans_failed_early"},
    {24, 1, "render_target.subspans_killed"},
    {25, 1, "depth.subspans_failed_late"},
    {25, 1, "render_target.subspans_failed"},
    {26, 1, "render_target.subspans"},
    {27, 1, "render_target.subspans_blended"},
    {28, 4, "sampler.pixels"},
    {29, 1, "sampler.misses"},
    {30, 64, "hdc.slm_bytes_read"},
    {31, 64, "hdc.slm_bytes_written"},
    {32, 1, "hdc.lines"},
    {34, 1, "hdc.atomics"},
    {35, 1, "gateway.barrier_arrivals"},
};
constexpr unsigned kActive = 7, kStalled = 8;

}  // namespace

void Gpu::count_performance(const StatRegistry& stats) {
    cs->on_performance =
        [&stats, sums = std::vector<CounterSum>()](cs::PerformanceCounters& counters) mutable {
            if (sums.empty()) {
                for (const Source& source : kSources)
                    sums.emplace_back(stats, source.pattern);
                sums.emplace_back(stats, "eu.cycles");
                sums.emplace_back(stats, "eu.idle");
            }
            for (const Source& source : kSources)
                counters.a[source.counter] = 0;
            for (std::size_t i = 0; i < std::size(kSources); ++i)
                counters.a[kSources[i].counter] += sums[i].value() / kSources[i].divisor;
            constexpr std::size_t kAll = std::size(kSources), kIdle = kAll + 1;
            counters.a[kStalled] = sums[kAll].value() - sums[kIdle].value() - counters.a[kActive];
        };
}

}  // namespace gen9::platform

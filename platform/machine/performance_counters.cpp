// SPDX-License-Identifier: Apache-2.0
// What the A counters of performance reports count, but for A0, which is the streamer's: sums of the
// blocks' statistics, so a report agrees with them. An EU that waits has not accounted for that yet:
// software flushes before it reads.
// Spec  3K-1 to 3K-5; Public: Mesa's oa-sklgt2.xml (numbers and units)
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

#include "common/bits.h"
#include "common/counter_sum.h"
#include "cs/bus.h"
#include "eu/events.h"
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

/// The events of EUs that A7 to A20 count, as EU_PERF_CNT_CTL0 to 6 choose them: 12 bits for each.
class EuEventCounters {
  public:
    static constexpr std::size_t kFirst = 7, kCount = 2 * std::tuple_size_v<cs::EuEventControls>;

    EuEventCounters(const StatRegistry& stats, const eu::EuEvents& events)
        : events_(events),
          cycles_(stats, "eu.cycles"),
          idle_(stats, "eu.idle"),
          busy_(stats, "eu.busy") {}

    /// Counts what has been chosen until now, and chooses anew.
    void count(const cs::EuEventControls& chosen, cs::PerformanceCounters& counters) {
        for (std::size_t i = 0; i < kCount; ++i) {
            const std::uint32_t event = chosen[i / 2] >> 12 * (i % 2) & 0xFFF;
            Counted& counted = counted_[i];
            const std::uint64_t now = value(counted.event.value_or(event));
            counted.total += now - counted.last;
            counted.last = counted.event.value_or(event) == event ? now : value(event);
            counted.event = event;
            counters.a[kFirst + i] = counted.total;
        }
    }

  private:
    // Public: who programs the registers by hand (flops counted by PAPI on Gen9) has the fields of
    // the PRM: 3:0 event, 7:4 filter by stage or row of EUs, 11:8 by instruction or EU.
    enum Event : unsigned { kFpu0, kFpu1, kSend, kFpus, kActive, kStalled, kThreads = 8 };

    std::uint64_t value(std::uint32_t event) const {
        const unsigned stage = bits(event, 7, 4), kind = bits(event, 3, 0);
        // Rows of EUs, single EUs and kinds of instructions are not told apart.
        if (stage >= eu::EuEvents::kSets || bits(event, 11, 8) != 0) return 0;
        const eu::StageEvents& of = events_.sets[stage];
        switch (kind) {
            case kFpu0:
                return of.fpu0_cycles.value();
            case kFpu1:
                return of.fpu1_cycles.value();
            case kSend:
                return of.send_cycles.value();
            case kFpus:
                return of.fpus_cycles.value();
            // What EUs always count, from the machine's first cycle.
            case kActive:
                return stage == 0 ? busy_.value() : of.active_cycles.value();
            case kStalled:
                return stage == 0 ? cycles_.value() - idle_.value() - busy_.value()
                                  : of.stalled_cycles.value();
            case kThreads:
                return of.thread_cycles.value() / 8;
            default:
                return 0;
        }
    }

    struct Counted {
        std::optional<std::uint32_t> event;
        std::uint64_t last = 0;  ///< value of the event when it was counted last
        std::uint64_t total = 0;
    };
    const eu::EuEvents& events_;
    const CounterSum cycles_, idle_, busy_;
    std::array<Counted, kCount> counted_;
};

/// By client of the thread dispatcher: media, VS, HS, DS, GS, and the pixel shaders of each slice.
std::vector<eu::ThreadStage> stages_of_clients(std::size_t slices) {
    using enum eu::ThreadStage;
    std::vector<eu::ThreadStage> stages{Media, Vs, Hs, Ds, Gs};
    stages.resize(stages.size() + slices, Ps);
    return stages;
}

}  // namespace

void Gpu::count_performance(StatRegistry& stats) {
    eu_events = std::make_unique<eu::EuEvents>(stats, std::string(name()) + ".eu_events",
                                               stages_of_clients(slices.size()));
    for (EuBlock* eu : eus())
        eu->count_events(*eu_events);
    cs->on_performance = [&stats, &events = *eu_events, sums = std::vector<CounterSum>(),
                          of_eus = std::optional<EuEventCounters>()](
                             cs::PerformanceCounters& counters,
                             const cs::EuEventControls& chosen) mutable {
        events.read = true;
        if (sums.empty())
            for (const Source& source : kSources)
                sums.emplace_back(stats, source.pattern);
        if (!of_eus) of_eus.emplace(stats, events);
        for (const Source& source : kSources)
            counters.a[source.counter] = 0;
        for (std::size_t i = 0; i < std::size(kSources); ++i)
            counters.a[kSources[i].counter] += sums[i].value() / kSources[i].divisor;
        of_eus->count(chosen, counters);
    };
}

}  // namespace gen9::platform

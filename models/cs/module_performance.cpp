// SPDX-License-Identifier: Apache-2.0
// The streamer's part of the performance counters: what it has counted itself, and the timer of
// reports.
#include "cs/module.h"

namespace gen9::cs {

using sc_core::sc_time;

void CommandStreamer::performance(PerformanceCounters& counters, const EuEventControls& events) {
    counters.clocks = clock_.cycles(own_time()).value;
    counters.a[0] = stats.busy_cycles.value() + stats.memory_cycles.value() +
                    stats.control_cycles.value() + stats.accept_cycles.value() +
                    stats.drain_cycles.value() + stats.poll_cycles.value() +
                    stats.streamer_cycles.value();
    if (on_performance) on_performance(counters, events);
}

void CommandStreamer::sample(std::uint64_t ticks) {
    sample_picoseconds_ = static_cast<std::uint64_t>(picoseconds(static_cast<std::int64_t>(ticks)));
    sample_event_.notify(sc_core::SC_ZERO_TIME);
}

// Reports go beside the stream: they wait for nothing it does, and cost it nothing.
void CommandStreamer::run_sampling() {
    while (true) {
        if (sample_picoseconds_ == 0) {
            wait(sample_event_);
            continue;
        }
        wait(sc_time::from_value(sample_picoseconds_ / picoseconds_per_unit_), sample_event_);
        if (sample_event_.triggered()) continue;
        auto next = core_.sample();
        if (!next) continue;
        Payload payload;
        MemoryAttributes attributes;
        attributes.requester = Requester::CommandStreamer;
        attributes.space = AddressSpace::Ggtt;
        payload.set_command(tlm::TLM_WRITE_COMMAND);
        payload.set_address(next->place.value);
        payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(next->report.words.data()));
        payload.set_data_length(next->report.size_bytes);
        payload.set_streaming_width(next->report.size_bytes);
        payload.set_extension(&attributes);
        sc_time delay;
        mem_out->b_transport(payload, delay);
        payload.clear_extension(&attributes);
    }
}

}  // namespace gen9::cs

// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/profile/time_series.h"

#include <boost/json.hpp>
#include <sstream>

#include "common/check.h"

namespace gen9::platform {
namespace {

struct Column {
    const char *name, *counters;
};
/// Sums over all blocks of what they counted in the interval. Of the counters in cycles those of
/// the EUs only, which are told to bring them up to date.
constexpr Column kColumns[] = {{"instructions", "eu.instructions"},
                               {"messages", "eu.messages"},
                               {"eu_busy", "eu.busy"},
                               {"eu_no_thread", "eu.idle"},
                               {"eu_scoreboard", "eu.stall_scoreboard"},
                               {"eu_message", "eu.stall_message"},
                               {"eu_barrier", "eu.stall_barrier"},
                               {"eu_dependency", "eu.stall_dependency"},
                               {"eu_fetch", "eu.stall_fetch"},
                               {"eu_send_queue", "eu.stall_send_queue"},
                               {"eu_branch", "eu.stall_branch"},
                               {"eu_switch", "eu.stall_switch"},
                               {"eu_pipe", "eu.stall_pipe"},
                               {"groups", "spawner.groups"},
                               {"l3_hits", "l3.*.hits"},
                               {"l3_fetches", "l3.*.misses"},
                               {"l3_merges", "l3.*.merges"},
                               {"l3_bytes_read", "l3.*.bytes_read"},
                               {"l3_bytes_written", "l3.*.bytes_written"},
                               {"slm_bytes", "hdc.slm_bytes"},
                               {"slm_conflict_cycles", "slm.conflict_cycles"},
                               {"texture_lookups", "sampler.lookups"},
                               {"texture_misses", "sampler.misses"},
                               {"instruction_hits", "icache.hits"},
                               {"instruction_misses", "icache.misses"},
                               {"gti_reads", "gti.reads"},
                               {"gti_writes", "gti.writes"},
                               {"llc_read_hits", "llc.read_hits"},
                               {"llc_read_misses", "llc.read_misses"},
                               {"dram_read_bytes", "dram.read_bytes"},
                               {"dram_written_bytes", "dram.written_bytes"}};

}  // namespace

TimeSeries::TimeSeries(const StatRegistry& stats, std::uint64_t cycles, std::size_t max_rows)
    : max_rows_(max_rows),
      interval_(cycles),
      threads_sent_(stats, "spawner.threads"),
      threads_retired_(stats, "spawner.threads_retired") {
    GEN9_CHECK(cycles != 0 && max_rows != 0 && max_rows % 2 == 0, "a time series without rows");
    for (const Column& column : kColumns)
        before_.push_back(sums_.emplace_back(stats, column.counters).value());
}

void TimeSeries::take(Cycles now, std::optional<std::uint32_t> launch) {
    if (now.value <= begun_) return;
    if (rows_.size() == max_rows_) halve();
    Row& row = rows_.emplace_back();
    row.end = now.value;
    row.cycles = now.value - begun_;
    row.launch = launch;
    row.threads = threads_sent_.value() - threads_retired_.value();
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const std::uint64_t value = sums_[i].value();
        row.counts.push_back(value - before_[i]);
        before_[i] = value;
    }
    begun_ = now.value;
}

void TimeSeries::halve() {
    for (std::size_t i = 0; i < rows_.size() / 2; ++i) {
        const Row& first = rows_[2 * i];
        Row joined = rows_[2 * i + 1];
        joined.cycles += first.cycles;
        if (first.launch) joined.launch = first.launch;
        for (std::size_t column = 0; column < joined.counts.size(); ++column)
            joined.counts[column] += first.counts[column];
        rows_[i] = std::move(joined);
    }
    rows_.resize(rows_.size() / 2);
    interval_ *= 2;
}

std::string TimeSeries::text() const {
    std::ostringstream text;
    text << "cycle,cycles,launch,threads";
    for (const Column& column : kColumns)
        text << ',' << column.name;
    text << '\n';
    for (const Row& row : rows_) {
        text << row.end << ',' << row.cycles << ',';
        if (row.launch) text << *row.launch;
        text << ',' << row.threads;
        for (const std::uint64_t count : row.counts)
            text << ',' << count;
        text << '\n';
    }
    return text.str();
}

boost::json::object TimeSeries::to_json() const {
    boost::json::array names = {"cycle", "cycles", "launch", "threads"}, rows;
    for (const Column& column : kColumns)
        names.emplace_back(column.name);
    for (const Row& row : rows_) {
        boost::json::array numbers = {row.end, row.cycles, nullptr, row.threads};
        if (row.launch) numbers[2] = *row.launch;
        for (const std::uint64_t count : row.counts)
            numbers.emplace_back(count);
        rows.push_back(std::move(numbers));
    }
    return {{"columns", std::move(names)}, {"rows", std::move(rows)}};
}

}  // namespace gen9::platform

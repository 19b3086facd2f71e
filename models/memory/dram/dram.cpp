// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/dram.h"

#include <algorithm>
#include <numeric>

#include "common/check.h"
#include "memory/perform.h"

namespace gen9::memory {
namespace {

// The cycle in which a tick falls, rounded up.
std::uint64_t cycle_of(DramChannel::Tick tick) {
    return (tick + DramChannel::kTicks - 1) / DramChannel::kTicks;
}

constexpr std::uint64_t kWrite = 0;  // the number of all writes: nobody waits for them
constexpr std::uint64_t kLeastHz = 1'000'000;

}  // namespace

namespace {

/// The memory of the parameters; none: flat.
std::optional<DramKind> kind_of(const DramParams& params) {
    const DramKind* const named = DramKind::named(params.kind.get());
    if (!named) return {};
    DramKind kind = *named;
    if (params.ranks != "kind") kind.rank_bits = params.ranks == "two";
    return kind;
}

}  // namespace

Dram::Dram(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
           PhysicalMemory& memory)
    : sc_core::sc_module(module_name),
      DramBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      memory_(memory),
      queue_(mem_in, clock, params.queue),
      wakeup_(clock),
      kind_(kind_of(params)) {
    // The bus moves bytes_per_cycle * own of them a second, in cycles of which there are hz.
    const std::uint64_t hz = clock.hz(), own = params.clock_hz != 0 ? params.clock_hz.get() : hz;
    if (own < kLeastHz)
        throw UserError(std::string(name()) + ".clock_hz=" + params.clock_hz.value_text() +
                        " is not allowed: 0, or " + std::to_string(kLeastHz) + " and more");
    const std::uint64_t common = std::gcd(hz, params.bytes_per_cycle * own);
    parts_per_byte_ = hz / common;
    parts_per_cycle_ = params.bytes_per_cycle * own / common;
    latency_ = Cycles(std::max<std::uint64_t>(1, (params.latency * hz + own / 2) / own));
    if (kind_) {
        const DramChannel::Rules rules{
            static_cast<unsigned>(params.channel_queue), static_cast<unsigned>(params.drain_from),
            static_cast<unsigned>(params.drain_to), params.patience * DramChannel::kTicks};
        const double ticks_per_ps =
            static_cast<double>(clock.hz()) * static_cast<double>(DramChannel::kTicks) / 1e12;
        const auto interval = kind_->refi * kind_->clock_ps * ticks_per_ps;
        // The channels' refreshes do not coincide.
        for (unsigned channel = 0; channel < kind_->channels(); ++channel)
            channels_.emplace_back(
                *kind_, ticks_per_ps, rules,
                static_cast<DramChannel::Tick>(interval * (channel + 1) / kind_->channels()));
        const std::uint64_t banks = cycle_of(channels_[0].closed_row_read());
        beyond_banks_ = latency_ > Cycles(banks) ? latency_ - Cycles(banks) : Cycles(1);
    }
    enlist(env, params, stats, signals);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = [this](Payload& p) { return perform_debug(memory_, p); };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto answer = queue_.begin(p, phase, delay, kArrival);
        if (queue_.size() == 1) wakeup_.at(queue_.front().ready);
        return answer;
    };
    wakeup_.runs<&Dram::process>(this);
}

Dram::~Dram() = default;

Cycles Dram::book(std::uint64_t bytes, Cycles now) {
    const Moment start = std::max(free_at_, Moment{now});
    const std::uint64_t parts = start.parts + bytes * parts_per_byte_;
    free_at_ = {start.cycle + Cycles(parts / parts_per_cycle_), parts % parts_per_cycle_};
    const Cycles begin = start.rounded_up(), end = free_at_.rounded_up();
    stats.busy_cycles += (end - begin).value;
    signals.busy.pulse(begin, end);
    // It follows the one before, or begins now.
    account_.extend(DramActivity::Transferring, now, end);
    return end;
}

void Dram::answer(Payload& payload, Cycles now, Cycles at) {
    account_.extend(DramActivity::Returning, now, at);
    queue_.respond(payload, at);
}

void Dram::count(const Payload& payload) {
    if (accesses != nullptr) [[unlikely]]
        accesses->served(MemoryLevel::Dram, payload, payload.get_data_length(), false);
    if (payload.is_read())
        stats.read_bytes += payload.get_data_length();
    else
        stats.written_bytes += payload.get_data_length();
}

void Dram::blocking(Payload& payload, sc_core::sc_time& delay) {
    count(payload);
    if (env_.timed()) {
        const Cycles now = clock_.now();
        // Requests that came before go first, whichever module of this cycle runs first.
        if (!kind_) process_flat(now);
        const Cycles end = book(payload.get_data_length(), now) + latency_;
        account_.extend(DramActivity::Returning, now, end);
        delay += clock_.time(end - now);
    }
    perform(memory_, payload);
}

void Dram::process() {
    const Cycles now = clock_.now();
    if (kind_)
        process_channels(now);
    else
        process_flat(now);
    signals.waiting.set(queue_.size(), now);
}

void Dram::process_flat(Cycles now) {
    while (queue_.ready(now) && free_at_.cycle <= now) {
        Payload& payload = queue_.pop();
        count(payload);
        perform(memory_, payload);
        const Cycles end = book(kLineBytes, now);
        answer(payload, now, end + latency_ - kArrival);
    }
    if (!queue_.empty()) wakeup_.at(std::max(queue_.front().ready, free_at_.cycle));
}

void Dram::process_channels(Cycles now) {
    while (queue_.ready(now) && take(now)) {
    }
    const auto tick = now.value * DramChannel::kTicks;
    for (DramChannel& channel : channels_) {
        channel.step(tick, done_);
        if (!channel.empty())
            wakeup_.at(std::max(now + Cycles(1), Cycles(cycle_of(channel.next_step()))));
    }
    for (const auto& done : done_)
        finish(done, now);
    const bool waits = queue_.ready(now) || std::ranges::any_of(channels_, [](const auto& channel) {
                           return !channel.empty();
                       });
    account_.set(DramActivity::Waiting, now, waits ? account_.kOpen : data_end_);
    // The decision has made room.
    if (!queue_.empty())
        wakeup_.at(done_.empty() ? std::max(now + Cycles(1), queue_.front().ready)
                                 : now + Cycles(1));
    done_.clear();
    count_rows();
}

// The oldest request goes to its channel, if that has room.
bool Dram::take(Cycles now) {
    Payload& payload = *queue_.front().payload;
    const DramPlace place = place_of(payload.get_address(), *kind_);
    DramChannel& channel = channels_[place.channel];
    const bool write = payload.is_write();
    if (!channel.room(write)) return false;
    queue_.pop();
    count(payload);
    perform(memory_, payload);
    std::uint64_t number = kWrite;
    if (write) {
        answer(payload, now, now + beyond_banks_);
    } else {
        if (numbers_.empty()) {
            reads_.push_back(nullptr);
            numbers_.push_back(reads_.size());
        }
        number = numbers_.back();
        numbers_.pop_back();
        reads_[number - 1] = &payload;
    }
    channel.put(number, write, place, now.value * DramChannel::kTicks);
    return true;
}

void Dram::finish(const DramChannel::Done& done, Cycles now) {
    const Cycles begin(cycle_of(done.begin)), end(cycle_of(done.end));
    stats.busy_cycles += (end - begin).value;
    signals.busy.pulse(begin, end);
    account_.extend(DramActivity::Transferring, now, begin, end);
    data_end_ = std::max(data_end_, end);
    if (done.write) return;
    answer(*reads_[done.id - 1], now, end + beyond_banks_ - kArrival);
    numbers_.push_back(done.id);
}

void Dram::count_rows() {
    DramChannel::Counts all;
    for (const DramChannel& channel : channels_) {
        const auto& counts = channel.counts();
        all.row_hits += counts.row_hits;
        all.row_misses += counts.row_misses;
        all.row_conflicts += counts.row_conflicts;
        all.refreshes += counts.refreshes;
        all.turns += counts.turns;
    }
    stats.row_hits += all.row_hits - counted_.row_hits;
    stats.row_misses += all.row_misses - counted_.row_misses;
    stats.row_conflicts += all.row_conflicts - counted_.row_conflicts;
    stats.refreshes += all.refreshes - counted_.refreshes;
    stats.turns += all.turns - counted_.turns;
    counted_ = all;
}

}  // namespace gen9::memory

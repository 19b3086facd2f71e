// SPDX-License-Identifier: Apache-2.0
#include "sampler/module.h"

#include <algorithm>
#include <bit>

#include "common/bits.h"
#include "common/check.h"
#include "common/register_bytes.h"

namespace gen9::sampler {

Sampler::Sampler(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                 unsigned eus, bool with_target)
    : sc_module(module_name),
      SamplerBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      socket_memory_(env, mem_out, stats.state_reads),
      core_(env.reporter, stats, socket_memory_, params.bindless_samplers != 0),
      wakeup_(clock),
      line_requests_(mem_out, clock, wakeup_),
      server_(msg_in, env, clock, params.senders.arbiter(eus), eus,
              {.messages = params.messages_in_flight}, wakeup_),
      responses_(params.writeback_registers),
      cache_(static_cast<unsigned>(params.cache_lines), static_cast<unsigned>(params.cache_ways)),
      bilinear_cycles_{1, params.bilinear_64_cycles, params.bilinear_128_cycles},
      trilinear_cycles_{params.trilinear_32_cycles, params.trilinear_64_cycles,
                        params.trilinear_128_cycles} {
    if (!std::has_single_bit(params.cache_lines / params.cache_ways) ||
        params.cache_lines % params.cache_ways != 0)
        throw UserError(
            std::string(name()) + ".cache_lines=" + params.cache_lines.value_text() +
            " is not a power of two times cache_ways=" + params.cache_ways.value_text());
    enlist(env, params, stats, signals);
    server_.open([this](Message& message) { execute(message); });
    for (auto& socket : msg_in)
        socket.direct = this;
    control_in.takes(
        {.invalidate_state = true, .invalidate_texture = true, .invalidate_tlb = true},
        [this](const MemoryAttributes& asked, sc_core::sc_time&) { control(asked.control); });
    mem_out.on_invalidate = [this](std::uint64_t, std::uint64_t) {
        core_.invalidate_pages();
        core_.invalidate_states();
    };
    if (with_target) {
        target_out = std::make_unique<InitiatorSocket<MessageProtocol>>("target_out");
        target_out->on_backward = [this](Message& write, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
            return on_target(write, phase, delay);
        };
        core_.reach_target();
    }
    line_requests_.on_response([this](MemoryTransaction& line, Cycles at) { fetched(line, at); });
    wakeup_.runs<&Sampler::step>(this);
}

Sampler::~Sampler() = default;

void Sampler::control(const CacheControl& control) {
    if (control.invalidate_state || control.invalidate_tlb) core_.invalidate_states();
    if (control.invalidate_tlb) core_.invalidate_pages();
    if (control.invalidate_texture || control.invalidate_tlb) flush_texture();
}

void Sampler::flush_texture() {
    cache_.invalidate();
    for (const auto& [line, fetch] : on_way_)
        fetch->keep = false;
    on_way_.clear();
}

// --- Functional mode

void Sampler::execute(Message& message) {
    socket_memory_.works_for(message);
    if (mixed_) [[unlikely]]
        return execute_by_lines(message);
    core_.execute(message, *functional_, socket_memory_);
    pass_on(message, *functional_);
}

/// Results that are no answer.
void Sampler::pass_on(Message& message, const Request& request) {
    write_at_once(message, request);
    if (!Core::writes_target(message, request)) [[likely]]
        return;
    ++stats.target_writes;
    TargetWrite& write = target_writes_.get();
    make_target_write(message, *request.decoded, write);
    sc_core::sc_time delay;
    (*target_out)->b_transport(write, delay);
    message.status = write.status;
    target_writes_.put(write);
}

void Sampler::write_at_once(const Message& message, const Request& request) {
    for (const media::MemoryBlock::Line& line : Core::written(request)) {
        MemoryTransaction* const write = socket_memory_.write_line(line, message);
        sc_core::sc_time delay;
        mem_out->b_transport(*write, delay);
        write->release();
    }
}

/// The messages of one send instruction, as far as they are usual ones.
class SampleSite final : public DirectSite {
  public:
    SampleSite(Sampler& sampler, const SendForm& form, const Decoded& decoded)
        : sampler_(sampler), form_(form), site_(decoded, form.length, form.first_length) {}

    bool run(const DirectSender& sender, std::uint32_t mask, const Grf* first, const Grf* second,
             Grf* response) override {
        const std::uint32_t active = site_.decoded.active(mask);
        if (active == 0) return false;
        if (sampler_.inside_) {
            NoMemory memory;
            const SiteMessage call{sender.thread, active,   first,
                                   second,        response, sender.alternate_float};
            return site_.usable && site_.current(call, sampler_.core_.findings()) &&
                   sampler_.core_.execute(site_, call, *sampler_.functional_, memory);
        }
        Message& message = sampler_.direct_;
        message.trace_id = sender.cause;
        message.sender = &sender.thread;
        sampler_.socket_memory_.works_for(message);
        const SiteMessage call{sender.thread, active,   first,
                               second,        response, sender.alternate_float};
        if (!site_.current(call, sampler_.core_.findings())) [[unlikely]] {
            if (sender.thread.state == nullptr) return false;
            find(call);
        }
        return site_.usable &&
               sampler_.core_.execute(site_, call, *sampler_.functional_, sampler_.socket_memory_);
    }

  private:
    void find(const SiteMessage& call) {
        Message& message = sampler_.direct_;
        message.sfid = static_cast<Sfid>(form_.sfid);
        message.descriptor = form_.descriptor;
        message.extended_descriptor = form_.extended_descriptor;
        message.length = form_.length;
        message.first_length = form_.first_length;
        message.response_length = form_.response_length;
        message.header_present = form_.header_present;
        if (form_.header_present) message.payload[0] = site_.payload(call, 0);
        sampler_.core_.find_site(message, site_, *sampler_.functional_);
    }

    Sampler& sampler_;
    const SendForm form_;
    UsualSite site_;
};

std::unique_ptr<DirectSite> Sampler::site(const SendForm& form) {
    // Messages of mode 0 are told apart by their headers.
    if (bits(form.descriptor, 18, 17) == 0) return nullptr;
    direct_.reset();
    direct_.descriptor = form.descriptor;
    direct_.extended_descriptor = form.extended_descriptor;
    direct_.length = form.length;
    direct_.response_length = form.response_length;
    direct_.header_present = form.header_present;
    const Decoded decoded = decode(direct_);
    if (decoded.error || decoded.not_modelled || decoded.direct || decoded.row == nullptr ||
        (decoded.row->kind != Kind::Sample && decoded.row->kind != Kind::Load))
        return nullptr;
    return std::make_unique<SampleSite>(*this, form, decoded);
}

// As timed mode does, without its time.
void Sampler::execute_by_lines(Message& message) {
    Request& request = *functional_;
    const Core::Work work = core_.begin_timed(message, request);
    if (work == Core::Work::Flush) flush_texture();
    if (work != Core::Work::Texels) return;
    for (unsigned i = 0; i < request.line_count; ++i) {
        const std::uint64_t line = request.lines[i];
        if (const TextureCache::Line* const data = cache_.find(line)) {
            Core::deliver(request, i, data->data());
            continue;
        }
        MemoryTransaction* const read = socket_memory_.read_line(line, message, request.mocs);
        sc_core::sc_time delay;
        mem_out->b_transport(*read, delay);
        Core::deliver(request, i, read->data);
        cache_.fill(line, read->data);
        read->release();
    }
    core_.finish(message, request);
    pass_on(message, request);
}

// --- Timed mode

void Sampler::step() {
    const Cycles now = clock_.now();
    if (Flight* const flight = server_.begin(now)) start(*flight, now);
    take_fetched(now);
    write_results(now);
    look_up(now);
    answer(now);
    server_.wake_for_next();
    account_.hold(activity(now), now);
    if (signals.watched()) [[unlikely]]
        show(now);
}

/// SMP-273: each register of the payload is a phase of the bus.
Cycles Sampler::start_cycles(const Message& message) const {
    const std::uint64_t width = params.payload_registers;
    return Cycles(std::max<std::uint64_t>((message.length + width - 1) / width, 1));
}

void Sampler::start(Flight& flight, Cycles now) {
    Message& message = *flight.message;
    const Cycles next = now + start_cycles(message);
    server_.busy(next);
    stats.queue_cycles += (now - flight.arrival).value - 1;
    signals.started(message, flight.port, now);
    flight.looked_up = flight.missing = 0;
    flight.filtered = false;
    flight.written = flight.unwritten = 0;
    flight.target = Flight::Target::Unsent;
    socket_memory_.works_for(message);
    flight.work = core_.begin_timed(message, flight.request);
    const Cycles states = clock_.after(socket_memory_.take_state_delay()) - now;
    flight.ready = flight.complete = next + Cycles(params.front_end_cycles) + states;
    order_.push_back(&flight);
    looking_.push_back(&flight);
    wakeup_.at(flight.ready);
}

/// The message whose lines are looked up, if there is one whose turn has come.
Sampler::Flight* Sampler::looking(Cycles now) const {
    if (looking_.empty() || looking_.front()->ready > now) return nullptr;
    // SMP-166: what comes after a flush is looked up when the flush is done.
    return looking_.front()->work == Core::Work::Flush ? nullptr : looking_.front();
}

/// Looks up lines of the message at the head, as many as there are generators; a line that is
/// missing and cannot be asked for yet holds those behind it.
void Sampler::look_up(Cycles now) {
    blocked_ = false;
    Flight* const flight = next_look_ <= now ? looking(now) : nullptr;
    if (!flight) {
        if (!looking_.empty() && looking_.front()->work != Core::Work::Flush)
            wakeup_.at(std::max(looking_.front()->ready, next_look_));
        return;
    }
    const unsigned first = flight->looked_up, count = flight->request.line_count;
    const auto last = static_cast<unsigned>(
        std::min<std::uint64_t>(std::uint64_t{first} + params.lookups_per_cycle, count));
    while (flight->looked_up < last && look_up_line(*flight, now))
        ++flight->looked_up;
    stats.lookups += flight->looked_up - first;
    if (signals.watched()) [[unlikely]] {
        const auto lookups = static_cast<std::int64_t>(flight->looked_up - first);
        signals.lookups.add(lookups, now);
        signals.lookups.add(-lookups, now + Cycles(1));
    }
    next_look_ = now + Cycles(1);
    if (flight->looked_up == count) looking_.pop_front();  // a message's lookups end its cycle
    if (looking_.empty()) return;
    blocked_ = flight->looked_up < last;
    // Without room at L3, `on_room` goes on.
    if (!blocked_ || line_requests_.taken())
        wakeup_.at(std::max(looking_.front()->ready, next_look_));
}

bool Sampler::look_up_line(Flight& flight, Cycles now) {
    const std::uint64_t line = flight.request.lines[flight.looked_up];
    if (const TextureCache::Line* const data = cache_.find(line)) {
        Core::deliver(flight.request, flight.looked_up, data->data());
        flight.complete = std::max(flight.complete, now);
        tell_lookup(flight, true);
        return true;
    }
    if (const auto on_way = on_way_.find(line); on_way != on_way_.end()) {
        ++stats.merged;
        tell_lookup(flight, false);
        ++flight.missing;
        on_way->second->waiting.emplace_back(&flight, flight.looked_up);
        return true;
    }
    if (!line_requests_.can_send(now)) return false;
    tell_lookup(flight, false);
    fetch(line, flight, now);
    return true;
}

void Sampler::tell_lookup(const Flight& flight, bool hit) const {
    if (accesses == nullptr) [[likely]]
        return;
    AccessObserver::Served lookup;
    lookup.requester = Requester::Sampler;
    lookup.cause = flight.message->trace_id;
    lookup.hit = hit;
    lookup.bytes = kLineBytes;
    accesses->served(lookup);
}

void Sampler::fetch(std::uint64_t line, Flight& flight, Cycles now) {
    ++stats.misses;
    ++flight.missing;
    if (free_fetches_.empty())
        free_fetches_.push_back(fetches_.emplace_back(std::make_unique<Fetch>()).get());
    Fetch& fetch = *free_fetches_.back();
    free_fetches_.pop_back();
    on_way_.emplace(line, &fetch);
    fetch.line = line;
    fetch.number = ++requests_;
    fetch.answer = nullptr;
    fetch.keep = true;
    fetch.waiting.clear();
    fetch.waiting.emplace_back(&flight, flight.looked_up);
    MemoryTransaction* const transaction =
        socket_memory_.read_line(line, *flight.message, flight.request.mocs);
    transaction->tag = reinterpret_cast<std::uintptr_t>(&fetch);
    signals.misses.pulse(now, now + Cycles(1));
    signals.lines.add(1, now);
    line_requests_.send(*transaction, now);
}

/// Lines of results leave one a cycle, before requests for texels.
void Sampler::write_results(Cycles now) {
    if (order_.empty() || !order_.front()->filtered) return;
    Flight& flight = *order_.front();
    const auto lines = Core::written(flight.request);
    if (flight.written == lines.size()) return;
    if (filter_free_ > now) return wakeup_.at(filter_free_);
    if (line_requests_.can_send(now)) {
        MemoryTransaction* const write =
            socket_memory_.write_line(lines[flight.written++], *flight.message);
        write->tag = reinterpret_cast<std::uintptr_t>(&flight);
        ++flight.unwritten;
        line_requests_.send(*write, now);
    }
    if (flight.written < lines.size() && line_requests_.taken())
        wakeup_.at(std::max(line_requests_.next(), now + Cycles(1)));
}

/// Results of the flight are on their way to memory, or have to go there.
bool Sampler::writes(const Flight& flight) const {
    return flight.filtered &&
           (flight.unwritten || flight.written < Core::written(flight.request).size());
}

void Sampler::fetched(MemoryTransaction& transaction, Cycles at) {
    if (transaction.is_write()) {
        auto& flight = *reinterpret_cast<Flight*>(static_cast<std::uintptr_t>(transaction.tag));
        --flight.unwritten;
        flight.complete = std::max({flight.complete, at, clock_.now()});
        transaction.release();
        return wakeup_.at(flight.complete + kArrival);
    }
    auto& fetch = *reinterpret_cast<Fetch*>(static_cast<std::uintptr_t>(transaction.tag));
    fetch.answer = &transaction;
    fetch.at = std::max(at, clock_.now());
    const auto key = [](const Fetch* f) { return std::pair(f->at, f->number); };
    come_.insert(std::ranges::upper_bound(come_, key(&fetch), {}, key), &fetch);
    signals.lines.add(-1, fetch.at);
    wakeup_.at(fetch.at + kArrival);
}

/// Lines that came in earlier cycles, in the order in which they came and were asked for: what
/// comes in this one is used in the next, whichever module ran first.
void Sampler::take_fetched(Cycles now) {
    auto fetch = come_.begin();
    for (; fetch != come_.end() && (*fetch)->at < now; ++fetch)
        take(**fetch);
    come_.erase(come_.begin(), fetch);
    if (!come_.empty()) wakeup_.at(come_.front()->at + kArrival);
}

void Sampler::take(Fetch& fetch) {
    for (const auto& [flight, index] : fetch.waiting) {
        Core::deliver(flight->request, index, fetch.answer->data);
        flight->complete = std::max(flight->complete, fetch.at);
        --flight->missing;
    }
    if (fetch.keep) {
        cache_.fill(fetch.line, fetch.answer->data);
        on_way_.erase(fetch.line);
    }
    fetch.answer->release();
    free_fetches_.push_back(&fetch);
}

/// Four samples a cycle, of which wide texels and two levels make fewer (SMP-274).
Cycles Sampler::filter_cycles(const Flight& flight) const {
    if (flight.work != Core::Work::Texels) return Cycles(1);
    const Request& q = flight.request;
    const auto rounds = [](std::uint64_t work, std::uint64_t per_cycle) {
        return Cycles(std::max<std::uint64_t>((work + per_cycle - 1) / per_cycle, 1));
    };
    if (q.decoded->row->kind == Kind::Scale)
        return rounds(q.media->in().width() * q.media->in().height(),
                      params.scaled_pixels_per_cycle);
    constexpr unsigned kBufferLoads = 8;  // see buffer_cycles
    if (q.surface->raw.buffer()) return rounds(q.places * params.buffer_cycles, kBufferLoads);
    const auto width = static_cast<unsigned>(q.surface->format ? q.surface->format->width()
                                                               : Format::Width::Bits32);
    // A place between two levels is half of a sample; each counts in halves.
    const std::uint64_t bilinear = 2 * bilinear_cycles_[width];
    const std::uint64_t between =
        q.anisotropic ? std::max(bilinear, trilinear_cycles_[width]) : trilinear_cycles_[width];
    const unsigned of_one_level = q.places - q.points - q.between;
    return rounds(2 * q.points + bilinear * of_one_level + between * q.between,
                  2 * params.places_per_cycle);
}

void Sampler::answer(Cycles now) {
    while (!order_.empty()) {
        Flight& flight = *order_.front();
        if (flight.missing || flight.looked_up < flight.request.line_count) return;
        const Cycles begin = std::max(flight.complete, filter_free_);
        if (begin > now) return wakeup_.at(begin);
        if (writes(flight)) return;
        if (!flight.filtered) {
            flight.filtered = true;
            if (flight.work == Core::Work::Flush) flush_texture();
            if (flight.work == Core::Work::Texels) core_.finish(*flight.message, flight.request);
            filter_free_ = now + filter_cycles(flight);
            account_.extend(Activity::Busy, now, filter_free_);
            // What goes to memory leaves the filter first.
            if (writes(flight)) return wakeup_.at(filter_free_);
        }
        if (Core::writes_target(*flight.message, flight.request) && !at_target(flight, now)) return;
        // SMP-273: each register of the response is a phase of the bus.
        returned_ = std::max(responses_.send(filter_free_ + Cycles(params.return_cycles),
                                             flight.message->response_length),
                             now + Cycles(env_.notice_cycles));
        order_.pop_front();
        std::erase(looking_, &flight);
        account_.extend(Activity::Return, now, returned_);
        server_.answer(flight, returned_);
        wakeup_.at(now + kArrival);  // there is room, and a flush no longer holds lookups
    }
}

/// Have the results been written to the render target? They leave by the way of answers (Assumed),
/// each register in a phase.
bool Sampler::at_target(Flight& flight, Cycles now) {
    if (flight.target != Flight::Target::Unsent) return flight.target == Flight::Target::Written;
    flight.target = Flight::Target::Sent;
    ++stats.target_writes;
    TargetWrite& write = target_writes_.get();
    make_target_write(*flight.message, *flight.request.decoded, write);
    write.flight = &flight;
    const Cycles there = responses_.send(filter_free_ + Cycles(params.return_cycles), write.length);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.until(std::max(there, now + kArrival));
    (*target_out)->nb_transport_fw(write, phase, delay);
    return false;
}

tlm::tlm_sync_enum Sampler::on_target(Message& message, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    auto& write = static_cast<TargetWrite&>(message);
    Flight& flight = *write.flight;
    flight.message->status = MessageStatus::Ok;
    flight.target = Flight::Target::Written;
    flight.complete = std::max(flight.complete, clock_.after(delay));
    target_writes_.put(write);
    wakeup_.at(flight.complete + kArrival);
    return tlm::TLM_COMPLETED;
}

// --- What cycles are spent on

Activity Sampler::activity(Cycles now) const {
    if (blocked_) return Activity::StallMemory;
    if (looking(now)) return Activity::Lookup;
    if (!server_.room() && server_.arrived(now)) return Activity::StallFull;
    if (fetching() || (!order_.empty() && writes(*order_.front()))) return Activity::Waiting;
    if (server_.in_flight() || server_.arrived(now)) return Activity::FrontEnd;
    return Activity::Idle;
}

/// As `account_` will divide the cycles from now on, unless something happens.
void Sampler::show(Cycles now) {
    signals.state.set(Activity::Busy, now);
    signals.state.set(account_.held(), std::max(filter_free_, now));
    if (account_.held() == Activity::Idle) {
        signals.state.set(Activity::Return, std::max(filter_free_, now));
        signals.state.set(Activity::Idle, std::max({filter_free_, returned_, now}));
    }
    signals.queued.set(server_.queued(), now);
    signals.in_flight.set(server_.in_flight(), now);
}

}  // namespace gen9::sampler

// SPDX-License-Identifier: Apache-2.0
// Ends of threads, and threads that wait for the ends of others.
#include <algorithm>
#include <bit>

#include "common/check.h"
#include "dispatcher/module.h"

namespace gen9::dispatcher {
namespace {

constexpr unsigned kFftidBits = 9;
static_assert(1u << kFftidBits == kMaxFftids);
/// tdr0: an entry is valid (EU-108).
constexpr std::uint16_t kDependencyValid = 0x8000;

}  // namespace

Cycles Dispatcher::next_retirement() const {
    return Cycles(retirements_.front() >> kFftidBits);
}

tlm::tlm_sync_enum Dispatcher::on_thread(ThreadDispatch& thread, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "a thread answers when it has ended");
    // At least a cycle, so that all ends of a cycle are known when it is worked on.
    const Cycles when = clock_.now() + clock_.cycles(delay) + Cycles(params_.retire_cycles);
    ThreadRequest& request = *running_[thread.sideband.fftid].request;
    request.source->ended(request, thread);
    retirements_.push_back(when.value << kFftidBits | thread.sideband.fftid);
    std::push_heap(retirements_.begin(), retirements_.end(), std::greater<>());
    wakeup_.at(when);
    return tlm::TLM_COMPLETED;
}

bool Dispatcher::may_retire(unsigned fftid, Cycles now) const {
    const ThreadRequest& request = *running_[fftid].request;
    return (!request.awaits_messages || unanswered_[fftid].none(now)) &&
           request.source->may_retire(*threads_[fftid], now);
}

void Dispatcher::take_retirements(Cycles now) {
    std::erase_if(held_ends_, [&](unsigned fftid) {
        const bool ends = may_retire(fftid, now);
        if (ends) retire(fftid, now);
        return ends;
    });
    while (!retirements_.empty() && retirements_.front() >> kFftidBits <= now.value) {
        const unsigned fftid = retirements_.front() & (kMaxFftids - 1);
        std::pop_heap(retirements_.begin(), retirements_.end(), std::greater<>());
        retirements_.pop_back();
        if (may_retire(fftid, now)) [[likely]]
            retire(fftid, now);
        else
            held_ends_.push_back(static_cast<std::uint16_t>(fftid));
    }
}

void Dispatcher::retire(unsigned fftid, Cycles now) {
    ThreadDispatch& thread = *threads_[fftid];
    if (signals_.watched()) [[unlikely]]
        signals_.ended.show(thread, clock_.now());
    if (thread.retire.saved) [[unlikely]]
        keep_thread(fftid);
    free_barrier(core_.retire(fftid), thread.sideband.trace_id);
    if (running_[fftid].has_dependents) [[unlikely]]
        tell_dependents(fftid);
    ThreadRequest& request = *running_[fftid].request;
    running_[fftid].request = nullptr;
    ++request.retired;
    request.source->retired(request, thread, now);
    respond_if_over(request, running_[fftid].port);
}

// While another socket has a request, each slot that becomes free is given out anew; after so many
// threads that follow one another this one is, too.
bool Dispatcher::has_follower(const Running& ended, Cycles now) const {
    const Port& port = ports_[ended.port];
    if (port.request == nullptr || asking_ != 1 || port.ready > now) return false;
    const ThreadRequest& next = *port.request;
    return next.back_to_back && ended.request->work == next.work && next.restored.empty() &&
           !ended.has_dependents && saving_ == Saving::No && !signals_.watched();
}

Dispatcher::Port* Dispatcher::follower(const Running& ended, Cycles now) {
    Port& port = ports_[ended.port];
    if (!has_follower(ended, now) || most_followers(*port.request, ended.followed) == 0)
        return nullptr;
    if (!port.begun && (begin(port, now) != SendState::Sending || !port.begun)) return nullptr;
    return &port;
}

bool Dispatcher::next(ThreadDispatch& thread, Cycles at) {
    const Cycles now = clock_.now();
    const unsigned fftid = thread.sideband.fftid;
    Running& running = running_[fftid];
    if (running.request->awaits_messages && !unanswered_[fftid].none(now)) return false;
    Port* const port = follower(running, now);
    if (port == nullptr) return false;
    ThreadRequest& last = *running.request;
    ThreadRequest& next = *port->request;
    const Cycles retires = std::max(at, now) + Cycles(params_.retire_cycles);
    if (!next.source->make_next(last, next, thread, retires)) return false;
    ++last.retired;
    running.request = &next;
    ++running.followed;
    ++next.sent;
    if (&last != &next) respond_if_over(last, running.port);
    thread.sideband.trace_id = trace_ids_.next();
    if (next.sent == next.threads) end_request(*port);
    return true;
}

const ThreadFollowers& Dispatcher::followers(const ThreadDispatch& thread, unsigned most) {
    const Running& running = running_[thread.sideband.fftid];
    followers_.count = 0;
    if (running.request->awaits_messages || !has_follower(running, clock_.now())) return followers_;
    const ThreadRequest& next = *ports_[running.port].request;
    most = std::min({most, ThreadFollowers::kMost, most_followers(next, running.followed)});
    if (most != 0) next.source->foresee(next, thread, most, followers_);
    return followers_;
}

void Dispatcher::followed(ThreadDispatch& thread, unsigned count, Cycles at) {
    const Cycles now = clock_.now();
    Running& running = running_[thread.sideband.fftid];
    Port& port = ports_[running.port];
    const Cycles retires = std::max(at, now) + Cycles(params_.retire_cycles);
    GEN9_CHECK(has_follower(running, now) &&
                   (port.begun || (begin(port, now) == SendState::Sending && port.begun)),
               "threads that were foreseen may begin");
    ThreadRequest& next = *port.request;
    next.source->make_foreseen(next, count, thread, retires);
    running.followed = static_cast<std::uint16_t>(running.followed + count);
    count_followed(thread.sideband.fftid, next, count);
    trace_ids_.skip(count - 1);
    thread.sideband.trace_id = trace_ids_.next();
}

void Dispatcher::count_followed(unsigned fftid, ThreadRequest& next, unsigned count) {
    Running& running = running_[fftid];
    ThreadRequest& last = *running.request;
    ++last.retired;
    next.retired += count - 1;
    next.sent += count;
    running.request = &next;
    Port& port = ports_[running.port];
    if (&last != &next) respond_if_over(last, running.port);
    if (next.sent == next.threads) end_request(port);
}

// So few that other EUs have as many.
void Dispatcher::deal(const ThreadDispatch& thread, unsigned most, ThreadFollowers& dealt) {
    const Running& running = running_[thread.sideband.fftid];
    dealt.count = 0;
    if (running.request->awaits_messages || !has_follower(running, clock_.now()) ||
        !ports_[running.port].begun)
        return;
    const ThreadRequest& next = *ports_[running.port].request;
    most = static_cast<unsigned>(
        std::min<std::uint64_t>(most, next.work_left / (2 * topology_.total_eus())));
    if (most != 0)
        next.source->deal(next, thread, thread.sideband.fftid / topology_.threads, most, dealt);
}

void Dispatcher::followed_dealt(ThreadDispatch& thread, unsigned count, Cycles at) {
    const unsigned fftid = thread.sideband.fftid;
    const Cycles retires = std::max(at, clock_.now()) + Cycles(params_.retire_cycles);
    ThreadRequest& next = *ports_[running_[fftid].port].request;
    next.source->make_dealt(next, fftid / topology_.threads, count, thread, retires);
    running_[fftid].followed = 0;
    count_followed(fftid, next, count);
    trace_ids_.skip(count - 1);
    thread.sideband.trace_id = trace_ids_.next();
}

void Dispatcher::take_back(const ThreadDispatch& thread) {
    const unsigned fftid = thread.sideband.fftid;
    ports_[running_[fftid].port].request->source->take_back(fftid / topology_.threads);
}

// There is none where the socket or the signals are watched: each thread's request and response is
// shown there.
bool Dispatcher::gives_next(const ThreadRequest& request, unsigned eu) const {
    return request.back_to_back && !env_.timed() && params_.back_to_back != 0 &&
           !signals_.watched() && !thread_out[eu]->observed();
}

void Dispatcher::note_dependencies(const ThreadDispatch& thread) {
    const unsigned eu = thread.sideband.fftid / topology_.threads;
    for (const std::uint16_t entry : thread.dependency) {
        if (!(entry & kDependencyValid)) continue;
        const unsigned on = entry & (kMaxFftids - 1);
        dependents_[on * kEuWords + eu / 32] |= 1u << eu % 32;
        running_[on].has_dependents = true;
    }
}

// MED-33: threads that wait at a sendc are told.
void Dispatcher::tell_dependents(unsigned fftid) {
    for (unsigned word = 0; word < kEuWords; ++word) {
        std::uint32_t& waiting = dependents_[fftid * kEuWords + word];
        while (waiting != 0) {
            const auto bit = static_cast<unsigned>(std::countr_zero(waiting));
            waiting &= waiting - 1;
            sc_core::sc_time delay;
            if (env_.timed()) delay = clock_.time(Cycles(env_.notice_cycles));
            tlm::tlm_phase phase = kThreadEnded;
            (*thread_out[32 * word + bit])->nb_transport_fw(*threads_[fftid], phase, delay);
        }
    }
}

}  // namespace gen9::dispatcher

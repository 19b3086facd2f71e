// SPDX-License-Identifier: Apache-2.0
#include "dispatcher/module.h"

#include <algorithm>

#include "common/check.h"

namespace gen9::dispatcher {
namespace {

ThreadTopology checked(ThreadTopology topology) {
    GEN9_CHECK(topology.total_threads() > 0, "a dispatcher needs threads to give out");
    if (topology.total_threads() > kMaxFftids || topology.total_subslices() > 32 ||
        topology.eus > 32)
        throw UserError("dispatch: " + std::to_string(topology.total_threads()) +
                        " hardware threads; thread ids reach to " + std::to_string(kMaxFftids));
    return topology;
}

/// The client of a slot that has had no thread.
constexpr std::uint8_t kNoClient = 0xFF;

unsigned clients_of(const DispatcherSetup& settings) {
    return *std::ranges::max_element(settings.clients) + 1;
}

std::string unit_of(const DispatcherSetup& settings, const std::string& name) {
    return settings.unit.empty() ? name : settings.unit;
}

}  // namespace

Dispatcher::Dispatcher(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                       const DispatcherSetup& settings)
    : sc_module(module_name),
      DispatcherBlock(env),
      env_(env),
      clock_(clock),
      topology_(checked(settings.topology)),
      params_(env.config, unit_of(settings, name())),
      signals_(unit_of(settings, name()), topology_),
      core_(topology_,
            {static_cast<unsigned>(params_.groups_per_subslice.get()), params_.slot_policy.get(),
             settings.slm_kb, settings.registers, clients_of(settings)}),
      wakeup_(clock),
      ports_(settings.clients.size()),
      arbiter_(params_.arbiter.arbiter(clients_of(settings))),
      load_end_(topology_.total_subslices()),
      running_(topology_.total_threads()),
      unanswered_(topology_.total_threads(), UnansweredMessages(*this)),
      dependents_(std::size_t{topology_.total_threads()} * kEuWords),
      saved_slm_(settings.saved_slm),
      save_layout_{settings.l3_banks, topology_.total_subslices(), topology_.eus,
                   topology_.threads} {
    enlist(env, params_, signals_);

    for (unsigned port = 0; port < ports_.size(); ++port) {
        ports_[port].client = settings.clients[port];
        request_in.push_back(std::make_unique<TargetSocket<ThreadRequestProtocol>>(
            ("request_in" + std::to_string(port)).c_str()));
        request_in.back()->on_forward = [this, port](auto& request, auto& phase, auto& delay) {
            return on_request(port, request, phase, delay);
        };
    }
    for (unsigned eu = 0; eu < topology_.total_eus(); ++eu) {
        thread_out.push_back(std::make_unique<InitiatorSocket<DispatchProtocol>>(
            ("thread_out" + std::to_string(eu)).c_str()));
        thread_out.back()->on_backward = [this](auto& thread, auto& phase, auto& delay) {
            return on_thread(thread, phase, delay);
        };
    }
    for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
        barrier_out.push_back(std::make_unique<InitiatorSocket<MemoryProtocol>>(
            ("barrier_out" + std::to_string(s)).c_str()));
        barrier_out[s]->on_backward = [this, s](auto& write, auto& phase, auto& delay) {
            return on_share(s, write, phase, delay);
        };
    }
    for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
        auto& socket = slm_out.emplace_back();
        if (!(saved_slm_ >> s & 1)) continue;
        socket = std::make_unique<InitiatorSocket<MemoryProtocol>>(
            ("slm_out" + std::to_string(s)).c_str());
        socket->on_backward = [this](auto& order, auto& phase, auto& delay) {
            if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
            order.release();
            --slm_moving_;
            slm_moved_at_ = std::max(slm_moved_at_, clock_.after(delay) + Cycles(1));
            wakeup_.at(slm_moved_at_);
            return tlm::TLM_COMPLETED;
        };
    }
    for (unsigned i = 0; i < topology_.total_threads(); ++i)
        threads_.emplace_back(std::make_unique<ThreadDispatch>())->client = kNoClient;
    retirements_.reserve(topology_.total_threads());
    wakeup_.runs<&Dispatcher::run>(this);
}

Dispatcher::~Dispatcher() = default;

DispatcherSockets Dispatcher::sockets() {
    using Memory = AnyInitiator<MemoryProtocol>;
    return {every<AnyTarget<ThreadRequestProtocol>>(request_in),
            every<AnyInitiator<DispatchProtocol>>(thread_out), every<Memory>(barrier_out),
            every<Memory>(slm_out)};
}

void Dispatcher::run() {
    const Cycles now = clock_.now();
    for (Port& port : ports_)
        if (port.left_open_ends && *port.left_open_ends <= now) [[unlikely]]
            end_left_open(port);
    ask_again_ = false;
    take_retirements(now);  // first: what they free can be given out in the same cycle
    take_shares(now);
    if (slm_moving_ == 0 && slm_moved_at_ <= now) slm_moved_at_ = Cycles();  // seen
    if (saving_ != Saving::No) [[unlikely]]
        save(now);
    send(now);
    // A gateway that waits may have let a wakeup pass: whatever is due is found by schedule().
    schedule(clock_.now());
    if (signals_.watched()) [[unlikely]]
        show(clock_.now());
}

tlm::tlm_sync_enum Dispatcher::on_request(unsigned index, ThreadRequest& request,
                                          tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    Port& port = ports_[index];
    if (phase == tlm::BEGIN_REQ) {
        GEN9_CHECK(!port.request, "a thread request before the last one's END_REQ");
        GEN9_CHECK(request.source && request.threads != 0, "a thread request without threads");
        port.request = &request;
        ++asking_;
        port.begun = false;
        request.withdrawn = false;
        request.sent = request.retired = 0;
        request.payload_read = clock_.now();
        port.ready = clock_.after(delay);
        if (!port.ends_request) {
            port.shown = SendState::kCount;
            if (env_.timed()) port.ready = std::max(port.ready, clock_.now() + Cycles(1));
        }
        port.waits_since = port.ready;
        if (!request.restored.empty()) restore_slm(request);
        if (!port.ends_request) wakeup_.at(port.ready);
    } else if (phase == kOfferAgain) {
        offers_.push_back(clock_.after(delay));
        port.held_until = std::min(port.held_until, offers_.back());
        if (port.request == &request) port.ready = std::min(port.ready, offers_.back());
        wakeup_.at(offers_.back());
    } else if (phase == kEndGroup) {
        if (port.left_open.index == kNoGroup) return tlm::TLM_ACCEPTED;
        // No result depends, as with a request, on whether this has run in this cycle.
        port.left_open_ends = clock_.now() + Cycles(env_.timed() ? 1 : 0);
        port.left_open_ended_by = request.trace_id;
        wakeup_.at(*port.left_open_ends);
    } else if (phase == kProbe) {
        request.state = core_.room_for(request, port.client);
    } else if (phase == kSaveRequest) {
        saving_ = Saving::Asked;
        saver_ = request.source;
        saver_client_ = port.client;
        save_at_ = clock_.after(delay);
        wakeup_.at(save_at_);
    }
    return tlm::TLM_ACCEPTED;
}

void Dispatcher::schedule(Cycles now) {
    if (!retirements_.empty()) wakeup_.at(next_retirement());
    for (const Share& share : shares_)
        wakeup_.at(std::max(share.due, now));
    if (slm_moving_ == 0 && slm_moved_at_ != Cycles()) [[unlikely]]
        wakeup_.at(std::max(slm_moved_at_, now));
    for (const unsigned fftid : held_ends_) {
        if (may_retire(fftid, now)) wakeup_.at(now + Cycles(1));
        if (!running_[fftid].request->awaits_messages) continue;
        if (const auto end = unanswered_[fftid].end(); end && *end > now) wakeup_.at(*end);
    }
    std::erase_if(offers_, [now](Cycles at) { return at <= now; });
    for (const Cycles at : offers_)
        wakeup_.at(at);
    if (saving_ == Saving::Asked) wakeup_.at(std::max(save_at_, now + Cycles(1)));
    if (ask_again_) [[unlikely]]
        wakeup_.at(now + Cycles(1));
    for (const Port& port : ports_)
        if (port.left_open_ends) [[unlikely]]
            wakeup_.at(std::max(*port.left_open_ends, now));
    if (saving_ == Saving::Threads || saving_ == Saving::Slm) return;
    // What waits for slots, barriers, SLM or a drain is woken by the retirement that frees them.
    for (const Port& port : ports_) {
        if (!port.request) continue;
        if (port.ready > now)
            wakeup_.at(port.ready);
        else if (port.shown == SendState::Sending || now < next_send_)
            wakeup_.at(std::max(next_send_, now + Cycles(1)));
        else if (port.shown == SendState::WaitHandshake)
            wakeup_.at(port.group_ready);
        else if (port.shown == SendState::WaitPayload)
            wakeup_.at(load_room(port, now));
    }
}

unsigned Dispatcher::kept_places(unsigned subslice) const {
    std::ptrdiff_t kept = 0;
    for (const Port& port : ports_)
        for (const OpenGroup* group : {&port.group, &port.left_open})
            kept += std::ranges::count(group->kept, subslice, &ThreadPlace::subslice);
    return static_cast<unsigned>(kept);
}

void Dispatcher::show(Cycles now) {
    for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
        signals_.threads[s].set(core_.slots().live(s) - kept_places(s), now);
        signals_.groups[s].set(core_.tracker().active(s), now);
        signals_.barriers[s].set(core_.barriers(s).used(), now);
        signals_.slm_kilobytes[s].set(core_.slm(s).used_kilobytes(), now);
    }
}

std::string Dispatcher::describe_waiting() const {
    std::string text;
    for (const Group& group : core_.tracker().groups()) {
        if (!group.live) continue;
        text +=
            signals_.path() + ": group (" + std::to_string(group.id[0]) + ", " +
            std::to_string(group.id[1]) + ", " + std::to_string(group.id[2]) + ") of walker " +
            std::to_string(group.work) + " on subslice " + std::to_string(group.subslice) +
            (group.has_barrier ? " with barrier " + std::to_string(group.barrier) : std::string()) +
            ": " + std::to_string(group.outstanding) + " of " + std::to_string(group.threads) +
            " threads running\n";
    }
    return text;
}

}  // namespace gen9::dispatcher

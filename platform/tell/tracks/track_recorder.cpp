// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/tracks/track_recorder.h"

#include <algorithm>
#include <cstdio>

#include "eu/observer.h"
#include "eu/params.h"
#include "isa/instruction.h"
#include "isa/text/message_text.h"
#include "packets/commands.h"
#include "platform/machine/gpu.h"

namespace gen9::platform {
namespace {

constexpr std::uint64_t kSampleCycles = 500;
constexpr std::uint64_t kOpen = ~std::uint64_t{0};  ///< of a lane whose slice has not ended

std::string group_text(const std::array<std::uint32_t, 3>& id) {
    char text[48];
    std::snprintf(text, sizeof text, "group %u,%u,%u", id[0], id[1], id[2]);
    return text;
}

}  // namespace

/// One EU: what its cycles are used for, and its slots.
struct TrackRecorder::Eu : eu::UseObserver {
    Eu(TrackRecorder& given, Track on) : recorder(given), track(on) {}
    void used(eu::CycleUse what, std::uint64_t from, std::uint64_t to) override {
        if (what != use || from != end) write();
        if (what != use || from != end) begin = from;
        use = what;
        end = to;
    }
    void write() {
        recorder.windows_.clip(begin, end, [&](std::uint64_t from, std::uint64_t to) {
            recorder.file_->slice(track, recorder.use_names_[static_cast<std::size_t>(use)], from,
                                  to);
        });
        begin = end;
    }

    TrackRecorder& recorder;
    Track track;
    eu::CycleUse use = eu::CycleUse::NoThread;
    std::uint64_t begin = 0, end = 0;
    struct Slot {
        Track track = 0;
        const ThreadDispatch* dispatch = nullptr;
        std::uint64_t begin = 0;
    };
    std::vector<Slot> slots;
};

/// The messages that an EU sends by one port.
struct TrackRecorder::Messages : SocketObserver<MessageProtocol> {
    Messages(TrackRecorder& given, unsigned by) : recorder(given), port(by) {}
    void passed(const Message& message, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay) override {
        if (phase == tlm::BEGIN_REQ)
            began(message, recorder.clock_.after(delay).value);
        else if (phase == tlm::BEGIN_RESP)
            answered(message, recorder.clock_.after(delay).value);
    }
    void began(const Message& message, std::uint64_t at) {
        recorder.sample();
        auto& function = recorder.subslice_of(message.sender->place).functions[port];
        function.in_flight.add(1, at);
        function.in_flight.settle(recorder.clock_.now().value, *recorder.file_, function.track,
                                  recorder.windows_);
        if (!recorder.windows_.shows(at)) return;
        const std::uint64_t flow = ++recorder.flows_;
        recorder.file_->instant(slot(message), recorder.names_.send, at, flow,
                                TrackFile::Flow::Goes, {{recorder.names_.ip, message.ip}});
        sent.push_back({&message, at, flow, recorder.lane(function.lanes, at)});
    }
    void answered(const Message& message, std::uint64_t at) {
        auto& function = recorder.subslice_of(message.sender->place).functions[port];
        function.in_flight.add(-1, at);
        const auto found = std::ranges::find(sent, &message, &Sent::message);
        if (found == sent.end()) return;
        auto& lane = function.lanes.lanes[found->lane];
        lane.free_from = at;
        recorder.file_->slice(lane.track, recorder.message_name(message), found->at, at,
                              {{recorder.names_.ip, message.ip},
                               {recorder.names_.descriptor, message.descriptor},
                               {recorder.names_.mask, message.execution_mask}},
                              found->flow);
        recorder.file_->instant(slot(message), recorder.names_.answer, at, found->flow,
                                TrackFile::Flow::Ends);
        *found = sent.back();
        sent.pop_back();
    }
    Track slot(const Message& message) {
        const ThreadAddress& place = message.sender->place;
        return recorder.eu_of(place).slots[place.slot.value].track;
    }

    TrackRecorder& recorder;
    unsigned port;
    struct Sent {
        const Message* message;
        std::uint64_t at, flow;
        std::size_t lane;
    };
    std::vector<Sent> sent;
};

struct TrackRecorder::Dispatches : SocketObserver<DispatchProtocol> {
    explicit Dispatches(TrackRecorder& given) : recorder(given) {}
    void passed(const ThreadDispatch& dispatch, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay) override {
        if (phase == tlm::BEGIN_REQ)
            recorder.thread_began(dispatch, recorder.clock_.after(delay).value);
        else if (phase == tlm::BEGIN_RESP)
            recorder.thread_ended(dispatch, recorder.clock_.after(delay).value);
    }
    TrackRecorder& recorder;
};

struct TrackRecorder::Commands : SocketObserver<CommandProtocol> {
    Commands(TrackRecorder& given, Track parent) : recorder(given) {
        lanes.parent = parent;
        lanes.name = "commands";
    }
    void passed(const PipelineCommand& command, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay) override {
        const std::uint64_t at = recorder.clock_.after(delay).value;
        if (phase == tlm::BEGIN_REQ) {
            const auto* row = command.row;
            given.push_back({&command, at, recorder.file_->name(row ? row->name : "unknown")});
        } else if (phase == tlm::BEGIN_RESP) {
            const auto found = std::ranges::find(given, &command, &Given::command);
            if (found == given.end()) return;
            if (recorder.windows_.shows(found->at))
                recorder.overlapping(lanes, found->name, found->at, at,
                                     {{recorder.names_.address, command.address.value}});
            given.erase(found);
        }
    }
    TrackRecorder& recorder;
    Lanes lanes;
    struct Given {
        const PipelineCommand* command;
        std::uint64_t at;
        Name name;
    };
    std::vector<Given> given;
};

TrackRecorder::TrackRecorder(TrackOptions options, Gpu& gpu, const StatRegistry& stats,
                             const LaunchNames& launch_names)
    : options_(std::move(options)),
      windows_(options_),
      gpu_(gpu),
      stats_(stats),
      launch_names_(launch_names),
      clock_(gpu.clock) {}
TrackRecorder::~TrackRecorder() = default;

void TrackRecorder::open(const std::string& path) {
    file_ = std::make_unique<TrackFile>(path);
    name_facts();
    make_tracks();
    make_rates();
}

void TrackRecorder::name_facts() {
    for (const char* word : eu::kCycleUseWords)
        use_names_.push_back(file_->name(word));
    const auto name = [&](const char* text) { return file_->name(text); };
    names_ = {.ip = name("ip"),
              .descriptor = name("descriptor"),
              .mask = name("channels"),
              .work = name("launch"),
              .local_thread = name("thread"),
              .instructions = name("EU instructions"),
              .messages = name("messages"),
              .threads = name("threads"),
              .send = name("send"),
              .answer = name("answer"),
              .address = name("address")};
}

void TrackRecorder::make_tracks() {
    root_ = file_->group("gpu");
    commands_ = std::make_unique<Commands>(*this, root_);
    observe(gpu_.cs->sockets().command_out, *commands_);
    all_work_.parent = root_;
    all_work_.name = "launches";
    resident_ = file_->counter(root_, "threads loaded", "threads");
    const std::vector<EuBlock*> eus = gpu_.eus();
    const auto threads = gpu_.dispatcher->sockets().thread_out;
    const unsigned each = gpu_.topology.eus_per_subslice(),
                   per_slice =
                       gpu_.topology.subslice_count() / static_cast<unsigned>(gpu_.topology.slices);
    for (unsigned i = 0; i < gpu_.topology.subslice_count(); ++i) {
        Subslice& subslice = subslices_.emplace_back();
        subslice.track = file_->track(root_, "slice" + std::to_string(i / per_slice) + ".subslice" +
                                                 std::to_string(i % per_slice));
        subslice.groups.parent = subslice.track;
        subslice.groups.name = "thread groups";
    }
    for (std::size_t i = 0; i < eus.size(); ++i) {
        const Track parent = subslices_[i / each].track;
        auto& eu = *eus_.emplace_back(
            std::make_unique<Eu>(*this, file_->track(parent, "eu" + std::to_string(i % each))));
        eus[i]->observe_uses(&eu);
        for (unsigned slot = 0; slot < eus[i]->params().threads; ++slot)
            eu.slots.push_back({.track = file_->track(eu.track, "slot" + std::to_string(slot))});
        observe<DispatchProtocol>(*threads[i],
                                  *dispatches_.emplace_back(std::make_unique<Dispatches>(*this)));
        const eu::EuSockets sockets = eus[i]->sockets();
        for (unsigned port = 0; port < kMessagePorts; ++port)
            if (auto* const socket = sockets.msg_out[port])
                observe<MessageProtocol>(
                    *socket, *messages_.emplace_back(std::make_unique<Messages>(*this, port)));
    }
    for (Subslice& subslice : subslices_)
        for (unsigned port = 0; port < kMessagePorts; ++port) {
            auto& function = subslice.functions[port];
            function.lanes.parent = subslice.track;
            function.lanes.name = kWordsOf<MessagePort>[port];
            function.track = file_->counter(
                subslice.track, std::string(kWordsOf<MessagePort>[port]) + ": in flight",
                "messages");
        }
}

void TrackRecorder::make_rates() {
    const auto sum = [&](std::initializer_list<const char*> patterns) {
        Sum all;
        for (const char* pattern : patterns)
            all.counters.emplace_back(stats_, pattern);
        return all;
    };
    const auto add = [&](const char* name, const char* unit, Sum part, Sum whole, double factor) {
        rates_.push_back(
            {file_->counter(root_, name, unit), std::move(part), std::move(whole), factor});
    };
    constexpr double kPercent = 100, kLine = kLineBytes;
    add("EU instructions", "a cycle", sum({"eu.instructions"}), {}, 1);
    add("EUs busy", "%", sum({"eu.busy"}), sum({"eu.cycles"}), kPercent);
    add("L3 hits", "%", sum({"l3.*.hits"}), sum({"l3.*.hits", "l3.*.misses"}), kPercent);
    add("data ports and L3", "bytes a cycle", sum({"hdc.l3_bytes"}), {}, 1);
    add("shared local memory", "bytes a cycle", sum({"hdc.slm_bytes"}), {}, 1);
    add("GTI", "bytes a cycle", sum({"gti.reads", "gti.writes"}), {}, kLine);
    add("DRAM", "bytes a cycle", sum({"dram.read_bytes", "dram.written_bytes"}), {}, 1);
    next_sample_ = kSampleCycles;
}

double TrackRecorder::Sum::more() {
    std::uint64_t now = 0;
    for (const CounterSum& counter : counters)
        now += counter.value();
    return static_cast<double>(now - std::exchange(last, now));
}

void TrackRecorder::write_rates() {
    const std::uint64_t now = clock_.now().value;
    if (now == sampled_) return;
    for (Rate& rate : rates_) {
        const double part = rate.part.more();
        const double whole =
            rate.whole.counters.empty() ? static_cast<double>(now - sampled_) : rate.whole.more();
        if (windows_.shows(sampled_))
            file_->count(rate.track, sampled_, whole > 0 ? rate.factor * part / whole : 0);
    }
    sampled_ = now;
    next_sample_ = now + kSampleCycles;
}

TrackRecorder::Subslice& TrackRecorder::subslice_of(const ThreadAddress& place) {
    return subslices_[place.slice.value * (subslices_.size() / gpu_.topology.slices) +
                      place.subslice.value];
}

TrackRecorder::Eu& TrackRecorder::eu_of(const ThreadAddress& place) {
    const auto subslice = static_cast<std::size_t>(&subslice_of(place) - subslices_.data());
    return *eus_[subslice * gpu_.topology.eus_per_subslice() + place.eu.value];
}

std::size_t TrackRecorder::lane(Lanes& lanes, std::uint64_t at) {
    std::size_t i = 0;
    while (i < lanes.lanes.size() && lanes.lanes[i].free_from > at)
        ++i;
    if (i == lanes.lanes.size())
        lanes.lanes.push_back(
            {file_->track(lanes.parent, lanes.name + " " + std::to_string(i)), 0});
    lanes.lanes[i].free_from = kOpen;
    return i;
}

void TrackRecorder::overlapping(Lanes& lanes, Name name, std::uint64_t from, std::uint64_t to,
                                TrackFile::Facts facts) {
    auto& on = lanes.lanes[lane(lanes, from)];
    on.free_from = to;
    file_->slice(on.track, name, from, to, facts);
}

TrackRecorder::Name TrackRecorder::message_name(const Message& message) {
    const std::uint64_t key =
        std::uint64_t{static_cast<std::uint8_t>(message.sfid)} << 32 | message.descriptor;
    const auto [place, fresh] = message_names_.try_emplace(key, 0);
    if (fresh) {
        isa::Instruction send;
        send.sfid = static_cast<std::uint8_t>(message.sfid);
        send.descriptor = message.descriptor;
        // After what it writes and reads comes what it is.
        const std::string text = isa::message_text(send);
        place->second = file_->name(text.substr(std::min(text.size(), text.find("; ") + 2)));
    }
    return place->second;
}

void TrackRecorder::thread_began(const ThreadDispatch& dispatch, std::uint64_t at) {
    sample();
    const ThreadAddress& place = dispatch.sideband.place;
    auto& slot = eu_of(place).slots[place.slot.value];
    slot.dispatch = &dispatch;
    slot.begin = at;
    residents_.add(1, at);
    residents_.settle(clock_.now().value, *file_, resident_, windows_);
    const auto subslice = static_cast<unsigned>(&subslice_of(place) - subslices_.data());
    groups_.try_emplace({dispatch.work, subslice, dispatch.gpgpu.group_id}, Group{at, at, 0})
        .first->second.threads++;
}

void TrackRecorder::thread_ended(const ThreadDispatch& dispatch, std::uint64_t at) {
    const ThreadAddress& place = dispatch.sideband.place;
    auto& slot = eu_of(place).slots[place.slot.value];
    if (slot.dispatch == nullptr) return;
    slot.dispatch = nullptr;
    residents_.add(-1, at);
    if (windows_.shows(slot.begin))
        file_->slice(slot.track, file_->name(group_text(dispatch.gpgpu.group_id)), slot.begin, at,
                     {{names_.work, dispatch.work},
                      {names_.local_thread, dispatch.gpgpu.local_thread},
                      {names_.instructions, dispatch.retire.instructions},
                      {names_.messages, dispatch.retire.messages}});
    const auto subslice = static_cast<unsigned>(&subslice_of(place) - subslices_.data());
    const auto group = groups_.find({dispatch.work, subslice, dispatch.gpgpu.group_id});
    if (group != groups_.end()) group->second.to = std::max(group->second.to, at);
}

void TrackRecorder::write_groups(std::uint32_t work) {
    const auto first = groups_.lower_bound({work, 0, {}});
    auto last = first;
    while (last != groups_.end() && std::get<0>(last->first) == work)
        ++last;
    std::vector<decltype(groups_)::const_pointer> in_order;
    for (auto group = first; group != last; ++group)
        in_order.push_back(&*group);
    std::ranges::stable_sort(in_order, {}, [](auto* group) { return group->second.from; });
    for (const auto* group : in_order) {
        const auto& [number, subslice, id] = group->first;
        if (windows_.shows(group->second.from))
            overlapping(subslices_[subslice].groups, file_->name(group_text(id)),
                        group->second.from, group->second.to,
                        {{names_.work, number}, {names_.threads, group->second.threads}});
    }
    groups_.erase(first, last);
}

void TrackRecorder::work_began(const WorkRecord& work) {
    if (file_) windows_.began(work, clock_.now().value);
}

void TrackRecorder::work_ended(const WorkRecord& work) {
    if (file_) write_work(work, work.end.value);
}

void TrackRecorder::write_work(const WorkRecord& work, std::uint64_t end) {
    windows_.ended(work, end + 1);
    char address[24];
    std::snprintf(address, sizeof address, "0x%llx",
                  static_cast<unsigned long long>(work.kernel_start.value));
    const LaunchName* known = launch_names_.of(work.number);
    const std::string name =
        (known ? known->kernel : address) + " SIMD" + std::to_string(work.simd_width);
    if (windows_.shows(work.begin.value))
        overlapping(all_work_, file_->name(name), work.begin.value, std::max(end, work.begin.value),
                    {{names_.work, work.number},
                     {names_.threads, work.threads},
                     {names_.instructions, work.instructions}});
    write_groups(work.number);
}

void TrackRecorder::close() {
    if (!file_) return;
    const std::uint64_t end = clock_.now().value;
    // Slices that a stop has cut off end with the run.
    for (auto& eu : eus_)
        for (auto& slot : eu->slots)
            if (const ThreadDispatch* left = slot.dispatch)
                thread_ended(*left, std::max(end, slot.begin));
    for (const WorkRecord& work : gpu_.unfinished())
        write_work(work, end);
    for (auto& eu : eus_)
        eu->write();
    write_rates();
    residents_.settle(kOpen, *file_, resident_, windows_);
    for (Subslice& subslice : subslices_)
        for (auto& function : subslice.functions)
            function.in_flight.settle(kOpen, *file_, function.track, windows_);
    std::exchange(file_, nullptr)->close();
}

}  // namespace gen9::platform

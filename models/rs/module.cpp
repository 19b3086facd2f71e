// SPDX-License-Identifier: Apache-2.0
#include "rs/module.h"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "common/check.h"
#include "packets/commands.h"

namespace gen9::rs {

using sc_core::sc_time;

ResourceStreamer::ResourceStreamer(sc_core::sc_module_name module_name, Environment& env,
                                   const Clock& clock)
    : sc_core::sc_module(module_name),
      StreamerBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      clock_(clock),
      reporter_(env.reporter),
      core_(env.reporter, stats),
      block_(std::bit_floor(params.fetch_bytes.get()) / 4) {
    enlist(env, params, stats, signals);
    request_in.on_forward = [this](ResourceRequest& request, tlm::tlm_phase& phase,
                                   sc_time& delay) { return on_request(request, phase, delay); };
    SC_HAS_PROCESS(ResourceStreamer);
    SC_THREAD(run);
    clock_.agenda().knows(sc_core::sc_get_last_created_process_handle());
}

ResourceStreamer::~ResourceStreamer() = default;

tlm::tlm_sync_enum ResourceStreamer::on_request(ResourceRequest& request, tlm::tlm_phase& phase,
                                                sc_time& delay) {
    using Operation = ResourceRequest::Operation;
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    request.failed = false;
    const sc_time way = clock_.time(Cycles(params.message_cycles));
    if (request.operation == Operation::Consume) return consume(request, phase, delay);
    if (request.operation == Operation::Halt || request.operation == Operation::Join) {
        (request.operation == Operation::Halt ? halt_ : joined_) = job_ != nullptr;
        request.unconsumed = unconsumed();
        room_.notify(sc_core::SC_ZERO_TIME);
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_COMPLETED;
    }
    // RS-12 (003:2839).
    GEN9_CHECK(job_ == nullptr, "the command streamer asks for work of a busy resource streamer");
    job_ = &request;
    job_at_ = edge(sc_core::sc_time_stamp() + delay + way);
    halt_ = joined_ = false;
    requested_.notify(sc_core::SC_ZERO_TIME);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum ResourceStreamer::consume(ResourceRequest& request, tlm::tlm_phase& phase,
                                             sc_time& delay) {
    auto& there = products_[static_cast<unsigned>(request.product)];
    if (!there.empty()) {
        const sc_time now = sc_core::sc_time_stamp();
        delay = std::max(delay, there.front() > now ? there.front() - now : sc_core::SC_ZERO_TIME);
        there.pop_front();
        show_products();
        room_.notify(sc_core::SC_ZERO_TIME);
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_COMPLETED;
    }
    // Stopped, or waiting for room of the other kind: nothing will come.
    if (job_ == nullptr || job_->operation != ResourceRequest::Operation::Parse || full_) {
        request.failed = true;
        request.stop = job_ == nullptr ? last_stop_ : ResourceStop::Sync;
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_COMPLETED;
    }
    GEN9_CHECK(consumer_ == nullptr, "the command streamer waits for two products");
    consumer_ = &request;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void ResourceStreamer::answer(ResourceRequest& request, const sc_time& at) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    const sc_time now = sc_core::sc_time_stamp();
    sc_time delay = at > now ? at - now : sc_core::SC_ZERO_TIME;
    request_in->nb_transport_bw(request, phase, delay);
}

void ResourceStreamer::fail_consumer() {
    if (consumer_ == nullptr) return;
    ResourceRequest& request = *std::exchange(consumer_, nullptr);
    request.failed = true;
    request.stop = full_ ? ResourceStop::Sync : last_stop_;
    answer(request, own_time());
}

void ResourceStreamer::run() {
    using Operation = ResourceRequest::Operation;
    while (true) {
        while (job_ == nullptr)
            wait(requested_);
        pass_until(job_at_, Activity::Idle);
        switch (job_->operation) {
            case Operation::Save:
                save();
                break;
            case Operation::Restore:
                restore();
                break;
            default:
                parse();
                break;
        }
        synchronise();
        activity_ = Activity::Idle;
        signals.activity.set(activity_, clock_.cycles(own_time()));
        fail_consumer();
        ResourceRequest& done = *std::exchange(job_, nullptr);
        answer(done, own_time() + clock_.time(Cycles(params.message_cycles)));
    }
}

void ResourceStreamer::parse() {
    ++stats.starts;
    if (!job_->resumes) {
        core_.take_over(job_->state, job_->new_batch);
        for (unsigned kind = 0; kind < kResourceProducts; ++kind)
            products_[kind].assign(job_->unconsumed[kind], own_time());
        show_products();
    }
    GpuAddr position = canonical(job_->address.value);
    const ResourceStop stop = parse_stretch(position);
    drain();
    stats.stops += stop == ResourceStop::Sync;
    stats.limits += stop == ResourceStop::Limit;
    stats.halts += stop == ResourceStop::Halted;
    job_->stop = last_stop_ = stop;
    job_->stopped_at = position;
    synchronise();  // others may take products until then
    job_->unconsumed = unconsumed();
}

ResourceCounts ResourceStreamer::unconsumed() const {
    ResourceCounts counts{};
    for (unsigned kind = 0; kind < kResourceProducts; ++kind)
        counts[kind] = static_cast<std::uint32_t>(products_[kind].size());
    return counts;
}

ResourceStop ResourceStreamer::parse_stretch(GpuAddr& position) {
    const GpuAddr begin = position;
    while (true) {
        position_ = position;
        if (halt_) return ResourceStop::Halted;
        if (canonical(position.value - begin.value).value >= params.ahead_bytes)
            return ResourceStop::Limit;
        const std::optional<StreamCommand> command = fetch_command(position);
        if (!command) return ResourceStop::Unreadable;
        const packets::ResourceAction action = command->action;
        trace_id_ = trace_ids_.next();
        const Cycles at = clock_.cycles(own_time());
        signals.address.set(position.value, at);
        signals.header.set(command->dwords[0], at);
        signals.command_id.set(trace_id_, at);
        if (packets::stops_resource_streamer(action)) {
            // RS-06: only a BLOCK of the performance mode keeps what has been fetched.
            const bool keeps =
                action == packets::ResourceAction::Block && params.handling == "perf";
            if (!keeps) block_valid_ = false;
            spend(params.parse_cycles);
            return ResourceStop::Sync;
        }
        const ResourceState& state = core_.state();
        if (packets::makes_resource(action, command->dwords, state.tables.enabled,
                                    state.gathers.enabled) &&
            !wait_for_room(action == packets::ResourceAction::Gather
                               ? ResourceProduct::GatherBuffer
                               : ResourceProduct::BindingTable))
            return ResourceStop::Halted;
        ++stats.commands;
        stats.dwords += command->dwords.size();
        execute(*command);
        position = canonical(position.value + 4 * command->dwords.size());
    }
}

void ResourceStreamer::execute(const StreamCommand& command) {
    using packets::ResourceAction;
    const ResourceAction action = command.action;
    spend(params.parse_cycles + (action == ResourceAction::Ignore
                                     ? 0
                                     : (command.dwords.size() - 1) * params.dword_cycles));
    if (action == ResourceAction::Ignore) return;
    const unsigned engine = action == ResourceAction::Gather         ? kGathers
                            : action == ResourceAction::BindingTable ? kTables
                                                                     : kStores;
    const bool works = engine != kStores || action == ResourceAction::StoreData;
    if (works) pass_until(free_at_[engine], Activity::Engine);
    synchronise();
    work_at_ = own_time();
    const bool makes = core_.execute(command, *this);
    if (works) free_at_[engine] = edge(work_at_);
    // RS-09: the engines send fence cycles, the parser goes on.
    if (action == ResourceAction::Fence) fence_ = *std::ranges::max_element(free_at_);
    if (makes)
        made(engine == kGathers ? ResourceProduct::GatherBuffer : ResourceProduct::BindingTable,
             edge(work_at_));
}

void ResourceStreamer::made(ResourceProduct product, const sc_time& at) {
    if (consumer_ != nullptr && consumer_->product == product)
        return answer(*std::exchange(consumer_, nullptr), at);
    products_[static_cast<unsigned>(product)].push_back(at);
    show_products();
}

// False: halted meanwhile. What waits when the command streamer is at the next sync command already
// is of commands that it has not met.
bool ResourceStreamer::wait_for_room(ResourceProduct product) {
    auto& there = products_[static_cast<unsigned>(product)];
    if (there.size() < params.products_ahead) return true;
    synchronise();
    full_ = true;
    while (there.size() >= params.products_ahead && !halt_) {
        fail_consumer();
        if (joined_) {
            reporter_.guest_error("rs: products", "batch",
                                  "some are never used: the stream was changed behind it");
            there.clear();
            show_products();
            break;
        }
        wait_for(room_, Activity::Room);
    }
    full_ = false;
    return !halt_;
}

std::optional<StreamCommand> ResourceStreamer::fetch_command(GpuAddr position) {
    std::uint32_t header = 0;
    if (!fetch_dword(position, header)) return {};
    const packets::CommandRow* row = packets::find_command(header);
    if (row == nullptr || row->dwords(header) < row->minimum_dwords) return {};
    command_.resize(row->dwords(header));
    command_[0] = header;
    const StreamCommand command(*row, command_, position);
    const bool executes = command.action != packets::ResourceAction::Ignore;
    // DWords that it ignores it skips, unread.
    for (std::uint32_t i = 1; executes && i < command_.size(); ++i)
        if (!fetch_dword(canonical(position.value + 4ull * i), command_[i])) return {};
    return command;
}

bool ResourceStreamer::fetch_dword(GpuAddr address, std::uint32_t& value) {
    const std::uint64_t bytes = 4 * block_.size();
    const GpuAddr block(address.value / bytes * bytes);
    if (!block_valid_ || block != block_address_ || job_->space != block_space_) {
        const bool sequential = block_valid_ && job_->space == block_space_ &&
                                block.value == block_address_.value + bytes;
        synchronise();
        const sc_time asked = sc_core::sc_time_stamp();
        sc_time delay;
        block_valid_ = access(fetch_out, tlm::TLM_READ_COMMAND, job_->space, block,
                              {reinterpret_cast<std::uint8_t*>(block_.data()), bytes}, delay);
        sc_time there = asked + delay;
        // It was asked for when the block before it came.
        if (sequential) there -= std::min(delay, asked - fetched_at_);
        pass_until(there, Activity::Fetch);
        fetched_at_ = own_time();
        block_address_ = block;
        block_space_ = job_->space;
        ++stats.fetches;
        if (!block_valid_) return false;
    }
    value = block_[(address.value - block.value) / 4];
    return true;
}

void ResourceStreamer::drain() {
    pass_until(*std::ranges::max_element(free_at_), Activity::Drain);
    writes_.clear();
}

std::string ResourceStreamer::describe_waiting() const {
    if (job_ == nullptr) return {};
    char text[96];
    std::snprintf(text, sizeof text, "resource streamer at 0x%llx: %s",
                  static_cast<unsigned long long>(position_.value),
                  full_ ? "waits until the command streamer takes its products" : "works");
    return text;
}

}  // namespace gen9::rs

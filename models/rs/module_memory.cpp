// SPDX-License-Identifier: Apache-2.0
// The resource streamer's time, its accesses to memory and its context image.
#include <algorithm>

#include "common/check.h"
#include "packets/commands.h"
#include "rs/module.h"

namespace gen9::rs {

using sc_core::sc_time;

bool ResourceStreamer::access(InitiatorSocket<MemoryProtocol>& socket, tlm::tlm_command command,
                              AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes,
                              sc_time& delay) {
    Payload payload;
    payload.set_command(command);
    payload.set_address(address.value);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
    MemoryAttributes attributes;
    attributes.requester = Requester::ResourceStreamer;
    attributes.space = space;
    attributes.trace_id = trace_id_;
    payload.set_extension(&attributes);
    const sc_time before = sc_core::sc_time_stamp();
    socket->b_transport(payload, delay);
    delay += sc_core::sc_time_stamp() - before;  // a target that is not ours may wait
    payload.clear_extension(&attributes);
    const bool good = payload.is_response_ok();
    if (!good && command == tlm::TLM_READ_COMMAND) std::ranges::fill(bytes, std::uint8_t{0});
    return good;
}

// RS-31: they are served in any order and used when the last has come.
void ResourceStreamer::read(std::span<LineAccess> lines) {
    const sc_time issue = clock_.time(Cycles(params.issue_cycles));
    sc_time last = work_at_;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        LineAccess& line = lines[i];
        const sc_time now = sc_core::sc_time_stamp();
        sc_time begin = work_at_ + static_cast<double>(i) * issue;
        // RS-32: a read waits for an earlier write to its line.
        for (const auto& [written, done] : writes_)
            if (written == line_of(line.address)) begin = std::max(begin, done);
        sc_time delay = begin > now ? begin - now : sc_core::SC_ZERO_TIME;
        access(mem_out, tlm::TLM_READ_COMMAND, AddressSpace::Ppgtt, line.address,
               std::span(line.bytes).first(line.size_bytes), delay);
        last = std::max(last, now + delay);
    }
    stats.lines_read += lines.size();
    work_at_ = last;
}

// RS-33: writes of one piece of work go out together; a fence keeps later ones back.
void ResourceStreamer::write(std::span<const LineAccess> lines) {
    const sc_time issue = clock_.time(Cycles(params.issue_cycles));
    work_at_ = std::max(work_at_, fence_);
    sc_time last = work_at_;
    std::erase_if(writes_, [&](const auto& write) { return write.second <= own_time(); });
    for (std::size_t i = 0; i < lines.size(); ++i) {
        LineAccess line = lines[i];
        const sc_time now = sc_core::sc_time_stamp();
        const sc_time begin = work_at_ + static_cast<double>(i) * issue;
        sc_time delay = begin > now ? begin - now : sc_core::SC_ZERO_TIME;
        access(mem_out, tlm::TLM_WRITE_COMMAND, AddressSpace::Ppgtt, line.address,
               std::span(line.bytes).first(line.size_bytes), delay);
        last = std::max(last, now + delay);
        writes_.emplace_back(line_of(line.address), now + delay);
    }
    stats.lines_written += lines.size();
    work_at_ = last;
}

Counter& ResourceStreamer::counter(Activity activity) {
    switch (activity) {
        case Activity::Idle:
            return stats.idle_cycles;
        case Activity::Busy:
            return stats.busy_cycles;
        case Activity::Fetch:
            return stats.fetch_cycles;
        case Activity::Engine:
            return stats.engine_cycles;
        case Activity::Room:
            return stats.room_cycles;
        case Activity::Drain:
            return stats.drain_cycles;
        case Activity::Context:
            return stats.context_cycles;
    }
    return stats.idle_cycles;
}

void ResourceStreamer::pass_until(const sc_time& when, Activity activity) {
    const sc_time to = edge(std::max(when, own_time()));
    if (to > counted_) {
        signals.activity.set(activity, clock_.cycles(own_time()));
        counter(activity) += clock_.cycles(to).value - clock_.cycles(counted_).value;
        counted_ = to;
    }
    ahead_ = to - sc_core::sc_time_stamp();
    if (ahead_ >= clock_.time(Cycles(params.ahead_cycles))) synchronise();
}

void ResourceStreamer::wait_for(sc_core::sc_event& event, Activity activity) {
    activity_ = activity;
    signals.activity.set(activity, clock_.cycles(sc_core::sc_time_stamp()));
    const sc_time own = own_time();  // of an edge, which what woke it last may lie before
    wait(event);
    ahead_ = sc_core::SC_ZERO_TIME;
    pass_until(own, activity);
}

void ResourceStreamer::synchronise() {
    if (ahead_ == sc_core::SC_ZERO_TIME) return;
    const sc_time passed = ahead_;
    ahead_ = sc_core::SC_ZERO_TIME;
    wait(passed);
}

void ResourceStreamer::settle() {
    // A cycle that has a reason already is not counted again; while it waits, the reason is known.
    const sc_time now = edge(sc_core::sc_time_stamp());
    if (now <= counted_) return;
    counter(activity_) += clock_.cycles(now).value - clock_.cycles(counted_).value;
    counted_ = now;
}

void ResourceStreamer::show_products() {
    if (!signals.watched()) [[likely]]
        return;
    const Cycles now = clock_.now();
    signals.tables.set(products_[static_cast<unsigned>(ResourceProduct::BindingTable)].size(), now);
    signals.gathers.set(products_[static_cast<unsigned>(ResourceProduct::GatherBuffer)].size(),
                        now);
}

// RS-13: the address is that of the register state, of which DWord 0x1690 is the first of ours.
void ResourceStreamer::move_image(tlm::tlm_command command, std::span<std::uint32_t> image) {
    trace_id_ = trace_ids_.next();
    synchronise();
    const sc_time asked = sc_core::sc_time_stamp();
    sc_time delay;
    access(mem_out, command, job_->space, job_->address + 4 * RsCore::kImageDword,
           {reinterpret_cast<std::uint8_t*>(image.data()), 4 * image.size()}, delay);
    pass_until(asked + delay, Activity::Context);
    block_valid_ = false;
}

void ResourceStreamer::save() {
    core_.take_over(job_->state, false);
    std::vector<std::uint32_t> image = core_.image();
    move_image(tlm::TLM_WRITE_COMMAND, image);
}

void ResourceStreamer::restore() {
    std::vector<std::uint32_t> image(RsCore::kImageDwords);
    move_image(tlm::TLM_READ_COMMAND, image);
    if (!restore_commands(image))
        reporter_.guest_error("rs: context image", std::to_string(job_->address.value),
                              "not a command of an image; the rest is not loaded");
}

bool ResourceStreamer::restore_commands(Dwords image) {
    for (std::size_t i = 0;;) {
        const packets::CommandRow* row =
            i < image.size() ? packets::find_command(image[i]) : nullptr;
        if (row == nullptr) return false;
        if (row->command == packets::Command::MI_BATCH_BUFFER_END) return true;
        const std::size_t count = row->dwords(image[i]);
        if (count < row->minimum_dwords || count > image.size() - i ||
            !core_.restore(*row, image.subspan(i, count)))
            return false;
        i += count;
    }
}

}  // namespace gen9::rs

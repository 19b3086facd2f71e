// SPDX-License-Identifier: Apache-2.0
#include "geometry/stream_output.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/check.h"
#include "interconnect/payload/draw_state.h"

namespace gen9::geometry {

namespace {

constexpr std::uint32_t kUnread = 0xFFFF'FFFF;
constexpr unsigned kRowDwords = kGrfBytes / 4;

}  // namespace

StreamOutput::StreamOutput(sc_core::sc_module_name module_name, Environment& env,
                           const Clock& clock)
    : sc_module(module_name),
      StreamOutputBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      in_(batch_in, env_, clock_, wakeup_, params_.batch_queue) {
    enlist(env, params_, stats_, signals_);
    const auto of = [this](const PrimitiveBatch& sent) {
        const auto found = std::ranges::find(open_, &sent, &Open::sent);
        GEN9_CHECK(found != open_.end(), "a batch comes back that was not sent");
        return found;
    };
    out_.on_phase = [this, of](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
        in_.tell(*of(batch)->batch, phase, at);
    };
    out_.on_ended = [this, of](PrimitiveBatch& batch, Cycles at) {
        const auto open = of(batch);
        open->sent = nullptr;
        open->ended = env_.timed() ? std::max(at, clock_.now() + Cycles(1)) : at;
        wakeup_.at(open->ended);
    };
    traffic_.take_urb_directly();
    wakeup_.runs<&StreamOutput::step>(this);
}

StreamOutput::~StreamOutput() = default;

// --- Steps

void StreamOutput::step() {
    const Cycles now = clock_.now();
    const auto worked = step_.run(now, [this](Cycles at) { return work(at); });
    if (!worked) return;
    traffic_.step(now);
    show(now, *worked);
    if (made_ && made_at_ > now) wakeup_.at(made_at_);
    for (const Open& open : open_)
        if (open.sent == nullptr && open.ended > now) wakeup_.at(open.ended);
    in_.wake(now);
    out_.wake(now);
}

bool StreamOutput::work(Cycles now) {
    bool worked = end_batches(now);
    if (made_ && made_at_ <= now && (made_->sent == nullptr || out_.can_send(now))) {
        pass(now);
        worked = true;
    }
    worked |= make(now);
    worked |= take(now);
    return worked;
}

bool StreamOutput::end_batches(Cycles now) {
    bool any = false;
    for (std::size_t i = 0; i < open_.size();) {
        Open& open = open_[i];
        const bool waits = open.sent != nullptr || open.ended > now ||
                           (open.writes && !traffic_.over(open.traffic, now));
        if (waits) {
            ++i;
            continue;
        }
        if (open.writes) {
            if (traffic_.failed(open.traffic) &&
                !std::exchange(open.facts->reported_unmapped, true))
                guest_error("3DSTATE_SO_BUFFER", *open.batch->draw,
                            "a buffer is not mapped; what it was given is lost");
            traffic_.close(open.traffic);
        }
        if (open.part != nullptr) parts_.put(*open.part);
        PrimitiveBatch& batch = *open.batch;
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        ++passed_;
        in_.end(batch, now);
        any = true;
    }
    return any;
}

bool StreamOutput::take(Cycles now) {
    if (jobs_.size() >= params_.batches || in_.front(now) == nullptr) return false;
    PrimitiveBatch& batch = in_.take(now);
    ++stats_.batches;
    signals_.draw.set(batch.draw->work.number & 0xFFFF, now);
    Job& job = jobs_.emplace_back();
    job.batch = &batch;
    job.facts = facts_of(*batch.draw);
    if (job.facts->state.enabled) read_vertices(job);
    return true;
}

bool StreamOutput::make(Cycles now) {
    if (made_ || jobs_.empty()) return false;
    Job& job = jobs_.front();
    Facts& facts = *job.facts;
    const Draw& draw = *job.batch->draw;
    if (facts.state.enabled && !begin_draw(facts, draw, now)) return false;
    if (job.reads) {
        if (!traffic_.over(job.traffic, now)) return false;
        if (traffic_.failed(job.traffic))
            guest_error("URB entry", draw, "a vertex lies outside of the URB; it is read as zeros");
        traffic_.close(job.traffic);
    }
    Open& open = made_.emplace();
    open.batch = job.batch;
    open.facts = job.facts;
    made_at_ = now;
    if (!job.places.empty()) made_at_ = now + write_objects(job, open);
    if (facts.state.enabled && ends_draw(*job.batch)) write_offsets_back(job, open);
    open.sent = what_passes(job, open);
    jobs_.pop_front();
    return true;
}

void StreamOutput::pass(Cycles now) {
    Open open = *std::exchange(made_, std::nullopt);
    PrimitiveBatch* const sent = open.sent;
    if (sent == nullptr) {
        open.ended = now;
        in_.tell(*open.batch, kVerticesRead, env_.timed() ? now + Cycles(1) : now);
    }
    open_.push_back(std::move(open));
    if (sent != nullptr) out_.send(*sent);
}

// --- Draws

std::shared_ptr<StreamOutput::Facts> StreamOutput::facts_of(const Draw& draw) {
    if (facts_ && facts_->order == draw.order) return facts_;
    facts_ = std::make_shared<Facts>();
    facts_->order = draw.order;
    // A clear goes on whatever the state says.
    if (draw.work.kind == WorkKind::Draw) facts_->state = decode_stream_output(*draw.state);
    return facts_;
}

MemoryAttributes StreamOutput::buffer_access(const StreamBuffer& buffer, const Draw& draw) const {
    MemoryAttributes who;
    who.requester = Requester::DataPort;
    who.uncached = true;  // L3 keeps none of it
    who.mocs = buffer.mocs;
    who.trace_id = draw.trace_id;
    return who;
}

// SOL-18, SOL-20.
bool StreamOutput::begin_draw(Facts& facts, const Draw& draw, Cycles now) {
    if (facts.begun) return true;
    const auto from_memory = [](const StreamBuffer& buffer) {
        return buffer.loads && buffer.offset == kOffsetFromMemory;
    };
    const auto& buffers = facts.state.buffers;
    if (!facts.loading && std::ranges::any_of(buffers, from_memory)) {
        facts.loading = true;
        facts.traffic = traffic_.open();
        for (unsigned b = 0; b < kStreamBuffers; ++b)
            if (from_memory(buffers[b]))
                traffic_.read(facts.traffic, buffers[b].offset_address.value, &facts.loaded[b], 4,
                              buffer_access(buffers[b], draw));
    }
    if (facts.loading) {
        if (!traffic_.over(facts.traffic, now)) return false;
        if (traffic_.failed(facts.traffic))
            guest_error("SO_WRITE_OFFSET", draw, "a write offset is not mapped; it is read as 0");
        traffic_.close(facts.traffic);
    }
    for (unsigned b = 0; b < kStreamBuffers; ++b) {
        if (draw.stream_offsets.changed >> b & 1) offsets_[b] = draw.stream_offsets.value[b];
        if (buffers[b].loads)
            offsets_[b] = from_memory(buffers[b]) ? facts.loaded[b] : buffers[b].offset;
    }
    facts.begun = true;
    return true;
}

// SOL-19, SOL-20.
void StreamOutput::write_offsets_back(const Job& job, Open& open) {
    const Draw& draw = *job.batch->draw;
    if (draw.counts != nullptr)
        draw.counts->stream_offsets = {offsets_, (1u << kStreamBuffers) - 1};
    for (unsigned b = 0; b < kStreamBuffers; ++b) {
        const StreamBuffer& buffer = job.facts->state.buffers[b];
        if (!buffer.stores) continue;
        if (!std::exchange(open.writes, true)) open.traffic = traffic_.open();
        traffic_.write(open.traffic, buffer.offset_address.value, &offsets_[b], 4,
                       buffer_access(buffer, draw));
    }
}

// --- Objects

// Each vertex is read once for each stream that writes it.
void StreamOutput::read_vertices(Job& job) {
    const PrimitiveBatch& batch = *job.batch;
    const StreamOutputState& state = job.facts->state;
    std::array<std::vector<std::uint32_t>, kStreams> places;
    std::size_t dwords = 0;
    struct Read {
        std::uint64_t at;  ///< byte
        std::uint32_t place;
        unsigned bytes;
    };
    std::vector<Read> wanted;
    for (const PrimitiveObject& object : batch.objects) {
        if (!state.captures(object)) continue;
        const OutputStream& stream = state.streams[object.stream];
        auto& known = places[object.stream];
        known.resize(batch.vertices.size(), kUnread);
        std::array<std::uint32_t, kMaxObjectVertices> order;
        const unsigned count = written_order(object, state.reorder, order);
        for (unsigned i = 0; i < count; ++i) {
            std::uint32_t& place = known[order[i]];
            if (place == kUnread) {
                place = static_cast<std::uint32_t>(dwords);
                dwords += std::size_t{stream.read_rows} * kRowDwords;
                const std::uint32_t at = batch.vertices[order[i]].urb_row;
                const unsigned within = (at & kHalfRow) != 0 ? kGrfBytes / 2 : 0;
                const std::uint64_t row = (at & ~kHalfRow) + stream.read_offset;
                const unsigned bytes = stream.read_rows * unsigned{kGrfBytes};
                // Nothing behind the last row is read.
                wanted.push_back(
                    {row * kGrfBytes + within, place, bytes - std::min(bytes, within)});
            }
            job.places.push_back(place);
        }
    }
    if (wanted.empty()) return;
    job.data.resize(dwords);
    job.reads = true;
    job.traffic = traffic_.open();
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    who.trace_id = batch.trace_id;
    for (const Read& read : wanted) {
        std::uint32_t* const data = &job.data[read.place];
        traffic_.read(job.traffic, read.at, data, read.bytes, who);
        if (read.bytes % kGrfBytes != 0) std::fill_n(data + read.bytes / 4, kRowDwords / 2, 0u);
    }
    stats_.vertices += wanted.size();
}

// SOL-13 to SOL-15, SOL-22, SOL-23.
Cycles StreamOutput::write_objects(Job& job, Open& open) {
    const PrimitiveBatch& batch = *job.batch;
    const StreamOutputState& state = job.facts->state;
    DrawCounts* const counts = state.counts ? batch.draw->counts : nullptr;
    std::size_t next = 0;
    std::uint64_t objects = 0;
    std::array<std::uint32_t, kMaxObjectVertices> order;
    for (const PrimitiveObject& object : batch.objects) {
        if (!state.captures(object)) continue;
        const OutputStream& stream = state.streams[object.stream];
        const unsigned count = written_order(object, state.reorder, order);
        const std::span places = std::span(job.places).subspan(next, count);
        next += count;
        ++objects;
        ++stats_.needed[object.stream];
        if (counts != nullptr) ++counts->so_primitives_needed[object.stream];
        if (!fits(state, stream, offsets_, count)) continue;
        ++stats_.written[object.stream];
        if (counts != nullptr) ++counts->so_primitives_written[object.stream];
        for (const std::uint32_t place : places)
            writer_.append(
                state, stream, offsets_,
                std::span(job.data).subspan(place, std::size_t{stream.read_rows} * kRowDwords));
    }
    if (!writer_.lines().empty()) {
        open.writes = true;
        open.traffic = traffic_.open();
    }
    for (const StreamLine& line : writer_.lines()) {
        StreamBuffer access;
        access.mocs = line.mocs;
        traffic_.write_bytes(open.traffic, line.address, line.bytes.data(), line.enabled,
                             buffer_access(access, *batch.draw));
        stats_.bytes += static_cast<std::uint64_t>(std::popcount(line.enabled));
    }
    stats_.lines += writer_.lines().size();
    writer_.clear();
    return env_.timed() ? Cycles(objects * params_.object_cycles) : Cycles(0);
}

// SOL-03 to SOL-05.
PrimitiveBatch* StreamOutput::what_passes(const Job& job, Open& open) {
    PrimitiveBatch& batch = *job.batch;
    const StreamOutputState& state = job.facts->state;
    if (batch.draw->work.kind == WorkKind::Clear) return &batch;
    const auto passes = [&](const PrimitiveObject& object) { return state.passes(object); };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(batch.objects, passes));
    stats_.objects += batch.objects.size();
    stats_.passed += count;
    if (count == 0) return nullptr;
    if (count == batch.objects.size()) return &batch;
    Part& part = parts_.get();
    static_cast<PrimitiveBatch&>(part) = batch;
    std::erase_if(part.objects, [&](const PrimitiveObject& object) { return !passes(object); });
    open.part = &part;
    return &part;
}

// --- Reports

void StreamOutput::show(Cycles now, bool worked) {
    StageActivity activity = StageActivity::Idle;
    if ((worked && env_.timed()) || (made_ && made_at_ > now))
        activity = StageActivity::Working;
    else if (made_)
        activity = StageActivity::WaitNext;
    else if (!jobs_.empty() || std::ranges::any_of(open_, [](const Open& open) {
                 return open.writes && open.sent == nullptr;
             }))
        activity = StageActivity::WaitMemory;
    account_.hold(activity, now);
    if (!signals_.watched()) return;
    signals_.batches.set(jobs_.size() + open_.size(), now);
    for (unsigned b = 0; b < kStreamBuffers; ++b)
        signals_.write_offset[b].set(offsets_[b], now);
}

void StreamOutput::guest_error(const char* what, const Draw& draw, const std::string& text) {
    env_.reporter.guest_error(what, place_of(draw, "stream output"), text);
}

std::string StreamOutput::describe_waiting() const {
    std::string text;
    const auto line = [&](const PrimitiveBatch& batch, const char* waits) {
        text += place_of(*batch.draw, "stream output") + ": " + waits + "\n";
    };
    if (made_) line(*made_->batch, "waits until the clipper takes a batch");
    if (!jobs_.empty() && !made_)
        line(*jobs_.front().batch, "waits for vertices or write offsets from memory");
    for (const Open& open : open_)
        if (open.writes && open.sent == nullptr) {
            line(*open.batch, "waits until its buffers are written");
            break;
        }
    return text;
}

}  // namespace gen9::geometry

// SPDX-License-Identifier: Apache-2.0
#include "geometry/geometry_shader.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "geometry/output_streams.h"
#include "geometry/urb_partition.h"

namespace gen9::geometry {
namespace {

constexpr std::uint32_t kRowBytes = kGrfBytes, kDwordsOfRow = kRowBytes / 4;
constexpr std::uint32_t rows_of(std::uint32_t bytes) {
    return (bytes + kRowBytes - 1) / kRowBytes;
}
/// GS-14: vertices are aligned to 32 bytes, but those of 16 bytes lie side by side, which are not
/// drawn unless the guest forces it (SOL-04).
bool vertices_are_aligned(const GeometryShaderState& shader, const PipelineState& state) {
    return shader.vertex_bytes % kRowBytes == 0 ||
           (shader.vertex_bytes == kRowBytes / 2 && !decode_stream_output(state).renders);
}
/// A vertex that is not in the batch.
constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

}  // namespace

GeometryShader::GeometryShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                               const ShaderSetup& setup)
    : OwningShaderStage(name, env, clock, setup, packets::Unit::Gs) {}

GeometryShader::~GeometryShader() = default;

void GeometryShader::wake(Cycles now) {
    OwningShaderStage::wake(now);
    if (!groups_.empty() && output_free_ > now) wakeup_.at(output_free_);
    if (handles_.returning(kOwner)) wakeup_.at(std::max(handles_.next_return(kOwner), next()));
}

// The batch that came ends in the same cycle as the last that was made of it. No step takes part.
void GeometryShader::heard(PrimitiveBatch& batch, bool ended, Cycles at) {
    at = std::max(at, next());
    take_back(static_cast<Batch&>(batch), ended, at);
    wakeup_.at(at);  // its entries are free then
}

bool GeometryShader::work(Cycles now) {
    handles_.collect(kOwner, now);
    bool worked = send(now);
    worked |= take_output(now);
    worked |= threads_.end_groups(now);
    worked |= threads_.ask(now);
    worked |= begin_group(now);
    worked |= take(now);
    return worked;
}

// --- Batches that come

bool GeometryShader::take(Cycles now) {
    if (inputs_.size() >= params_.batches || in_.front(now) == nullptr) return false;
    PrimitiveBatch& taken = in_.take(now);
    const Draw& draw = *taken.draw;
    ++stats_.batches;
    signals_.draw.set(draw.work.number & 0xFFFF, now);
    Input& input = new_input(taken);
    inputs_.push_back(&input);
    if (taken.objects.empty()) return true;
    auto shader = threads_.shader_of(draw, &decode_geometry_shader);
    if (!shader->decoded.enabled) return true;
    input.shader = std::move(shader);
    for (const std::string& problem : input.shader->problems)
        threads_.thread_error(draw, problem);
    if (can_shade(input)) return true;
    stats_.dropped += taken.objects.size();
    input.next_object = taken.objects.size();
    tell_if_read(input);
    return true;
}

bool GeometryShader::can_shade(Input& input) {
    static const auto& urb_row = packets::command_named("3DSTATE_URB_GS");
    const PrimitiveBatch& batch = *input.batch;
    const Draw& draw = *batch.draw;
    const GeometryShaderState& shader = input.shader->decoded;
    if (!shader.shares_object() && shader.instances > 1) {
        threads_.thread_error(
            draw, "has several instances and threads of two objects; its objects are dropped");
        return false;
    }
    if (!vertices_are_aligned(shader, *draw.state)) {
        threads_.thread_error(draw, "makes vertices of " + std::to_string(shader.vertex_bytes) +
                                        " bytes, which are not aligned to 32 bytes; its objects "
                                        "are dropped");
        return false;
    }
    const std::optional<UrbPartition> part = urb_partition(*draw.state, urb_row);
    if (!part || part->entries == 0) {
        threads_.thread_error(draw, "has no entry in the URB; its objects are dropped");
        return false;
    }
    input.part = *part;
    const std::string problem = output_problem(shader, part->entry_rows);
    if (!problem.empty()) {
        threads_.thread_error(draw, problem + "; its objects are dropped");
        return false;
    }
    // All objects of a draw have as many vertices.
    const unsigned vertices = input_of(input, batch.objects.front()).count;
    if (vertices != shader.expected_vertices) {
        threads_.thread_error(
            draw, "expects objects of " + std::to_string(shader.expected_vertices) +
                      " vertices, which have " + std::to_string(vertices) + "; they are dropped");
        return false;
    }
    if (shader.read_offset + shader.read_rows > batch.entry_rows)
        threads_.thread_error(draw, "reads beyond its vertices' URB entries");
    return true;
}

void GeometryShader::tell_if_read(Input& input) {
    if (input.read || input.threads != 0 || input.next_object != input.batch->objects.size())
        return;
    input.read = true;
    in_.tell(*input.batch, kVerticesRead, next());
}

// --- Threads

GeometryInput GeometryShader::input_of(const Input& input, const PrimitiveObject& object) const {
    const GeometryShaderState& shader = input.shader->decoded;
    auto vertices = shown_order(object, shader.reorder);
    GeometryInput out;
    out.topology = object.topology == Topology::TriStrip && object.odd ? Topology::TriStripReverse
                                                                       : object.topology;
    out.primitive_id = object.primitive_id;
    out.count = object.count;
    if (shader.discard_adjacency) out.count = without_adjacency(object, vertices);
    for (unsigned v = 0; v < out.count; ++v)
        out.urb_rows[v] = input.batch->vertices[vertices[v]].urb_row;
    return out;
}

unsigned GeometryShader::free_channels(const Input& input, Cycles now) {
    const GeometryShaderState& shader = input.shader->decoded;
    take_part(input.part);
    handles_.collect(kOwner, now);  // what has come back in this step, and the fence
    const std::size_t left = shader.shares_object()
                                 ? shader.instances - input.next_instance
                                 : input.batch->objects.size() - input.next_object;
    // Fewer channels would make what a thread does depend on when others end.
    const auto wanted = static_cast<unsigned>(
        std::min<std::size_t>(left, std::min(shader.channels(), part_.entries)));
    return handles_.free(kOwner) < wanted ? 0 : wanted;
}

bool GeometryShader::begin_group(Cycles now) {
    starved_ = false;
    if (!threads_.has_room()) return false;
    const auto next = std::ranges::find_if(inputs_, [](const Input* input) {
        return input->shader && input->next_object != input->batch->objects.size();
    });
    if (next == inputs_.end()) return false;
    const unsigned channels = free_channels(**next, now);
    if (channels == 0) {
        starved_ = true;
        // The batch that has been made goes on although it is not full, so that entries come back.
        if (!groups_.empty() || filling_ == nullptr) return false;
        close_batch();
        return true;
    }
    Group& group = group_pool_.get();
    fill(group, **next, channels);
    groups_.push_back(&group);
    threads_.queue(group);
    return true;
}

void GeometryShader::fill(Group& group, Input& input, unsigned channels) {
    const PrimitiveBatch& batch = *input.batch;
    const GeometryShaderState& shader = input.shader->decoded;
    group.ended = false;
    group.input = &input;
    group.channels = channels;
    group.taken = 0;
    group.objects.clear();
    group.first_instance = input.next_instance;
    if (!shader.shares_object()) {
        for (unsigned n = 0; n < channels; ++n)
            group.objects.push_back(input_of(input, batch.objects[input.next_object++]));
        stats_.objects += channels;
    } else {
        group.objects.push_back(input_of(input, batch.objects[input.next_object]));
        input.next_instance += channels;
        if (input.next_instance == shader.instances) {
            input.next_instance = 0;
            ++input.next_object;
            ++stats_.objects;
        }
    }
    for (unsigned n = 0; n < channels; ++n) {
        group.entries[n] = new_entry();
        group.rows[n] = row_of(group.entries[n]);
    }
    ++input.threads;
    ++input.groups;
    threads_.begin(group, input.shader, *batch.draw, batch.trace_id, 1, shader.registers());
    std::vector<std::uint32_t> read;
    for (unsigned v = 0; v < group.objects.front().count; ++v)
        for (const GeometryInput& object : group.objects)
            read.push_back(object.urb_rows[v]);
    threads_.read_entries(group, read);
    count(input, std::uint64_t{channels} * shader.counted, 0);
}

void GeometryShader::make_thread(ShaderGroup& asked, const ThreadGrant& grant,
                                 const ThreadFacts& facts, ThreadDispatch& thread) {
    const auto& group = static_cast<Group&>(asked);
    make_geometry_thread(group.input->shader->decoded, facts,
                         {.objects = group.objects,
                          .first_instance = group.first_instance,
                          .outputs = std::span(group.rows).first(group.channels),
                          .data = group.data},
                         topology_, grant.place, thread);
}

// The number of vertices is written last: nothing of an entry is read before its thread has ended.
void GeometryShader::threads_ended(ShaderGroup& ended) {
    auto& group = static_cast<Group&>(ended);
    Input& input = *group.input;
    --input.threads;
    tell_if_read(input);
    group.ended = true;
    LineTraffic& traffic = threads_.traffic();
    group.output = traffic.open();
    const unsigned dwords = rows_before_vertices(input.shader->decoded) * kDwordsOfRow;
    group.before.resize(std::size_t{group.channels} * dwords);
    if (dwords == 0) return;
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    who.trace_id = input.batch->trace_id;
    for (unsigned n = 0; n < group.channels; ++n)
        traffic.read(group.output, std::uint64_t{group.rows[n]} * kGrfBytes,
                     group.before.data() + std::size_t{n} * dwords, dwords * 4, who);
    stats_.urb_bytes += group.before.size() * 4;
}

// --- Output

bool GeometryShader::take_output(Cycles now) {
    if (groups_.empty() || ready_.size() >= params_.batch_queue) return false;
    if (env_.timed() && now < output_free_) return false;
    Group& group = *groups_.front();
    LineTraffic& traffic = threads_.traffic();
    if (!group.ended || group.input != inputs_.front() || !traffic.over(group.output, now))
        return false;
    take_entry(group, group.taken++, now);
    if (group.taken != group.channels) return true;
    traffic.close(group.output);
    --group.input->groups;
    groups_.pop_front();
    group_pool_.put(group);
    return true;
}

void GeometryShader::take_entry(Group& group, unsigned channel, Cycles now) {
    Input& input = *group.input;
    const GeometryShaderState& shader = input.shader->decoded;
    const Draw& draw = *input.batch->draw;
    const std::size_t dwords = group.before.size() / group.channels;
    const auto before =
        std::span<const std::uint32_t>(group.before).subspan(channel * dwords, dwords);
    const OutputCount made = output_count(shader, before, input.part.entry_rows);
    if (made.too_many)
        threads_.thread_error(draw, "has made more than the " + std::to_string(made.vertices) +
                                        " vertices that its URB entry may have; the others are "
                                        "dropped");
    source_ = &group.objects[shader.shares_object() ? 0 : channel];
    source_input_ = &input;
    entry_ = group.entries[channel];
    vertex_bytes_ = shader.vertex_bytes;
    first_vertex_row_ = group.rows[channel] + rows_before_vertices(shader);
    places_.assign(made.vertices, kNowhere);
    const std::uint32_t primitives = assemble_output(shader, before, made.vertices, *this);
    drop(entry_, now);
    stats_.vertices += made.vertices;
    count(input, 0, primitives);
    const std::uint64_t rate = params_.vertices_per_clock;
    output_free_ = now + Cycles(std::max<std::uint64_t>(1, (made.vertices + rate - 1) / rate));
}

void GeometryShader::object(const PrimitiveObject& object) {
    if (filling_ == nullptr) filling_ = &new_batch(*source_input_, rows_of(vertex_bytes_));
    PrimitiveObject& added = filling_->objects.emplace_back(object);
    added.primitive_id = source_->primitive_id;  // of the input, whatever its order (GS-08)
    for (unsigned i = 0; i < added.count; ++i)
        added.vertices[i] = number_in_batch(object.vertices[i]);
    if (filling_->objects.size() != PrimitiveBatch::kObjects) return;
    close_batch();
    std::ranges::fill(places_, kNowhere);
}

std::uint32_t GeometryShader::number_in_batch(std::uint32_t vertex) {
    std::uint32_t& place = places_[vertex];
    if (place != kNowhere) return place;
    place = static_cast<std::uint32_t>(filling_->vertices.size());
    const std::uint32_t at = vertex * vertex_bytes_, row = at / kRowBytes;
    filling_->vertices.push_back(
        {(first_vertex_row_ + row) | (at % kRowBytes != 0 ? kHalfRow : 0), false});
    if (filling_->entries.empty() || filling_->entries.back() != entry_) {
        filling_->entries.push_back(entry_);
        refer(entry_);
    }
    return place;
}

void GeometryShader::close_batch() {
    if (filling_ != nullptr) ready_.push_back(std::exchange(filling_, nullptr));
}

bool GeometryShader::send(Cycles now) {
    bool worked = false;
    if (!ready_.empty() && out_.can_send(now)) {
        Batch& made = *ready_.front();
        ready_.pop_front();
        ++sent_;
        ++stats_.batches_made;
        out_.send(made);
        worked = true;
    }
    if (inputs_.empty()) return worked;
    Input& first = *inputs_.front();
    if (!first.shader) {
        if (!ready_.empty() || !out_.can_send(now)) return worked;
        PrimitiveBatch& batch = *first.batch;
        inputs_.pop_front();
        input_pool_.put(first);
        ++sent_;
        passed_.send(batch);
        return true;
    }
    if (first.next_object != first.batch->objects.size() || first.groups != 0) return worked;
    close_batch();
    inputs_.pop_front();
    first.all_made = true;
    end_if_over(first, next());
    return true;
}

// GS-19, GS-20.
void GeometryShader::count(const Input& input, std::uint64_t invocations,
                           std::uint64_t primitives) {
    if (!input.shader->decoded.statistics) return;
    stats_.invocations += invocations;
    stats_.primitives += primitives;
    DrawCounts* const counts = input.batch->draw->counts;
    if (!counts) return;
    counts->gs_invocations += invocations;
    counts->gs_primitives += primitives;
}

// --- Reports

StageActivity GeometryShader::waits_for(Cycles now) const {
    const StageActivity activity = OwningShaderStage::waits_for(now);
    if (activity != StageActivity::WaitNext || groups_.empty() || !ready_.empty()) return activity;
    return output_free_ > now ? StageActivity::Working : StageActivity::WaitMemory;
}

}  // namespace gen9::geometry

// SPDX-License-Identifier: Apache-2.0
#include "geometry/domain_shader.h"

#include <algorithm>
#include <bit>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

/// DS-02.
std::uint64_t tag_of(const DomainPoint& point) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(point.u)} << 32 |
           std::bit_cast<std::uint32_t>(point.v);
}

}  // namespace

DomainShader::DomainShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                           const ShaderSetup& setup)
    : OwningShaderStage(name, env, clock, setup, packets::Unit::Ds) {}

DomainShader::~DomainShader() = default;

// --- Steps

bool DomainShader::work(Cycles now) {
    bool worked = take_back(now);
    worked |= threads_.end_groups(now);
    worked |= send(now);
    worked |= threads_.ask(now);
    worked |= make_objects(now);
    worked |= take(now);
    return worked;
}

bool DomainShader::send(Cycles now) {
    if (outputs_.empty() || !out_.can_send(now)) return false;
    const auto [batch, own, came] = outputs_.front();
    if (own != nullptr && (own == filling_ || own->threads != 0)) return false;
    outputs_.pop_front();
    ++sent_;
    if (own == nullptr)
        passed_.send(*batch, *came);
    else
        out_.send(*batch);
    return true;
}

bool DomainShader::take(Cycles now) {
    if (inputs_.size() + outputs_.size() >= params_.batches || in_.front(now) == nullptr)
        return false;
    DomainBatch& taken = in_.take(now);
    ++stats_.batches;
    signals_.draw.set(taken.draw->work.number & 0xFFFF, now);
    if (inputs_.empty() && taken.passed) {
        outputs_.push_back({taken.passed, nullptr, &taken});
        return true;
    }
    inputs_.push_back(&new_input(taken));
    return true;
}

// --- Objects

bool DomainShader::begin(DomainInput& input, Cycles now) {
    input.begun = true;
    const Draw& draw = *input.batch->draw;
    input.shader = threads_.shader_of(draw, &decode_domain_shader);
    const DomainShaderState& shader = input.shader->decoded;
    for (const std::string& problem : input.shader->problems)
        threads_.thread_error(draw, problem);
    if (!shader.enabled) {
        threads_.guest_error(draw, "it is not enabled behind a hull shader; patches draw nothing");
        return false;
    }
    if (shader.read_offset + shader.read_rows > input.batch->record_rows)
        threads_.thread_error(draw, "reads beyond its patch's record");
    static const packets::CommandRow& command = packets::command_named("3DSTATE_URB_DS");
    input.part = urb_partition(*draw.state, command).value_or(UrbPartition{});
    if (input.part.entries == 0) {
        threads_.guest_error(draw, "points have no entries in the URB; patches draw nothing");
        return false;
    }
    if (!input.batch->continues) clear_cache(now);
    std::uint64_t fresh = 0;
    for (const DomainPoint& point : input.batch->points)
        fresh += point.is_new;
    // DS-06.
    if (shader.statistics) {
        stats_.invocations += fresh;
        if (draw.counts) draw.counts->ds_invocations += fresh;
    }
    return true;
}

bool DomainShader::make_objects(Cycles now) {
    if (inputs_.empty()) return false;
    DomainInput& input = *inputs_.front();
    if (!input.begun && !begin(input, now)) {
        all_made(input, now);
        return true;
    }
    if (take_part(input.part)) {
        close_batch();
        clear_cache(now);
        vertices_.resize(references_.size());
    }
    const std::uint64_t most =
        env_.timed() ? params_.objects_per_clock.get() : PrimitiveBatch::kObjects;
    bool worked = false;
    for (std::uint64_t n = 0; n < most && threads_.has_room(); ++n) {
        if (!make_object(input, now)) return hand_on(input, now) || worked;
        worked = true;
        if (++input.next_object != input.batch->objects.size()) continue;
        all_made(input, now);
        return true;
    }
    return worked;
}

// No entry is free: the batch that has been made goes on although it is not full, so that entries
// come back.
bool DomainShader::hand_on(DomainInput& input, Cycles now) {
    if (filling_ != nullptr && !filling_->objects.empty()) {
        close_batch();
        return true;
    }
    if (group_ != nullptr) {
        close_group();
        return true;
    }
    if (!stuck()) return false;
    threads_.guest_error(*input.batch->draw,
                         "primitive " +
                             std::to_string(input.batch->objects[input.next_object].primitive_id) +
                             " needs more than the " + std::to_string(part_.entries) +
                             " URB entries of points; the rest is not drawn");
    all_made(input, now);
    return true;
}

bool DomainShader::stuck() const {
    return outputs_.size() == (filling_ != nullptr ? 1 : 0) &&
           (filling_ == nullptr || filling_->threads == 0) && returns_.empty() &&
           out_.in_flight() == passed_.in_flight() && handles_.free(kOwner) == 0 &&
           !handles_.fenced(kOwner) && !handles_.returning(kOwner);
}

/// False: a point of it has no entry yet.
bool DomainShader::make_object(DomainInput& input, Cycles now) {
    const PrimitiveObject& object = input.batch->objects[input.next_object];
    const unsigned count = std::min<unsigned>(object.count, kMaxVertices);
    for (unsigned i = 0; i < count; ++i) {
        if (object_[i]) continue;
        object_[i] = entry_of(input, input.batch->points[object.vertices[i]], now);
        starved_ = !object_[i];
        if (starved_) return false;
    }
    Batch& batch = batch_for(input);
    PrimitiveObject& made = batch.objects.emplace_back(object);
    for (unsigned i = 0; i < count; ++i) {
        const unsigned entry = *std::exchange(object_[i], {});
        Vertex& vertex = vertices_[entry];
        if (vertex.batch != batches_made_) {
            vertex.batch = batches_made_;
            vertex.number = static_cast<std::uint32_t>(batch.vertices.size());
            refer(entry);
            batch.entries.push_back(entry);
            batch.vertices.push_back({row_of(entry), false});
        }
        made.vertices[i] = vertex.number;
        drop(entry, now);
    }
    ++stats_.objects;
    return true;
}

DomainShader::Batch& DomainShader::batch_for(DomainInput& input) {
    if (filling_ != nullptr) return *filling_;
    Batch& batch = new_batch(input, part_.entry_rows);
    ++batches_made_;
    outputs_.push_back({&batch, &batch, nullptr});
    filling_ = &batch;
    return batch;
}

void DomainShader::close_batch() {
    close_group();
    filling_ = nullptr;
}

void DomainShader::close_group() {
    if (group_ == nullptr) return;
    Group& group = *std::exchange(group_, nullptr);
    held_ = false;
    std::array<std::uint32_t, 2> records{};
    for (unsigned part = 0; part < group.patches; ++part)
        records[part] = group.parts[part].patch.record_row;
    const DomainShaderState& shader = group.batch->input->shader->decoded;
    group.load_rows = static_cast<std::uint16_t>(shader.registers(group.patches));
    threads_.read_entries(group, std::span(records).first(group.patches));
    threads_.queue(group);
}

// DS-04: four points or fewer that are left of a patch wait for those of the next.
void DomainShader::end_patch() {
    if (group_ == nullptr) return;
    const DomainShaderState& shader = group_->batch->input->shader->decoded;
    if (shader.may_be_dual && group_->patches == 1 && group_->parts[0].count <= kDualPoints)
        held_ = true;
    else
        close_group();
}

// --- Points

std::optional<unsigned> DomainShader::entry_of(DomainInput& input, const DomainPoint& point,
                                               Cycles now) {
    if (point.patch != input.patch) {
        input.patch = point.patch;
        end_patch();
        clear_cache(now);
    }
    const bool caches = input.shader->decoded.cache && params_.cache != 0;
    if (caches)
        if (const auto found = cache_.find(tag_of(point)); found != cache_.end()) {
            refer(found->second);
            ++stats_.cache_hits;
            return found->second;
        }
    if (!make_room(now)) return {};
    const unsigned entry = new_entry();
    vertices_[entry] = {};
    if (caches) {
        if (cached_.size() >= params_.cache) drop_oldest(now);
        refer(entry);
        cache_.emplace(tag_of(point), entry);
        cached_.push_back(tag_of(point));
    }
    shade(input, point, entry);
    return entry;
}

// An entry that only the cache refers to is given up for it.
bool DomainShader::make_room(Cycles now) {
    handles_.collect(kOwner, now);
    if (handles_.free(kOwner) == 0 && !handles_.fenced(kOwner)) {
        const auto unused = std::ranges::find_if(
            cached_, [this](std::uint64_t tag) { return references_[cache_.at(tag)] == 1; });
        if (unused != cached_.end()) {
            drop(cache_.at(*unused), now);
            cache_.erase(*unused);
            cached_.erase(unused);
            handles_.collect(kOwner, now);
        }
    }
    return handles_.free(kOwner) != 0;
}

void DomainShader::drop_oldest(Cycles now) {
    drop(cache_.at(cached_.front()), now);
    cache_.erase(cached_.front());
    cached_.pop_front();
}

DomainShader::Group& DomainShader::open_group(DomainInput& input) {
    Batch& batch = batch_for(input);
    Group& group = group_pool_.get();
    group.batch = &batch;
    group.patches = 1;
    group.parts[0].count = group.parts[1].count = 0;
    threads_.begin(group, input.shader, *input.batch->draw, input.batch->trace_id, 1,
                   input.shader->decoded.registers());
    ++batch.threads;
    ++input.threads;
    return group;
}

void DomainShader::shade(DomainInput& input, const DomainPoint& point, unsigned entry) {
    const std::uint32_t row = row_of(entry);
    ++stats_.points;
    if (held_) {
        held_ = false;
        group_->patches = 2;
        group_->parts[1].patch = input.batch->patches[point.patch];
    }
    if (group_ != nullptr && group_->patches == 2) {
        Part& second = group_->parts[1];
        if (second.count < kDualPoints) return second.add(point, row);
        // The second patch has more than four points: each has threads of its own.
        const Part moved = second;
        group_->patches = 1;
        close_group();
        group_ = &open_group(input);
        group_->parts[0] = moved;
    }
    if (group_ == nullptr) {
        group_ = &open_group(input);
        group_->parts[0].patch = input.batch->patches[point.patch];
    }
    group_->parts[0].add(point, row);
    if (group_->parts[0].count == input.shader->decoded.points()) close_group();
}

void DomainShader::clear_cache(Cycles now) {
    for (const std::uint64_t tag : cached_)
        drop(cache_.at(tag), now);
    cache_.clear();
    cached_.clear();
}

// --- Ends

void DomainShader::all_made(DomainInput& input, Cycles now) {
    if (filling_ != nullptr && filling_->objects.empty()) {
        // Nothing has come of it: it holds no entries, and its threads have ended.
        outputs_.pop_back();
        --input.made;
        batch_pool_.put(*filling_);
        filling_ = nullptr;
    }
    close_batch();
    for (auto& entry : object_)
        if (entry) drop(*std::exchange(entry, {}), now);
    if (!input.batch->goes_on) clear_cache(now);
    input.all_made = true;
    inputs_.pop_front();
    if (input.threads == 0 && input.made != 0) in_.tell(*input.batch, kVerticesRead, next());
    end_if_over(input, next());
    for (; !inputs_.empty() && inputs_.front()->batch->passed; inputs_.pop_front()) {
        DomainBatch& next = *inputs_.front()->batch;
        outputs_.push_back({next.passed, nullptr, &next});
        input_pool_.put(*inputs_.front());
    }
}

void DomainShader::threads_ended(ShaderGroup& ended) {
    auto& group = static_cast<Group&>(ended);
    DomainInput& input = *group.batch->input;
    --group.batch->threads;
    --input.threads;
    group_pool_.put(group);
    if (input.all_made && input.threads == 0) in_.tell(*input.batch, kVerticesRead, next());
}

void DomainShader::make_thread(ShaderGroup& asked, const ThreadGrant& grant,
                               const ThreadFacts& facts, ThreadDispatch& thread) {
    const auto& group = static_cast<Group&>(asked);
    std::array<DomainPart, 2> parts;
    for (unsigned n = 0; n < group.patches; ++n) {
        const Part& part = group.parts[n];
        parts[n] = {part.patch, std::span(part.points).first(part.count),
                    std::span(part.rows).first(part.count)};
    }
    make_domain_thread(group.batch->input->shader->decoded, facts,
                       {.parts = std::span(parts).first(group.patches), .records = group.data},
                       topology_, grant.place, thread);
}

const Draw* DomainShader::first_draw() const {
    if (!outputs_.empty()) return outputs_.front().batch->draw;
    return inputs_.empty() ? nullptr : inputs_.front()->batch->draw;
}

}  // namespace gen9::geometry

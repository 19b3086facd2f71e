// SPDX-License-Identifier: Apache-2.0
#include "setup/module.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "setup/depth.h"

namespace gen9::setup {

namespace {

constexpr unsigned kRowBytes = 32, kRowDwords = kRowBytes / 4;

Position position_of(const std::array<float, 4>& p) {
    return {p[0], p[1], p[2], p[3]};
}

/// Does the grid hold the vertex' place? What lies beyond it tells nothing of how a triangle faces.
bool on_grid(const Position& screen) {
    constexpr float kMost = 32767;
    return std::abs(screen.x) < kMost && std::abs(screen.y) < kMost;
}

}  // namespace

Setup::Setup(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
             const SetupSetup& setup)
    : sc_module(module_name),
      SetupBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      input_(batch_in, env, clock, wakeup_, params_.queue_depth),
      traffic_(mem_out, env, clock, wakeup_, Cycles(params_.line_cycles)) {
    enlist(env, params_, stats_, signals_);
    for (unsigned slice = 0; slice < setup.slices; ++slice) {
        object_out.push_back(std::make_unique<InitiatorSocket<ObjectProtocol>>(
            ("object_out" + std::to_string(slice)).c_str()));
        outputs_.push_back(
            std::make_unique<StageOutput<ObjectProtocol>>(*object_out.back(), clock, wakeup_));
        outputs_.back()->on_ended = [this](ObjectBatch& batch, Cycles at) {
            ended(static_cast<Made&>(batch), at);
        };
    }
    traffic_.take_urb_directly();
    wakeup_.runs<&Setup::step>(this);
}

Setup::~Setup() = default;

void Setup::step() {
    const Cycles now = clock_.now();
    const StageActivity activity = take_and_work(
        input_, now, [this] { return jobs_.size() < params_.batches; },
        [this](ClippedBatch& batch) { begin(batch); }, [this](Cycles at) { return work(at); });
    account_.hold(activity, now);
    traffic_.step(now);
    input_.wake(now);
    for (auto& output : outputs_)
        output->wake(now);
}

std::shared_ptr<Setup::Facts> Setup::facts_of(const gen9::Draw& draw) {
    if (facts_ && facts_->order == draw.order) return facts_;
    facts_ = std::make_shared<Facts>();
    Facts& facts = *facts_;
    facts.order = draw.order;
    facts.draw = decode(*draw.state);
    facts.places = in_memory(*draw.state);
    const State& state = facts.draw.state;
    if (draw.work.kind == WorkKind::Clear || !(state.viewport_transform || state.scissor))
        return facts_;
    MemoryAttributes who;
    who.requester = Requester::StateCache;
    who.mocs = draw.state->dynamic_mocs;
    who.trace_id = draw.trace_id;
    facts.group = traffic_.open();
    facts.reading = true;
    const unsigned count = facts.places.last + 1;
    if (state.viewport_transform)
        traffic_.read(facts.group, facts.places.viewports.value, facts.viewports.data(),
                      count * kViewportDwords * 4, who);
    if (state.scissor)
        traffic_.read(facts.group, facts.places.scissors.value, facts.scissors.data(),
                      count * kScissorDwords * 4, who);
    return facts_;
}

void Setup::begin(ClippedBatch& batch) {
    ++stats_.batches;
    Job& job = jobs_pool_.get();
    jobs_.push_back(&job);
    job.batch = &batch;
    job.facts = facts_of(*batch.batch->draw);
    job.group = traffic_.open();
    job.read = job.entered = false;
    job.next = job.open = 0;
    read_attributes(job);
}

void Setup::read_attributes(Job& job) {
    const PrimitiveBatch& batch = *job.batch->batch;
    const AttributeState& state = job.facts->draw.attributes;
    job.places.assign(batch.vertices.size(), -1);
    job.entry_dwords = (unsigned{state.read_offset} + state.read_length) * kRowDwords;
    if (state.count == 0 || state.read_length == 0) job.entry_dwords = 0;
    std::int32_t places = 0;
    for (const ClippedObject& object : job.batch->objects)
        for (unsigned i = 0; i < 3 && job.entry_dwords; ++i) {
            // Pieces of a triangle have its vertices; all others have as many as corners.
            if (i >= object.count) break;
            std::int32_t& place = job.places[object.vertices[i]];
            if (place < 0) place = places++;
        }
    job.words.resize(static_cast<std::size_t>(places) * job.entry_dwords);
    stats_.vertices += static_cast<std::uint64_t>(places);
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    who.trace_id = batch.trace_id;
    for (std::size_t v = 0; v < batch.vertices.size(); ++v) {
        if (job.places[v] < 0) continue;
        std::uint32_t* const entry =
            job.words.data() + static_cast<std::size_t>(job.places[v]) * job.entry_dwords;
        traffic_.read(job.group,
                      (std::uint64_t{batch.vertices[v].urb_row} + state.read_offset) * kRowBytes,
                      entry + state.read_offset * kRowDwords, state.read_length * kRowBytes, who);
    }
}

bool Setup::read(Job& job, Cycles now) {
    if (job.read) return true;
    Facts& facts = *job.facts;
    const gen9::Draw& draw = *job.batch->batch->draw;
    if (facts.reading) {
        if (!traffic_.over(facts.group, now)) return false;
        if (traffic_.failed(facts.group))
            env_.reporter.guest_error("viewport", place_of(draw, "set-up"),
                                      "viewports or scissor rectangles are not mapped; they are "
                                      "read as zeros");
        traffic_.close(facts.group);
        facts.reading = false;
        for (unsigned i = 0; i <= facts.places.last; ++i) {
            facts.draw.viewports[i] = viewport_of(
                std::span(facts.viewports).subspan(i * kViewportDwords, kViewportDwords));
            facts.draw.scissors[i] =
                scissor_of(std::span(facts.scissors).subspan(i * kScissorDwords, kScissorDwords));
        }
    }
    if (!traffic_.over(job.group, now)) return false;
    if (traffic_.failed(job.group))
        env_.reporter.guest_error("URB entry", place_of(draw, "set-up"),
                                  "a vertex lies outside of the URB; it is read as zeros");
    traffic_.close(job.group);
    job.read = true;
    input_.tell(*job.batch, kVerticesRead, env_.timed() ? now + Cycles(1) : now);
    return true;
}

bool Setup::can_send(Cycles now) const {
    return std::ranges::all_of(outputs_, [&](const auto& output) { return output->can_send(now); });
}

StageActivity Setup::work(Cycles now) {
    for (Job* job : jobs_)
        read(*job, now);
    while (!jobs_.empty()) {
        Job& job = *jobs_.front();
        signals_.draw.set(job.batch->batch->draw->work.number & 0xFFFF, now);
        if (made_ == nullptr) {
            if (!read(job, now)) return StageActivity::WaitMemory;
            made_ = &made_pool_.get();
            const Cycles cost = fill(job, *made_);
            made_at_ = env_.timed() ? now + cost : now;
        }
        if (made_at_ > now) {
            wakeup_.at(made_at_);
            return StageActivity::Working;
        }
        if (made_->count != 0) {
            if (!can_send(now)) return StageActivity::WaitNext;
            send(*std::exchange(made_, nullptr));
        } else {
            made_pool_.put(*std::exchange(made_, nullptr));
        }
        if (!job.entered) continue;
        jobs_.pop_front();
        end_if_over(job, now);
    }
    return StageActivity::Idle;
}

void Setup::send(Made& made) {
    ++made.job->open;
    made.first = order_;
    order_ += made.count;
    stats_.made += made.count;
    made.slices = static_cast<unsigned>(outputs_.size());
    made.ended = Cycles();
    for (auto& output : outputs_)
        output->send(made);
}

void Setup::ended(Made& made, Cycles at) {
    made.ended = std::max(made.ended, at);
    if (--made.slices != 0) return;
    Job& job = *made.job;
    const Cycles last = made.ended;
    made_pool_.put(made);
    --job.open;
    end_if_over(job, last);
}

void Setup::end_if_over(Job& job, Cycles at) {
    // A job is at an end only behind the front: the one that is worked on has more to come.
    if (!job.entered || job.open != 0 || std::ranges::find(jobs_, &job) != jobs_.end()) return;
    job.facts.reset();
    input_.end(*job.batch, at);
    jobs_pool_.put(job);
}

void Setup::count(Discard why) {
    switch (why) {
        case Discard::None:
            return;
        case Discard::NotANumber:
            return ++stats_.bad;
        case Discard::Degenerate:
            return ++stats_.degenerate;
        case Discard::Culled:
            return ++stats_.culled;
        case Discard::OutsideClip:
            return ++stats_.outside;
    }
}

Cycles Setup::fill(Job& job, Made& made) {
    const PrimitiveBatch& batch = *job.batch->batch;
    made.job = &job;
    made.draw = batch.draw;
    made.trace_id = batch.trace_id;
    made.count = 0;
    made.objects.resize(ObjectBatch::kObjects);
    if (batch.draw->work.kind == WorkKind::Clear) {
        fill_clear(job, made);
        job.entered = true;
        return Cycles(params_.object_cycles);
    }
    const auto& objects = job.batch->objects;
    const unsigned attributes = job.facts->draw.attributes.count;
    std::uint64_t cycles = 0;
    Object object;
    while (job.next < objects.size() && made.count + kMostObjects <= ObjectBatch::kObjects) {
        const ClippedObject& from = objects[job.next];
        object_of(job, from, object);
        if (from.piece) find_facts(job, job.next, object);
        ++job.next;
        ++stats_.objects;
        const Result result = set_up(
            job.facts->draw, object,
            std::span<SetUpObject, kMostObjects>(made.objects.data() + made.count, kMostObjects));
        count(result.discard);
        made.count += result.count;
        const std::uint64_t deltas =
            (attributes + params_.attributes_per_cycle - 1) / params_.attributes_per_cycle;
        cycles += result.count ? std::max<std::uint64_t>(params_.object_cycles, deltas)
                               : params_.object_cycles.get();
    }
    job.entered = job.next == objects.size();
    return Cycles(cycles);
}

void Setup::object_of(const Job& job, const ClippedObject& from, Object& to) const {
    const PrimitiveObject& primitive = job.batch->batch->objects[from.object];
    to.topology = from.topology;
    to.primitive_id = primitive.primitive_id;
    to.viewport = from.viewport;
    to.render_target_index = from.render_target_index;
    to.inverted = primitive.odd;
    to.last_of_strip = from.last_of_strip;
    to.far_end = from.far_end;
    to.restart_stipple = primitive.starts;
    for (unsigned i = 0; i < 3; ++i)
        to.edges[i] = from.edges >> i & 1;
    for (unsigned i = 0; i < from.count; ++i) {
        to.vertices[i] = {position_of(from.corners[i].position), from.corners[i].point_width};
        const std::int32_t place = job.places[from.vertices[i]];
        to.entries[i] =
            place < 0 ? VertexEntry{}
                      : VertexEntry(job.words).subspan(
                            static_cast<std::size_t>(place) * job.entry_dwords, job.entry_dwords);
    }
    to.clipped.reset();
}

void Setup::find_facts(const Job& job, std::uint32_t number, Object& object) {
    const auto& objects = job.batch->objects;
    const PieceOfObject& piece = *objects[number].piece;
    const bool first = number == 0 || objects[number - 1].object != objects[number].object;
    if (first) whole_ = {};
    const Draw& draw = job.facts->draw;
    if (first && piece.in_front) {
        Object whole = object;
        bool all_on_grid = true;
        const Viewport* viewport =
            draw.state.viewport_transform ? &draw.viewports[object.viewport & 15] : nullptr;
        for (unsigned i = 0; i < 3; ++i) {
            whole.vertices[i].position = position_of(piece.whole[i]);
            all_on_grid &= on_grid(to_screen(whole.vertices[i].position, viewport, draw.drawing));
        }
        if (all_on_grid) whole_.facts = facts_of_whole(draw, whole);
    }
    // Else the first piece with an area tells how all of it faces.
    if (object_type(object.topology) == ObjectType::Triangle && !whole_.facts.back_facing)
        whole_.facts.back_facing = facts_of_whole(draw, object).back_facing;
    whole_.facts.perspective = {piece.b1, piece.b2};
    whole_.facts.linear = {piece.l1, piece.l2};
    object.clipped = whole_.facts;
}

void Setup::fill_clear(Job& job, Made& made) {
    const gen9::Draw& draw = *job.batch->batch->draw;
    SetUpObject& object = made.objects[0];
    object = {};
    object.type = ObjectType::Rectangle;
    object.topology = static_cast<std::uint8_t>(packets::Topology::RectList);
    // No surface is larger.
    object.bounds = intersection(clear_rectangle(*draw.state), {0, 0, 0x3FFF, 0x3FFF});
    if (object.bounds.empty()) return;
    const PixelRectangle& bounds = object.bounds;
    const ScreenPoint least{bounds.min_x * kPixelSteps, bounds.min_y * kPixelSteps};
    const ScreenPoint most{(bounds.max_x + 1) * kPixelSteps, (bounds.max_y + 1) * kPixelSteps};
    object.vertex_count = 3;
    object.vertices = {most, ScreenPoint{least.x, most.y}, least};
    object.interpolation = area_interpolation(object.vertices);
    made.count = 1;
}

std::string Setup::describe_waiting() const {
    if (jobs_.empty()) return {};
    const std::string draw = place_of(*jobs_.front()->batch->batch->draw, "set-up");
    if (made_ == nullptr) return draw + ": waits for attributes from the URB";
    return draw + ": waits until all rasterisers take a batch";
}

}  // namespace gen9::setup

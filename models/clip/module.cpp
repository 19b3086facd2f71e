// SPDX-License-Identifier: Apache-2.0
#include "clip/module.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gen9::clip {

namespace {

constexpr unsigned kRowBytes = 32;

/// The place in an object of its own vertices: those beside it are passed over.
unsigned own_vertex(const PrimitiveObject& object, unsigned i) {
    const packets::TopologyRules rules = packets::rules_of(object.topology);
    if (!rules.adjacency) return i;
    return rules.kind == packets::ObjectKind::Line ? i + 1 : 2 * i;
}

unsigned own_vertices(packets::Topology topology) {
    switch (packets::rules_of(topology).kind) {
        case packets::ObjectKind::Point:
            return 1;
        case packets::ObjectKind::Line:
            return 2;
        default:
            return 3;
    }
}

std::array<float, 4> divided(const std::array<float, 4>& p) {
    return {p[0] / p[3], p[1] / p[3], p[2] / p[3], 1.0f / p[3]};
}

/// Which edges of a triangle of a fan are shown: those of the whole as they are there, those that a
/// plane made always, those between triangles of the fan never.
std::uint8_t shown_edges(const Piece& piece, std::uint8_t edges, unsigned triangle) {
    const auto shown = [&](unsigned from, unsigned to) {
        const auto weight = [&](unsigned corner, unsigned vertex) {
            const Corner& c = piece.corners[corner];
            return vertex == 0 ? 1 - c.b1 - c.b2 : vertex == 1 ? c.b1 : c.b2;
        };
        constexpr double kNone = 1e-9;
        for (unsigned edge = 0; edge < 3; ++edge) {
            const unsigned beyond = (edge + 2) % 3;
            if (std::abs(weight(from, beyond)) < kNone && std::abs(weight(to, beyond)) < kNone)
                return (edges >> edge & 1) != 0;
        }
        return true;
    };
    const unsigned a = triangle + 1, b = triangle + 2;
    unsigned out = shown(a, b) ? 2 : 0;
    if (triangle == 0 && shown(0, a)) out |= 1;
    if (b + 1 == piece.count && shown(b, 0)) out |= 4;
    return static_cast<std::uint8_t>(out);
}

}  // namespace

Clip::Clip(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_module(module_name),
      ClipBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      input_(batch_in, env, clock, wakeup_, params_.queue_depth),
      output_(batch_out, clock, wakeup_),
      traffic_(mem_out, env, clock, wakeup_, Cycles(params_.line_cycles)) {
    enlist(env, params_, stats_, signals_);
    output_.on_phase = [this](ClippedBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
        if (phase == kVerticesRead) input_.tell(*static_cast<Made&>(batch).from, phase, at);
    };
    output_.on_ended = [this](ClippedBatch& batch, Cycles at) {
        auto& made = static_cast<Made&>(batch);
        input_.end(*made.from, at);
        made_pool_.put(made);
    };
    traffic_.take_urb_directly();
    wakeup_.runs<&Clip::step>(this);
}

Clip::~Clip() = default;

void Clip::step() {
    const Cycles now = clock_.now();
    const StageActivity activity = take_and_work(
        input_, now, [this] { return jobs_.size() < params_.batches; },
        [this](PrimitiveBatch& batch) { begin(batch); }, [this](Cycles at) { return work(at); });
    account_.hold(activity, now);
    traffic_.step(now);
    input_.wake(now);
    output_.wake(now);
}

std::shared_ptr<Clip::Facts> Clip::facts_of(const Draw& draw) {
    if (facts_ && facts_->order == draw.order) return facts_;
    facts_ = std::make_shared<Facts>();
    Facts& facts = *facts_;
    facts.order = draw.order;
    facts.state = decode(*draw.state);
    if (facts.state.masks_overlap)
        env_.reporter.guest_error("3DSTATE_CLIP", place_of(draw, "clip"),
                                  "a distance is both for clipping and for culling (CL-07); it "
                                  "clips");
    if (facts.state.reads_viewports()) {
        MemoryAttributes who;
        who.requester = Requester::StateCache;
        who.mocs = draw.state->dynamic_mocs;
        who.trace_id = draw.trace_id;
        facts.group = traffic_.open();
        facts.reading = true;
        traffic_.read(facts.group, facts.state.viewports.value, facts.viewports.data(),
                      (facts.state.last_viewport + 1u) * kViewportDwords * 4, who);
    }
    return facts_;
}

void Clip::begin(PrimitiveBatch& batch) {
    ++stats_.batches;
    Job& job = jobs_pool_.get();
    jobs_.push_back(&job);
    job.batch = &batch;
    job.facts = facts_of(*batch.draw);
    job.group = traffic_.open();
    job.entries.resize(batch.vertices.size());
    job.used.assign(batch.vertices.size(), 0);
    for (const PrimitiveObject& object : batch.objects) {
        if (packets::is_patch(object.topology)) continue;
        for (unsigned i = 0; i < own_vertices(object.topology); ++i)
            job.used[object.vertices[own_vertex(object, i)]] = 1;
    }
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    who.trace_id = batch.trace_id;
    const unsigned dwords = job.facts->state.reads_distances() ? kVertexDwords : kHeaderDwords;
    for (std::size_t v = 0; v < batch.vertices.size(); ++v) {
        if (!job.used[v]) continue;
        ++stats_.vertices;
        traffic_.read(job.group, std::uint64_t{batch.vertices[v].urb_row} * kRowBytes,
                      job.entries[v].data(), dwords * 4, who);
    }
}

bool Clip::read(Job& job, Cycles now) {
    Facts& facts = *job.facts;
    const Draw& draw = *job.batch->draw;
    if (facts.reading) {
        if (!traffic_.over(facts.group, now)) return false;
        if (traffic_.failed(facts.group))
            env_.reporter.guest_error("SF_CLIP_VIEWPORT", place_of(draw, "clip"),
                                      "not mapped; the guard band is empty");
        traffic_.close(facts.group);
        facts.reading = false;
        for (unsigned i = 0; i <= facts.state.last_viewport; ++i)
            facts.guards[i] = guard_band(
                std::span(facts.viewports).subspan(i * kViewportDwords, kViewportDwords));
    }
    if (!traffic_.over(job.group, now)) return false;
    if (traffic_.failed(job.group))
        env_.reporter.guest_error("URB entry", place_of(draw, "clip"),
                                  "a vertex lies outside of the URB; it is read as zeros");
    return true;
}

StageActivity Clip::work(Cycles now) {
    while (!jobs_.empty()) {
        Job& job = *jobs_.front();
        signals_.draw.set(job.batch->draw->work.number & 0xFFFF, now);
        if (made_ == nullptr) {
            if (!read(job, now)) return StageActivity::WaitMemory;
            made_ = &made_pool_.get();
            const Cycles cost = make(job, *made_);
            made_at_ = env_.timed() ? now + cost : now;
        }
        if (made_at_ > now) {
            wakeup_.at(made_at_);
            return StageActivity::Working;
        }
        const bool clears = job.batch->draw->work.kind == WorkKind::Clear;
        if (!made_->objects.empty() || clears) {
            if (!output_.can_send(now)) return StageActivity::WaitNext;
            output_.send(*std::exchange(made_, nullptr));
        } else {
            leave(*std::exchange(made_, nullptr), now);
        }
        traffic_.close(job.group);
        job.facts.reset();
        jobs_pool_.put(job);
        jobs_.pop_front();
    }
    return StageActivity::Idle;
}

void Clip::leave(Made& made, Cycles now) {
    const Cycles next = env_.timed() ? now + Cycles(1) : now;
    input_.tell(*made.from, kVerticesRead, next);
    input_.end(*made.from, next);
    made_pool_.put(made);
}

Cycles Clip::make(Job& job, Made& made) {
    const PrimitiveBatch& batch = *job.batch;
    made.from = job.batch;
    made.batch = job.batch;
    made.objects.clear();
    const std::uint64_t cut_before = stats_.cut.value();
    for (std::uint32_t i = 0; i < batch.objects.size(); ++i)
        make_object(job, i, made);
    stats_.objects += batch.objects.size();
    if (DrawCounts* counts = batch.draw->counts) {
        if (job.facts->state.counts_objects) counts->cl_invocations += batch.objects.size();
        if (job.facts->state.counts_primitives) counts->cl_primitives += made.objects.size();
    }
    return Cycles(batch.objects.size() * params_.object_cycles +
                  (stats_.cut.value() - cut_before) * params_.cut_cycles);
}

void Clip::make_object(const Job& job, std::uint32_t number, Made& made) {
    const PrimitiveBatch& batch = *job.batch;
    const PrimitiveObject& from = batch.objects[number];
    const DrawState& state = job.facts->state;
    // CL-03: no patch passes the clipper.
    if (packets::is_patch(from.topology)) return void(++stats_.rejected);

    ClippedObject object;
    object.object = number;
    object.topology = packets::without_adjacency(from.topology);
    object.count = static_cast<std::uint8_t>(own_vertices(from.topology));
    object.edges = from.edges;
    // Assumed: what follows in the next batch goes on with the strip of no line of this one.
    object.last_of_strip = number + 1 == batch.objects.size() || batch.objects[number + 1].starts;
    std::array<Vertex, 3> vertices;
    for (unsigned i = 0; i < object.count; ++i) {
        object.vertices[i] = from.vertices[own_vertex(from, i)];
        const Entry& entry = job.entries[object.vertices[i]];
        vertices[i] = vertex_of(entry, state.reads_distances());
        object.corners[i].point_width = point_width(state, entry);
    }
    const unsigned leading = packets::provoking_vertex(object.topology, state.provoking);
    const Entry& leader = job.entries[object.vertices[leading]];
    object.viewport = static_cast<std::uint8_t>(viewport_index(state, leader));
    object.render_target_index = static_cast<std::uint16_t>(target_index(state, leader));

    State tests = state.tests;
    tests.guard = job.facts->guards[object.viewport];
    const auto all = std::span<const Vertex>(vertices).first(object.count);
    Fate fate = state.enabled ? classify(tests, all) : Fate::Accept;
    // Rectangles are on the screen already: nothing of one is cut off.
    const bool cuts = object.count > 1 && object.topology != packets::Topology::RectList;
    if (fate == Fate::Cut && !cuts) fate = Fate::Accept;
    switch (fate) {
        case Fate::Reject:
            ++stats_.rejected;
            return;
        case Fate::Bad:
            ++stats_.bad;
            return;
        case Fate::Cut:
            ++stats_.cut;
            make_pieces(object, all, from.edges, tests, made);
            return;
        case Fate::Accept:
            ++stats_.accepted;
            break;
    }
    for (unsigned i = 0; i < object.count; ++i)
        object.corners[i].position =
            tests.divides ? divided(vertices[i].position) : vertices[i].position;
    made.objects.push_back(object);
}

void Clip::make_pieces(const ClippedObject& whole, std::span<const Vertex> vertices,
                       std::uint8_t edges, const State& tests, Made& made) {
    const Piece piece = cut(tests, vertices);
    if (piece.count == 0) return;
    PieceOfObject facts;
    facts.in_front = whole.count == 3;
    for (unsigned i = 0; i < whole.count; ++i) {
        const auto& position = vertices[i].position;
        facts.in_front &= !tests.divides || (position[3] > 0 && std::isfinite(position[3]));
        facts.whole[i] = tests.divides ? divided(position) : position;
    }
    const auto corner = [&](ClippedObject& object, unsigned place, unsigned number) {
        const Corner& from = piece.corners[number];
        object.corners[place].position = tests.divides ? divided(from.position) : from.position;
        object.corners[place].point_width =
            from.original >= 0 ? whole.corners[static_cast<unsigned>(from.original)].point_width
                               : whole.corners[0].point_width;
        PieceOfObject& weights = *object.piece;
        weights.b1[place] = static_cast<float>(from.b1);
        weights.b2[place] = static_cast<float>(from.b2);
        weights.l1[place] = static_cast<float>(from.l1);
        weights.l2[place] = static_cast<float>(from.l2);
    };
    ClippedObject object = whole;
    object.piece = facts;
    if (whole.count == 2) {
        corner(object, 0, 0);
        corner(object, 1, 1);
        object.far_end = piece.corners[1].original == 1;
        made.objects.push_back(object);
        ++stats_.pieces;
        return;
    }
    for (unsigned triangle = 0; triangle + 2 < piece.count; ++triangle) {
        corner(object, 0, 0);
        corner(object, 1, triangle + 1);
        corner(object, 2, triangle + 2);
        object.edges = shown_edges(piece, edges, triangle);
        made.objects.push_back(object);
        ++stats_.pieces;
    }
}

std::string Clip::describe_waiting() const {
    if (jobs_.empty()) return {};
    const std::string draw = place_of(*jobs_.front()->batch->draw, "clip");
    if (made_ == nullptr) return draw + ": waits for vertices from the URB";
    return draw + ": waits until set-up takes a batch";
}

}  // namespace gen9::clip

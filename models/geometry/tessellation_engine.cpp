// SPDX-License-Identifier: Apache-2.0
#include "geometry/tessellation_engine.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

constexpr unsigned kHeaderBytes = kPatchHeaderDwords * 4;

packets::Topology topology_of(unsigned object_vertices) {
    switch (object_vertices) {
        case 1:
            return packets::Topology::PointList;
        case 2:
            return packets::Topology::LineStrip;
        default:
            return packets::Topology::TriList;
    }
}

}  // namespace

TessellationEngine::TessellationEngine(sc_core::sc_module_name module_name, Environment& env,
                                       const Clock& clock)
    : sc_module(module_name),
      TessellationBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      in_(batch_in, env_, clock_, wakeup_, params_.batch_queue) {
    enlist(env, params_, stats_, signals_);
    out_.on_phase = [this](DomainBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
        if (batch.passed)
            in_.tell(*batch.passed, phase, at);
        else
            returns_.add(static_cast<Points&>(batch), false, at);
    };
    out_.on_ended = [this](DomainBatch& batch, Cycles at) {
        returns_.add(static_cast<Points&>(batch), true, at);
    };
    traffic_.take_urb_directly();
    wakeup_.runs<&TessellationEngine::step>(this);
}

TessellationEngine::~TessellationEngine() = default;

// --- Steps

void TessellationEngine::step() {
    const Cycles now = clock_.now();
    const auto worked = step_.run(now, [this](Cycles at) { return work(at); });
    if (!worked) return;
    traffic_.step(now);
    show(now, *worked);
    if (busy_until_ > now) wakeup_.at(busy_until_);
    returns_.wake(now);
    in_.wake(now);
    out_.wake(now);
}

bool TessellationEngine::work(Cycles now) {
    bool worked = take_back(now);
    worked |= send(now);
    worked |= make(now);
    worked |= take(now);
    return worked;
}

bool TessellationEngine::take_back(Cycles now) {
    return returns_.take(now, [&](Points& points, bool ended) {
        Job& job = *points.job;
        if (std::exchange(points.holds_records, false) && --job.unread == 0 && job.all_made)
            in_.tell(*job.batch, kVerticesRead, now + Cycles(env_.timed() ? 1 : 0));
        if (!ended) return;
        --job.open;
        points_pool_.put(points);
        end_if_over(job, now);
    });
}

bool TessellationEngine::send(Cycles now) {
    if (ready_.empty() || ready_.front()->ready > now || !out_.can_send(now)) return false;
    Points& points = *ready_.front();
    ready_.pop_front();
    ++sent_;
    out_.send(points);
    return true;
}

bool TessellationEngine::take(Cycles now) {
    if (jobs_.size() >= params_.batches || in_.front(now) == nullptr) return false;
    PrimitiveBatch& taken = in_.take(now);
    ++stats_.batches;
    signals_.draw.set(taken.draw->work.number & 0xFFFF, now);
    Job& job = job_pool_.get();
    job.batch = &taken;
    job.state = state_of(taken);
    job.next_patch = 0;
    job.all_made = false;
    job.unread = job.open = 0;
    jobs_.push_back(&job);
    if (!job.state) return true;
    job.headers.resize(taken.objects.size() * kPatchHeaderDwords);
    job.traffic = traffic_.open();
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    who.trace_id = taken.trace_id;
    for (std::size_t n = 0; n < taken.objects.size(); ++n)
        traffic_.read(
            job.traffic,
            std::uint64_t{taken.vertices[taken.objects[n].vertices[0]].urb_row} * kGrfBytes,
            job.headers.data() + n * kPatchHeaderDwords, kHeaderBytes, who);
    stats_.urb_bytes += job.headers.size() * 4;
    return true;
}

std::optional<TessellatorState> TessellationEngine::state_of(const PrimitiveBatch& batch) {
    namespace te = packets::STATE_TE;
    static const auto& row = packets::command_named("3DSTATE_TE");
    static const auto& hull_row = packets::command_named("3DSTATE_HS");
    static const auto& domain_row = packets::command_named("3DSTATE_DS");
    if (batch.objects.empty()) return {};
    const Draw& draw = *batch.draw;
    const auto given = latched(*draw.state, row);
    const bool enabled = te::TEEnable.get(given);
    const bool has_records = packets::STATE_HS::Enable.get(latched(*draw.state, hull_row));
    const auto report = [&](const std::string& text) {
        env_.reporter.guest_error("3DSTATE_TE", place_of(draw, "tessellation"), text);
    };
    // HS-02: all of them or none, else it is undefined.
    if (enabled != has_records) {
        report(enabled ? "it is enabled without a hull shader; patches pass"
                       : "it is not enabled behind a hull shader; patches pass");
        return {};
    }
    if (!enabled) {
        if (packets::STATE_DS::Enable.get(latched(*draw.state, domain_row)))
            report("it is not enabled before a domain shader; patches pass");
        return {};
    }
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(given));
    };
    TessellatorState state;
    const std::uint32_t domain = value(te::TEDomain), partitioning = value(te::Partitioning);
    if (domain > static_cast<std::uint32_t>(Domain::Isoline))
        report("domain " + std::to_string(domain) + " does not exist; it is taken as a quad");
    else
        state.domain = static_cast<Domain>(domain);
    if (partitioning > static_cast<std::uint32_t>(Partitioning::EvenFractional))
        report("partitioning " + std::to_string(partitioning) +
               " does not exist; it is taken as INTEGER");
    else
        state.partitioning = static_cast<Partitioning>(partitioning);
    state.output = static_cast<DomainOutput>(value(te::OutputTopology));
    // TE-09.
    const bool lines = state.output == DomainOutput::Line;
    if (state.output != DomainOutput::Point && lines != (state.domain == Domain::Isoline)) {
        report("its domain does not make objects of its output topology; it makes points");
        state.output = DomainOutput::Point;
    }
    state.max_odd = std::bit_cast<float>(value(te::MaximumTessellationFactorOdd));
    state.max_not_odd = std::bit_cast<float>(value(te::MaximumTessellationFactorNotOdd));
    return state;
}

// --- Points and objects

TessellationEngine::Points& TessellationEngine::new_points(Job& job) {
    Points& points = points_pool_.get();
    points.job = &job;
    points.passed = job.state ? nullptr : job.batch;
    points.draw = job.batch->draw;
    points.instance = job.batch->instance;
    points.record_rows = job.batch->entry_rows;
    points.trace_id = job.batch->trace_id;
    points.continues = points.goes_on = false;
    points.patches.clear();
    points.points.clear();
    points.objects.clear();
    points.holds_records = job.state.has_value();
    ++batches_made_;
    ++job.open;
    if (job.state) ++job.unread;
    return points;
}

/// Tessellates the job's next patch. False: there is none.
bool TessellationEngine::begin_patch(Job& job) {
    const auto& objects = job.batch->objects;
    if (job.next_patch == objects.size()) return false;
    const std::span<const std::uint32_t, kPatchHeaderDwords> header(
        job.headers.data() + job.next_patch * kPatchHeaderDwords, kPatchHeaderDwords);
    const PrimitiveObject& patch = objects[job.next_patch++];
    patch_at_hand_ = {job.batch->vertices[patch.vertices[0]].urb_row, patch.primitive_id};
    tessellate(*job.state, factors_of(job.state->domain, header), patch_);
    next_vertex_ = 0;
    places_.assign(patch_.points.size(), {});
    ++stats_.patches;
    if (patch_.points.empty()) ++stats_.culled;
    stats_.points += patch_.points.size();
    return true;
}

std::uint32_t TessellationEngine::number_of(Points& points, std::uint16_t place) {
    Place& known = places_[place];
    if (known.batch != batches_made_) {
        const bool is_new = known.batch == 0;
        known = {batches_made_, static_cast<std::uint32_t>(points.points.size())};
        const auto coordinate = [](std::uint32_t fixed) {
            return static_cast<float>(fixed) / kDomainOne;
        };
        const DomainPlace& at = patch_.points[place];
        points.points.push_back({coordinate(at.u), coordinate(at.v),
                                 static_cast<std::uint32_t>(points.patches.size() - 1), is_new});
    }
    return known.number;
}

bool TessellationEngine::make(Cycles now) {
    if (jobs_.empty() || ready_.size() >= params_.ready || now < busy_until_) return false;
    Job& job = *jobs_.front();
    if (!job.state) {
        ready_.push_back(&new_points(job));
        ready_.back()->ready = now;
        finish(job, now);
        return true;
    }
    if (!traffic_.over(job.traffic, now)) return false;
    Points* points = nullptr;
    while (true) {
        if (next_vertex_ == patch_.vertices.size()) {
            if (!begin_patch(job)) break;
            continue;
        }
        if (points && points->objects.size() == PrimitiveBatch::kObjects) break;
        if (!points) {
            points = &new_points(job);
            points->continues = next_vertex_ != 0;
        }
        if (points->patches.empty() || next_vertex_ == 0) points->patches.push_back(patch_at_hand_);
        add_object(*points);
    }
    if (points) {
        const Cycles cost((points->objects.size() + params_.objects_per_clock - 1) /
                          params_.objects_per_clock);
        busy_until_ = env_.timed() ? now + cost : now;
        points->ready = busy_until_;
        points->goes_on = next_vertex_ != patch_.vertices.size();
        stats_.objects += points->objects.size();
        ready_.push_back(points);
    }
    if (next_vertex_ == patch_.vertices.size() && job.next_patch == job.batch->objects.size())
        finish(job, now);
    return true;
}

void TessellationEngine::add_object(Points& points) {
    PrimitiveObject& object = points.objects.emplace_back();
    object.topology = topology_of(patch_.object_vertices);
    object.count = patch_.object_vertices;
    object.starts = next_vertex_ / patch_.object_vertices % patch_.strip == 0;
    object.primitive_id = patch_at_hand_.primitive_id;
    for (unsigned i = 0; i < object.count; ++i)
        object.vertices[i] = number_of(points, patch_.vertices[next_vertex_++]);
}

void TessellationEngine::finish(Job& job, Cycles now) {
    job.all_made = true;
    jobs_.pop_front();
    if (job.state) {
        traffic_.close(job.traffic);
        if (job.unread == 0 && job.open != 0)
            in_.tell(*job.batch, kVerticesRead, now + Cycles(env_.timed() ? 1 : 0));
    }
    end_if_over(job, now);
}

void TessellationEngine::end_if_over(Job& job, Cycles now) {
    if (!job.all_made || job.open != 0) return;
    in_.end(*job.batch, now);
    job_pool_.put(job);
}

// --- Reports

void TessellationEngine::show(Cycles now, bool worked) {
    StageActivity activity = StageActivity::Idle;
    if (env_.timed() && (worked || now < busy_until_))
        activity = StageActivity::Working;
    else if (!ready_.empty())
        activity = StageActivity::WaitNext;
    else if (!jobs_.empty())
        activity = StageActivity::WaitMemory;
    account_.hold(activity, now);
    if (!signals_.watched()) return;
    signals_.batches.set(jobs_.size(), now);
    signals_.ready.set(ready_.size(), now);
}

std::string TessellationEngine::describe_waiting() const {
    if (jobs_.empty() && ready_.empty() && in_.waiting() == 0) return {};
    std::string text = stats_.path() + ": ";
    if (!ready_.empty())
        text += "draw " + std::to_string(ready_.front()->draw->work.number) +
                ": the domain shader stage does not take a batch, ";
    else if (!jobs_.empty())
        text += "draw " + std::to_string(jobs_.front()->batch->draw->work.number) + ": ";
    return text + std::to_string(jobs_.size() + in_.waiting()) + " batches of patches at hand\n";
}

}  // namespace gen9::geometry

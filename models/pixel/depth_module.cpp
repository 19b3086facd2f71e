// SPDX-License-Identifier: Apache-2.0
#include "pixel/depth_module.h"

#include <algorithm>
#include <bit>

#include "common/check.h"
#include "packets/draw/pixels.h"

namespace gen9::pixel {

namespace {

constexpr std::size_t kDraws = 8;
constexpr const char* kDepthStage = "depth and stencil";
constexpr std::uint64_t kAddressBits = std::uint64_t{1} << 48;

}  // namespace

DepthUnit::DepthUnit(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_module(module_name),
      DepthBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      pages_(mem_out, pool_),
      wakeup_(clock),
      input_(pixel_in, env, clock, wakeup_, params_.queue_batches),
      output_(pixel_out, clock, wakeup_),
      traffic_(mem_out, env, clock, wakeup_),
      account_(stats_, signals_) {
    enlist(env, params_, stats_, signals_);
    late_in.on_blocking = [this](DepthTest& test, sc_core::sc_time& delay) {
        test_late(test, delay);
    };
    control_in.takes({.invalidate_tlb = true},
                     [this](const MemoryAttributes&, sc_core::sc_time&) { pages_.forget(); });
    mem_out.on_invalidate = [this](std::uint64_t, std::uint64_t) { pages_.forget(); };
    output_.on_ended = [this](PixelBatch& batch, Cycles at) {
        for (Job* const job : passed_jobs_)
            if (&job->out == &batch || (!job->tests && job->in == &batch)) {
                job->returned = true;
                job->returned_at = at;
            }
        wakeup_.at(at);
    };
    wakeup_.runs<&DepthUnit::step>(this);
}

DepthUnit::~DepthUnit() = default;

// --- State

DepthUnit::DrawPtr DepthUnit::find_draw(const Draw& draw, sc_core::sc_time& delay) {
    for (const DrawPtr& known : draws_)
        if (known->draw == draw.order) return known;
    auto made = std::make_shared<DepthDraw>(read_depth_draw(draw));
    if (made->uses_depth() && !made->has_clear_depth()) {
        namespace pointer = packets::STATE_VIEWPORT_STATE_POINTERS_CC;
        const std::uint64_t offset = pointer::CCViewportPointer.get(
            latched(*draw.state, PixelCommands::rows().depth_viewport));
        std::array<std::uint32_t, 32> dwords{};
        const bool mapped = read_blocking(
            mem_out, pool_, (draw.state->dynamic_state_base.value + offset) % kAddressBits,
            dwords.data(), sizeof dwords,
            {.requester = Requester::StateCache,
             .mocs = draw.state->dynamic_mocs,
             .trace_id = draw.trace_id,
             .thread = {}},
            delay);
        if (!mapped && dwords == std::array<std::uint32_t, 32>{})
            env_.reporter.guest_error("depth range", place_of(draw, kDepthStage),
                                      "CC_VIEWPORT is not mapped; it reads as zeros");
        read_ranges(dwords, *made);
    }
    if (draws_.size() < kDraws)
        draws_.push_back(made);
    else
        draws_[next_draw_++ % kDraws] = made;
    return made;
}

MemoryAttributes DepthUnit::access_of(const Draw& draw, const DepthDraw& state,
                                      Requester of) const {
    MemoryAttributes who;
    who.requester = of;
    who.uncached = true;  // L3 keeps none of it
    who.mocs = of == Requester::Depth ? state.depth_mocs : state.stencil_mocs;
    who.trace_id = draw.trace_id;
    return who;
}

void DepthUnit::report_unmapped(const Draw& draw) const {
    env_.reporter.guest_error("depth buffer", place_of(draw, kDepthStage),
                              "some of the depth or stencil buffer is not mapped; it reads as "
                              "zeros");
}

// --- Batches

void DepthUnit::step() {
    const Cycles now = clock_.now();
    traffic_.step(now);
    for (std::size_t i = 0; i < passed_jobs_.size();) {
        Job& job = *passed_jobs_[i];
        if (!job.returned || job.returned_at > now ||
            (job.tests && !traffic_.over(job.group, now))) {
            ++i;
            continue;
        }
        passed_jobs_.erase(passed_jobs_.begin() + static_cast<std::ptrdiff_t>(i));
        close(job, now);
    }
    for (;;) {
        if (current_ != nullptr && !go_on(*current_, now)) break;
        if (!begin(now)) break;
    }
    // A wakeup keeps one cycle only.
    input_.wake(now);
    output_.wake(now);
    if (current_ != nullptr && current_->ready > now) wakeup_.at(current_->ready);
    for (const Job* const job : passed_jobs_)
        if (job->returned && job->returned_at > now) wakeup_.at(job->returned_at);
    account_.hold(activity(now), now);
}

StageActivity DepthUnit::activity(Cycles now) const {
    if (current_ == nullptr) {
        if (input_.front(now) != nullptr) return StageActivity::WaitThreads;
        return passed_jobs_.empty() ? StageActivity::Idle : StageActivity::WaitThreads;
    }
    if (current_->ready > now) return StageActivity::Working;
    return current_->stage == Job::Stage::Passing ? StageActivity::WaitNext
                                                  : StageActivity::WaitMemory;
}

/// Takes the next batch, if it is there and its tests need not wait.
bool DepthUnit::begin(Cycles now) {
    PixelBatch* const in = input_.front(now);
    if (in == nullptr) return false;
    const Draw& draw = *in->objects->draw;
    sc_core::sc_time delay;
    const DrawPtr state = find_draw(draw, delay);
    const bool late = !state->time.write_early && (state->tests() || state->statistics);
    bool tests = state->tests() && state->time.test_early;
    if (tests && late_out_ != 0) {
        // What they will store decides, unless the test is made again.
        if (state->time.write_early) return false;
        tests = false;
    }
    if (free_jobs_.empty()) free_jobs_.push_back(jobs_.emplace_back(std::make_unique<Job>()).get());
    Job& job = *free_jobs_.back();
    free_jobs_.pop_back();
    current_ = &job;
    job.in = &input_.take(now);
    job.draw = state;
    job.tests = tests;
    job.late = late;
    job.returned = false;
    job.ready = now;
    ++stats_.batches;
    signals_.draw.set(draw.work.number & 0xFFFF, now);
    count_blocks(job);
    job.stage = tests ? Job::Stage::Reading : Job::Stage::Passing;
    if (env_.timed()) {
        std::uint64_t pixels = 0;
        for (const PixelBlock& block : in->blocks)
            pixels +=
                block.samples * std::uint64_t{static_cast<unsigned>(std::popcount(block.lit))};
        const std::uint64_t rate =
            state->clears ? params_.clear_pixels_per_clock.get() : params_.pixels_per_clock.get();
        job.ready = now + clock_.cycles(delay) + Cycles((pixels + rate - 1) / rate);
        wakeup_.at(job.ready);
    }
    if (!tests) return true;
    job.group = traffic_.open();
    if (!env_.timed()) return true;
    find_lines(*state, *in);
    // A clear of whole lines needs to know nothing of them.
    if (!state->clears)
        for (LineSet::Line& line : lines_.lines())
            traffic_.read(job.group, line.address, line.data, kLineBytes,
                          access_of(draw, *state, line.of));
    stats_.lines_read += state->clears ? 0 : lines_.lines().size();
    traffic_.step(now);
    return true;
}

void DepthUnit::count_blocks(const Job& job) {
    const DepthDraw& draw = *job.draw;
    std::uint64_t samples = 0, slots = 0;
    for (const PixelBlock& block : job.in->blocks) {
        std::uint64_t covered = 0;
        for (unsigned s = 0; s < block.samples; ++s)
            covered += static_cast<unsigned>(std::popcount(block.covered[s]));
        const auto pixels = static_cast<unsigned>(std::popcount(block.lit));
        samples += draw.merges_once ? pixels : covered;
        slots += draw.per_sample ? covered : pixels;
    }
    stats_.blocks += job.in->blocks.size();
    if (draw.clears) stats_.pixels_cleared += slots;
    if (!draw.statistics) return;
    const Draw& of = *job.in->objects->draw;
    if (draw.has_shader) {
        stats_.invocations += slots;
        if (of.counts != nullptr) of.counts->ps_invocations += slots;
    }
    if (!draw.tests() && !job.late) count_passed(of, samples);
}

void DepthUnit::count_passed(const Draw& draw, std::uint64_t samples) {
    stats_.samples_passed += samples;
    if (draw.counts != nullptr) draw.counts->ps_depth += samples;
}

/// True: the job has passed, and the next may be taken.
bool DepthUnit::go_on(Job& job, Cycles now) {
    if (job.ready > now) return false;
    const Draw& draw = *job.in->objects->draw;
    if (job.stage == Job::Stage::Reading) {
        if (!traffic_.over(job.group, now)) return false;
        test_batch(job);
        if (traffic_.failed(job.group)) report_unmapped(draw);
        traffic_.step(now);
        job.stage = Job::Stage::Passing;
    }
    // What is tested late must find what was written early.
    if (job.late)
        for (const Job* const other : passed_jobs_)
            if (other->tests && !traffic_.over(other->group, now)) return false;
    if (job.draw->clears || (job.tests && job.out.blocks.empty())) {
        job.returned = true;
        job.returned_at = now;
    } else {
        if (!output_.can_send(now)) return false;
        output_.send(job.tests ? job.out : *job.in);
        late_out_ += job.late;
    }
    job.stage = Job::Stage::Passed;
    current_ = nullptr;
    if (job.returned && (!job.tests || traffic_.over(job.group, now)))
        close(job, now);
    else
        passed_jobs_.push_back(&job);
    return true;
}

void DepthUnit::close(Job& job, Cycles now) {
    if (job.tests) traffic_.close(job.group);
    const bool went_on = !(job.draw->clears || (job.tests && job.out.blocks.empty()));
    if (job.late && went_on) --late_out_;
    input_.end(*job.in, now);
    job.draw.reset();
    free_jobs_.push_back(&job);
}

std::string DepthUnit::describe_waiting() const {
    std::string text;
    if (current_ != nullptr) text = "a batch of pixels waits for memory or for the next stage";
    if (input_.waiting() != 0 && late_out_ != 0)
        text =
            "early tests wait for " + std::to_string(late_out_) + " batches whose tests come late";
    return text.empty() ? text : std::string(name()) + ": " + text;
}

}  // namespace gen9::pixel

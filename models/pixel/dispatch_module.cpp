// SPDX-License-Identifier: Apache-2.0
#include "pixel/dispatch_module.h"

#include <algorithm>
#include <bit>

#include "common/check.h"

namespace gen9::pixel {

namespace {

/// Assumed: the seeds give FFID codes for no unit; nothing in a kernel depends on it.
constexpr std::uint8_t kPixelFfid = 0;
constexpr std::uint16_t kDependencyValid = 0x8000;
constexpr unsigned kMaxConstants = 64;  ///< registers (FF-81)
constexpr const char* kStage = "pixel shader";

constexpr std::uint32_t kGroup = 0xF;
/// Nobody knows how many pixels of a draw the stages before have.
constexpr std::uint64_t kManyThreads = std::uint64_t{1} << 32;

/// Samples of 2x2 pixels of one sample each, by the mask of those that are covered.
constexpr auto kOneSample = [] {
    std::array<std::array<std::uint16_t, 4>, 16> samples{};
    for (unsigned covered = 0; covered < samples.size(); ++covered)
        for (unsigned p = 0; p < 4; ++p)
            samples[covered][p] = static_cast<std::uint16_t>(covered >> p & 1);
    return samples;
}();

/// Where a pixel of a 2x2 block is in the masks of its block of 8x4.
constexpr unsigned pixel_of(unsigned subspan, unsigned pixel) {
    return subspan / 4 * 16 + subspan % 4 * 2 + pixel / 2 * 8 + pixel % 2;
}

}  // namespace

PixelDispatch::PixelDispatch(sc_core::sc_module_name module_name, Environment& env,
                             const Clock& clock, const PixelDispatchSetup& setup)
    : sc_module(module_name),
      PixelDispatchBlock(env),
      env_(env),
      clock_(clock),
      setup_(setup),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      input_(pixel_in, env, clock, wakeup_, params_.queue_batches),
      traffic_(mem_out, env, clock, wakeup_),
      account_(stats_, signals_),
      records_(setup.topology.total_threads()),
      depended_(setup.topology.total_threads()),
      scoreboard_(setup.topology.total_threads()) {
    enlist(env, params_, stats_, signals_);
    request_out.on_backward = [this](ThreadRequest& request, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) { return on_request(request, phase); };
    wakeup_.runs<&PixelDispatch::step>(this);
}

PixelDispatch::~PixelDispatch() = default;

// --- Batches

void PixelDispatch::step() {
    const Cycles now = clock_.now();
    stepping_ = true;
    traffic_.step(now);
    while (pending_ == nullptr) {
        PixelBatch* const batch = input_.front(now);
        if (batch == nullptr || !prepared(*batch->objects->draw, now)) break;
        begin(input_.take(now), now);
    }
    stepping_ = false;
    input_.wake(now);
    account_.hold(activity(now), now);
}

StageActivity PixelDispatch::activity(Cycles now) const {
    if (reading_) return StageActivity::WaitMemory;
    if (pending_ != nullptr) {
        const bool works =
            pending_state_ == SendState::Sending || pending_state_ == SendState::FrontEnd;
        return works ? StageActivity::Working : StageActivity::WaitThreads;
    }
    if (input_.front(now) != nullptr) return StageActivity::Working;
    return live_ != 0 ? StageActivity::WaitThreads : StageActivity::Idle;
}

bool PixelDispatch::prepared(const Draw& draw, Cycles now) {
    if (!draw_ || *draw_ != draw.order) {
        draw_ = draw.order;
        state_ = read_shader_state(*draw.state);
        signals_.draw.set(draw.work.number & 0xFFFF, now);
        unsigned registers = 0;
        for (const ConstantRange& range : state_.constants)
            registers += range.registers;
        if (registers > kMaxConstants) {
            env_.reporter.guest_error(
                "push constants", place_of(draw, kStage),
                "3DSTATE_CONSTANT_PS asks for more than 64 registers; none are delivered");
            registers = 0;
        }
        constants_.assign(registers, Grf{});
        if (registers != 0 && state_.dispatches) {
            reading_ = traffic_.open();
            MemoryAttributes who;
            who.requester = Requester::ConstantCache;
            who.mocs = state_.constants_mocs;
            who.trace_id = draw.trace_id;
            std::uint8_t* to = constants_.front().bytes;
            for (unsigned i = 0; i < state_.constants.size(); ++i) {
                const ConstantRange& range = state_.constants[i];
                const auto bytes = static_cast<unsigned>(range.registers * kGrfBytes);
                const GpuAddr from =
                    draw.state->constants(i, range.address, draw.absolute_constants);
                traffic_.read(*reading_, from.value, to, bytes, who);
                to += bytes;
            }
            stats_.constants_read += registers * kGrfBytes;
            traffic_.step(now);
        }
    }
    if (!reading_) return true;
    if (!traffic_.over(*reading_, now)) return false;
    if (traffic_.failed(*reading_))
        env_.reporter.guest_error("push constants", place_of(draw, kStage),
                                  "3DSTATE_CONSTANT_PS names memory that is not mapped; it reads "
                                  "as zeros");
    traffic_.close(*reading_);
    reading_.reset();
    return true;
}

void PixelDispatch::begin(PixelBatch& batch, Cycles now) {
    const Draw& draw = *batch.objects->draw;
    ++stats_.batches;
    if (!state_.dispatches || !fits(draw, batch)) {
        for (const PixelBlock& block : batch.blocks)
            stats_.pixels_without_thread += static_cast<unsigned>(std::popcount(block.lit));
        return end(batch, now);
    }
    if (free_requests_.empty()) free_requests_.push_back(&requests_.emplace_back());
    Request& request = *free_requests_.back();
    plan(batch, request);
    if (request.planned.empty()) return end(batch, now);
    free_requests_.pop_back();
    static_cast<ThreadRequest&>(request) = {};
    request.batch = &batch;
    request.source = this;
    request.asks = request.awaits_messages = request.back_to_back = true;
    request.work_left = kManyThreads;
    request.work = draw.work.number;
    request.trace_id = draw.trace_id;
    request.threads = static_cast<std::uint32_t>(request.planned.size());
    request.max_threads =
        state_.max_threads * static_cast<unsigned>(std::popcount(setup_.subslices));
    request.subslices = setup_.subslices;
    const unsigned attributes = batch.objects->objects[batch.blocks.front().object].attribute_count;
    request.load_rows = static_cast<std::uint16_t>(payload_registers(
        state_, state_.kernels[static_cast<unsigned>(request.planned.front().width)],
        slots_of(request.planned.front().width), static_cast<unsigned>(constants_.size()),
        attributes));
    pending_ = &request;
    pending_state_ = SendState::Sending;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = env_.timed() ? clock_.until(next_thread_) : sc_core::SC_ZERO_TIME;
    request_out->nb_transport_fw(request, phase, delay);
}

void PixelDispatch::end(PixelBatch& batch, Cycles now) {
    input_.end(batch, now);
}

/// Does the payload of each width fit into the registers?
bool PixelDispatch::fits(const Draw& draw, const PixelBatch& batch) const {
    unsigned attributes = 0;
    for (const PixelBlock& block : batch.blocks)
        attributes =
            std::max<unsigned>(attributes, batch.objects->objects[block.object].attribute_count);
    for (unsigned w = 0; w < kWidths; ++w) {
        const PixelKernel& kernel = state_.kernels[w];
        if (!kernel.enabled) continue;
        if (payload_registers(state_, kernel, slots_of(static_cast<Width>(w)),
                              static_cast<unsigned>(constants_.size()), attributes) <= kGrfCount)
            continue;
        env_.reporter.guest_error("pixel shader payload", place_of(draw, kStage),
                                  "constants and set-up data go beyond the registers; nothing is "
                                  "drawn");
        return false;
    }
    return true;
}

// --- Threads of a batch

void PixelDispatch::plan(const PixelBatch& batch, Request& request) {
    request.groups.clear();
    request.planned.clear();
    std::size_t first = 0;
    for (std::size_t b = 0; b < batch.blocks.size(); ++b) {
        const PixelBlock& block = batch.blocks[b];
        if (b != 0 && block.object != batch.blocks[b - 1].object) {
            plan_object(first, request);
            first = request.groups.size();
        }
        const unsigned samples = state_.per_sample ? block.samples : 1;
        for (unsigned s = 0; s < 8; ++s) {
            if (subspan(block.lit, s) == 0) continue;
            for (unsigned sample = 0; sample < samples; ++sample) {
                // Samples come in pairs, of which R0 names the first.
                if (samples > 1 &&
                    subspan(block.covered[sample] | block.covered[sample ^ 1], s) == 0)
                    continue;
                request.groups.push_back({static_cast<std::uint16_t>(b),
                                          static_cast<std::uint8_t>(s),
                                          static_cast<std::uint8_t>(sample)});
            }
        }
    }
    plan_object(first, request);
}

void PixelDispatch::plan_object(std::size_t first, Request& request) const {
    for (std::size_t at = first; at < request.groups.size();) {
        const std::size_t waiting = request.groups.size() - at;
        const Width width = choose_width(state_, static_cast<unsigned>(waiting));
        const std::size_t groups = std::min<std::size_t>(waiting, subspans_of(width));
        request.planned.push_back(
            {static_cast<std::uint16_t>(at), static_cast<std::uint8_t>(groups), width});
        at += groups;
    }
}

void PixelDispatch::fill_record(const Request& request, const PlannedThread& planned,
                                PixelRecord& record) const {
    const ObjectBatch& objects = *request.batch->objects;
    const Quad* const groups = request.groups.data() + planned.first;
    const PixelBlock& first = request.batch->blocks[groups->block];
    record.draw = objects.draw;
    record.object = &objects.objects[first.object];
    record.order = objects.first + first.object;
    record.slice = static_cast<std::uint8_t>(setup_.slice);
    record.width = static_cast<std::uint8_t>(slots_of(planned.width));
    record.samples = state_.merges_once ? 1 : first.samples;
    record.per_sample = state_.per_sample;
    record.depth_done = state_.depth_done;
    record.lit = 0;
    for (unsigned g = planned.groups; g < PixelRecord::kSubspans; ++g)
        record.subspans[g] = {};
    for (unsigned g = 0; g < planned.groups; ++g) {
        PixelRecord::Subspan& subspan = record.subspans[g];
        const Quad& group = groups[g];
        const PixelBlock& block = request.batch->blocks[group.block];
        const unsigned left = group.subspan % 4 * 2, top = group.subspan / 4 * 2;
        subspan.x = static_cast<std::uint16_t>(block.x + static_cast<std::int32_t>(left));
        subspan.y = static_cast<std::uint16_t>(block.y + static_cast<std::int32_t>(top));
        subspan.sample = group.sample;
        subspan.used = true;
        if (block.samples == 1) [[likely]] {
            const std::uint32_t covered = gen9::subspan(block.covered[0], group.subspan);
            subspan.covered = kOneSample[covered];
            subspan.rasterised = {};
            record.lit |= covered << 4 * g;
            continue;
        }
        const PixelBlock& whole = block.rasterised();
        for (unsigned p = 0; p < 4; ++p) {
            const unsigned pixel = pixel_of(group.subspan, p);
            subspan.rasterised[p] = samples_of(whole, pixel);
            subspan.covered[p] = samples_of(block, pixel);
            if (state_.per_sample)
                subspan.covered[p] &= static_cast<std::uint16_t>(1u << group.sample);
            if (state_.merges_once) subspan.covered[p] = subspan.covered[p] != 0;
            record.lit |= std::uint32_t{subspan.covered[p] != 0} << (4 * g + p);
        }
    }
}

std::uint16_t PixelDispatch::input_coverage(const PixelBlock& block, unsigned pixel) const {
    if (state_.coverage == InputCoverage::Inner)
        return block.inner >> pixel & 1 ? static_cast<std::uint16_t>((1u << block.samples) - 1) : 0;
    return samples_of(state_.coverage == InputCoverage::Depth ? block : block.rasterised(), pixel);
}

SendState PixelDispatch::may_send(ThreadRequest& asked, Cycles now) {
    if (env_.timed() && now < next_thread_) return SendState::FrontEnd;
    Request& request = static_cast<Request&>(asked);
    fill_record(request, request.planned[request.sent], next_);
    dependencies_ = scoreboard_.find(next_);
    if (!dependencies_.too_many) return SendState::Sending;
    ++stats_.waits_for_pixels;
    return SendState::WaitScoreboard;
}

void PixelDispatch::make(ThreadRequest& asked, const ThreadGrant& grant, ThreadDispatch& thread) {
    Request& request = static_cast<Request&>(asked);
    const std::uint16_t fftid = grant.place.fftid(setup_.topology);
    records_[fftid] = next_;
    if (!grant.same_work) {
        thread.sideband.place = grant.place.address(setup_.topology);
        thread.sideband.fftid = fftid;
        thread.sideband.slm_base = thread.sideband.slm_size = 0;
        thread.gpgpu = {};
        thread.urb_handle_count = 0;
        thread.restored = false;
    }
    fill_thread(request, grant.number, grant.same_work, thread);
    ++live_;
    if (!env_.timed()) return;
    const std::uint64_t rate = params_.pixels_per_clock;
    next_thread_ = clock_.now() + Cycles((records_[fftid].width + rate - 1) / rate);
    if (grant.number + 1 == request.threads) return;
    tlm::tlm_phase phase = kOfferAgain;
    sc_core::sc_time delay = clock_.until(next_thread_);
    request_out->nb_transport_fw(request, phase, delay);
}

// It does what `ended`, `retired`, `may_send` and `make` do, for two threads of a draw. One that must
// wait for others goes the usual way.
bool PixelDispatch::make_next(ThreadRequest& last, ThreadRequest& asked, ThreadDispatch& thread,
                              Cycles) {
    Request& next = static_cast<Request&>(asked);
    const unsigned fftid = thread.sideband.fftid;
    scoreboard_.leave(fftid);
    fill_record(next, next.planned[next.sent], records_[fftid]);
    dependencies_ = scoreboard_.find(records_[fftid]);
    if (dependencies_.count != 0) return false;
    count_ended(static_cast<Request&>(last), thread);
    fill_thread(next, next.sent, true, thread);
    return true;
}

void PixelDispatch::fill_thread(Request& request, unsigned number, bool same_work,
                                ThreadDispatch& thread) {
    const PlannedThread& planned = request.planned[number];
    const Draw& draw = *request.batch->objects->draw;
    const PixelKernel& kernel = state_.kernels[static_cast<unsigned>(planned.width)];
    ThreadSideband& side = thread.sideband;
    const unsigned fftid = side.fftid;
    PixelRecord& record = records_[fftid];
    scoreboard_.enter(fftid, record);

    thread.dispatch_mask = 0;
    for (unsigned g = 0; g < planned.groups; ++g)
        if (record.lit >> 4 * g & kGroup) thread.dispatch_mask |= kGroup << 4 * g;
    thread.retire = {};
    const bool depends = dependencies_.count != 0;
    thread.repeats =
        same_work && !depended_[fftid] && !depends && thread.simd_width == record.width;
    depended_[fftid] = depends;
    if (!thread.repeats) {
        side.binding_table_offset = state_.binding_table;
        side.sampler_state_offset = state_.sampler_state;
        side.priority = state_.priority;
        side.context_start = draw.context_start;
        if (side.state != draw.state) side.state = draw.state;
        side.kernel_start = draw.state->instruction_base + kernel.start;
        thread.instruction_pointer = kernel.start;
        thread.uses_vector_mask = state_.vector_mask;
        thread.simd_width = record.width;
        thread.ffid = kPixelFfid;
        thread.alternate_float = state_.alternate_float;
        thread.single_program_flow = state_.single_program_flow;
        thread.rounding = state_.rounding;
        thread.illegal_opcode_exception = state_.illegal_opcode_exception;
        thread.software_exception = state_.software_exception;
        thread.stack_exception = state_.stack_exception;
        thread.stack_pointer = thread.stack_limit = 0;
        thread.dependency = {};
        for (unsigned i = 0; i < dependencies_.count; ++i)
            thread.dependency[i] = dependencies_.fftid[i] | kDependencyValid;
    }
    side.pixels = &record;
    side.of_geometry = false;

    PayloadFacts facts;
    facts.fftid = static_cast<std::uint16_t>(fftid);
    facts.thread = static_cast<std::uint32_t>(threads_sent_);
    facts.constants = constants_;
    if (state_.coverage != InputCoverage::None)
        for (unsigned slot = 0; slot < 4u * planned.groups; ++slot) {
            const Quad& group = request.groups[planned.first + slot / 4];
            facts.coverage[slot] = input_coverage(request.batch->blocks[group.block],
                                                  pixel_of(group.subspan, slot % 4));
        }
    thread.payload_registers =
        static_cast<std::uint8_t>(make_payload(state_, kernel, record, facts, thread.payload));

    ++threads_sent_;
    ++stats_.threads[static_cast<unsigned>(planned.width)];
    const auto lit = static_cast<unsigned>(std::popcount(record.lit));
    stats_.slots_lit += lit;
    stats_.slots_helping += static_cast<unsigned>(std::popcount(thread.dispatch_mask)) - lit;
    stats_.dependencies += dependencies_.count;
}

void PixelDispatch::shows(ThreadRequest&, SendState state, Cycles now) {
    pending_state_ = state;
    account_.hold(activity(now), now);
}

void PixelDispatch::ended(ThreadRequest& asked, const ThreadDispatch& thread) {
    count_ended(static_cast<Request&>(asked), thread);
}

void PixelDispatch::count_ended(const Request& request, const ThreadDispatch& thread) {
    const Draw& draw = *request.batch->objects->draw;
    if (draw.counts == nullptr) return;
    ++draw.counts->threads;
    draw.counts->instructions += thread.retire.instructions;
    draw.counts->messages += thread.retire.messages;
}

void PixelDispatch::retired(ThreadRequest&, const ThreadDispatch& thread, Cycles) {
    scoreboard_.leave(thread.sideband.fftid);
    --live_;
}

tlm::tlm_sync_enum PixelDispatch::on_request(ThreadRequest& asked, tlm::tlm_phase& phase) {
    Request& request = static_cast<Request&>(asked);
    const Cycles now = clock_.now();
    if (phase == tlm::END_REQ) {
        pending_ = nullptr;
        // The next one may be begun within it: a thread that ends then finds one to follow it.
        if (env_.timed() || stepping_)
            wakeup_.at(now);
        else
            step();
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "the dispatcher uses a phase that requests do not have");
    PixelBatch& batch = *request.batch;
    free_requests_.push_back(&request);
    end(batch, now);
    account_.hold(activity(now), now);
    return tlm::TLM_COMPLETED;
}

std::string PixelDispatch::describe_waiting() const {
    std::string text;
    if (reading_) text = "push constants have not come";
    if (pending_ != nullptr)
        text = "thread " + std::to_string(pending_->sent) + " of " +
               std::to_string(pending_->threads) +
               " of a batch of pixels: " + to_text(pending_state_);
    if (live_ != 0) {
        if (!text.empty()) text += "; ";
        text += std::to_string(live_) + " pixel threads have not retired";
    }
    return text.empty() ? text : std::string(name()) + ": " + text;
}

}  // namespace gen9::pixel

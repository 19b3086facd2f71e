// SPDX-License-Identifier: Apache-2.0
#include "pixel/depth_module.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "common/check.h"
#include "interpolation/barycentric.h"
#include "packets/draw/pixels.h"

namespace gen9::pixel {

namespace {

constexpr std::size_t kDraws = 8;
constexpr unsigned kQuad = 4;  ///< samples of 16 bytes
constexpr const char* kDepthStage = "depth and stencil";
constexpr std::uint64_t kAddressBits = std::uint64_t{1} << 48;

std::uint32_t slice_of(const DepthDraw& draw, const SetUpObject& object) {
    return object.render_target_index < draw.layers ? object.render_target_index : 0;
}

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
    control_in.on_blocking = [this](tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        const CacheControl& control = attributes_of(payload).control;
        if (control.invalidate_tlb) pages_.forget();
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
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
    if (made->legacy_clear)
        env_.reporter.not_modelled("DZ-26",
                                   "depth clears by 3DSTATE_WM; the draw is an ordinary one");
    if (made->uses_depth() && !made->clears) {
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
    lines_.clear();
    for (const PixelBlock& block : in->blocks)
        each_row(*state, in->objects->objects[block.object], block,
                 [&](const Row& row, unsigned, unsigned) {
                     add_lines(*state, find_places(*state, row), lines_);
                 });
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
        samples += covered;
        slots += draw.per_sample ? covered : static_cast<unsigned>(std::popcount(block.lit));
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

// --- Tests

/// The samples of a block in rows: `each(row, number of the half, sample)`.
template <class Each>
void DepthUnit::each_row(const DepthDraw& draw, const SetUpObject& object, const PixelBlock& block,
                         const Each& each) {
    Row row;
    row.back = object.type == ObjectType::Triangle && object.back_facing;
    row.viewport = object.viewport & 15;
    row.slice = slice_of(draw, object);
    const unsigned samples = draw.clears ? draw.samples.samples : block.samples;
    interpolation::PlaceValues depth{};
    bool known = false;
    for (unsigned s = 0; s < samples; ++s) {
        const std::uint32_t covered = draw.clears ? block.lit : block.covered[s];
        if (covered == 0) continue;
        if (draw.clears) {
            row.z.fill(draw.clear_depth);
        } else if (draw.uses_depth() && (!known || draw.samples.at_each_sample)) {
            known = true;
            const interpolation::SamplePlace place =
                draw.samples.at_each_sample ? draw.samples.places[s] : draw.samples.pixel;
            interpolation::source_depth(
                object.interpolation,
                interpolation::weights_at(object.interpolation,
                                          interpolation::block_places(block.x, block.y, place)),
                depth);
        }
        row.sample = static_cast<std::uint8_t>(s);
        for (unsigned half = 0; half < 2; ++half) {
            row.lanes = covered >> 16 * half & 0xFFFF;
            if (row.lanes == 0) continue;
            for (unsigned n = 0; n < kLanes; ++n) {
                row.x[n] = static_cast<std::uint16_t>(block.x + static_cast<int>(n % 8));
                row.y[n] = static_cast<std::uint16_t>(block.y + static_cast<int>(2 * half + n / 8));
            }
            if (!draw.clears) std::memcpy(row.z.data(), depth.data() + 16 * half, sizeof row.z);
            each(row, half, s);
        }
    }
}

DepthUnit::Places DepthUnit::find_places(const DepthDraw& draw, const Row& row) {
    Places places;
    for (std::uint32_t left = row.lanes; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        if (!draw.inside(row.x[n], row.y[n])) continue;
        places.inside |= 1u << n;
        if (draw.uses_depth())
            places.depth[n] =
                draw.depth.address(row.slice, row.x[n], row.y[n], row.sample) % kAddressBits;
        if (draw.uses_stencil())
            places.stencil[n] =
                draw.stencil.address(row.slice, row.x[n], row.y[n], row.sample) % kAddressBits;
    }
    return places;
}

void DepthUnit::add_lines(const DepthDraw& draw, const Places& places, LineSet& lines) {
    const auto add = [&](const std::array<std::uint64_t, kLanes>& of, Requester requester) {
        for (std::uint32_t left = places.inside; left != 0; left &= left - 1)
            lines.add(of[static_cast<unsigned>(std::countr_zero(left))], requester);
    };
    if (draw.uses_depth()) add(places.depth, Requester::Depth);
    if (draw.uses_stencil()) add(places.stencil, Requester::Stencil);
}

template <class RowBytes>
void DepthUnit::load_depth(const RowBytes& bytes, unsigned size, std::uint32_t lanes,
                           DepthRow& to) {
    if constexpr (RowBytes::kQuads)
        if (bytes.quads) {
            for (unsigned n = 0; n < kLanes; n += kQuad)
                std::memcpy(&to[n], bytes.depth(n), kQuad * sizeof to[n]);
            return;
        }
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(lanes));
        to[n] =
            size == 2 ? load<std::uint16_t>(bytes.depth(n)) : load<std::uint32_t>(bytes.depth(n));
    }
}

/// Lanes that are not set have what was loaded.
template <class RowBytes>
void DepthUnit::store_depth(const DepthRow& from, unsigned size, std::uint32_t lanes,
                            const RowBytes& bytes) {
    if constexpr (RowBytes::kQuads)
        if (bytes.quads) {
            for (unsigned n = 0; n < kLanes; n += kQuad)
                if (lanes >> n & ((1u << kQuad) - 1))
                    std::memcpy(bytes.depth(n), &from[n], kQuad * sizeof from[n]);
            return;
        }
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(lanes));
        if (size == 2)
            store(bytes.depth(n), static_cast<std::uint16_t>(from[n]));
        else
            store(bytes.depth(n), from[n]);
    }
}

/// `inside`: lanes whose bytes are given.
template <class RowBytes>
DepthUnit::Outcome DepthUnit::test_row(const DepthDraw& draw, const Row& row, std::uint32_t inside,
                                       const RowBytes& bytes, bool writes) {
    DepthState state = draw.state;
    state.depth_write &= writes;
    state.stencil_write &= writes;
    const unsigned size = state.format ? state.format->bytes() : 0;
    TestRow tested;
    if (draw.uses_depth()) load_depth(bytes, size, inside, tested.depth);
    if (draw.uses_stencil())
        for (std::uint32_t left = inside; left != 0; left &= left - 1) {
            const auto n = static_cast<unsigned>(std::countr_zero(left));
            tested.stencil[n] = *bytes.stencil(n);
        }
    if (draw.uses_depth()) {
        const auto& [least, most] = draw.range[row.viewport];
        to_buffer(*state.format, least, most, row.z, tested.source);
    }
    const TestResult result = test(state, row.back, inside, tested, row.exported);
    store_depth(tested.depth, size, result.depth_changed, bytes);
    for (std::uint32_t left = result.stencil_changed; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        *bytes.stencil(n) = tested.stencil[n];
    }
    const auto tests = static_cast<unsigned>(std::popcount(inside));
    stats_.samples_tested += tests;
    stats_.samples_failed += tests - static_cast<unsigned>(std::popcount(result.passed));
    return {result.passed | (row.lanes & ~inside), result.depth_changed, result.stencil_changed};
}

/// In lines that are at hand.
DepthUnit::Outcome DepthUnit::test_in_lines(const DepthDraw& draw, const Row& row, LineSet& lines,
                                            bool writes) {
    const Places places = find_places(draw, row);
    Bytes bytes;
    for (std::uint32_t left = places.inside; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        if (draw.uses_depth()) bytes.depth_at[n] = lines.bytes_of(places.depth[n]);
        if (draw.uses_stencil()) bytes.stencil_at[n] = lines.bytes_of(places.stencil[n]);
    }
    const Outcome outcome = test_row(draw, row, places.inside, bytes, writes);
    const std::uint64_t element =
        draw.state.format ? (std::uint64_t{1} << draw.state.format->bytes()) - 1 : 0;
    for (std::uint32_t left = outcome.depth_changed; left != 0; left &= left - 1) {
        const std::uint64_t at = places.depth[static_cast<unsigned>(std::countr_zero(left))];
        lines.line_of(at).written |= element << at % kLineBytes;
    }
    for (std::uint32_t left = outcome.stencil_changed; left != 0; left &= left - 1) {
        const std::uint64_t at = places.stencil[static_cast<unsigned>(std::countr_zero(left))];
        lines.line_of(at).written |= std::uint64_t{1} << at % kLineBytes;
    }
    return outcome;
}

/// Within the call.
DepthUnit::Outcome DepthUnit::test_at_once(const Draw& draw, const DepthDraw& state, const Row& row,
                                           bool writes, sc_core::sc_time& delay) {
    if (!env_.timed()) {
        const Places places = find_places(state, row);
        Bytes bytes;
        std::uint32_t left = places.inside;
        for (; left != 0; left &= left - 1) {
            const auto n = static_cast<unsigned>(std::countr_zero(left));
            if (state.uses_depth()) {
                bytes.depth_at[n] = pages_.find(places.depth[n], state.state.format->bytes(),
                                                state.state.depth_write, state.depth_mocs);
                if (bytes.depth_at[n] == nullptr) break;
            }
            if (state.uses_stencil()) {
                bytes.stencil_at[n] = pages_.find(places.stencil[n], 1, state.state.stencil_write,
                                                  state.stencil_mocs);
                if (bytes.stencil_at[n] == nullptr) break;
            }
        }
        if (left == 0) return test_row(state, row, places.inside, bytes, writes);
    }
    LineSet& lines = late_lines_;
    lines.clear();
    add_lines(state, find_places(state, row), lines);
    const auto move = [&](LineSet::Line& line, bool reads) {
        MemoryTransaction& transaction = *pool_.get();
        transaction.access(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, line.address,
                           kLineBytes);
        transaction.attributes.derive(access_of(draw, state, line.of));
        if (!reads) {
            std::memcpy(transaction.data, line.data, kLineBytes);
            transaction.enable_bytes(line.written, kLineBytes);
        }
        mem_out->b_transport(transaction, delay);
        if (!transaction.is_response_ok()) report_unmapped(draw);
        if (reads) std::memcpy(line.data, transaction.data, kLineBytes);
        ++(reads ? stats_.lines_read : stats_.lines_written);
        transaction.release();
    };
    for (LineSet::Line& line : lines.lines())
        move(line, true);
    const Outcome outcome = test_in_lines(state, row, lines, writes);
    for (LineSet::Line& line : lines.lines())
        if (line.written != 0) move(line, false);
    return outcome;
}

/// The bytes of a block of functional mode, those of its first rows and sample. False: its pixels are
/// to be found one by one.
bool DepthUnit::find_block(const DepthDraw& draw, std::uint32_t slice, const PixelBlock& block,
                           BlockBytes& bytes) {
    const auto x = static_cast<std::uint32_t>(block.x), y = static_cast<std::uint32_t>(block.y);
    if (env_.timed() || x % kBlockWidth != 0 || y % kBlockHeight != 0 ||
        !draw.inside(x + kBlockWidth - 1, y + kBlockHeight - 1))
        return false;
    const auto find = [&](const SamplePlaces& places, bool writes, std::uint8_t mocs) {
        if (places.block_offsets(0) == nullptr) return static_cast<std::uint8_t*>(nullptr);
        return pages_.find_any(places.address(slice, x, y, 0) % kAddressBits, writes, mocs);
    };
    if (draw.uses_depth())
        bytes.first_depth = find(draw.depth, draw.state.depth_write, draw.depth_mocs);
    if (draw.uses_stencil())
        bytes.first_stencil = find(draw.stencil, draw.state.stencil_write, draw.stencil_mocs);
    return (!draw.uses_depth() || bytes.first_depth) &&
           (!draw.uses_stencil() || bytes.first_stencil);
}

/// All its lines are there. What is left goes into `out`.
void DepthUnit::test_batch(Job& job) {
    const PixelBatch& in = *job.in;
    const Draw& draw = *in.objects->draw;
    const DepthDraw& state = *job.draw;
    const bool writes = state.time.write_early;
    job.out.objects = in.objects;
    job.out.blocks.clear();
    for (const PixelBlock& block : in.blocks) {
        std::array<std::uint32_t, kMaxSamples> left{};
        const SetUpObject& object = in.objects->objects[block.object];
        BlockBytes bytes;
        const bool found = find_block(state, slice_of(state, object), block, bytes);
        const auto test_one = [&](const Row& row, unsigned half, unsigned sample) {
            if (env_.timed()) return test_in_lines(state, row, lines_, writes);
            if (found) {
                const auto offsets = [&](const SamplePlaces& of) {
                    return of.block_offsets(sample)->data() + kLanes * half;
                };
                if (bytes.first_depth) {
                    bytes.depth_offset = offsets(state.depth);
                    bytes.quads = state.depth.in_quads();
                }
                if (bytes.first_stencil) bytes.stencil_offset = offsets(state.stencil);
                return test_row(state, row, row.lanes, bytes, writes);
            }
            sc_core::sc_time delay;
            return test_at_once(draw, state, row, writes, delay);
        };
        each_row(state, object, block, [&](const Row& row, unsigned half, unsigned sample) {
            left[sample] |= test_one(row, half, sample).passed << 16 * half;
        });
        if (state.clears) continue;
        PixelBlock& out = job.out.blocks.emplace_back(block);
        if (block.samples > 1) out.before_tests = &block;
        out.lit = 0;
        std::uint64_t passed = 0;
        for (unsigned s = 0; s < block.samples; ++s) {
            out.covered[s] = left[s];
            out.lit |= left[s];
            out.full &= left[s] == kAllPixels;
            passed += static_cast<unsigned>(std::popcount(left[s]));
        }
        if (state.statistics && writes) count_passed(draw, passed);
        if (out.lit == 0) job.out.blocks.pop_back();
    }
    if (!env_.timed()) return;
    for (const LineSet::Line& line : lines_.lines())
        if (line.written != 0) {
            traffic_.write_bytes(job.group, line.address, line.data, line.written,
                                 access_of(draw, state, line.of));
            ++stats_.lines_written;
        }
}

void DepthUnit::test_late(DepthTest& asked, sc_core::sc_time& delay) {
    const PixelRecord& record = *asked.record;
    const Draw& draw = *record.draw;
    const SetUpObject& object = *record.object;
    const DrawPtr state = find_draw(draw, delay);
    const DepthDraw& d = *state;
    ++stats_.late_tests;
    if (env_.timed()) delay += clock_.time(Cycles(params_.late_cycles));

    Row row;
    row.back = object.type == ObjectType::Triangle && object.back_facing;
    row.viewport = object.viewport & 15;
    row.slice = slice_of(d, object);
    StencilRow exported{};
    if (asked.has_stencil) {
        exported = asked.stencil;
        row.exported = &exported;
    }
    std::uint16_t any = 0;
    for (unsigned n = 0; n < kLanes; ++n) {
        const unsigned slot = (asked.first_slot + n) % PixelRecord::kSlots;
        row.x[n] = static_cast<std::uint16_t>(record.subspans[slot / 4].x + (slot & 1));
        row.y[n] = static_cast<std::uint16_t>(record.subspans[slot / 4].y + (slot >> 1 & 1));
        any |= asked.covered[n];
    }
    for (unsigned s = 0; s < record.samples; ++s) {
        if (!(any >> s & 1)) continue;
        row.sample = static_cast<std::uint8_t>(s);
        row.lanes = 0;
        for (unsigned n = 0; n < kLanes; ++n)
            row.lanes |= std::uint32_t(asked.covered[n] >> s & 1) << n;
        std::uint32_t passed = row.lanes;
        if (d.tests()) {
            if (asked.has_depth) {
                row.z = asked.depth;
            } else if (d.uses_depth()) {
                const interpolation::SamplePlace place =
                    d.samples.at_each_sample ? d.samples.places[s] : d.samples.pixel;
                interpolation::Places places;
                places.count = kLanes;
                for (unsigned n = 0; n < kLanes; ++n) {
                    places.x[n] = row.x[n] * kPixelSteps + place.x * 16;
                    places.y[n] = row.y[n] * kPixelSteps + place.y * 16;
                }
                interpolation::PlaceValues depth;
                interpolation::source_depth(object.interpolation,
                                            interpolation::weights_at(object.interpolation, places),
                                            depth);
                std::memcpy(row.z.data(), depth.data(), sizeof row.z);
            }
            passed = test_at_once(draw, d, row, asked.writes, delay).passed;
        }
        if (d.statistics && asked.writes)
            count_passed(draw, static_cast<unsigned>(std::popcount(passed)));
        for (unsigned n = 0; n < kLanes; ++n)
            if (!(passed >> n & 1)) asked.covered[n] &= static_cast<std::uint16_t>(~(1u << s));
    }
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

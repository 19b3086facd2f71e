// SPDX-License-Identifier: Apache-2.0
#include "raster/module.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "interconnect/payload/subspans.h"

namespace gen9::raster {

Raster::Raster(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
               const RasterSetup& setup)
    : sc_module(module_name),
      RasterBlock(env),
      env_(env),
      clock_(clock),
      setup_(setup),
      params_(env.config, name()),
      tile_shift_(static_cast<unsigned>(std::bit_width(params_.tile_pixels.get())) - 1),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      input_(object_in, env, clock, wakeup_, params_.queue_depth),
      output_(pixel_out, clock, wakeup_) {
    enlist(env, params_, stats_, signals_);
    output_.on_ended = [this](PixelBatch& batch, Cycles at) {
        auto& made = static_cast<Made&>(batch);
        Job& job = *made.job;
        job.ended = std::max(job.ended, at);
        --job.open;
        made_pool_.put(made);
        end_if_over(job, job.ended);
    };
    wakeup_.runs<&Raster::step>(this);
}

Raster::~Raster() = default;

void Raster::step() {
    const Cycles now = clock_.now();
    account_.hold(work(now), now);
    input_.wake(now);
    output_.wake(now);
}

StageActivity Raster::work(Cycles now) {
    while (true) {
        if (job_ == nullptr) {
            if (input_.front(now) == nullptr) return StageActivity::Idle;
            job_ = &jobs_pool_.get();
            *job_ = {&input_.take(now), 0, false, 0, now};
            ++stats_.batches;
            const Draw& draw = *job_->batch->draw;
            signals_.draw.set(draw.work.number & 0xFFFF, now);
            if (order_ != draw.order) {
                order_ = draw.order;
                state_ = decode(draw);
                stipple_ = 0;
            }
        }
        if (made_ == nullptr) {
            made_ = &made_pool_.get();
            const Cycles cost = fill(*job_, *made_);
            made_at_ = env_.timed() ? now + cost : now;
        }
        if (made_at_ > now) {
            wakeup_.at(made_at_);
            return StageActivity::Working;
        }
        if (made_->blocks.empty()) {
            made_pool_.put(*std::exchange(made_, nullptr));
        } else {
            if (!output_.can_send(now)) return StageActivity::WaitNext;
            ++job_->open;
            output_.send(*std::exchange(made_, nullptr));
        }
        if (!job_->scanned) continue;
        Job& job = *std::exchange(job_, nullptr);
        end_if_over(job, now);
    }
}

void Raster::end_if_over(Job& job, Cycles at) {
    if (&job == job_ || job.open != 0) return;
    input_.end(*job.batch, at);
    jobs_pool_.put(job);
}

void Raster::begin_object(Job& job) {
    const SetUpObject& object = job.batch->objects[job.next++];
    ++stats_.objects;
    const bool stippled = object.type == ObjectType::Line && object.line.stippled;
    if (stippled && object.line.restart_stipple) stipple_ = 0;
    coverage_.emplace(object, state_, stipple_);
    if (stippled) stipple_ += pattern_pixels(object.line);
}

Cycles Raster::fill(Job& job, Made& made) {
    made.job = &job;
    made.objects = job.batch;
    made.blocks.clear();
    std::uint64_t cycles = 0;
    while (made.blocks.size() < params_.batch_blocks) {
        if (!coverage_) {
            if (job.next == job.batch->count) {
                job.scanned = true;
                break;
            }
            begin_object(job);
            cycles += params_.object_cycles;
        }
        PixelBlock& block = made.blocks.emplace_back();
        if (!coverage_->next(block)) {
            coverage_.reset();
            made.blocks.pop_back();
            continue;
        }
        if (!owns(block)) {
            ++stats_.foreign;
            made.blocks.pop_back();
            continue;
        }
        block.object = static_cast<std::uint16_t>(job.next - 1);
        ++stats_.blocks;
        stats_.pixels += static_cast<std::uint64_t>(std::popcount(block.lit));
        for (unsigned sample = 0; sample < block.samples; ++sample)
            stats_.subspans += subspans(block.covered[sample]);
        cycles += params_.block_cycles;
    }
    return Cycles(cycles);
}

bool Raster::owns(const PixelBlock& block) const {
    if (setup_.slices == 1) return true;
    const auto column = static_cast<std::uint32_t>(block.x) >> tile_shift_;
    const auto row = static_cast<std::uint32_t>(block.y) >> tile_shift_;
    return (column + row) % setup_.slices == setup_.slice;
}

std::string Raster::describe_waiting() const {
    if (job_ == nullptr) return {};
    return place_of(*job_->batch->draw, name()) + ": waits until the depth unit takes pixels";
}

}  // namespace gen9::raster

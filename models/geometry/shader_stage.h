// SPDX-License-Identifier: Apache-2.0
/// ShaderStage: what the modules of VS, HS, DS and GS have in common.
/// Role     has the stage's sockets and threads, and runs its step; hands back what the next stage
///          says of batches that pass; accounts for cycles and says what is waited for
/// Not here which batches a stage takes, makes and sends: its `work`
///
/// OwningShaderStage adds what HS, DS and GS need, which make batches of their own: URB entries,
/// which are free when no batch refers to them any more, and the end of the batches that came.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "geometry/interface.h"
#include "geometry/returns.h"
#include "geometry/shader_threads.h"
#include "interconnect/payload/object_pool.h"
#include "interconnect/payload/urb_handles.h"

namespace gen9::geometry {

/// `Kind`: the block that it is; `In`: the protocol of what comes.
template <class Kind, class In, class Params, class Stats, class Signals>
class ShaderStage : public sc_core::sc_module, public Kind, private ShaderThreads::Stage {
  public:
    TargetSocket<In> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};

    ShaderSockets<In> sockets() override { return {batch_in, mem_out, request_out, batch_out}; }
    std::string describe_waiting() const override {
        if (at_hand() == 0 && in_.waiting() == 0) return {};
        std::string text = stats_.path() + ": ";
        if (const Draw* const draw = first_draw())
            text += "draw " + std::to_string(draw->work.number) + ": ";
        const StageActivity waits = waits_for(clock_.now());
        if (waits == StageActivity::WaitUrb) text += "waits for URB entries, ";
        if (threads_.running() != 0)
            text += std::to_string(threads_.running()) + " threads have not ended, ";
        else if (waits == StageActivity::WaitNext)
            text += "the next stage does not take a batch, ";
        return text + std::to_string(at_hand() + in_.waiting()) + " batches at hand\n";
    }
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return in_.idle(); }
    std::uint64_t progress() const override { return threads_.progress() + sent_; }
    const Stats& stats() const { return stats_; }

  protected:
    ShaderStage(const sc_core::sc_module_name& module_name, Environment& env, const Clock& clock,
                const ShaderSetup& setup, packets::Unit unit)
        : sc_module(module_name),
          Kind(env),
          env_(env),
          clock_(clock),
          topology_(setup.topology),
          params_(env.config, this->name()),
          stats_(this->name()),
          signals_(this->name()),
          wakeup_(clock),
          threads_(*this, unit, env, clock, wakeup_, mem_out, request_out, topology_, params_,
                   stats_),
          in_(batch_in, env_, clock_, wakeup_, params_.batch_queue) {
        this->enlist(env, params_, stats_, signals_);
        out_.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
            if (!passed_.tell(batch, phase, at)) heard(batch, false, at);
        };
        out_.on_ended = [this](PrimitiveBatch& batch, Cycles at) {
            if (!passed_.end(batch, at)) heard(batch, true, at);
            wakeup_.at(clock_.now());
        };
        wakeup_.runs<&ShaderStage::step>(this);
    }

    /// One round of a step. False: there was nothing to do.
    virtual bool work(Cycles now) = 0;
    /// Batches that have been taken, and not all of which has been sent.
    virtual std::size_t at_hand() const = 0;
    /// The draw of the first of them. Null: there is none.
    virtual const Draw* first_draw() const = 0;
    virtual StageActivity waits_for(Cycles) const {
        const StageActivity activity = threads_.waits_for();
        return activity == StageActivity::Idle && at_hand() != 0 ? StageActivity::WaitNext
                                                                 : activity;
    }
    /// A batch of its own has ended, or its vertices have been read.
    virtual void heard(PrimitiveBatch&, bool /*ended*/, Cycles /*at*/) {
        GEN9_CHECK(false, "a batch comes back that was not sent");
    }
    /// Asks for the cycles in which there is something to do.
    virtual void wake(Cycles now) {
        threads_.wake(now);
        in_.wake(now);
        out_.wake(now);
    }
    virtual void show(Cycles now) {
        signals_.batches.set(at_hand(), now);
        signals_.threads.set(threads_.running(), now);
    }
    /// The cycle of what a stage says now.
    Cycles next() const { return clock_.now() + Cycles(env_.timed() ? 1 : 0); }

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    Params params_;
    Stats stats_;
    Signals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageStep step_{env_, wakeup_};
    ShaderThreads threads_;
    StageInput<In> in_;
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};
    PassedBatches<In, PrimitiveProtocol> passed_{in_, out_};
    std::uint64_t sent_ = 0;  ///< batches

  private:
    void end_of_simulation() override { settle(); }
    void step() {
        const Cycles now = clock_.now();
        const auto worked = step_.run(now, [this](Cycles at) { return work(at); });
        if (!worked) return;
        threads_.traffic().step(now);
        account_.hold(*worked && env_.timed() ? StageActivity::Working : waits_for(now), now);
        if (signals_.watched()) show(now);
        wake(now);
    }
};

/// A batch that came, of which others are made.
template <class Batch, class State>
struct ShaderInput {
    Batch* batch = nullptr;
    std::shared_ptr<ShaderOf<State>> shader;
    UrbPartition part;
    unsigned threads = 0;   ///< groups whose threads have not ended
    unsigned made = 0;      ///< batches made of it that have not ended
    bool all_made = false;  ///< all that comes of it is in batches
};

/// A batch that a stage makes, of vertices (or patch records) in entries of its own.
template <class Input>
struct OwnBatch : PrimitiveBatch {
    Input* input = nullptr;
    std::vector<unsigned> entries;  ///< that it refers to
    unsigned threads = 0;           ///< groups that have not ended
    bool holds_entries = false;
};

template <class Kind, class In, class Params, class Stats, class Input>
class OwningShaderStage : public ShaderStage<Kind, In, Params, Stats, OwningStageSignals> {
    using Base = ShaderStage<Kind, In, Params, Stats, OwningStageSignals>;

  public:
    /// URB entries that hold something.
    unsigned held_entries() const { return handles_.total(kOwner) - handles_.free(kOwner); }

  protected:
    using Base::Base;
    using Batch = OwnBatch<Input>;

    Input& new_input(typename In::tlm_payload_type& batch) {
        Input& input = input_pool_.get();
        input = {};
        input.batch = &batch;
        return input;
    }
    Batch& new_batch(Input& input, std::uint32_t entry_rows) {
        Batch& batch = batch_pool_.get();
        batch.input = &input;
        batch.draw = input.batch->draw;
        batch.entry_rows = entry_rows;
        batch.instance = input.batch->instance;
        batch.trace_id = input.batch->trace_id;
        batch.vertices.clear();
        batch.objects.clear();
        batch.entries.clear();
        batch.threads = 0;
        batch.holds_entries = true;
        ++input.made;
        return batch;
    }
    /// Ends the batch that came when all that came of it has ended.
    void end_if_over(Input& input, Cycles at) {
        if (!input.all_made || input.threads != 0 || input.made != 0) return;
        this->in_.end(*input.batch, at);
        input.shader.reset();
        input_pool_.put(input);
    }
    /// The next stage has read a batch of its own; `ended`: and done with it.
    void take_back(Batch& batch, bool ended, Cycles at) {
        if (std::exchange(batch.holds_entries, false))
            for (const unsigned entry : batch.entries)
                drop(entry, at);
        if (!ended) return;
        --batch.input->made;
        end_if_over(*batch.input, at);
        batch_pool_.put(batch);
    }
    /// Takes what the next stage has given back by now.
    bool take_back(Cycles now) {
        const bool any =
            returns_.take(now, [&](Batch& batch, bool ended) { take_back(batch, ended, now); });
        handles_.collect(kOwner, now);
        return any;
    }

    /// The stage's part of the URB, from when the old one's entries are back. True: it is another.
    bool take_part(const UrbPartition& part) {
        if (part == part_) return false;
        part_ = part;
        handles_.partition(kOwner, part_);
        if (references_.size() < part_.entries) references_.resize(part_.entries);
        return true;
    }
    /// One that is free, with one reference to it.
    unsigned new_entry() {
        const unsigned entry = handles_.allocate(kOwner);
        references_[entry] = 1;
        return entry;
    }
    std::uint32_t row_of(unsigned entry) const { return handles_.row(kOwner, entry); }
    void refer(unsigned entry) { ++references_[entry]; }
    void drop(unsigned entry, Cycles now) {
        if (--references_[entry] == 0) handles_.release(kOwner, entry, now);
    }

    StageActivity waits_for(Cycles now) const override {
        return starved_ ? StageActivity::WaitUrb : Base::waits_for(now);
    }
    void heard(PrimitiveBatch& batch, bool ended, Cycles at) override {
        returns_.add(static_cast<Batch&>(batch), ended, at);
    }
    void wake(Cycles now) override {
        Base::wake(now);
        returns_.wake(now);
    }
    void show(Cycles now) override {
        Base::show(now);
        this->signals_.free_entries.set(handles_.free(kOwner), now);
    }

    static constexpr unsigned kOwner = 0;  ///< of handles
    ObjectPool<Input> input_pool_;
    ObjectPool<Batch> batch_pool_;
    std::deque<Input*> inputs_;  ///< of which not all has been made, in order
    Batch* filling_ = nullptr;   ///< more may come into it
    Returns<Batch> returns_{this->env_, this->clock_, this->wakeup_};
    UrbHandles handles_;
    UrbPartition part_;
    std::vector<unsigned> references_;  ///< to each entry
    bool starved_ = false;              ///< what comes next waits for an entry
};

}  // namespace gen9::geometry

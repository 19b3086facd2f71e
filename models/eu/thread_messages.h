// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "eu/execute/stepped_region.h"
#include "eu/module.h"

namespace gen9::eu {

/// The instructions that set a thread's modes, where it begins with such: threads that follow one
/// another run them by themselves, and enter the code behind.
class Eu::Prologue {
  public:
    /// Runs them, if there are any that are at hand; gives their number, `most` at most.
    std::uint64_t run(Context& context, std::uint64_t most) {
        Thread& thread = context.thread;
        if (region_ == nullptr || ip_ != thread.ip) find(context);
        return region_ != nullptr && region_->size() <= most && region_->runs_now(thread)
                   ? region_->run_prologue(thread)
                   : 0;
    }

  private:
    // Code that runs is not dropped meanwhile: what is not ready yet is for the thread's own loop.
    void find(const Context& context) {
        ip_ = context.thread.ip;
        const Program::Page* const page = context.page;
        const Program::Entry* const entry =
            page != nullptr && page->holds(ip_) ? page->find(ip_) : nullptr;
        const CodeRegion* const first = entry != nullptr ? entry->functional.stepped : nullptr;
        const bool is_one = first != nullptr && first->only_sets_modes();
        region_ = is_one ? static_cast<const SteppedRegion*>(first) : nullptr;
    }
    const SteppedRegion* region_ = nullptr;
    std::uint32_t ip_ = 0;
};

/// The messages of a thread that runs in functional mode.
class Eu::ThreadMessages final : public Messages {
  public:
    /// `now`: the cycle of the first instruction that is counted here.
    ThreadMessages(Eu& eu, Context& context, Cycles now)
        : eu_(eu), context_(context), now_(now), sender_{context.thread.sideband, context.cause} {
        if (sender_.cause != eu.uncounted_for_) eu.settle_functions(sender_.cause);
    }
    bool send(Thread& thread, const DecodedInstruction& instruction, unsigned number,
              Cycles now) override;
    Direct direct(unsigned most) override {
        look_at_mode();
        eu_.make_room_for_site(most);
        return {eu_.direct_sites_.data(), &sender_, &direct_, eu_.plain_messages_.data(),
                &eu_.plain_epoch_};
    }
    Next end(Thread& thread, std::uint64_t executed) override;
    void find_site(unsigned number, const DecodedInstruction& instruction) override {
        eu_.send_site(number, instruction);
    }
    void wait(Thread&, const DecodedInstruction&, Cycles) override { context_.waiting = true; }
    /// Counts the direct messages so far, and the threads that have followed one another: before
    /// anything else of the EU is counted or numbered, and before anybody else is told anything.
    void settle() {
        if (followers_ != nullptr) leave_followers();
        if (direct_ == 0) return;
        context_.messages += direct_ - before_thread_;
        eu_.stats_.messages += direct_;
        eu_.stats_.direct_messages += direct_;
        eu_.message_number_ += direct_;
        eu_.trace_ids_.skip(direct_);
        direct_ = before_thread_ = 0;
    }
    /// After the last message the thread is over.
    bool over() const { return then_ == Then::Ends; }
    bool begin_next();
    /// `begin_next` has been false.
    bool stopped() const { return stopped_; }

    /// Instructions have been executed.
    void count(std::uint64_t instructions) { done_ += instructions; }
    /// The same ahead, so many of them for threads that were in the slot before.
    void count_ahead(std::uint64_t instructions, std::uint64_t of_others) {
        done_ += instructions;
        begun_ += of_others;
    }
    /// A region has executed so many, some of which may have been counted at ends of threads.
    void count_region(std::uint64_t instructions) {
        count(instructions - in_region_);
        in_region_ = 0;
    }
    void take_back(std::uint64_t instructions) { done_ -= instructions; }
    /// The instructions of all threads that have run one after the other.
    std::uint64_t done() const { return done_; }
    /// The instructions of the thread that runs now.
    std::uint64_t of_thread() const { return done_ - begun_; }
    /// The cycle of the next.
    Cycles now() const { return now_ + Cycles(done_); }

  private:
    void look_at_mode() {
        sender_.alternate_float = (context_.thread.control[0] & cr0::kAlternate) != 0;
    }
    void finish(Thread& thread) {
        thread.routine = Thread::Routine::Exception;  // it ends, whatever ran
        then_ = Then::Ends;
    }
    void ask_followers();
    bool follow();
    void leave_followers();

    Eu& eu_;
    Context& context_;
    const Cycles now_;
    std::uint64_t done_ = 0, begun_ = 0;  ///< so far; when the thread began
    std::uint64_t in_region_ = 0;         ///< of the region's, counted already
    bool stopped_ = false;
    DirectSender sender_;
    std::uint32_t direct_ = 0;         ///< messages that are not counted yet,
    std::uint32_t before_thread_ = 0;  ///< and those of them that other threads have sent
    Then then_ = Then::GoesOn;

    // Threads that follow one another without anybody's being told.
    const ThreadFollowers* followers_ = nullptr;  ///< null: they are not known
    unsigned followed_ = 0;                       ///< of these have begun; the next one is
    unsigned next_of_group_ = 0;                  ///< this one of
    const ThreadFollowers::Group* group_ = nullptr;
    std::uint64_t asked_ = 0;  ///< instructions when they were asked for
    Prologue prologue_;
};

}  // namespace gen9::eu

// SPDX-License-Identifier: Apache-2.0
#include "eu/jit/compiled_region.h"

#include <xmmintrin.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "eu/jit/emitter.h"
#include "eu/thread/float_control.h"
#include "eu/thread/masks.h"

namespace gen9::eu::jit {

std::unique_ptr<CompiledRegion> CompiledRegion::make(std::span<const Part> parts,
                                                     std::uint32_t control, Level level) {
    if (level == Level::None || parts.empty()) return nullptr;
    static std::atomic<std::uint64_t> made{0};
    auto region = std::make_unique<CompiledRegion>();
    region->number_ = ++made;
    if (!plan(*region, parts, control, level)) return nullptr;
    return region;
}

namespace {

constexpr std::uint64_t kNoLocal = std::uint64_t{1} << 48;

constexpr auto kChannelBits = [] {
    std::array<std::uint32_t, kMaxChannels> bits{};
    for (unsigned channel = 0; channel < kMaxChannels; ++channel)
        bits[channel] = std::uint32_t{1} << channel;
    return bits;
}();

std::uint64_t local_of(const Thread& thread) {
    return thread.sideband.slm_size != 0 ? thread.sideband.slm_base : kNoLocal;
}

void count_called(Frame& frame) {
    if (frame.called != 0) *frame.direct.count += frame.called;
    frame.called = 0;
}

}  // namespace

/// The form that fits the thread's channels.
inline const CompiledRegion::Form* CompiledRegion::form_for(const Thread& thread,
                                                            const Frame& frame) const {
    const bool masked = needs_masks(thread);
    if (forms_[masked].code.empty()) [[unlikely]]
        return make_form(masked, frame);
    return &forms_[masked];
}

/// Null if there is no room for it, or it may not be made.
const CompiledRegion::Form* CompiledRegion::make_form(bool masked, const Frame& frame) const {
    if (!frame.messages->allows_code()) return nullptr;
    // Their forms become part of the code.
    for (const Part& part : parts_)
        if (part.instruction != nullptr && part.instruction->always_sends)
            frame.messages->find_site(part.send, *part.instruction);
    return emit(*this, masked, frame.direct) ? &forms_[masked] : nullptr;
}

inline const std::uint8_t* CompiledRegion::enter_at(const Form& form, Frame& frame) const {
    const Thread& thread = *frame.thread;
    if (level_ == Level::Avx2 && &form == &forms_[1] && frame.known != thread.active) {
        frame.known = thread.active;
        // Written so that the host does several channels at once.
        for (unsigned channel = 0; channel < kMaxChannels; ++channel)
            frame.inactive[channel] = (thread.active & kChannelBits[channel]) == 0 ? ~0u : 0u;
    }
    const Place& place = form.places[(thread.ip - first_ip_) >> 3];
    frame.behind = place.behind;
    frame.called -= place.messages;  // the end of the block adds them
    frame.leave = form.code.data() + form.leave;
    return form.code.data() + place.at;
}

CodeRegion::Run CompiledRegion::run(Thread& thread, Messages& messages, Cycles begin,
                                    std::uint64_t most) const {
    using Enter = std::uint64_t (*)(Frame*, const std::uint8_t*, std::uint64_t);
    Frame frame;
    frame.limit = most - size_;
    frame.thread = &thread;
    frame.messages = &messages;
    frame.region = this;
    frame.begin = begin;
    frame.left = false;
    frame.known = Frame::kNone;
    frame.called = 0;
    frame.start = nullptr;
    if (sends_) {
        frame.direct = messages.direct(most_send_);
        frame.epoch = 0;
        renew_epoch(frame);
        begin_places(thread, frame.epoch);
        frame.local = local_of(thread);
    }
    const Form* const form = form_for(thread, frame);
    if (form == nullptr) return {0, false};
    const std::uint8_t* const at = enter_at(*form, frame);
    const auto enter = reinterpret_cast<Enter>(reinterpret_cast<std::uintptr_t>(form->code.data()));
    std::uint64_t executed;
    {
        const HostFlush flush(flushes_);
        if (flushes_) {
            frame.host_control = flush.before();
            frame.own_control = _mm_getcsr();
        }
        executed = enter(&frame, at, 0 - std::uint64_t{frame.behind});
    }
    count_called(frame);
    if (thread.places.owner == Thread::Places::kRuns) {
        thread.places.owner = number_;
        thread.places.epoch = frame.epoch;
    }
    if (!frame.left) advance(thread, thread.ip);
    return {executed, frame.left};
}

/// What an earlier run has found is good if nothing has changed since.
inline void CompiledRegion::begin_places(Thread& thread, std::uint64_t epoch) const {
    Thread::Places& places = thread.places;
    if (!repeated_.empty() && (places.owner != number_ || places.epoch != epoch))
        std::fill_n(places.at.begin(), repeated_.size(), nullptr);
    if (!repeated_.empty()) places.owner = Thread::Places::kRuns;
}

const std::uint8_t* CompiledRegion::resume(Frame& frame, std::uint64_t executed) {
    Thread& thread = *frame.thread;
    const CompiledRegion& region = *frame.region;
    if (thread.ip >= thread.wake_ip) resynchronise(thread);
    frame.behind = 0;
    if (executed > frame.limit || !region.has(thread.ip) || !region.meets_all(thread))
        return frame.leave;
    const Form* const form = region.form_for(thread, frame);
    return form != nullptr ? region.enter_at(*form, frame) : frame.leave;
}

const std::uint8_t* CompiledRegion::branch(Frame& frame, const DecodedInstruction& instruction,
                                           std::uint64_t executed) {
    instruction.execute(*frame.thread, instruction);
    return resume(frame, executed);
}

namespace {

/// While it lives the host computes as everything but the region's own arithmetic wants it.
class Outside {
  public:
    Outside(bool flushes, const Frame& frame) : frame_(flushes ? &frame : nullptr) {
        if (frame_ != nullptr) _mm_setcsr(frame_->host_control);
    }
    ~Outside() {
        if (frame_ != nullptr) _mm_setcsr(frame_->own_control);
    }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

  private:
    const Frame* frame_;
};

}  // namespace

bool CompiledRegion::send(Frame& frame, const DecodedInstruction& instruction, unsigned number,
                          std::uint64_t executed) {
    const Outside outside(frame.region->flushes_, frame);
    count_called(frame);
    frame.left =
        !frame.messages->send(*frame.thread, instruction, number, frame.begin + Cycles(executed));
    renew_epoch(frame);
    return !frame.left;
}

void CompiledRegion::wait(Frame& frame, const DecodedInstruction& instruction,
                          std::uint64_t executed) {
    const Outside outside(frame.region->flushes_, frame);
    count_called(frame);
    frame.left = true;
    advance(*frame.thread, instruction.ip);
    frame.messages->wait(*frame.thread, instruction, frame.begin + Cycles(executed));
}

bool CompiledRegion::direct(DirectSite& site, const DirectSender& sender, std::uint32_t mask,
                            const Grf* first, const Grf* second, Grf* response) {
    return site.run(sender, mask, first, second, response);
}

bool CompiledRegion::check_plain(Frame& frame, PlainMessages& plain, std::uint32_t form) {
    if (std::bit_cast<std::uint32_t>(plain.form) != form || !frame.direct.epoch->holds(plain))
        return false;
    plain.checked = frame.epoch;
    return true;
}

void CompiledRegion::renew_epoch(Frame& frame) {
    if (frame.direct.epoch == nullptr) {
        frame.epoch = PlainEpoch::kNone;
        return;
    }
    const ThreadSideband& sideband = frame.thread->sideband;
    frame.direct.epoch->update(sideband.state.get(), sideband.binding_table_offset);
    if (frame.epoch == frame.direct.epoch->number) return;
    if (frame.epoch != 0)
        std::fill_n(frame.thread->places.at.begin(), frame.region->repeated_.size(), nullptr);
    frame.epoch = frame.direct.epoch->number;
}

void CompiledRegion::begin_count(DirectSite& site) {
    static_cast<PlainDirectSite&>(site).begin_count();
}

const std::uint8_t* CompiledRegion::end(Frame& frame, const DecodedInstruction& instruction,
                                        std::uint64_t executed) {
    const CompiledRegion& region = *frame.region;
    const Outside outside(region.flushes_, frame);
    Thread& thread = *frame.thread;
    count_called(frame);
    advance(thread, instruction.next_ip);
    frame.behind = 0;
    frame.left = true;
    const Messages::Next next = frame.messages->end(thread, executed);
    if (!next.begun) return frame.leave;
    frame.left = false;
    if (next.most < region.size_) return frame.leave;
    frame.begin = frame.begin + Cycles(next.before);
    frame.limit = executed + next.most - region.size_;
    renew_epoch(frame);
    region.begin_places(thread, frame.epoch);
    frame.local = local_of(thread);
    // It begins where the one before it has begun.
    if (frame.start != nullptr && thread.ip == frame.start_ip &&
        thread.control[0] == frame.start_control && thread.active == frame.start_active) {
        frame.leave = frame.start_leave;
        return frame.start;
    }
    if (!region.has(thread.ip) || !region.runs_now(thread)) return frame.leave;
    const Form* const form = region.form_for(thread, frame);
    if (form == nullptr) return frame.leave;
    const std::uint8_t* const at = region.enter_at(*form, frame);
    // `enter_at` has nothing else to say there.
    if (frame.behind == 0 && frame.called == 0 && frame.known == Frame::kNone) {
        frame.start = at;
        frame.start_leave = frame.leave;
        frame.start_ip = thread.ip;
        frame.start_control = thread.control[0];
        frame.start_active = thread.active;
    }
    return at;
}

void CompiledRegion::general(Frame& frame, const DecodedInstruction& instruction) {
    const Outside outside(frame.region->flushes_, frame);
    frame.thread->ip = instruction.ip;
    instruction.execute(*frame.thread, instruction);
}

}  // namespace gen9::eu::jit

// SPDX-License-Identifier: Apache-2.0
#include "eu/jit/compiled_region.h"

#include <xmmintrin.h>

#include "eu/jit/emitter.h"
#include "eu/thread/float_control.h"
#include "eu/thread/masks.h"

namespace gen9::eu::jit {

std::unique_ptr<CompiledRegion> CompiledRegion::make(std::span<const Part> parts,
                                                     std::uint32_t control, Level level) {
    if (level == Level::None || parts.empty()) return nullptr;
    auto region = std::make_unique<CompiledRegion>();
    if (!plan(*region, parts, control, level) || !emit(*region, true)) return nullptr;
    const Form& form = region->forms_[1];
    region->room_ = sizeof *region + parts.size() * sizeof(Part) +
                    2 * (form.code.size() + form.places.size() * sizeof(Place));
    return region;
}

CodeRegion::Run CompiledRegion::run(Thread& thread, Messages& messages, Cycles begin,
                                    std::uint64_t most) const {
    using Enter = std::uint64_t (*)(Frame*, const std::uint8_t*, std::uint64_t);
    Frame frame;
    frame.limit = most - size_;
    frame.thread = &thread;
    frame.direct = messages.direct(most_send_);
    frame.messages = &messages;
    frame.region = this;
    frame.begin = begin;
    frame.left = false;
    const std::uint8_t* const at = resume(frame, 0);
    const auto enter = reinterpret_cast<Enter>(reinterpret_cast<std::uintptr_t>(frame.enter));
    std::uint64_t executed;
    {
        const HostFlush flush(flushes_);
        if (flushes_) {
            frame.host_control = flush.before();
            frame.own_control = _mm_getcsr();
        }
        executed = enter(&frame, at, 0 - std::uint64_t{frame.behind});
    }
    if (!frame.left) advance(thread, thread.ip);
    return {executed, frame.left};
}

const std::uint8_t* CompiledRegion::resume(Frame& frame, std::uint64_t executed) {
    Thread& thread = *frame.thread;
    const CompiledRegion& region = *frame.region;
    if (thread.ip >= thread.wake_ip) resynchronise(thread);
    const bool stays =
        executed <= frame.limit && region.has(thread.ip) && region.meets_all(thread);
    return stays ? region.place_of(frame) : region.forms_[1].code.data() + region.forms_[1].leave;
}

/// Where the thread goes on, by the form that fits its channels. The form for some channels is there
/// from the beginning and fits all threads.
const std::uint8_t* CompiledRegion::place_of(Frame& frame) const {
    const Thread& thread = *frame.thread;
    const bool all = (thread.active & channels_needed_) == channels_needed_;
    if (all && forms_[0].code.empty()) emit(*this, false);
    const Form& form = forms_[all && !forms_[0].code.empty() ? 0 : 1];
    const Place& place = form.places[(thread.ip - first_ip_) >> 3];
    frame.behind = place.behind;
    frame.enter = form.code.data();
    return form.code.data() + place.at;
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
    frame.left = !frame.messages->send(*frame.thread, instruction, number,
                                       frame.begin + Cycles(executed));
    return !frame.left;
}

bool CompiledRegion::direct(DirectSite& site, const DirectSender& sender, std::uint32_t mask,
                            const Grf* first, const Grf* second, Grf* response) {
    return site.run(sender, mask, first, second, response);
}

void CompiledRegion::general(Frame& frame, const DecodedInstruction& instruction) {
    const Outside outside(frame.region->flushes_, frame);
    frame.thread->ip = instruction.ip;
    instruction.execute(*frame.thread, instruction);
}

}  // namespace gen9::eu::jit

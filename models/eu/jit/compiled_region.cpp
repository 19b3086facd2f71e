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
    if (!emit(*region, parts, control, level)) return nullptr;
    return region;
}

std::size_t CompiledRegion::bytes() const {
    return sizeof *this + code_.size() + places_.size() * sizeof(Place) +
           parts_.size() * sizeof(Part) + joins_bits_.size() * sizeof(std::uint64_t);
}

CodeRegion::Run CompiledRegion::run(Thread& thread, Messages& messages, Cycles begin,
                                    std::uint64_t most) const {
    using Enter = std::uint64_t (*)(Frame*, const std::uint8_t*, std::uint64_t);
    Frame frame;
    frame.behind = 0;
    frame.limit = most - size_;
    frame.thread = &thread;
    frame.messages = &messages;
    frame.region = this;
    frame.begin = begin;
    frame.left = false;
    const std::uint8_t* const at = resume(frame, 0);
    const auto enter = reinterpret_cast<Enter>(reinterpret_cast<std::uintptr_t>(code_.data()));
    std::uint64_t executed;
    {
        const HostFlush flush(flushes_);
        if (flushes_) frame.host_control = flush.before();
        executed = enter(&frame, at, 0 - std::uint64_t{frame.behind});
    }
    if (!frame.left) advance(thread, thread.ip);
    return {executed, frame.left};
}

const std::uint8_t* CompiledRegion::resume(Frame& frame, std::uint64_t executed) {
    Thread& thread = *frame.thread;
    const CompiledRegion& region = *frame.region;
    const std::uint8_t* const code = region.code_.data();
    frame.behind = 0;
    if (thread.ip >= thread.wake_ip) resynchronise(thread);
    if (executed > frame.limit || !region.has(thread.ip) || !region.meets_all(thread))
        return code + region.leave_;
    const Place& place = region.places_[(thread.ip - region.first_ip_) >> 3];
    frame.behind = place.behind;
    const bool all = (thread.active & region.channels_needed_) == region.channels_needed_;
    return code + (all ? place.all : place.masked);
}

const std::uint8_t* CompiledRegion::branch(Frame& frame, const DecodedInstruction& instruction,
                                           std::uint64_t executed) {
    instruction.execute(*frame.thread, instruction);
    return resume(frame, executed);
}

namespace {

/// The host's arithmetic as everything but the region's own wants it.
class OwnControl {
  public:
    OwnControl(bool flushes, unsigned outside) : flushes_(flushes) {
        if (!flushes_) return;
        inside_ = _mm_getcsr();
        _mm_setcsr(outside);
    }
    ~OwnControl() {
        if (flushes_) _mm_setcsr(inside_);
    }
    OwnControl(const OwnControl&) = delete;
    OwnControl& operator=(const OwnControl&) = delete;

  private:
    bool flushes_;
    unsigned inside_ = 0;
};

}  // namespace

bool CompiledRegion::send(Frame& frame, const DecodedInstruction& instruction, unsigned number,
                          std::uint64_t executed) {
    const OwnControl control(frame.region->flushes_, frame.host_control);
    frame.left = !frame.messages->send(*frame.thread, instruction, number,
                                       frame.begin + Cycles(executed));
    return !frame.left;
}

void CompiledRegion::general(Frame& frame, const DecodedInstruction& instruction) {
    const OwnControl control(frame.region->flushes_, frame.host_control);
    frame.thread->ip = instruction.ip;
    instruction.execute(*frame.thread, instruction);
}

}  // namespace gen9::eu::jit

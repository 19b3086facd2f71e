// SPDX-License-Identifier: Apache-2.0
#include "eu/thread/thread.h"

#include <algorithm>
#include <cstring>

#include "eu/thread/exceptions.h"

namespace gen9::eu {

namespace {

/// An unloaded register holds its register and DWord number behind a pattern that is a signalling
/// NaN as a float and a wild address as an integer.
constexpr auto kPoisoned = [] {
    std::array<Grf, kGrfCount> registers{};
    for (std::uint32_t i = 0; i < kGrfCount * kGrfBytes; ++i)
        registers[i / kGrfBytes].bytes[i % kGrfBytes] = static_cast<std::uint8_t>(
            (0xFFA50000u | i / kGrfBytes << 8 | i % kGrfBytes / 4) >> 8 * (i % 4));
    return registers;
}();

std::uint32_t vector_mask(std::uint32_t dispatch_mask) {
    std::uint32_t any = dispatch_mask | dispatch_mask >> 1;
    any |= any >> 2;
    return (any & 0x11111111u) * 15;
}

}  // namespace

void Thread::follow(const Thread& other) {
    acc = other.acc;
    special_acc = other.special_acc;
    address = other.address;
    flag = other.flag;
    notification = other.notification;
}

void Thread::start(const ThreadDispatch& dispatch, const RegisterRuns& changed) {
    load(dispatch, changed);
    // Flags, a0, acc and n0 keep what the slot's last thread left (EU-021): no default exists.
    sideband = dispatch.sideband;
    work = dispatch.work;
    beginning = beginning_of(dispatch);
    begin(dispatch.dispatch_mask, dispatch.uses_vector_mask);
}

void Thread::start_again(const ThreadDispatch& dispatch, const RegisterRuns& changed) {
    load(dispatch, changed);
    sideband.trace_id = dispatch.sideband.trace_id;
    sideband.slm_base = dispatch.sideband.slm_base;
    begin(dispatch.dispatch_mask, dispatch.uses_vector_mask);
}

void Thread::load(const ThreadDispatch& dispatch, const RegisterRuns& changed) {
    std::copy_n(dispatch.payload.begin(), loaded_by(dispatch), grf.begin());
    for (const RegisterRuns::Run run : changed)
        std::copy_n(kPoisoned.begin() + run.first, run.count, grf.begin() + run.first);
}

Thread::Beginning Thread::beginning_of(const ThreadDispatch& dispatch) const {
    Beginning begins;
    begins.ip = static_cast<std::uint32_t>(dispatch.instruction_pointer) & ~7u;
    for (unsigned i = 0; i < dependency.size(); ++i)
        begins.dependency[i] = dispatch.dependency[i] & 0x81FF;  // valid bit and FFTID (EU-108)
    begins.control[0] = (dispatch.alternate_float ? cr0::kAlternate : 0) |
                        (dispatch.single_program_flow ? cr0::kSinglePath : 0) |
                        std::uint32_t{dispatch.rounding & 3u} << 4;
    begins.control[1] = (dispatch.illegal_opcode_exception ? cr1::enable(cr1::kIllegalOpcode) : 0) |
                        (dispatch.software_exception ? cr1::enable(cr1::kSoftware) : 0) |
                        (dispatch.stack_exception ? cr1::enable(cr1::kStackOverflow) : 0);
    begins.stack = {dispatch.stack_pointer, dispatch.stack_limit};
    const ThreadAddress& place = sideband.place;
    begins.state[0] = std::uint32_t{dispatch.ffid & 15u} << 24 |
                      std::uint32_t{sideband.priority & 1u} << 23 |
                      std::uint32_t{place.slice.value & 3u} << 14 |
                      std::uint32_t{place.subslice.value & 3u} << 12 |
                      std::uint32_t{place.eu.value & 15u} << 8 | (place.slot.value & 15u);
    begins.state[1] = std::uint32_t{sideband.fftid & 0x1FFu} << 23;
    return begins;
}

void Thread::begin(std::uint32_t mask, bool uses_vector_mask) {
    places.forget();
    ip = beginning.ip;
    dispatch_mask = mask;
    const std::uint32_t vector = vector_mask(mask);
    active = uses_vector_mask ? vector : mask;
    waiting = 0;
    wake_ip = low_ip = kNoWake;
    call_mask = 0;
    routine = Routine::Exception;
    send_mask = 0;
    dependency = beginning.dependency;
    hardware_state = {};
    control = beginning.control;
    stack = beginning.stack;
    state = {beginning.state[0], beginning.state[1], dispatch_mask, vector};
}

FreshRegisters::FreshRegisters() : registers_(kPoisoned) {}

void FreshRegisters::expect(const Grf* payload, unsigned loaded) {
    for (; loaded_ > std::max(loaded, 1u); --loaded_)
        registers_[loaded_ - 1] = kPoisoned[loaded_ - 1];
    if (loaded > 1) std::copy_n(payload + 1, loaded - 1, registers_.begin() + 1);
    loaded_ = std::max(loaded, 1u);
}

}  // namespace gen9::eu

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

/// Writes the pattern to the registers of a set from one on. What lies between two registers to be
/// written has the pattern already: to write a few again costs less than to begin anew behind them.
void poison(std::array<Grf, kGrfCount>& grf, const RegisterSet& changed, unsigned from) {
    constexpr unsigned kGap = 8;
    unsigned first = 0, end = 0;
    const auto write = [&] {
        std::copy(kPoisoned.begin() + first, kPoisoned.begin() + end, grf.begin() + first);
    };
    changed.for_each_range(from, [&](unsigned next, unsigned next_end) {
        if (next > end + kGap) {
            write();
            first = next;
        } else if (first == end) {
            first = next;
        }
        end = next_end;
    });
    write();
}

}  // namespace

void Thread::follow(const Thread& other) {
    acc = other.acc;
    special_acc = other.special_acc;
    address = other.address;
    flag = other.flag;
    notification = other.notification;
}

void Thread::start(const ThreadDispatch& dispatch, const RegisterSet& changed) {
    load(dispatch, changed);
    // Flags, a0, acc and n0 keep what the slot's last thread left (EU-021): no default exists.
    sideband = dispatch.sideband;
    work = dispatch.work;
    set_up(dispatch);
}

void Thread::start_again(const ThreadDispatch& dispatch, const RegisterSet& changed) {
    load(dispatch, changed);
    sideband.trace_id = dispatch.sideband.trace_id;
    sideband.slm_base = dispatch.sideband.slm_base;
    set_up(dispatch);
}

void Thread::load(const ThreadDispatch& dispatch, const RegisterSet& changed) {
    const unsigned loaded = std::min<unsigned>(dispatch.payload_registers, kGrfCount);
    std::copy_n(dispatch.payload.begin(), loaded, grf.begin());
    poison(grf, changed, loaded);
}

void Thread::set_up(const ThreadDispatch& dispatch) {
    ip = static_cast<std::uint32_t>(dispatch.instruction_pointer) & ~7u;
    dispatch_mask = dispatch.dispatch_mask;
    active = dispatch.uses_vector_mask ? vector_mask(dispatch_mask) : dispatch_mask;
    waiting = 0;
    wake_ip = low_ip = kNoWake;
    call_mask = 0;
    routine = Routine::Exception;
    send_mask = 0;
    for (unsigned i = 0; i < dependency.size(); ++i)
        dependency[i] = dispatch.dependency[i] & 0x81FF;  // valid bit and FFTID (EU-108)
    hardware_state = {};
    control = {};
    control[0] = (dispatch.alternate_float ? cr0::kAlternate : 0) |
                 (dispatch.single_program_flow ? cr0::kSinglePath : 0) |
                 std::uint32_t{dispatch.rounding & 3u} << 4;
    control[1] = (dispatch.illegal_opcode_exception ? cr1::enable(cr1::kIllegalOpcode) : 0) |
                 (dispatch.software_exception ? cr1::enable(cr1::kSoftware) : 0) |
                 (dispatch.stack_exception ? cr1::enable(cr1::kStackOverflow) : 0);
    stack = {dispatch.stack_pointer, dispatch.stack_limit};
    const ThreadAddress& place = sideband.place;
    state[0] = std::uint32_t{dispatch.ffid & 15u} << 24 |
               std::uint32_t{sideband.priority & 1u} << 23 |
               std::uint32_t{place.slice.value & 3u} << 14 |
               std::uint32_t{place.subslice.value & 3u} << 12 |
               std::uint32_t{place.eu.value & 15u} << 8 | (place.slot.value & 15u);
    state[1] = std::uint32_t{sideband.fftid & 0x1FFu} << 23;
    state[2] = dispatch_mask;
    state[3] = vector_mask(dispatch_mask);
}

}  // namespace gen9::eu

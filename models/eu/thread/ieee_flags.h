// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cfenv>

#include "eu/execute/operands.h"

namespace gen9::eu {

// IEEE exceptions (EU-146..EU-152; 003:21740-21914): with cr0.0[9] set, what the enabled channels
// of a float instruction signal is noted in sr0.1, and nothing else happens. The specialised
// functions leave such instructions to the general path, which asks the host for the exceptions of
// each operation and works out those of conversions here.

/// Invalid, if an enabled channel of a float source is a signalling NaN. Those of F do not count in
/// the alternate mode, which knows none.
std::uint32_t signalling_sources(const Thread& thread, const isa::Instruction& in,
                                 std::uint32_t enabled);

/// The exceptions that the conversion of a result to `type` signals (EU-149..EU-152).
template <Domain D>
std::uint32_t conversion_exceptions(Value<D> value, isa::Type type, FloatControl control);

/// The host's exceptions as bits of sr0.1.
std::uint32_t host_exceptions();

/// The exceptions of an operation that count: a result flushed to zero is inexact and no underflow
/// (003:21890-21914).
template <Domain D>
std::uint32_t after_flush(std::uint32_t raised, Value<D> result, FloatControl control) {
    bool flushes = false, tiny = false;
    if constexpr (D == Domain::Single) flushes = !control.keep_float_denormals();
    if constexpr (D == Domain::Double) flushes = !control.keep_double_denormals();
    if constexpr (D == Domain::Single || D == Domain::Double) tiny = is_denormal(result);
    if (!flushes || !(tiny || (raised & sr0::kUnderflow))) return raised;
    return (raised & ~sr0::kUnderflow) | sr0::kInexact;
}

/// The exceptions that one instruction signals.
template <Domain D>
class Signals {
  public:
    Signals(Thread& thread, const isa::Instruction& in, std::uint32_t enabled)
        : thread_(thread), enabled_(enabled) {
        if constexpr (D != Domain::Integer) on_ = thread.control[0] & cr0::kIeeeTrap;
        if (on_) [[unlikely]]
            raised_ = signalling_sources(thread, in, enabled);
    }
    ~Signals() {
        if (on_) [[unlikely]]
            thread_.state[1] |= raised_;
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// value = operation(). `lanes`: channels it is for; `counted`: exceptions the opcode signals.
    template <class Operation>
    void compute(std::uint32_t lanes, Value<D>& value, Operation&& operation,
                 std::uint32_t counted = sr0::kExceptions) {
        if (!on_) [[likely]] {
            value = operation();
            return;
        }
        std::feclearexcept(FE_ALL_EXCEPT);
        // The compiler does not know that arithmetic touches the host's exception bits.
        asm volatile("" ::: "memory");
        value = operation();
        asm volatile("" ::: "memory");
        if (enabled_ & lanes)
            raised_ |= after_flush<D>(host_exceptions(), value, FloatControl(thread_)) & counted;
    }
    void add(std::uint32_t lanes, std::uint32_t exceptions) {
        if (on_ && (enabled_ & lanes)) [[unlikely]]
            raised_ |= exceptions;
    }

  private:
    Thread& thread_;
    std::uint32_t enabled_, raised_ = 0;
    bool on_ = false;
};

}  // namespace gen9::eu

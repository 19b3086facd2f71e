// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "eu/execute/families.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

/// cmp relation (EU-144): NaN is unordered, zeros of both signs are equal.
template <class V>
bool relation_holds(isa::CondMod condition, V a, V b) {
    using isa::CondMod;
    switch (condition) {
        case CondMod::Z:
            return a == b;
        case CondMod::NZ:
            return a != b;
        case CondMod::G:
            return a > b;
        case CondMod::GE:
            return a >= b;
        case CondMod::L:
            return a < b;
        case CondMod::LE:
            return a <= b;
        case CondMod::U:
            if constexpr (std::is_floating_point_v<V>) return is_nan(a) || is_nan(b);
            return false;
        default:
            return false;
    }
}

/// cmpn relation (EU-145): a NaN in src1 makes it true, one in src0 alone false (ne the reverse),
/// and -0 comes before +0.
template <class V>
bool ordered_relation_holds(isa::CondMod condition, V a, V b) {
    if constexpr (std::is_floating_point_v<V>) {
        using isa::CondMod;
        const bool not_equal = condition == CondMod::NZ;
        if (is_nan(b)) return !not_equal;
        if (is_nan(a)) return not_equal;
        if (a == 0 && b == 0)
            return relation_holds<int>(condition, std::signbit(a) ? -1 : 0,
                                       std::signbit(b) ? -1 : 0);
    }
    return relation_holds(condition, a, b);
}

/// cmp, cmpn: all ones or zero in the destination, flags from the comparison (EU-167).
template <Domain D, bool kOrdered>
Outcome execute_compare(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    const Signals<D> signals(thread, in, enabled);
    LaneArray<Value<D>> a, b;
    load_source<D>(thread, in, in.src[0], a);
    load_source<D>(thread, in, in.src[1], b);
    LaneArray<std::uint64_t> raw;
    std::uint32_t flags = 0;
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        const bool holds = kOrdered ? ordered_relation_holds(in.cond_mod, a[lane], b[lane])
                                    : relation_holds(in.cond_mod, a[lane], b[lane]);
        raw[lane] = holds ? ~std::uint64_t{0} : 0;
        flags |= std::uint32_t{holds} << lane;
    }
    write_destination(thread, in, raw, raw, enabled);
    if (in.cond_mod != isa::CondMod::None) update_flag(thread, in, enabled, flags);
    leave(thread, d);
    return Outcome::Next;
}

/// Does sel with a condition take src0 (EU-143)? A number wins over NaN, src0 over src1 of two
/// NaNs.
template <class V>
bool select_first(isa::CondMod condition, V a, V b) {
    using isa::CondMod;
    if constexpr (std::is_floating_point_v<V>) {
        const bool extremum = condition == CondMod::L || condition == CondMod::LE ||
                              condition == CondMod::G || condition == CondMod::GE;
        if (extremum) {
            if (is_nan(a)) return is_nan(b);
            if (is_nan(b)) return true;
            return ordered_relation_holds(condition, a, b);
        }
    }
    return relation_holds(condition, a, b);
}

/// sel: by flag, without masking the write (EU-217), or by condition, without writing flags
/// (EU-170).
template <Domain D>
Outcome execute_select(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = lanes_enabled(thread, in) & channel_enable_lanes(in);
    const std::uint32_t predicate = predicate_lanes(thread, in);
    const FloatControl control(thread);
    HostRounding rounding(control.rounding());
    const Signals<D> signals(thread, in, enabled);
    LaneArray<Value<D>> a, b, result;
    load_source<D>(thread, in, in.src[0], a);
    load_source<D>(thread, in, in.src[1], b);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        bool first;
        if (in.cond_mod == isa::CondMod::None) {
            first = predicate >> lane & 1;
        } else {
            first = select_first(in.cond_mod, a[lane], b[lane]);
            if constexpr (D != Domain::Integer) {
                // IEEE min/max: a signalling NaN comes out, quieted (003:21702-21738).
                if (control.ieee_min_max() && (is_signalling(a[lane]) || is_signalling(b[lane]))) {
                    result[lane] = quiet(is_signalling(a[lane]) ? a[lane] : b[lane]);
                    continue;
                }
            }
        }
        result[lane] = first ? a[lane] : b[lane];
    }
    finish<D>(thread, d, result, enabled, Flags::Keep);
    leave(thread, d);
    return Outcome::Next;
}

}  // namespace gen9::eu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/units.h"
#include "eu/execute/decoded.h"
#include "eu/fast/selector.h"

namespace gen9::eu::jit {

using fast::Lane;
using fast::Op;

inline constexpr std::size_t kFileBytes = std::size_t{kGrfCount} * kGrfBytes;
/// Sign bit of a QWord.
inline constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

inline bool is_raw_move(const DecodedInstruction& d) {
    return d.form.op == Op::Move && !fast::is_float_lane(d.form.lane) &&
           isa::is_float(d.instruction.src[0].type);
}
inline Lane result_lane(const DecodedInstruction& d) {
    switch (d.form.op) {
        case Op::ToSingle:
        case Op::NegatedToSingle:
            return Lane::Single;
        case Op::ToInteger:
        case Op::ToUnsigned:
        case Op::Compare:
            return Lane::U32;
        default:
            return d.form.lane;
    }
}
inline bool is_single(const DecodedInstruction& d) {
    return d.form.lane == Lane::Single;
}
inline bool is_double(const DecodedInstruction& d) {
    return d.form.lane == Lane::Double;
}
inline bool has_lane_of_32(const DecodedInstruction& d) {
    const auto good = [](Lane lane) {
        return lane == Lane::U32 || lane == Lane::I32 || lane == Lane::Single;
    };
    return good(d.form.lane) && good(result_lane(d));
}

}  // namespace gen9::eu::jit

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace gen9::cs {

struct PredicateInputs {
    std::uint64_t source0, source1, data;
    bool predicate;  ///< RESULT[0] before
};

/// MI_PREDICATE (003:1151-1169; the function, whose figure is lost: CS-02). No value: the reserved
/// load operation, which leaves the predicate as it is.
constexpr std::optional<bool> predicate_result(unsigned compare, unsigned combine, unsigned load,
                                               const PredicateInputs& in) {
    bool compared = false;
    switch (compare & 3) {
        case 0:
            compared = true;
            break;
        case 1:
            compared = false;
            break;
        case 2:
            compared = in.source0 == in.source1;
            break;
        case 3:
            compared = in.source0 - in.source1 == in.data;
            break;
    }
    bool combined = compared;
    switch (combine & 3) {
        case 0:
            break;
        case 1:
            combined = in.predicate && compared;
            break;
        case 2:
            combined = in.predicate || compared;
            break;
        case 3:
            combined = in.predicate != compared;
            break;
    }
    switch (load & 3) {
        case 0:
            return in.predicate;
        case 2:
            return combined;
        case 3:
            return !combined;
        default:
            return std::nullopt;
    }
}

/// MI_SET_PREDICATE (CS-07): are commands ignored in this mode? No value: a reserved mode.
constexpr std::optional<bool> predicate_mode_skips(unsigned mode, bool result, bool result2,
                                                   unsigned slices) {
    switch (mode) {
        case 0:
            return false;
        case 1:
            return !result2;
        case 2:
            return result2;
        case 3:
            return !result;
        case 4:
            return result;
        case 5:
        case 6:
        case 7:
            return slices != mode - 4;
        case 15:
            return true;
        default:
            return std::nullopt;
    }
}

/// MI_SEMAPHORE_WAIT: may the stream go on? Unsigned; codes 6 and 7 do not exist and never wait.
constexpr bool semaphore_passes(unsigned compare, std::uint32_t memory, std::uint32_t inline_data) {
    switch (compare) {
        case 0:
            return memory > inline_data;
        case 1:
            return memory >= inline_data;
        case 2:
            return memory < inline_data;
        case 3:
            return memory <= inline_data;
        case 4:
            return memory == inline_data;
        case 5:
            return memory != inline_data;
        default:
            return true;
    }
}

}  // namespace gen9::cs

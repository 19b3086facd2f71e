// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "eu/execute/decoded.h"
#include "eu/fast/form.h"

namespace gen9::eu::fast {

/// The functions of one request: for all lanes, for some of them (decoded.h). A function that may
/// find that it must fall back is not a body, but stands for the instruction's `execute`.
struct Choice {
    Body full = nullptr, masked = nullptr;
    Execute alone = nullptr;

    Choice() = default;
    Choice(std::nullptr_t) {}
    Choice(Body both) : full(both), masked(both) {}
    Choice(Body all, Body some) : full(all), masked(some) {}
    static Choice alone_by(Execute execute) {
        Choice choice;
        choice.alone = execute;
        return choice;
    }
};

/// The function for a request, and the ways of a source into lanes and of lanes into a destination;
/// null if there is none. One set per instruction set of the host.
namespace base {
Choice pick_integer(const Request& request);
Choice pick_float(const Request& request);
Choice pick_math(const Request& request);
Choice pick_wide(const Request& request);
Gather pick_gather(isa::Type type, Lane lane, const isa::Operand& operand, unsigned lanes);
Scatter pick_scatter(Lane lane, isa::Type type, bool null);
}  // namespace base
namespace avx2 {
Choice pick_integer(const Request& request);
Choice pick_float(const Request& request);
Choice pick_math(const Request& request);
Choice pick_wide(const Request& request);
Gather pick_gather(isa::Type type, Lane lane, const isa::Operand& operand, unsigned lanes);
Scatter pick_scatter(Lane lane, isa::Type type, bool null);
}  // namespace avx2

}  // namespace gen9::eu::fast

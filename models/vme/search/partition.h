// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "vme/message/result.h"
#include "vme/search/search.h"

namespace gen9::vme {

/// The way in which a macroblock is divided best.
struct Choice {
    bool found = false;
    Partition partition;
    std::uint32_t distortion = kNone;  ///< with shape costs and biases
    unsigned vectors = 0;
    bool too_many_vectors = false;  ///< a better one had more vectors than allowed

    static constexpr std::uint32_t kNone = ~0u;
};

/// Chooses among the shapes (VME-46, VME-52, VME-53, VME-57). `directions`: how many there are
/// records of.
Choice choose_partition(const Inputs& in, const std::array<Records, 2>& records,
                        unsigned directions);

/// Two records of one reference become one: the first one wins among equals (VME-57).
void merge_records(Records& into, const Records& from);

/// Streamed records (VME-41, VME-71) of a message: those that are better than what was found
/// replace it; equal ones do not. `first`: the phase of the first record.
void merge_stream(const Message& message, unsigned first, Records& records);
/// The records as a stream, from phase `first` of the response on.
void write_stream(const Records& records, unsigned first, Message& message);

}  // namespace gen9::vme

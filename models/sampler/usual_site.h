// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "common/bits.h"
#include "interconnect/payload/message.h"
#include "sampler/filter/usual.h"

namespace gen9::sampler {

/// A message that comes as a call.
struct SiteMessage {
    const ThreadSideband& thread;
    std::uint32_t active;       ///< samples that are executed, at least one
    const Grf *first, *second;  ///< the two parts of its payload
    Grf* response;              ///< may overlap them
    bool alternate_float;
};

/// The messages of one send instruction, which come as calls: what all of them have in common, found
/// anew when something of it has changed (Core::find_site).
struct UsualSite {
    UsualSite(const Decoded& meaning, unsigned registers, unsigned in_first)
        : decoded(meaning),
          length(static_cast<std::uint8_t>(registers)),
          first_length(static_cast<std::uint8_t>(in_first)) {}

    const Grf& payload(const SiteMessage& message, unsigned number) const {
        return number < first_length ? message.first[number]
                                     : message.second[number - first_length];
    }
    /// Is it what was found for such a thread's message? `findings`: Core::findings.
    bool current(const SiteMessage& message, std::uint64_t findings) const {
        const ThreadSideband& thread = message.thread;
        return thread.state.get() == state.get() && findings == found &&
               thread.binding_table_offset == table_offset &&
               thread.sampler_state_offset == sampler_offset &&
               (!decoded.header ||
                load<std::uint64_t>(payload(message, 0).bytes + kHeaderBytes) == header_words);
    }

    static constexpr unsigned kHeaderBytes = 8;  ///< where a header says what it asks for

    const Decoded decoded;
    const std::uint8_t length, first_length;  ///< registers of the payload, and of its first part
    PipelineStatePtr state;                   ///< what the following was found under
    std::uint64_t found = ~std::uint64_t{0}, header_words = 0;
    std::uint32_t table_offset = 0, sampler_offset = 0;

    bool usable = false;            ///< else its messages are no calls
    bool usual = false;             ///< they have a form (filter/usual.h)
    bool by_lane = false;           ///< they may be filtered lane by lane (filter/by_lane.h)
    bool may_be_saved = false;      ///< threads with a save area send messages instead (PRE-09)
    bool reads_parameters = false;  ///< not the coordinates alone
    bool in_place = false;          ///< with all samples, results are written as they lie
    /// Where a coordinate lies: in which part of the payload, from which register of it on.
    struct Coordinate {
        bool in_first = true;
        std::uint8_t at = 0;
    };
    bool find_coordinate(Parameter which, Coordinate& coordinate) const;
    Coordinate u, v;
    std::uint8_t coordinate_bytes = 0;  ///< from the first eight samples to the others; 0: the same
    Header header;
    const SampledSurface* surface = nullptr;
    const SamplerState* sampler = nullptr;
    UsualForm form;

    /// Is a message to be tried as a usual one? That its samples have no level in common is known late:
    /// after some such messages in a row only every fourth is. By lane the results are the same.
    bool tries_usual() {
        return usual && (!by_lane || unlike_ < kUnlike || ++skipped_ % kTried == 0);
    }
    void tried_usual(bool it_was) { unlike_ = it_was ? 0 : std::min(unlike_ + 1, kUnlike); }

  private:
    static constexpr unsigned kUnlike = 4, kTried = 4;
    unsigned unlike_ = 0, skipped_ = 0;
};

}  // namespace gen9::sampler

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "interconnect/payload/direct_message.h"

namespace gen9 {

class PlainDirectSite;

/// The plain messages of a site, for an EU that carries them out in code of its own instead of
/// calling `run`: they move data between the payload and one window of host memory. The EU moves
/// DWords with an offset for each slot by itself where all slots are active and lie together, and
/// calls `move` for the others. The site writes the window, the EU reads it; both belong to the EU.
struct PlainMessages {
    enum Fact : std::uint8_t {
        kReads = 1,
        kAligned = 2,  ///< offsets are multiples of 4, or the message is not plain
        kWide = 4,     ///< offsets of 64 bits
        kLocal = 8,    ///< from the thread's shared local memory on
        kScaled = 16,  ///< offsets count DWords
        kSecond = 32,  ///< data begins in the payload's second part
        kBound = 64,   ///< the window is of a pipeline state and binding table
        kMoved = 128,  ///< `move` carries out all of them; `slots` and `items` say nothing
    };
    /// What the descriptor says of all messages of the site. The payload begins with the offsets;
    /// item n of slot s is DWord n * slots + s of the data.
    struct Form {
        std::uint8_t facts = 0;
        std::uint8_t slots = 0;  ///< 8 or 16; 0: no message is plain
        std::uint8_t items = 0;  ///< DWords of a slot, side by side in memory
        std::uint8_t data = 0;   ///< first register of the data, in its part of the payload
        bool operator==(const Form&) const = default;
    };
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// Carries a message out whose window is good. `first`: the payload's first register; `data`:
    /// where the data is or goes to; `local`: as Frame::local. False: nothing has been done.
    using Move = bool (*)(PlainMessages& plain, std::uint32_t mask, const std::uint8_t* first,
                          std::uint8_t* data, std::uint64_t local);

    Form form;
    std::uint32_t uncounted = kNone;  ///< messages carried out and not counted yet, less one

    std::uint64_t checked = 0;  ///< number of the epoch in which the EU has found the window good
    Move move = nullptr;        ///< there is one if any message is plain
    Move move_all = nullptr;    ///< the same for messages all of whose slots are on
    PlainDirectSite* site = nullptr;
    std::uint32_t unaligned = 0;  ///< bits of an offset that must be 0, for `move`
    std::uint32_t moved = kNone;  ///< messages by `move` that are not counted yet, less one,
    std::uint64_t accesses = 0;   ///< and their slots

    // The window is good while all of this is as it was when it was found.
    const std::uint64_t* findings = nullptr;
    std::uint64_t found = 0;  ///< `*findings` then
    const void* state = nullptr;
    std::uint64_t table = 0;

    std::uint64_t begin = 0;  ///< offset in bytes of `host`
    std::uint8_t* host = nullptr;
    std::uint64_t room_one = 0;  ///< at so many places the items of one slot may begin,
    std::uint64_t room_all = 0;  ///< and those of all slots side by side, or a block
    // The same in DWords from the window's begin, a place that is no whole one counted in.
    std::uint64_t dwords_one = 0, dwords_all = 0;
    std::uint32_t room_any = 0;  ///< as `room_one`, for offsets of 32 bits
    std::uint32_t last = 0;      ///< the last such place at which `move` finds any
};

/// Names by a number what all windows of an EU are good under, so that a window is held against it
/// once. Windows of targets that have other findings are not in it.
struct PlainEpoch {
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    static constexpr std::uint64_t kNothingFound = 0;
    const std::uint64_t* findings = &kNothingFound;
    std::uint64_t found = 0;
    const void* state = nullptr;
    std::uint64_t table = 0;
    std::uint64_t number = 1;

    /// May the windows of a site be in it?
    bool takes(const PlainMessages& plain) {
        if (plain.findings == nullptr) return false;
        if (findings == &kNothingFound) findings = plain.findings;
        return findings == plain.findings;
    }
    /// Has a window been found under what is so now?
    bool holds(const PlainMessages& plain) const {
        const bool bound = (plain.form.facts & PlainMessages::kBound) != 0;
        return plain.host != nullptr && plain.findings == findings && plain.found == found &&
               (!bound || (plain.state == state && plain.table == table));
    }
    void update(const void* state_now, std::uint64_t table_now) {
        if (*findings == found && state_now == state && table_now == table) [[likely]]
            return;
        found = *findings;
        state = state_now;
        table = table_now;
        ++number;
    }
};

/// A site some of whose messages may be plain.
class PlainDirectSite : public DirectSite {
  public:
    PlainDirectSite() { plain.site = this; }
    PlainMessages plain;
    /// `plain.uncounted` has become 0, or `plain.moved` has.
    virtual void begin_count() = 0;
};

/// Of a send without any: no window of it is ever good.
inline PlainMessages no_plain_messages;

}  // namespace gen9

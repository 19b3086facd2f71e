// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "interconnect/payload/direct_message.h"

namespace gen9 {

/// The plain messages of a site, for an EU that carries them out in code of its own instead of
/// calling `run`: they move DWords between the payload and one window of host memory, with an offset
/// for each slot and all slots active. The site writes the window, the EU reads it; both belong to
/// the EU.
struct PlainMessages {
    enum Fact : std::uint8_t {
        kReads = 1,
        kAligned = 2,  ///< offsets are multiples of 4, or the message is not plain
        kWide = 4,     ///< offsets of 64 bits
        kLocal = 8,    ///< from the thread's shared local memory on
        kScaled = 16,  ///< offsets count DWords
        kSecond = 32,  ///< data begins in the payload's second part
        kBound = 64,   ///< the window is of a pipeline state and binding table
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

    Form form;
    std::uint32_t uncounted = kNone;  ///< messages carried out and not counted yet, less one

    // The window is good while all of this is as it was when it was found.
    const std::uint64_t* findings = nullptr;
    std::uint64_t found = 0;  ///< `*findings` then
    const void* state = nullptr;
    std::uint64_t table = 0;

    std::uint64_t begin = 0;  ///< offset in bytes of `host`
    std::uint8_t* host = nullptr;
    std::uint64_t room_one = 0;  ///< at so many places the items of one slot may begin,
    std::uint64_t room_all = 0;  ///< and those of all slots side by side
    std::uint32_t room_any = 0;  ///< as `room_one`, for offsets of 32 bits
};

/// A site some of whose messages may be plain.
class PlainDirectSite : public DirectSite {
  public:
    PlainMessages plain;
    /// `plain.uncounted` has become 0.
    virtual void begin_count() = 0;
};

}  // namespace gen9

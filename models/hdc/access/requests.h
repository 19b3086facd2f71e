// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "hdc/plan/plan.h"

namespace gen9::hdc {

/// Enters a lane of an atomic as number `n` of an access.
void fill_lane(LaneAccess& access, unsigned n, const AtomicLane& lane, const Plan& plan);

/// A part of a plan: bytes that lie in one line, or lanes of one width.
struct Part {
    std::uint64_t address;
    std::uint16_t at;  ///< in the plan's registers; atomics: number of the lane
    std::uint8_t bytes;
    std::uint8_t copies;        ///< in the registers, one after the other; SLM: lanes
    std::uint16_t next;         ///< of the same request; kEnd
    std::uint16_t at_step;      ///< SLM: from lane to lane in the registers
    std::uint8_t address_step;  ///< SLM: and in memory
    static constexpr std::uint16_t kEnd = 0xFFFF;
};

/// A plan cut into what goes out in one transaction each: the parts of one 64-byte line, merged
/// wherever they stand in the message (DP-078, DP-224), or up to 16 lanes for shared local memory.
/// With `channels` apart, parts of different channels of a slot do not merge. Slots of a read that
/// access several elements merge only within a batch of `batch_bytes` of data, or where they read
/// one place.
class RequestList {
  public:
    static constexpr unsigned kMaxParts = Plan::kMaxPieces + 16;

    struct Request {
        std::uint64_t line;   ///< address of the line; SLM: 0
        std::uint16_t first;  ///< part
        std::uint16_t last;
        std::uint16_t lanes;     ///< SLM
        std::uint8_t width;      ///< SLM: bytes of each
        std::uint8_t share = 0;  ///< number of its channel or batch: others do not merge with it
    };

    enum class Channels { Together, Apart };
    static constexpr unsigned kWholeMessage = 1024;  ///< bytes: no message has as many
    void build(const Plan& plan, Channels channels = Channels::Together,
               unsigned batch_bytes = kWholeMessage);
    unsigned size() const { return count_; }
    const Request& operator[](unsigned i) const { return requests_[i]; }
    const Part& part(std::uint16_t i) const { return parts_[i]; }

  private:
    void add_slm_piece(const Piece& piece);
    void add_run(std::uint64_t address, unsigned at, unsigned bytes, unsigned share = 0);
    void add_to_line(std::uint64_t address, unsigned at, unsigned bytes, unsigned copies = 1,
                     unsigned share = 0);
    void add_lanes(std::uint64_t address, unsigned at, unsigned bytes, unsigned count,
                   unsigned address_step, unsigned at_step);
    std::uint16_t add_part(std::uint64_t address, unsigned at, unsigned bytes, unsigned copies);
    void append(Request& request, std::uint16_t part);

    unsigned count_ = 0, part_count_ = 0;
    std::array<Request, kMaxParts> requests_;
    std::array<Part, kMaxParts> parts_;
};

}  // namespace gen9::hdc

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>

#include "eu/execute/decoded.h"
#include "eu/params.h"

namespace gen9::eu {

/// How long one instruction keeps whom waiting, in cycles from its issue.
struct IssueTiming {
    std::uint32_t front_end = 1;    ///< the thread's next instruction
    std::uint32_t unit = 1;         ///< the unit's next instruction
    std::uint32_t result = 0;       ///< a reader of a destination register or of a0
    std::uint32_t accumulator = 0;  ///< a reader of an accumulator
    std::uint32_t flag = 0;         ///< a reader of a flag
    std::uint32_t payload = 0;      ///< a writer of a send's payload registers (EU-178)
};

/// The parameters as a table by latency class.
class TimingTable {
  public:
    explicit TimingTable(const EuParams& params);
    /// `payload`: registers of a send's message.
    IssueTiming of(const DecodedInstruction& instruction, unsigned payload = 0) const;
    /// The timing of a send whose message has so many registers, from that of the instruction.
    IssueTiming with_payload(const IssueTiming& send, unsigned payload) const {
        IssueTiming timing = send;
        timing.unit =
            std::max(rows_[static_cast<std::size_t>(LatencyClass::Send)].unit * payload, 1u);
        timing.payload = payload_read_ + payload_read_register_ * payload;
        return timing;
    }
    bool operator==(const TimingTable&) const = default;

  private:
    struct Row {
        std::uint32_t front_end = 1, unit = 1, result = 0, accumulator = 0, flag = 0;
        std::uint32_t front_end_less = 0;
        bool flat = false;  ///< not multiplied by the number of registers
        bool operator==(const Row&) const = default;
    };
    std::array<Row, static_cast<std::size_t>(LatencyClass::Control) + 1> rows_;
    std::uint32_t double_unit_, strided_passes_, bank_conflict_, switch_front_end_, payload_read_,
        payload_read_register_;
};

}  // namespace gen9::eu

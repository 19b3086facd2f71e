// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "isa/text/assemble.h"

namespace gen9::litmus {

/// Where variables live, as the messages' binding table index says.
enum class Space : std::uint8_t { NonCoherent = 253, Local = 254, Global = 255 };

/// Builds the program of one thread: accesses to variables in the order written down, each a
/// message of one channel, sent without waiting for those before it. What reads and atomics return
/// are the thread's results, stored for the test at the end. Addresses of variables come in r1,
/// the address of the results in r2.0, the barrier's number in r0.2.
class Code {
  public:
    explicit Code(Space space = Space::Global) : space_(space) {}

    Code& in(Space space) {
        space_ = space;
        return *this;
    }
    Code& write(unsigned variable, std::uint32_t value);
    /// The same through data port 0 (byte scattered).
    Code& write_port0(unsigned variable, std::uint32_t value);
    Code& read(unsigned variable);
    Code& read_port0(unsigned variable);
    /// The first dword of surface 0, through the constant cache.
    Code& constant();
    /// The first texel of surface 0, through the sampler.
    Code& texel();
    Code& add(unsigned variable, std::uint32_t value);
    Code& exchange(unsigned variable, std::uint32_t value);
    Code& compare_exchange(unsigned variable, std::uint32_t compare, std::uint32_t value);
    /// Writes the same value to eight neighbouring dwords with one message.
    Code& write_line(unsigned variable, std::uint32_t value);
    /// Waits until the last result is there.
    Code& wait();
    /// Memory fence, and the wait for its answer.
    Code& fence();
    /// Memory fence without the wait.
    Code& fence_sent();
    Code& barrier();
    /// Does nothing for about 20 cycles each.
    Code& pause(unsigned times);

    unsigned results() const { return static_cast<unsigned>(results_.size()); }
    std::vector<std::uint8_t> bytes() const;

  private:
    unsigned take(unsigned registers);
    unsigned address_of(unsigned variable, unsigned registers);
    void set(unsigned reg, std::uint32_t value);
    void send(unsigned sfid, std::uint32_t descriptor, unsigned payload, unsigned registers,
              bool answers, unsigned channels = 1);
    std::uint32_t index() const { return static_cast<std::uint32_t>(space_); }

    Space space_;
    std::vector<isa::Inst> before_, body_;
    std::vector<unsigned> results_;
    unsigned next_ = 8;
};

}  // namespace gen9::litmus

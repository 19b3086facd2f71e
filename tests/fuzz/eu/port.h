// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eu/execute/decoded.h"
#include "eu/thread/thread.h"
#include "hdc/access/direct.h"
#include "interconnect/payload/plain_messages.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::eu::test {

/// What the messages of a sequence meet: buffers, and threads that run its code one after the other.
struct PortSetup {
    static constexpr unsigned kBuffers = 3, kThreads = 3;
    struct Buffer {
        std::uint32_t at, bytes;  ///< behind Bench::kData
    };
    std::array<Buffer, kBuffers> buffers;
    std::uint32_t general_bytes;  ///< of the general state
    struct Sender {
        bool other_table, other_state;
        std::uint32_t slm_base, slm_bytes;
    };
    std::array<Sender, kThreads> senders;
};

/// The data port of one of two sides that are compared, with memory of its own.
class Port {
  public:
    static constexpr TraceId kCause = 0;

    /// Forgets what it knows, and has the buffers of a sequence.
    void set_up(const PortSetup& setup);
    /// Fills the memory, for a thread that is the sender of this number.
    void begin(Thread& thread, const PortSetup& setup, unsigned number);
    /// Carries out a thread's message by a plan, behind the execution of its send. Those of other
    /// units do nothing.
    void deliver(Thread& thread, const DecodedInstruction& send);
    /// From now on its memory is elsewhere in the host's.
    void move();

    /// Makes sites for the sends of code; they are found by the number of the instruction.
    void make_sites(std::span<const DecodedInstruction> code);
    DirectSite* const* sites() const { return known_.data(); }
    PlainMessages* const* plain() const { return plain_.data(); }
    PlainEpoch& epoch() { return epoch_; }
    void settle() { direct_.settle(kCause); }

    /// What the memory of two sides has different, or null.
    static const char* difference(const Port& a, const Port& b);
    static bool counts_alike(const Port& a, const Port& b);

    std::uint64_t sent = 0;  ///< messages, those that are calls or moved by code left out
    /// Plain messages by their forms, by code or calls.
    struct Plain {
        std::uint64_t all_on = 0, some_on = 0;
    };
    using PlainCounts = std::map<std::uint32_t, Plain>;
    /// Adds those that have not been settled.
    void count_plain(PlainCounts& counts) const;

  private:
    std::string counters() const;

    hdc::test::Bench bench_;
    hdc::TypedTargets typed_;
    hdc::DirectPort direct_{bench_.core, bench_.driver, typed_};
    std::array<std::shared_ptr<PipelineState>, 2> states_;
    std::vector<std::unique_ptr<DirectSite>> sites_;
    std::vector<DirectSite*> known_;
    std::vector<PlainMessages*> plain_;
    PlainEpoch epoch_;
    std::unique_ptr<Message> message_ = std::make_unique<Message>();
};

}  // namespace gen9::eu::test

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "common/stats.h"
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/memory_port.h"

namespace gen9::platform {

struct PassageStats : StatSet {
    using StatSet::StatSet;
    Counter requests{*this, "requests", "requests", "Requests passed on."};
    Counter line_stalls{*this, "line_stalls", "requests",
                        "Requests that waited for an older one to their line."};
};

/// Passage: stands in the place of a cache and keeps nothing; every access goes on to the memory
/// behind it.
/// Role     passes requests on in order, one a cycle, and their answers back
/// Sockets  mem_in target, mem_out initiator   base protocol, what passes is unchanged
/// Order    of all requests; one access to a line is under way at a time, as the GTI and the LLC
///          ask of their senders
/// Spec     none: a tool for exploring, and the smallest model of a cache's place
class Passage : public sc_core::sc_module, public Block {
  public:
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    PassageStats stats;

    Passage(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~Passage() override;
    bool idle() const override { return queue_.empty() && lines_.empty(); }

  private:
    using Payload = tlm::tlm_generic_payload;
    /// A line that an access is under way to.
    struct Line {
        std::uint64_t number;
        const Payload* payload;
        Cycles answered;  ///< 0: not yet
    };
    static constexpr std::uint64_t kQueue = 16;
    static constexpr Cycles kNext{1};

    static std::uint64_t line_of(const Payload& payload) {
        return payload.get_address() / kLineBytes;
    }

    void process();
    bool lanes_end_here(const Payload& payload) const;
    void blocking(Payload& payload, sc_core::sc_time& delay);
    void answered(Payload& payload, Cycles at);

    const Clock& clock_;
    RequestQueue queue_;
    RequestPort port_;
    Wakeup wakeup_;
    std::vector<Line> lines_;
    Cycles next_send_;
    const Payload* stalled_ = nullptr;  ///< the request that has been counted
};

}  // namespace gen9::platform

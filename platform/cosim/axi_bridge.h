// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "common/environment.h"
#include "common/params.h"
#include "common/stats.h"
#include "interconnect/kernel/memory_port.h"
#include "memory/interface.h"
#include "platform/cosim/axi.h"

namespace gen9::platform {

struct AxiBridgeParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue{*this,
                {"queue", "requests", "Requests held in front of the AXI port.", "Model: bridge"},
                16,
                1,
                256};
    Param outstanding{*this,
                      {"outstanding", "transactions",
                       "Transactions under way at once, each with an id of its own.",
                       "Model: bridge; AXI ids have 4 bits"},
                      16,
                      1,
                      AxiPins::kIds};
    Param answer_limit{*this,
                       {"answer_limit", "cycles",
                        "Cycles without any handshake, while transactions are under way, after "
                        "which the target counts as dead.",
                        "Model: co-simulation"},
                       100'000,
                       100,
                       1'000'000'000};
};

struct AxiBridgeStats : StatSet {
    using StatSet::StatSet;
    Counter reads{*this, "reads", "transactions", "Read bursts."};
    Counter writes{*this, "writes", "transactions", "Write bursts."};
    Counter reordered{*this, "reordered", "transactions",
                      "Transactions answered before an older one."};
    Counter held_cycles{*this, "held_cycles", "cycles",
                        "Cycles the oldest request waited for another one to its line."};
};

/// AxiBridge: turns the base protocol into AXI4 and back.
/// Role     a transaction becomes a burst of 16-byte beats with an id of its own; answers come in
///          any order. Atomics (Lanes) become a read of the line, the operation, and a write
/// Sockets  mem_in  target  base protocol  physical addresses, at most one line non-blocking
/// Order    of transactions to one line: as they came, one at a time; all others: the target's
/// Spec     AMBA AXI4 (IHI 0022); every clock's pins are checked (AxiChecker)
class AxiBridge : public sc_core::sc_module, public memory::DramBlock {
  public:
    AxiBridgeParams params;
    AxiBridgeStats stats;
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};

    /// `target` answers at the pins. `debug` reads and writes its bytes without time.
    AxiBridge(sc_core::sc_module_name name, Environment& env, const Clock& clock,
              std::unique_ptr<AxiTarget> target,
              std::function<unsigned(tlm::tlm_generic_payload&)> debug);
    memory::DramSockets sockets() override { return {mem_in}; }
    bool idle() const override { return queue_.empty() && under_way_ == 0; }

  private:
    using Payload = tlm::tlm_generic_payload;
    /// A transaction with an id.
    struct Slot {
        enum class Step : std::uint8_t { Free, Address, Data, Answer, Done };
        Step step = Step::Free;
        Payload* payload = nullptr;
        bool blocking = false;
        bool write = false;         ///< of the burst under way
        bool reads_first = false;   ///< an atomic, or an enabled read: a write may follow
        std::uint64_t address = 0;  ///< of the first beat
        unsigned beats = 0, beat = 0;
        std::uint64_t age = 0;   ///< of the transaction
        std::uint64_t turn = 0;  ///< at the step's channel
        std::uint8_t response = 0;
        std::array<std::uint8_t, kLineBytes + AxiPins::kBeatBytes> data{};
        std::uint64_t strobes_low = 0;   ///< of bytes 63:0
        std::uint16_t strobes_high = 0;  ///< of the rest
    };

    void process();
    /// One clock: handshakes of the pins as they stand, the edge, and the pins of the next.
    void edge();
    bool start(Payload& payload, bool blocking);
    bool line_is_busy(const Payload& payload) const;
    void begin_burst(Slot& slot, bool write);
    void take_handshakes(const AxiPins& before);
    void drive();
    void finish(Slot& slot);
    void answer_finished();
    /// Has there been no handshake for `answer_limit`? Then it has been told.
    bool dead();
    std::string pins_text() const;
    /// One line of a blocking access. False: the target is dead.
    bool block(Payload& piece, std::uint64_t& edges);
    void blocking(Payload& payload, sc_core::sc_time& delay);
    Slot* slot_in(Slot::Step step, bool write);

    Environment& env_;
    const Clock& clock_;
    std::unique_ptr<AxiTarget> target_;
    AxiPins pins_;
    AxiChecker checker_;
    RequestQueue queue_;
    Wakeup wakeup_;
    std::array<Slot, AxiPins::kIds> slots_;
    unsigned under_way_ = 0;
    std::uint64_t started_ = 0, turns_ = 0;
    std::uint64_t quiet_edges_ = 0;
    int aw_ = -1, w_ = -1, ar_ = -1;  ///< slots that stand on a channel; -1: none
};

}  // namespace gen9::platform

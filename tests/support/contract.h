// SPDX-License-Identifier: Apache-2.0
// The contract of docs/architecture.md, played against a target: seeded random traffic, every rule
// looked at from outside. Nothing here fails a test; what was broken is in `findings`.
#pragma once
#include <array>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::test {

/// What a target broke, one sentence each. Empty: it kept the contract.
struct Findings {
    std::vector<std::string> sentences;
    void check(bool kept, const std::string& sentence) {
        if (!kept) sentences.push_back(sentence);
    }
    bool has(const std::string& sentence) const;
    /// The first few, for a failing test.
    std::string text() const;
};

/// The sentences of the rules, which tests of the suite itself look for.
namespace rule {
inline constexpr const char* kAnsweredOnce = "a request was answered more than once";
inline constexpr const char* kKnown = "an answer came for what was not sent on this socket";
inline constexpr const char* kNothingLost = "a request was never answered";
inline constexpr const char* kEndedOnce = "a request was ended more than once, or after its answer";
inline constexpr const char* kEnded = "an answer came before its END_REQ";
inline constexpr const char* kNotice = "an annotated delay was shorter than the notice";
inline constexpr const char* kPhase = "a phase or return value is not of the protocol";
inline constexpr const char* kStatus = "an answer came without a status";
inline constexpr const char* kData = "a read gave other bytes than were written";
inline constexpr const char* kState = "memory was left with other bytes than were written";
inline constexpr const char* kReturned = "a payload was kept after its answer";
}  // namespace rule

/// What is sent to a memory target. Every initiator owns a quarter of each line, so that what it
/// reads follows from what it wrote, whatever the others do.
struct MemoryTraffic {
    unsigned initiators = 1;  ///< at most 4
    unsigned requests = 400;  ///< of each
    std::uint64_t base = 0, bytes = 16 * 1024;
    AddressSpace space = AddressSpace::Ppgtt;
    bool whole_line_reads = false;  ///< nothing else
    bool lane_accesses = false;     ///< lanes that read or write, besides atomics
    /// One initiator's accesses to a line may overlap; else it has one at a time in flight.
    bool keeps_order = true;
    unsigned window = ~0u;  ///< un-answered requests an initiator allows itself
};

/// Initiators of a memory target.
class MemoryContract : public sc_core::sc_module {
  public:
    std::deque<InitiatorSocket<MemoryProtocol>> mem_out;
    Findings findings;

    MemoryContract(sc_core::sc_module_name name, const Clock& clock, const MemoryTraffic& traffic,
                   std::uint32_t seed);

    /// Once elaborated: takes what the memory holds as what was written before.
    void begin();
    void run_blocking();
    /// Timed: sends from now on, as fast as the target lets it, with gaps now and then.
    void run_timed() { wakeup_.at(clock_.now()); }
    /// After the run: nothing was lost or kept, memory is as the plain sequence leaves it.
    void end();

    std::size_t sent() const;
    std::size_t answered() const { return answered_; }
    bool finished() const { return answered_ == std::size_t{traffic_.requests} * mem_out.size(); }
    /// Requests whose END_REQ did not come at once.
    std::size_t held() const { return held_; }
    /// The whole range, by transport_dbg.
    std::vector<std::uint8_t> memory();

  private:
    struct Request {
        MemoryTransaction* transaction = nullptr;
        std::array<std::uint8_t, kLineBytes> data{};  ///< a read's
        std::array<std::uint64_t, LaneAccess::kMaxLanes> result{};
        unsigned ends = 0, answers = 0;
    };
    struct Initiator {
        std::mt19937 random;
        std::deque<Request> requests;  ///< all that were sent
        Request* unended = nullptr;
        MemoryTransaction* next = nullptr;  ///< made, not sent
        std::size_t answered = 0;
        std::size_t settled = 0;  ///< of the first ones: answered
    };

    Request& make(Initiator& initiator, unsigned index);
    void make_lanes(Initiator& initiator, Request& request, std::uint64_t address);
    void process();
    bool may_send(Initiator& initiator) const;
    void send(unsigned index);
    Request* find(Initiator& initiator, const tlm::tlm_generic_payload& payload);
    tlm::tlm_sync_enum backward(unsigned index, tlm::tlm_generic_payload& payload,
                                tlm::tlm_phase& phase);
    void ended(Initiator& initiator, Request& request);
    void answer(Initiator& initiator, Request& request);
    std::uint8_t* at(std::uint64_t address) { return &reference_[address - traffic_.base]; }

    const Clock& clock_;
    const MemoryTraffic traffic_;
    std::deque<Initiator> initiators_;
    MemoryPool pool_;
    Wakeup wakeup_;
    std::mt19937 gaps_;
    std::vector<std::uint8_t> reference_;
    std::size_t answered_ = 0, held_ = 0;
};

/// Senders of messages, one per EU, each with so many credits.
class MessageContract : public sc_core::sc_module {
  public:
    std::deque<InitiatorSocket<MessageProtocol>> msg_out;
    Findings findings;

    MessageContract(sc_core::sc_module_name name, const Clock& clock, unsigned eus,
                    unsigned credits, unsigned notice_cycles, std::uint32_t seed);

    /// To be sent by an EU after what was added for it before.
    void add(unsigned eu, const Message& message);
    void run_blocking();
    /// Non-blocking: sends from now on, as credits allow, some announced a few cycles ahead.
    void run() { wakeup_.at(clock_.now()); }
    /// After the run: every message was ended and answered.
    void end();
    bool finished() const;
    std::size_t sent() const;
    /// What an EU has sent, with its answer.
    const Message& message(unsigned eu, std::size_t index) const {
        return eus_[eu].items[index].message;
    }

  private:
    struct Item {
        Message message;
        unsigned ends = 0, answers = 0;
        Cycles ended;  ///< its credit is back
    };
    struct Eu {
        std::deque<Item> items;
        std::size_t sent = 0;
        std::size_t settled = 0;  ///< of the first ones: ended, and their credits are back
        Cycles last;              ///< issue of the last message
    };

    void process();
    unsigned unended(Eu& eu) const;
    void send(unsigned index);
    tlm::tlm_sync_enum backward(unsigned index, Message& message, tlm::tlm_phase& phase,
                                const sc_core::sc_time& delay);

    const Clock& clock_;
    const unsigned credits_;
    const Cycles notice_;
    std::deque<Eu> eus_;
    Wakeup wakeup_;
    std::mt19937 random_;
};

}  // namespace gen9::test

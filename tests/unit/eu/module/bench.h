// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eu/module.h"
#include "tests/support/environment.h"
#include "tests/unit/eu/module/fake_core.h"

namespace gen9::test {

inline constexpr unsigned kEuNumber = 0x12;  ///< of the bench's EU: in its trace ids

/// Instruction words as they lie in memory.
std::vector<std::uint8_t> bytes(std::span<const std::uint64_t> words);

/// One EU with the world around it played by the test: a spawner, shared functions with settable
/// latencies, and an instruction memory. Everything that comes out of the EU is recorded.
class EuBench : public sc_core::sc_module {
  public:
    struct Executed {
        std::uint64_t cycle;
        unsigned slot;
        std::uint32_t ip;
        auto operator<=>(const Executed&) const = default;
    };
    struct Sent {
        std::uint64_t cycle;
        unsigned slot, port;
        unsigned registers;         ///< of payload
        std::uint32_t first_value;  ///< DWord 0 of the payload's first register
        std::uint32_t last_value;   ///< and of its last
        bool system_routine = false;
        TraceId trace_id = 0;
        auto operator<=>(const Sent&) const = default;
    };
    struct Ended {
        std::uint64_t cycle;
        unsigned slot;
        std::uint64_t instructions, messages;
        bool saved = false;
        auto operator<=>(const Ended&) const = default;
    };

    TestEnvironment& test;
    /// Gives the slot's next thread, whose dispatch it fills in; false: there is none. Null: threads
    /// have no relay.
    std::function<bool(ThreadDispatch&)> next;
    /// Fills in the threads that `next` would give one after the other, at most so many.
    std::function<void(unsigned most, ThreadFollowers&)> foresee;
    /// So many of them have begun.
    std::function<void(const ThreadDispatch&, unsigned count)> followed = [](const auto&,
                                                                             unsigned) {};
    Clock clock{1'000'000'000};
    eu::Program program;
    eu::Eu eu;
    std::vector<Executed> executed;
    std::vector<Sent> sent;
    std::vector<Ended> ended;

    /// Cycles from a message's request to its response, and to the end of its request.
    std::function<unsigned(const Message&)> response_latency = [](const Message&) { return 100u; };
    std::function<unsigned(const Message&)> accept_latency = [](const Message&) { return 16u; };
    /// Value of DWord 0 of response register r.
    std::function<std::uint32_t(const Message&, unsigned)> answer = [](const Message&, unsigned r) {
        return 1000 + r;
    };
    /// Bytes the answer writes of each response register.
    std::function<std::uint32_t(const Message&)> enables = [](const Message&) { return ~0u; };
    /// Gateway messages are kept unanswered for the test to notify.
    bool keep_gateway = false;
    std::vector<Message*> kept;
    /// `notify` gives so many cycles less than the notice promised.
    unsigned late_by = 0;
    /// When each message of a port was in the function's queue: from, to.
    std::array<std::vector<std::pair<std::uint64_t, std::uint64_t>>, kMessagePorts> queued;
    unsigned fetch_latency = 18;
    /// Cycles to the end of a fetch's request; 0: it ends within the call; as long as
    /// fetch_latency: only the response ends it.
    unsigned fetch_accept_latency = 0;
    std::vector<std::uint64_t> fetch_requests;  ///< cycles
    std::optional<std::uint64_t> faulty_line;
    std::vector<std::uint64_t> fetched;  ///< lines, in order
    std::vector<TraceId> fetch_ids;      ///< the same's trace ids
    /// Called when a thread has ended.
    std::function<void(const Ended&)> on_end = [](const Ended&) {};
    /// Registers r0.. a dispatch loads (DWord 0 of each).
    std::vector<std::uint32_t> payload;
    /// Changes a dispatch before it is sent.
    std::function<void(ThreadDispatch&)> adjust = [](ThreadDispatch&) {};
    /// Tells the EU that a thread somewhere ends in that cycle.
    void thread_ended(std::uint16_t fftid, std::uint64_t at);
    /// The threads are to save themselves from that cycle on.
    void save_threads(std::uint64_t at);
    /// Where the context's system routine begins.
    void system_routine(std::uint32_t ip);

    explicit EuBench(TestEnvironment& environment, sc_core::sc_module_name name = "bench");

    void code(std::uint32_t ip, const std::vector<std::uint8_t>& bytes);
    void code(std::uint32_t ip, const std::vector<FakeInstruction>& instructions) {
        code(ip, assemble(instructions));
    }
    /// Announces a thread `notice` cycles from now or for `at` if that is later.
    void dispatch(unsigned slot, std::uint32_t ip, std::uint64_t at = 0, unsigned priority = 0);
    void run(std::uint64_t cycles = 100000);
    /// Runs `action` at a cycle.
    void at(std::uint64_t cycle, std::function<void()> action);
    /// Answers a kept gateway message, raising n0.0, `notice` cycles from now.
    void notify(Message& message);
    /// The function at a port takes messages as calls from now on.
    void grant(MessagePort port, DirectFunction* function) {
        msg_in_[static_cast<unsigned>(port)]->direct = function;
    }
    /// Software writes a register.
    void write_register(std::uint32_t offset, std::uint32_t value);
    /// The instruction cache tells the EU to drop its code.
    void invalidate() { mem_in_->invalidate_direct_mem_ptr(0, ~0ull); }
    std::uint64_t now() const { return clock.now().value; }

    /// Cycles in which a slot issued.
    std::vector<std::uint64_t> issue_cycles(unsigned slot) const;
    /// The same without the time before instruction `first`, as differences to its cycle.
    std::vector<std::uint64_t> issue_times(unsigned slot, std::size_t first = 0) const;
    /// Sum of the counters of CycleUse.
    std::uint64_t uses() const;

  private:
    struct Observer : eu::InstructionObserver {
        EuBench* bench = nullptr;
        void executed(const eu::Thread& thread, const eu::DecodedInstruction& instruction,
                      Cycles cycle, std::uint32_t) override {
            bench->executed.push_back(
                {cycle.value, thread.sideband.place.slot.value, instruction.ip});
        }
    };
    struct Relay : ThreadRelay {
        EuBench* bench = nullptr;
        bool next(ThreadDispatch& thread, Cycles at) override {
            if (!bench->next(thread)) return false;
            bench->count_end(thread, at.value);
            return true;
        }
        const ThreadFollowers& followers(const ThreadDispatch&, unsigned most) override {
            foreseen.count = 0;
            if (bench->foresee) bench->foresee(most, foreseen);
            return foreseen;
        }
        void followed(ThreadDispatch& thread, unsigned count, Cycles at) override {
            bench->followed(thread, count);
            bench->count_end(thread, at.value);
        }
        void deal(const ThreadDispatch&, unsigned, ThreadFollowers& dealt) override {
            dealt.count = 0;
        }
        void followed_dealt(ThreadDispatch&, unsigned, Cycles) override {}
        void take_back(const ThreadDispatch&) override {}
        ThreadFollowers foreseen;
    };
    void count_end(const ThreadDispatch& d, std::uint64_t cycle);
    void act();
    tlm::tlm_sync_enum on_message(unsigned port, Message& message, sc_core::sc_time& delay);
    void record(unsigned port, const Message& message, const sc_core::sc_time& delay);
    void fill(Message& message) const;
    void respond(unsigned port, Message& message, std::uint64_t cycle);
    void read(tlm::tlm_generic_payload& payload);

    Relay relay_;
    Observer observer_;
    InitiatorSocket<DispatchProtocol> thread_out_;
    std::vector<std::unique_ptr<TargetSocket<MessageProtocol>>> msg_in_;
    TargetSocket<MemoryProtocol> mem_in_;
    InitiatorSocket<MemoryProtocol> reg_out_{"reg_out"};
    std::map<std::uint64_t, std::uint8_t> memory_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::function<void()>> actions_;
    std::uint64_t action_number_ = 0;
    Wakeup wakeup_{clock};
    std::deque<ThreadDispatch> dispatches_;
    PipelineStatePtr state_;
};

inline constexpr std::uint64_t kCodeBase = 0x1'0000'0000;

}  // namespace gen9::test

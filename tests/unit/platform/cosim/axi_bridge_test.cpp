// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/axi_bridge.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/contract.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"

namespace gen9::platform {
namespace {

/// A memory behind AXI pins that takes what it likes when it likes, and answers in any order.
class RandomTarget : public AxiTarget {
  public:
    std::map<std::uint64_t, std::uint8_t> bytes;
    bool dead = false;          ///< takes nothing
    bool loses_a_beat = false;  ///< breaks the protocol
    unsigned out_of_order = 0;

    void edge(AxiPins& pins) override {
        if (dead) {
            pins.awready = pins.wready = pins.arready = false;
            return;
        }
        take(pins);
        if (!pins.bvalid && !answers_.empty() && often()) {
            const std::size_t which = random_() % answers_.size();
            pins.bvalid = true;
            pins.bid = answers_[which];
            answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(which));
        }
        if (!pins.rvalid && !reads_.empty() && often()) give(pins);
        pins.awready = often();
        pins.arready = often();
        pins.wready = !writes_.empty() && often();
    }

  private:
    struct Burst {
        std::uint8_t id;
        std::uint64_t address;
        unsigned beats;
    };
    bool often() { return random_() % 3 != 0; }
    void take(AxiPins& pins) {
        if (pins.bvalid && pins.bready) pins.bvalid = false;
        if (pins.rvalid && pins.rready) pins.rvalid = false;
        if (pins.awvalid && pins.awready)
            writes_.push_back({pins.awid, pins.awaddr, pins.awlen + 1u});
        if (pins.wvalid && pins.wready) {
            Burst& burst = writes_.front();
            for (unsigned i = 0; i < AxiPins::kBeatBytes; ++i)
                if (pins.wstrb >> i & 1) bytes[burst.address + i] = pins.wdata[i];
            burst.address += AxiPins::kBeatBytes;
            if (--burst.beats == 0) {
                answers_.push_back(burst.id);
                writes_.erase(writes_.begin());
            }
        }
        if (pins.arvalid && pins.arready)
            reads_.push_back({pins.arid, pins.araddr, pins.arlen + 1u});
    }
    /// Beats of different bursts may alternate.
    void give(AxiPins& pins) {
        const std::size_t which = random_() % reads_.size();
        if (which != 0) ++out_of_order;
        Burst& burst = reads_[which];
        pins.rvalid = true;
        pins.rid = burst.id;
        for (unsigned i = 0; i < AxiPins::kBeatBytes; ++i)
            pins.rdata[i] = bytes[burst.address + i];
        burst.address += AxiPins::kBeatBytes;
        if (loses_a_beat && burst.beats > 1) --burst.beats;
        pins.rlast = --burst.beats == 0;
        if (burst.beats == 0) reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(which));
    }
    std::mt19937 random_{3};
    std::vector<Burst> reads_, writes_;
    std::vector<std::uint8_t> answers_;
};

struct AxiBench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    std::vector<std::string> stops;
    RandomTarget* target = new RandomTarget;
    AxiBridge bridge;

    explicit AxiBench(Timing timing = Timing::Timed, std::vector<std::string> settings = {})
        : environment(timing, std::move(settings)),
          bridge("bridge", environment.environment, clock, std::unique_ptr<AxiTarget>(target),
                 [this](tlm::tlm_generic_payload& p) {
                     for (unsigned i = 0; i < p.get_data_length(); ++i) {
                         std::uint8_t& byte = target->bytes[p.get_address() + i];
                         if (p.is_write())
                             byte = p.get_data_ptr()[i];
                         else
                             p.get_data_ptr()[i] = byte;
                     }
                     return p.get_data_length();
                 }) {
        environment.environment.stop = [this](const std::string& text) { stops.push_back(text); };
    }
};

TEST(AxiBridge, RandomTrafficAgainstRandomBackPressureKeepsTheContractAndTheProtocol) {
    AxiBench bench(Timing::Timed, {"bridge.queue=2"});
    test::MemoryTraffic traffic;
    traffic.requests = 3000;
    test::MemoryContract contract("from", bench.clock, traffic, 9);
    contract.mem_out[0].bind(bench.bridge.mem_in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    contract.begin();
    contract.run_timed();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    contract.end();
    EXPECT_TRUE(contract.findings.sentences.empty()) << contract.findings.text();
    EXPECT_TRUE(bench.stops.empty()) << bench.stops[0];
    EXPECT_TRUE(bench.bridge.idle());
    EXPECT_GT(contract.held(), 0u);
    EXPECT_GT(bench.bridge.stats.reordered.value(), 100u);
    EXPECT_GT(bench.target->out_of_order, 100u);
}

TEST(AxiBridge, BlockingAccessesOfAnyLengthAndEnables) {
    AxiBench bench;
    test::MemoryInitiator from("from", bench.clock);
    from.mem_out.bind(bench.bridge.mem_in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::vector<std::uint8_t> bytes(300), enables(300), back(300);
    for (unsigned i = 0; i < 300; ++i) {
        bytes[i] = static_cast<std::uint8_t>(i * 7 + 1);
        enables[i] = i % 3 ? 0xFF : 0;
    }
    tlm::tlm_generic_payload p;
    sc_core::sc_time delay;
    p.set_write();
    p.set_address(0x1035);
    p.set_data_ptr(bytes.data());
    p.set_data_length(300);
    p.set_streaming_width(300);
    p.set_byte_enable_ptr(enables.data());
    p.set_byte_enable_length(300);
    from.mem_out->b_transport(p, delay);
    EXPECT_TRUE(p.is_response_ok());
    EXPECT_GT(delay, sc_core::SC_ZERO_TIME);
    p.set_read();
    p.set_data_ptr(back.data());
    p.set_byte_enable_ptr(nullptr);
    from.mem_out->b_transport(p, delay);
    for (unsigned i = 0; i < 300; ++i)
        EXPECT_EQ(back[i], i % 3 ? bytes[i] : 0) << i;
    EXPECT_TRUE(bench.stops.empty()) << bench.stops[0];
    EXPECT_TRUE(bench.bridge.idle());
}

TEST(AxiBridge, ATargetThatBreaksTheProtocolStopsTheRun) {
    AxiBench bench;
    bench.target->loses_a_beat = true;
    test::MemoryInitiator from("from", bench.clock);
    from.mem_out.bind(bench.bridge.mem_in);
    from.send(from.read(0x1000));
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
    ASSERT_FALSE(bench.stops.empty());
    EXPECT_NE(bench.stops[0].find("the AXI protocol is broken: A3.4.1: RLAST"), std::string::npos)
        << bench.stops[0];
}

TEST(AxiBridge, ATargetThatNeverAnswersIsNamedWithItsPinsAfterTheLimit) {
    AxiBench bench(Timing::Timed, {"bridge.answer_limit=500"});
    bench.target->dead = true;
    test::MemoryInitiator from("from", bench.clock);
    from.mem_out.bind(bench.bridge.mem_in);
    from.send(from.read(0x1000));
    sc_core::sc_start(sc_core::sc_time(400, sc_core::SC_NS));
    EXPECT_TRUE(bench.stops.empty());
    sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_NS));
    ASSERT_EQ(bench.stops.size(), 1u);
    EXPECT_NE(bench.stops[0].find("bridge: no AXI handshake for 500 cycles"), std::string::npos);
    EXPECT_NE(bench.stops[0].find("arvalid 1 arready 0"), std::string::npos) << bench.stops[0];
}

TEST(AxiBridge, ABlockingAccessToADeadTargetEndsWithAnError) {
    AxiBench bench(Timing::Functional, {"bridge.answer_limit=500"});
    bench.target->dead = true;
    test::MemoryInitiator from("from", bench.clock);
    from.mem_out.bind(bench.bridge.mem_in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_TRUE(from.block(from.read(0x1000))->is_response_error());
    EXPECT_EQ(bench.stops.size(), 1u);
}

}  // namespace
}  // namespace gen9::platform

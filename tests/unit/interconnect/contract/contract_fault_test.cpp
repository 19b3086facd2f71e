// SPDX-License-Identifier: Apache-2.0
// The contract suite can fail: targets that break one rule each are caught by that rule.
#include <gtest/gtest.h>

#include <ostream>

#include "interconnect/payload/lane_access.h"
#include "tests/support/contract.h"

namespace gen9::test {
namespace {

constexpr unsigned kRequests = 20, kFaulty = 7;  // the request that is treated wrongly

enum class Fault {
    None,
    AnswersTwice,
    AnswersAStranger,
    Loses,
    EndsTwice,
    AnswersUnended,
    NoNotice,
    WrongPhase,
    NoStatus,
    WrongData,
    DropsWrites,
    KeepsPayload,
};

struct FaultCase {
    const char* name;
    Fault fault;
    const char* broken;  ///< the rule; null: none
};
/// The name of the instance in ctest.
void PrintTo(const FaultCase& which, std::ostream* out) {
    *out << which.name;
}

/// Serves one request after the other, some cycles after it came.
template <class Protocol>
struct Broken : sc_core::sc_module {
    using Payload = typename Protocol::tlm_payload_type;
    TargetSocket<Protocol> socket{"socket"};
    Clock clock{1'000'000'000};
    Wakeup wakeup{clock};
    std::deque<Payload*> queue;
    Fault fault;
    unsigned served = 0;

    Broken(sc_core::sc_module_name name, Fault wrong) : sc_core::sc_module(name), fault(wrong) {
        socket.on_forward = [this](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
            if (phase == tlm::BEGIN_REQ) queue.push_back(&payload);
            wakeup.at(clock.now() + Cycles(5));
            return tlm::TLM_ACCEPTED;
        };
        SC_HAS_PROCESS(Broken);
        SC_METHOD(process);
        sensitive << wakeup.event;
        dont_initialize();
    }
    virtual void perform(Payload& payload, Fault now) = 0;
    virtual Payload& stranger() = 0;

    void process() {
        if (queue.empty()) return;
        Payload& payload = *queue.front();
        queue.pop_front();
        const Fault now = ++served == kFaulty ? fault : Fault::None;
        if (now != Fault::AnswersUnended) tell(payload, tlm::END_REQ, now);
        if (now == Fault::EndsTwice) tell(payload, tlm::END_REQ, now);
        if (now == Fault::WrongPhase) tell(payload, tlm::END_RESP, now);
        perform(payload, now);
        if (now != Fault::Loses) tell(payload, tlm::BEGIN_RESP, now);
        if (now == Fault::AnswersTwice) tell(payload, tlm::BEGIN_RESP, now);
        if (now == Fault::AnswersAStranger) tell(stranger(), tlm::BEGIN_RESP, now);
        if (!queue.empty()) wakeup.at(clock.now() + Cycles(5));
    }
    void tell(Payload& payload, tlm::tlm_phase phase, Fault now) {
        sc_core::sc_time delay = clock.time(Cycles(now == Fault::NoNotice ? 15 : 16));
        socket->nb_transport_bw(payload, phase, delay);
    }
};

struct BrokenMemory : Broken<MemoryProtocol> {
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(256);
    MemoryTransaction other{nullptr};
    BrokenMemory(sc_core::sc_module_name name, Fault wrong) : Broken(name, wrong) {
        socket.on_debug = [this](tlm::tlm_generic_payload& p) {
            std::copy_n(&bytes[p.get_address()], p.get_data_length(), p.get_data_ptr());
            return p.get_data_length();
        };
    }
    tlm::tlm_generic_payload& stranger() override { return other; }
    void perform(tlm::tlm_generic_payload& p, Fault now) override {
        if (now == Fault::KeepsPayload) p.acquire();
        if (now != Fault::NoStatus) p.set_response_status(tlm::TLM_OK_RESPONSE);
        MemoryAttributes& attributes = *find_attributes(p);
        std::uint8_t* const data = p.get_data_ptr();
        if (attributes.operation == MemoryAttributes::Operation::Lanes) {
            const std::uint64_t line = p.get_address() / kLineBytes * kLineBytes;
            perform_lanes(attributes.lanes, {&bytes[line], kLineBytes},
                          static_cast<std::uint32_t>(p.get_address() - line));
            return;
        }
        for (unsigned i = 0; i < p.get_data_length(); ++i) {
            std::uint8_t& byte = bytes[p.get_address() + i];
            const bool enabled = !p.get_byte_enable_ptr() || p.get_byte_enable_ptr()[i];
            if (p.is_read())
                data[i] = fault == Fault::WrongData ? 0xEE : byte;
            else if (enabled && fault != Fault::DropsWrites)
                byte = data[i];
        }
    }
};

struct BrokenFunction : Broken<MessageProtocol> {
    Message other;
    using Broken::Broken;
    Message& stranger() override { return other; }
    void perform(Message& message, Fault now) override {
        if (now != Fault::NoStatus) message.status = MessageStatus::Ok;
    }
};

void expect_found(const Findings& findings, const FaultCase& which) {
    if (which.broken)
        EXPECT_TRUE(findings.has(which.broken)) << findings.text();
    else
        EXPECT_TRUE(findings.sentences.empty()) << findings.text();
}

class MemoryContractCatches : public testing::TestWithParam<FaultCase> {};
TEST_P(MemoryContractCatches, TheRuleThatIsBroken) {
    BrokenMemory target("target", GetParam().fault);
    MemoryTraffic traffic;
    traffic.requests = kRequests;
    traffic.bytes = target.bytes.size();
    MemoryContract contract("contract", target.clock, traffic, 1);
    contract.mem_out[0].bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    contract.begin();
    contract.run_timed();
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    contract.end();
    expect_found(contract.findings, GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    Contract, MemoryContractCatches,
    testing::Values(FaultCase{"None", Fault::None, nullptr},
                    // Legal here: an answer ends its request too.
                    FaultCase{"AnswersUnended", Fault::AnswersUnended, nullptr},
                    FaultCase{"AnswersTwice", Fault::AnswersTwice, rule::kAnsweredOnce},
                    FaultCase{"AnswersAStranger", Fault::AnswersAStranger, rule::kKnown},
                    FaultCase{"Loses", Fault::Loses, rule::kNothingLost},
                    FaultCase{"EndsTwice", Fault::EndsTwice, rule::kEndedOnce},
                    FaultCase{"WrongPhase", Fault::WrongPhase, rule::kPhase},
                    FaultCase{"NoStatus", Fault::NoStatus, rule::kStatus},
                    FaultCase{"WrongData", Fault::WrongData, rule::kData},
                    FaultCase{"DropsWrites", Fault::DropsWrites, rule::kState},
                    FaultCase{"KeepsPayload", Fault::KeepsPayload, rule::kReturned}),
    [](const auto& which) { return which.param.name; });

class MessageContractCatches : public testing::TestWithParam<FaultCase> {};
TEST_P(MessageContractCatches, TheRuleThatIsBroken) {
    BrokenFunction target("target", GetParam().fault);
    MessageContract contract("contract", target.clock, 1, 2, 16, 1);
    contract.msg_out[0].bind(target.socket);
    for (unsigned i = 0; i < kRequests; ++i)
        contract.add(0, Message());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    contract.run();
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    contract.end();
    expect_found(contract.findings, GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    Contract, MessageContractCatches,
    testing::Values(FaultCase{"None", Fault::None, nullptr},
                    FaultCase{"AnswersUnended", Fault::AnswersUnended, rule::kEnded},
                    FaultCase{"AnswersTwice", Fault::AnswersTwice, rule::kAnsweredOnce},
                    FaultCase{"AnswersAStranger", Fault::AnswersAStranger, rule::kKnown},
                    FaultCase{"Loses", Fault::Loses, rule::kNothingLost},
                    FaultCase{"EndsTwice", Fault::EndsTwice, rule::kEndedOnce},
                    FaultCase{"NoNotice", Fault::NoNotice, rule::kNotice},
                    FaultCase{"WrongPhase", Fault::WrongPhase, rule::kPhase},
                    FaultCase{"NoStatus", Fault::NoStatus, rule::kStatus}),
    [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace gen9::test

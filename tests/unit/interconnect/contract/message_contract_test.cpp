// SPDX-License-Identifier: Apache-2.0
// The contract of docs/architecture.md, one instance per module that EUs send messages to.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>

#include "tests/unit/interconnect/contract/message_devices.h"

namespace gen9::test {
namespace {

struct MessageCase {
    const char* name;
    std::unique_ptr<MessageDevice> (*make)(const char* name, Timing timing);
};
/// The name of the instance in ctest.
void PrintTo(const MessageCase& which, std::ostream* out) {
    *out << which.name;
}
template <class Device>
std::unique_ptr<MessageDevice> make_device(const char* name, Timing timing) {
    return std::make_unique<Device>(name, timing);
}

struct Machine {
    std::unique_ptr<MessageDevice> device;
    MessageContract contract;
    Machine(const MessageCase& which, const char* name, Timing timing)
        : device(which.make(name, timing)),
          contract((std::string(name) + "_eus").c_str(), device->clock, MessageDevice::kEus,
                   MessageDevice::kCredits,
                   timing == Timing::Timed ? device->environment.environment.notice_cycles : 0, 1) {
        for (unsigned eu = 0; eu < MessageDevice::kEus; ++eu)
            contract.msg_out[eu].bind(device->socket(eu));
        std::mt19937 random(2);
        for (unsigned n = 0; n < device->messages_of_a_thread(); ++n)
            for (unsigned thread = 0; thread < device->threads.size(); ++thread) {
                Message message;
                device->message(message, thread, n, random);
                message.sender = &device->threads[thread];
                contract.add(thread / MessageDevice::kSlots, message);
            }
    }
    void expect_kept() {
        contract.end();
        EXPECT_TRUE(contract.findings.sentences.empty()) << contract.findings.text();
        EXPECT_TRUE(contract.finished());
        EXPECT_TRUE(device->idle());
    }
};

void expect_same_answer(const Message& a, const Message& b, bool timeless) {
    ASSERT_EQ(a.status, b.status) << to_text(a);
    EXPECT_EQ(a.notifications, b.notifications) << to_text(a);
    for (unsigned r = 0; timeless && r < a.response_length; ++r) {
        ASSERT_EQ(a.response_enable[r], b.response_enable[r]) << to_text(a);
        for (unsigned byte = 0; byte < kGrfBytes; ++byte) {
            if (!(a.response_enable[r] >> byte & 1)) continue;
            ASSERT_EQ(a.response[r].bytes[byte], b.response[r].bytes[byte])
                << to_text(a) << " byte " << r * kGrfBytes + byte;
        }
    }
}

class MessageTargetContract : public testing::TestWithParam<MessageCase> {};

TEST_P(MessageTargetContract, EachMessageEndsOnceWithNoticeAndBothModesGiveTheSame) {
    Machine timed(GetParam(), "timed", Timing::Timed);
    Machine functional(GetParam(), "functional", Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    timed.device->prepare();
    functional.device->prepare();
    if (functional.device->blocking())
        functional.contract.run_blocking();
    else
        functional.contract.run();
    timed.contract.run();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    timed.expect_kept();
    functional.expect_kept();
    EXPECT_EQ(timed.device->state(), functional.device->state());
    const unsigned of_an_eu = timed.device->messages_of_a_thread() * MessageDevice::kSlots;
    for (unsigned eu = 0; eu < MessageDevice::kEus; ++eu)
        for (unsigned i = 0; i < of_an_eu; ++i)
            expect_same_answer(timed.contract.message(eu, i), functional.contract.message(eu, i),
                               timed.device->timeless());
}

class MessageBehindContract : public MessageTargetContract {};

TEST_P(MessageBehindContract, WhatWaitsForTheMemoryBehindHoldsItsSendersAndLosesNothing) {
    Machine timed(GetParam(), "timed", Timing::Timed);
    MemoryTarget* const behind = timed.device->behind();
    ASSERT_TRUE(behind);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    behind->stalled = true;
    timed.contract.run();
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_US));
    const std::size_t sent = timed.contract.sent();
    EXPECT_FALSE(timed.contract.finished());
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_US));
    EXPECT_EQ(timed.contract.sent(), sent);
    behind->resume();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    timed.expect_kept();
}

INSTANTIATE_TEST_SUITE_P(Modules, MessageTargetContract,
                         testing::Values(MessageCase{"Hdc", make_device<HdcDevice>},
                                         MessageCase{"Gateway", make_device<GatewayDevice>},
                                         MessageCase{"Spawner", make_device<SpawnerDevice>},
                                         MessageCase{"Urb", make_device<UrbDevice>},
                                         MessageCase{"Sampler", make_device<SamplerDevice>},
                                         MessageCase{"Interpolator",
                                                     make_device<InterpolatorDevice>},
                                         MessageCase{"Vme", make_device<VmeDevice>}),
                         [](const auto& which) { return which.param.name; });

INSTANTIATE_TEST_SUITE_P(Modules, MessageBehindContract,
                         testing::Values(MessageCase{"Hdc", make_device<HdcDevice>},
                                         MessageCase{"Sampler", make_device<SamplerDevice>},
                                         MessageCase{"Vme", make_device<VmeDevice>},
                                         MessageCase{"Urb", make_device<UrbDevice>}),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace gen9::test

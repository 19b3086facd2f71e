// SPDX-License-Identifier: Apache-2.0
// Where register accesses go, and which of them are said to have no effect.
#include "platform/machine/register_map.h"

#include <gtest/gtest.h>

#include "common/bits.h"
#include "tests/support/environment.h"

namespace gen9::platform {
namespace {

struct Block : sc_core::sc_module {
    TargetSocket<MemoryProtocol> in{"in"};
    std::vector<std::uint64_t> written;
    explicit Block(sc_core::sc_module_name name) : sc_module(name) {
        in.on_blocking = [this](auto& payload, auto&) {
            if (payload.is_write()) written.push_back(payload.get_address());
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        };
    }
};

struct Bed : sc_core::sc_module {
    test::TestEnvironment test;
    RegisterMap map{"map", test.environment};
    Block owner{"owner"}, listener{"listener"};
    InitiatorSocket<MemoryProtocol> out{"out"};
    explicit Bed(sc_core::sc_module_name name) : sc_module(name) {
        map.owner({{0x7034, 0x7037}, {0xB000, 0xB0FF}}).bind(owner.in);
        map.listener({{0x7034, 0x7037}}).bind(listener.in);
        out.bind(map.reg_in);
    }
    std::uint32_t access(tlm::tlm_command command, std::uint64_t offset, std::uint32_t value = 0) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(offset);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(4);
        payload.set_streaming_width(4);
        sc_core::sc_time delay;
        out->b_transport(payload, delay);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        return value;
    }
};

TEST(RegisterMap, WritesReachTheOwnerAndThoseWhoListen) {
    Bed bed("bed");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bed.access(tlm::TLM_WRITE_COMMAND, 0x7034, 1);
    bed.access(tlm::TLM_WRITE_COMMAND, 0xB020, 1);
    bed.access(tlm::TLM_READ_COMMAND, 0x7034);
    EXPECT_EQ(bed.owner.written, (std::vector<std::uint64_t>{0x7034, 0xB020}));
    EXPECT_EQ(bed.listener.written, (std::vector<std::uint64_t>{0x7034}));
}

TEST(RegisterMap, RegistersNobodyOwnsReadBackWhatWasWritten) {
    Bed bed("bed");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bed.access(tlm::TLM_WRITE_COMMAND, 0x20D8, 0x1234);
    EXPECT_EQ(bed.access(tlm::TLM_READ_COMMAND, 0x20D8), 0x1234u);
    EXPECT_EQ(bed.access(tlm::TLM_READ_COMMAND, 0x20DC), 0u);
    EXPECT_FALSE(bed.test.reporter.failed());
}

TEST(RegisterMap, SwitchingTiledResourceTranslationOnIsReported) {
    Bed bed("bed");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bed.access(tlm::TLM_WRITE_COMMAND, 0x4DF4, 0);
    EXPECT_FALSE(bed.test.reporter.failed());
    bed.access(tlm::TLM_WRITE_COMMAND, 0x4DF4, 1);
    ASSERT_EQ(bed.test.reporter.not_modelled_uses(), 1u);
    EXPECT_EQ(bed.test.reporter.entries().at(0).kind, "DP-052");
}

}  // namespace
}  // namespace gen9::platform

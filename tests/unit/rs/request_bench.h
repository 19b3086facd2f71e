// SPDX-License-Identifier: Apache-2.0
// The resource streamer's request socket, played by hand.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rs/module.h"
#include "tests/support/environment.h"
#include "tests/unit/rs/commands.h"

namespace gen9::test::requests {

using Operation = ResourceRequest::Operation;
inline constexpr std::uint64_t kBatch = 0x6000'0000, kPool = 0x5000'0000;

struct Bench : sc_core::sc_module {
    TestEnvironment environment;
    Clock clock{1'000'000'000};
    rs::ResourceStreamer rs;
    FakeMemory memory;
    InitiatorSocket<ResourceProtocol> out{"out"};
    TargetSocket<MemoryProtocol> fetch_in{"fetch_in"}, mem_in{"mem_in"};
    unsigned answers = 0;
    sc_core::sc_time answered_at;
    std::vector<TraceId> ids;  ///< of the accesses
    sc_core::sc_time waits;    ///< within an access, as a part of its time

    explicit Bench(sc_core::sc_module_name module_name, std::vector<std::string> settings = {})
        : sc_module(module_name),
          environment(Timing::Timed, std::move(settings)),
          rs("rs", environment.environment, clock) {
        for (auto* socket : {&fetch_in, &mem_in})
            socket->on_blocking = [this](tlm::tlm_generic_payload& payload,
                                         sc_core::sc_time& delay) {
                const bool good = memory.access(
                    payload.get_address(), payload.is_read() ? payload.get_data_ptr() : nullptr,
                    payload.is_write() ? payload.get_data_ptr() : nullptr,
                    payload.get_data_length());
                EXPECT_EQ(payload.get_streaming_width(), payload.get_data_length());
                ids.push_back(attributes_of(payload).trace_id);
                if (waits != sc_core::SC_ZERO_TIME) wait(waits);
                delay += sc_core::sc_time(100, sc_core::SC_NS) - waits;
                payload.set_response_status(good ? tlm::TLM_OK_RESPONSE
                                                 : tlm::TLM_ADDRESS_ERROR_RESPONSE);
            };
        out.on_backward = [this](ResourceRequest&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
            EXPECT_EQ(phase, tlm::BEGIN_RESP);
            ++answers;
            answered_at = sc_core::sc_time_stamp() + delay;
            return tlm::TLM_COMPLETED;
        };
        out.bind(rs.request_in);
        rs.fetch_out.bind(fetch_in);
        rs.mem_out.bind(mem_in);
        memory.map(kPool, 0x4000);
    }
    tlm::tlm_sync_enum send(ResourceRequest& request) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        const auto status = out->nb_transport_fw(request, phase, delay);
        EXPECT_EQ(phase, status == tlm::TLM_UPDATED ? tlm::END_REQ : tlm::BEGIN_RESP);
        return status;
    }
    static void run(std::uint64_t cycles) {
        sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
    }
    ResourceRequest parse(const Words& batch) {
        memory.put(kBatch, batch);
        memory.map(kBatch, 0x1000);
        ResourceRequest request;
        request.address = GpuAddr(kBatch);
        return request;
    }
};
inline Words batch_of(unsigned tables) {
    Words batch = table_pool(kPool, 4);
    for (unsigned i = 0; i < tables; ++i)
        append(batch, pointers(kVs, 64 * i));
    append(batch, {0x05000000});
    return batch;
}

}  // namespace gen9::test::requests

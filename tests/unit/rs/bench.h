// SPDX-License-Identifier: Apache-2.0
// Command streamer and resource streamer around a memory of bytes with latencies.
#pragma once
#include <gtest/gtest.h>

#include <random>

#include "cs/module.h"
#include "rs/module.h"
#include "tests/support/environment.h"
#include "tests/unit/cs/driver.h"

namespace gen9::test {

/// Both streamers, the driver's registers and a context; ring commands are run as a submission.
struct StreamersBench : sc_core::sc_module {
    using Time = sc_core::sc_time;
    struct Access {
        Time begin, end;
        GpuAddr address;
        bool write, fetch;
        TraceId id = 0;
    };
    TestEnvironment environment;
    Clock clock{1'000'000'000};
    cs::CommandStreamer cs;
    rs::ResourceStreamer rs;
    FakeMemory ggtt, ppgtt;
    TargetSocket<MemoryProtocol> cs_memory{"cs_memory"}, rs_memory{"rs_memory"},
        rs_fetch{"rs_fetch"}, registers{"registers"}, cache{"cache"};
    TargetSocket<CommandProtocol> pipe{"pipe"};
    InitiatorSocket<MemoryProtocol> host{"host"};
    unsigned cs_latency = 40, rs_latency = 40;
    unsigned jitter = 0;  ///< most cycles added to the resource streamer's accesses
    std::mt19937 random{1};
    std::vector<Access> accesses;  ///< of the resource streamer
    std::function<void(const Access&)> on_access;
    std::vector<std::pair<Time, GpuAddr>> cs_writes;
    std::map<std::uint32_t, std::uint32_t> tails;  ///< of each context's ring
    unsigned walkers = 0;

    static Time cycles(std::uint64_t n) { return Time(static_cast<double>(n), sc_core::SC_NS); }

    explicit StreamersBench(sc_core::sc_module_name module_name, Timing timing = Timing::Timed,
                            std::vector<std::string> settings = {})
        : sc_module(module_name),
          environment(timing, std::move(settings)),
          cs("cs", environment.environment, clock, {1, {}, true}),
          rs("rs", environment.environment, clock) {
        cs_memory.on_blocking = [this](tlm::tlm_generic_payload& payload, Time& delay) {
            if (payload.is_write())
                cs_writes.emplace_back(sc_core::sc_time_stamp() + delay,
                                       GpuAddr(payload.get_address()));
            access(payload);
            delay += cycles(cs_latency);
        };
        for (auto* socket : {&rs_memory, &rs_fetch})
            socket->on_blocking = [this, socket](tlm::tlm_generic_payload& payload, Time& delay) {
                EXPECT_EQ(attributes_of(payload).requester, Requester::ResourceStreamer);
                EXPECT_EQ(payload.get_streaming_width(), payload.get_data_length());
                const Time begin = sc_core::sc_time_stamp() + delay;
                access(payload);
                delay += cycles(rs_latency + (jitter ? random() % (jitter + 1) : 0));
                accesses.push_back({begin, sc_core::sc_time_stamp() + delay,
                                    GpuAddr(payload.get_address()), payload.is_write(),
                                    socket == &rs_fetch, attributes_of(payload).trace_id});
                if (on_access) on_access(accesses.back());
            };
        registers.on_blocking = [](tlm::tlm_generic_payload& payload, Time&) {
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        cache.on_blocking = registers.on_blocking;
        pipe.on_forward = [this](PipelineCommand& command, tlm::tlm_phase& phase, Time&) {
            walkers += command.row->command == packets::Command::GPGPU_WALKER;
            phase = tlm::END_RESP;
            return tlm::TLM_COMPLETED;
        };
        host.bind(cs.reg_in);
        cs.reg_out.bind(registers);
        cs.mem_out.bind(cs_memory);
        cs.control_out[0]->bind(cache);
        cs.command_out.bind(pipe);
        cs.streamer_out->bind(rs.request_in);
        rs.mem_out.bind(rs_memory);
        rs.fetch_out.bind(rs_fetch);
        ggtt.map(kStatusPage, 0x1000);
        ggtt.map(kRing, 0x4000);
        write_context(ggtt);
        for (const auto& [offset, value] : driver_registers())
            write(offset, value);
    }

    void access(tlm::tlm_generic_payload& payload) {
        FakeMemory& where = attributes_of(payload).space == AddressSpace::Ggtt ? ggtt : ppgtt;
        const bool good = where.access(
            payload.get_address(), payload.is_read() ? payload.get_data_ptr() : nullptr,
            payload.is_write() ? payload.get_data_ptr() : nullptr, payload.get_data_length());
        payload.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    std::uint32_t transport(tlm::tlm_command direction, std::uint32_t offset, std::uint32_t value) {
        tlm::tlm_generic_payload payload;
        payload.set_command(direction);
        payload.set_address(offset);
        payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&value));
        payload.set_data_length(4);
        payload.set_streaming_width(4);
        Time delay;
        host->b_transport(payload, delay);
        return value;
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        transport(tlm::TLM_WRITE_COMMAND, offset, value);
    }
    std::uint32_t read(std::uint32_t offset) { return transport(tlm::TLM_READ_COMMAND, offset, 0); }

    void submit(const Words& words, std::uint32_t context = kContext, std::uint32_t ring = kRing,
                std::uint32_t id = 0) {
        // Behind what the context's ring has run already.
        std::uint32_t& tail = tails[context];
        ggtt.put(ring + tail, words);
        tail += static_cast<std::uint32_t>(4 * words.size());
        ggtt.put<std::uint32_t>(context + 0x101C, tail);
        for (const std::uint32_t value : submission(context, id))
            write(0x2230, value);
    }
    void run_ring(const Words& words, std::uint64_t limit = 10'000'000) {
        submit(words);
        sc_core::sc_start(cycles(limit));
    }
    /// Runs a first-level batch at kPreamble.
    void run_batch(const Words& batch, std::uint32_t flags = 0x500,
                   std::uint64_t limit = 10'000'000) {
        ppgtt.put(kPreamble, batch);
        run_ring(batch_start(kPreamble, flags), limit);
    }
    static Words batch_start(std::uint64_t address, std::uint32_t flags) {
        return {0x11000001, 0x2244, 0x00010000, 0x18800001 | flags, low(address), high(address), 0};
    }
    /// The first problem of the run, or nothing.
    std::string trouble() {
        return environment.log.empty() ? std::string() : environment.log.front();
    }
    std::uint64_t rs_cycles() {
        const rs::RsStats& s = rs.stats;
        return s.idle_cycles.value() + s.busy_cycles.value() + s.fetch_cycles.value() +
               s.engine_cycles.value() + s.room_cycles.value() + s.drain_cycles.value() +
               s.context_cycles.value();
    }
};

}  // namespace gen9::test

// SPDX-License-Identifier: Apache-2.0
// The streamer between sockets of a test.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cs/module.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/stop_walk.h"
#include "tests/support/environment.h"
#include "tests/unit/cs/driver.h"

namespace gen9::test {

using sc_core::sc_time;

inline constexpr std::uint64_t kHz = 1'000'000'000;
inline sc_time cycles(std::uint64_t n) {
    return sc_time(static_cast<double>(n), sc_core::SC_NS);
}

/// Memory, registers, caches and a front end of fixed latencies around one streamer.
struct Bench : sc_core::sc_module {
    TestEnvironment environment;
    Clock clock{kHz};
    cs::CommandStreamer cs;
    FakeMemory ggtt, ppgtt;
    TargetSocket<MemoryProtocol> memory{"memory"}, registers{"registers"}, cache0{"cache0"},
        cache1{"cache1"};
    ControlTarget choosy{"choosy"};  ///< heeds textures only
    TargetSocket<CommandProtocol> pipe{"pipe"};
    std::unique_ptr<TargetSocket<CommandProtocol>> draw_pipe;  ///< or null
    InitiatorSocket<MemoryProtocol> host{"host"};
    std::map<std::uint32_t, std::uint32_t> external;
    sc_time memory_latency = cycles(40), cache_latency = cycles(100);
    sc_time settle_time;  ///< how long a data port still has accesses under way
    sc_time accept_delay = cycles(50), work_delay = cycles(1000), draw_delay = cycles(3000);
    std::vector<CacheControl> controls, choosy_controls;
    std::vector<std::pair<sc_time, std::vector<std::uint32_t>>> commands, states;
    std::vector<sc_time> tag_writes;
    std::map<std::uint64_t, TraceId> written_by;    ///< by address
    std::uint64_t silent = ~std::uint64_t{0};       ///< nothing is answered there
    static constexpr std::uint32_t kChannels = 77;  ///< of each walker
    bool answer_at_once = false;  ///< work is answered in the call, with annotated delays

    static cs::CommandStreamerSetup setup(bool with_draws) {
        cs::CommandStreamerSetup setup{3};
        setup.with_draws = with_draws;
        return setup;
    }
    explicit Bench(sc_core::sc_module_name module_name, Timing timing = Timing::Timed,
                   std::vector<std::string> settings = {}, bool with_draws = false)
        : sc_module(module_name),
          environment(timing, std::move(settings)),
          cs("cs", environment.environment, clock, setup(with_draws)) {
        memory.on_blocking = [this](tlm::tlm_generic_payload& payload, sc_time& delay) {
            access(payload, delay);
        };
        memory.on_debug = [this](tlm::tlm_generic_payload& payload) {
            FakeMemory& where = attributes_of(payload).space == AddressSpace::Ggtt ? ggtt : ppgtt;
            const bool good = where.access(payload.get_address(), payload.get_data_ptr(), nullptr,
                                           payload.get_data_length());
            return good ? payload.get_data_length() : 0;
        };
        registers.on_blocking = [this](tlm::tlm_generic_payload& payload, sc_time&) {
            expect_fresh(payload);
            EXPECT_EQ(payload.get_data_length(), 4u);
            EXPECT_EQ(payload.get_streaming_width(), 4u);
            auto* value = reinterpret_cast<std::uint32_t*>(payload.get_data_ptr());
            if (payload.is_write())
                external[static_cast<std::uint32_t>(payload.get_address())] = *value;
            if (payload.is_read())
                *value = external[static_cast<std::uint32_t>(payload.get_address())];
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        for (auto* cache : {&cache0, &cache1}) {
            cache->on_blocking = [this, cache](tlm::tlm_generic_payload& payload, sc_time& delay) {
                expect_fresh(payload);
                payload.set_response_status(tlm::TLM_OK_RESPONSE);
                EXPECT_EQ(attributes_of(payload).operation, MemoryAttributes::Operation::Control);
                EXPECT_EQ(attributes_of(payload).requester, Requester::CommandStreamer);
                EXPECT_EQ(payload.get_command(), tlm::TLM_IGNORE_COMMAND);
                if (attributes_of(payload).control.settle) {
                    if (cache == &cache1 && settle_time != sc_core::SC_ZERO_TIME) wait(settle_time);
                    return;
                }
                if (cache == &cache0) controls.push_back(attributes_of(payload).control);
                delay += cache == &cache0 ? cache_latency : cycles(10);
            };
        }
        choosy.takes({.invalidate_texture = true}, {});
        choosy.on_blocking = [this](tlm::tlm_generic_payload& payload, sc_time&) {
            choosy_controls.push_back(attributes_of(payload).control);
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        pipe.on_forward = [this](PipelineCommand& command, tlm::tlm_phase& phase, sc_time& delay) {
            return take(pipe, command, phase, delay);
        };
        host.bind(cs.reg_in);
        cs.reg_out.bind(registers);
        cs.mem_out.bind(memory);
        cs.control_out[0]->bind(cache0);
        cs.control_out[1]->bind(cache1);
        cs.control_out[2]->bind(choosy);
        cs.command_out.bind(pipe);
        if (with_draws) {
            draw_pipe = std::make_unique<TargetSocket<CommandProtocol>>("draw_pipe");
            draw_pipe->on_forward = [this](PipelineCommand& command, tlm::tlm_phase& phase,
                                           sc_time& delay) {
                return take(*draw_pipe, command, phase, delay);
            };
            cs.draw_out->bind(*draw_pipe);
        }
        ggtt.map(kStatusPage, 0x1000);
        ggtt.map(kRing, 0x4000);
        write_context(ggtt);
        ppgtt.put<std::uint64_t>(kTag, 0);
        for (const auto& [offset, value] : driver_registers())
            write(offset, value);
    }

    /// As the protocol wants a transaction that is begun.
    static void expect_fresh(const tlm::tlm_generic_payload& payload) {
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_FALSE(payload.is_dmi_allowed());
        EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
    }
    void access(tlm::tlm_generic_payload& payload, sc_time& delay) {
        FakeMemory& where = attributes_of(payload).space == AddressSpace::Ggtt ? ggtt : ppgtt;
        EXPECT_EQ(attributes_of(payload).requester, Requester::CommandStreamer);
        EXPECT_EQ(payload.get_streaming_width(), payload.get_data_length());
        expect_fresh(payload);
        const bool good = where.access(
            payload.get_address(), payload.is_read() ? payload.get_data_ptr() : nullptr,
            payload.is_write() ? payload.get_data_ptr() : nullptr, payload.get_data_length());
        delay += memory_latency;
        if (payload.is_write()) written_by[payload.get_address()] = attributes_of(payload).trace_id;
        if (payload.get_address() == silent) return;
        if (payload.is_write() && payload.get_address() == kTag)
            tag_writes.push_back(sc_core::sc_time_stamp() + delay);
        payload.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }

    tlm::tlm_sync_enum take(TargetSocket<CommandProtocol>& from, PipelineCommand& command,
                            tlm::tlm_phase& phase, sc_time& delay) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
        const bool state = command.row->latch.unit == packets::Unit::Media;
        (state ? states : commands)
            .emplace_back(
                sc_core::sc_time_stamp() + delay,
                Words(command.dwords.begin(), command.dwords.begin() + command.length_dwords));
        const bool draws = command.row->command == packets::Command::PRIMITIVE_3D;
        const bool work = draws || command.row->command == packets::Command::GPGPU_WALKER;
        const sc_time takes = draws ? draw_delay : work_delay;
        if (!work) {
            phase = tlm::END_RESP;
            return tlm::TLM_COMPLETED;
        }
        if (!draws) command.channels = kChannels;
        if (answer_at_once) {
            sc_core::sc_spawn([&from, takes, &command] {
                tlm::tlm_phase p = tlm::BEGIN_RESP;
                sc_time later = takes;
                from->nb_transport_bw(command, p, later);
            });
            phase = tlm::END_REQ;
            delay += accept_delay;
            return tlm::TLM_UPDATED;
        }
        sc_core::sc_spawn([this, &from, takes, &command] {
            sc_core::wait(accept_delay);
            tlm::tlm_phase p = tlm::END_REQ;
            sc_time zero;
            from->nb_transport_bw(command, p, zero);
            sc_core::wait(takes - accept_delay);
            p = tlm::BEGIN_RESP;
            EXPECT_EQ(from->nb_transport_bw(command, p, zero), tlm::TLM_COMPLETED);
        });
        return tlm::TLM_ACCEPTED;
    }

    std::uint32_t transport(tlm::tlm_command direction, std::uint32_t offset, std::uint32_t value) {
        tlm::tlm_generic_payload payload;
        payload.set_command(direction);
        payload.set_address(offset);
        payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&value));
        payload.set_data_length(4);
        payload.set_streaming_width(4);
        sc_time delay;
        host->b_transport(payload, delay);
        EXPECT_TRUE(payload.is_response_ok());
        return value;
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        transport(tlm::TLM_WRITE_COMMAND, offset, value);
    }
    std::uint32_t read(std::uint32_t offset) { return transport(tlm::TLM_READ_COMMAND, offset, 0); }

    void submit(const Words& words) {
        ggtt.put(kRing, words);
        ggtt.put<std::uint32_t>(kContext + 0x101C, static_cast<std::uint32_t>(4 * words.size()));
        for (const std::uint32_t value : submission())
            write(0x2230, value);
    }
    void run_ring(const Words& words, sc_time limit = cycles(10'000'000)) {
        submit(words);
        sc_core::sc_start(limit);
    }
};

inline constexpr std::uint64_t kData = 0x5000'0000;
inline const Words kStall = {0x7A000004, 0x00100000, 0, 0, 0, 0};
/// The pipe selected, with what its work needs.
inline const Words kSelect = [] {
    Words words = {0x69040302, 0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    append(words, state_base_address());
    append(words, {0x70020002, 0, 0x20, 0x1240});
    return words;
}();
inline Words operator+(Words a, const Words& b) {
    append(a, b);
    return a;
}

/// A front end whose walkers send groups until they are stopped.
struct StoppingBench : Bench {
    using Bench::Bench;
    std::vector<sc_time> stops;
    PipelineCommand* walker = nullptr;  ///< that can be stopped
    void serve() {
        pipe.on_forward = [this](PipelineCommand& command, tlm::tlm_phase& phase, sc_time& delay) {
            if (phase != kStopWalk && phase != kSaveWalk) {
                if (command.row->command != packets::Command::GPGPU_WALKER || command.resumes)
                    return take(pipe, command, phase, delay);
                walker = &command;
                return tlm::TLM_ACCEPTED;  // and never ends by itself
            }
            stops.push_back(sc_core::sc_time_stamp());
            sc_core::sc_spawn([this] {
                tlm::tlm_phase end = tlm::END_REQ;
                sc_time zero;
                pipe->nb_transport_bw(*walker, end, zero);
                sc_core::wait(work_delay);
                walker->remaining.emplace();
                end = tlm::BEGIN_RESP;
                pipe->nb_transport_bw(*walker, end, zero);
            });
            return tlm::TLM_ACCEPTED;
        };
        write_context(ggtt, 0x80000, 0x30000);
        ggtt.put(0x30000, Words{0, 0});
        ggtt.put<std::uint32_t>(0x80000 + 0x101C, 8);
    }
    void submit_other() {
        for (const std::uint32_t word : submission(0x80000, 9))
            write(0x2230, word);
    }
};

}  // namespace gen9::test

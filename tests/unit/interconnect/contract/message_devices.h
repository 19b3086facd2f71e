// SPDX-License-Identifier: Apache-2.0
// Every module that EUs send messages to, with what must stand around it.
#pragma once
#include <cstring>
#include <random>

#include "common/bits.h"
#include "gateway/module.h"
#include "interpolator/module.h"
#include "sampler/module.h"
#include "slm/module.h"
#include "tests/support/contract.h"
#include "tests/support/memory_target.h"
#include "tests/unit/gateway/messages.h"
#include "tests/unit/hdc/fakes.h"
#include "tests/unit/interpolator/messages.h"
#include "tests/unit/media/spawner.h"
#include "tests/unit/sampler/media_bench.h"
#include "tests/unit/urb/messages.h"
#include "tests/unit/vme/messages.h"
#include "urb/module.h"
#include "vme/module.h"

namespace gen9::test {

/// One module under test, and what its EUs send.
struct MessageDevice : sc_core::sc_module {
    static constexpr unsigned kEus = 4, kSlots = 4, kCredits = 2;
    TestEnvironment environment;
    Clock clock{1'000'000'000};
    std::deque<ThreadSideband> threads{kEus * kSlots};

    MessageDevice(sc_core::sc_module_name name, Timing timing,
                  std::vector<std::string> settings = {})
        : sc_core::sc_module(name), environment(timing, std::move(settings)) {
        for (unsigned i = 0; i < threads.size(); ++i) {
            threads[i].place = {SliceId(0), SubsliceId(0), EuId(i / kSlots),
                                ThreadSlot(i % kSlots)};
            threads[i].fftid = static_cast<std::uint16_t>(i);
            threads[i].slm_size = 65536;
            threads[i].state = std::make_shared<PipelineState>();
        }
    }
    virtual TargetSocket<MessageProtocol>& socket(unsigned eu) = 0;
    /// Once elaborated.
    virtual void prepare() {}
    virtual void message(Message& message, unsigned thread, unsigned number,
                         std::mt19937& random) = 0;
    virtual unsigned messages_of_a_thread() const { return 50; }
    virtual bool blocking() const { return true; }
    /// Do its answers depend on what was sent alone, not on when?
    virtual bool timeless() const { return true; }
    virtual bool idle() const { return true; }
    virtual std::vector<std::uint8_t> state() { return {}; }
    /// The memory behind, where the test can make it wait.
    virtual MemoryTarget* behind() { return nullptr; }
};

struct HdcDevice : MessageDevice {
    hdc::Hdc hdc{"hdc", environment.environment, clock, kEus};
    MemoryTarget memory{"memory", clock, 1, 1};
    slm::Slm slm{"slm", environment.environment, clock};
    InitiatorSocket<MemoryProtocol> control{"control"}, registers{"registers"};
    HdcDevice(sc_core::sc_module_name name, Timing timing)
        : MessageDevice(name, timing,
                        {"hdc.queue_depth=2", "hdc.messages_in_flight=3", "slm.queue=1"}) {
        hdc.mem_out.bind(memory.mem_in[0]);
        hdc.slm_out.bind(slm.mem_in);
        control.bind(hdc.control_in);
        registers.bind(hdc.reg_in);
        hdc.set_slm_enabled(true);
    }
    TargetSocket<MessageProtocol>& socket(unsigned eu) override { return hdc.msg_in[eu]; }
    void message(Message& message, unsigned thread, unsigned, std::mt19937& random) override {
        using hdc::test::Send;
        const auto draw = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
        std::vector<std::uint64_t> addresses(16);
        std::vector<std::uint32_t> offsets(16), data(16);
        for (unsigned lane = 0; lane < 16; ++lane) {
            offsets[lane] = thread * 1024 + draw(256) * 4;
            addresses[lane] = 0x10000 + offsets[lane];
            data[lane] = draw(1u << 31);
        }
        const std::uint32_t mask = draw(0x10000);
        const auto send = [&](Sfid sfid, std::uint32_t descriptor) {
            return Send(sfid, descriptor, mask);
        };
        switch (draw(6)) {
            case 0:
                message = send(Sfid::DataPort1, 0x082411FF).add(addresses).message;
                break;
            case 1:
                message = send(Sfid::DataPort1, 0x080691FF).add(addresses).add(data).message;
                break;
            case 2:
                message = send(Sfid::DataPort1, 0x04205EFE).add(offsets).message;
                break;
            case 3:
                message = send(Sfid::DataPort1, 0x04025EFE).add(offsets).add(data).message;
                break;
            case 4:
                message = send(Sfid::DataPort1, 0x0420A7FE).add(offsets).add(data).message;
                break;
            default:
                message = send(Sfid::DataPort0, 0x0219E000).header({}).message;
                break;
        }
    }
    bool idle() const override { return hdc.idle() && hdc.in_flight() == 0; }
    MemoryTarget* behind() override { return &memory; }
    std::vector<std::uint8_t> state() override {
        std::vector<std::uint8_t> bytes(memory.bytes.begin(), memory.bytes.end()), shared(65536);
        tlm::tlm_generic_payload p;
        p.set_command(tlm::TLM_READ_COMMAND);
        p.set_data_ptr(shared.data());
        p.set_data_length(65536);
        EXPECT_EQ(hdc.slm_out->transport_dbg(p), 65536u);
        bytes.insert(bytes.end(), shared.begin(), shared.end());
        return bytes;
    }
};

/// Each slot of the EUs meets at a barrier of its own; timestamps before and after.
struct GatewayDevice : MessageDevice {
    gateway::Gateway gateway{"gateway", environment.environment, clock, kEus};
    InitiatorSocket<MemoryProtocol> registers{"registers"};
    GatewayDevice(sc_core::sc_module_name name, Timing timing) : MessageDevice(name, timing) {
        registers.bind(gateway.reg_in);
    }
    TargetSocket<MessageProtocol>& socket(unsigned eu) override { return gateway.msg_in[eu]; }
    void prepare() override {
        MemoryTransaction count{nullptr};
        for (unsigned barrier = 0; barrier < kSlots; ++barrier) {
            count.access(tlm::TLM_WRITE_COMMAND, barrier * 4, 4);
            store<std::uint32_t>(count.data, kEus);
            sc_core::sc_time delay;
            registers->b_transport(count, delay);
            EXPECT_TRUE(count.is_response_ok());
        }
    }
    void message(Message& message, unsigned thread, unsigned number, std::mt19937&) override {
        if (number == 2)
            gateway::test::make_barrier(message, thread % kSlots, threads[thread]);
        else
            gateway::test::make_timestamp(message, threads[thread]);
    }
    unsigned messages_of_a_thread() const override { return 6; }
    bool blocking() const override { return false; }
    bool timeless() const override { return false; }
    bool idle() const override { return gateway.describe_waiting().empty(); }
};

/// Ends of threads, some with the wrong name, some on a spawn message.
struct SpawnerDevice : MessageDevice {
    media::test::Spawner spawner{environment.environment, clock, "spawner", {{1, 1, kEus, kSlots}}};
    InitiatorSocket<CommandProtocol> command{"command"};
    TargetSocket<MemoryProtocol> memory{"memory"}, barrier{"barrier"};
    std::deque<TargetSocket<DispatchProtocol>> eus;
    SpawnerDevice(sc_core::sc_module_name name, Timing timing) : MessageDevice(name, timing) {
        command.bind(spawner.command_in);
        spawner.mem_out.bind(memory);
        spawner.barrier_out[0]->bind(barrier);
        for (unsigned eu = 0; eu < kEus; ++eu)
            spawner.thread_out[eu]->bind(eus.emplace_back(("eu" + std::to_string(eu)).c_str()));
    }
    TargetSocket<MessageProtocol>& socket(unsigned eu) override { return spawner.msg_in[eu]; }
    void message(Message& message, unsigned thread, unsigned number, std::mt19937&) override {
        message.sfid = Sfid::ThreadSpawner;
        message.descriptor = 0x02000010 | (number % 8 == 7);
        message.length = message.first_length = 1;
        message.end_of_thread = true;
        store<std::uint32_t>(message.payload[0].bytes + 20, thread ^ (number % 8 == 5));
    }
    bool idle() const override { return spawner.describe_waiting().empty(); }
};

/// Each slot of the EUs has an entry of its own in the URB; one DWord is everybody's.
struct UrbDevice : MessageDevice {
    urb::Urb urb{"urb", environment.environment, clock, kEus};
    MemoryTarget memory{"memory", clock, 1, 1};
    UrbDevice(sc_core::sc_module_name name, Timing timing)
        : MessageDevice(name, timing, {"urb.messages_in_flight=3"}) {
        urb.mem_out.bind(memory.mem_in[0]);
    }
    TargetSocket<MessageProtocol>& socket(unsigned eu) override { return urb.msg_in[eu]; }
    void message(Message& message, unsigned thread, unsigned number,
                 std::mt19937& random) override {
        message = urb::test::random_message(random, thread * 64, number % 16 == 9);
    }
    bool idle() const override { return urb.idle(); }
    MemoryTarget* behind() override { return &memory; }
    std::vector<std::uint8_t> state() override {
        return {memory.bytes.begin(), memory.bytes.end()};
    }
};

/// Samples, loads, questions and scaled blocks, some of them refused.
struct SamplerDevice : MessageDevice {
    sampler::Sampler sampler{"sampler", environment.environment, clock, kEus};
    MemoryTarget memory{"memory", clock, 1, 1};
    InitiatorSocket<MemoryProtocol> control{"control"};
    sampler::test::MediaBench bench;
    SamplerDevice(sc_core::sc_module_name name, Timing timing)
        : MessageDevice(name, timing, {"sampler.messages_in_flight=3"}) {
        namespace surface = sampler::test::surface_state;
        sampler.mem_out.bind(memory.mem_in[0]);
        control.bind(sampler.control_in);
        for (ThreadSideband& thread : threads)
            thread.state = bench.sender.state;
        bench.shape(surface::SURFTYPE_2D, 0x0C7, 64, 64, 1, 256);
        bench.set(surface::TileMode, 3);
        bench.filters(1, 1);
        for (unsigned i = 0; i < 64 * 64 * 4; ++i)
            bench.put(i, static_cast<std::uint8_t>(i * 167 + (i >> 8)));
        bench.shape_picture(9, 64, 64, 256);
        bench.linear_table();
        bench.filter_mode(0, true, 255);
        bench.write_media_states({.index = 1, .binding = 1});
        std::copy_n(bench.memory.bytes.begin(), memory.bytes.size() - bench.memory.kBase,
                    memory.bytes.begin() + bench.memory.kBase);
    }
    TargetSocket<MessageProtocol>& socket(unsigned eu) override { return sampler.msg_in[eu]; }
    void message(Message& message, unsigned, unsigned, std::mt19937& random) override {
        using namespace sampler::test;
        const auto draw = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
        if (draw(6) == 0) {
            bench.build_media({.u = static_cast<float>(draw(64)) / 64,
                               .v = static_cast<float>(draw(64)) / 64,
                               .du = 1.0f / 64,
                               .dv = 1.0f / 64,
                               .function = draw(8) == 0,
                               .index = 1,
                               .binding = 1});
            message = bench.message;
            return;
        }
        std::vector<std::vector<std::uint32_t>> floats(3), integers(3);
        for (unsigned n = 0; n < 3; ++n)
            for (unsigned lane = 0; lane < 16; ++lane) {
                floats[n].push_back(f(static_cast<float>(draw(4096)) / 2048));
                integers[n].push_back(draw(68));
            }
        Bench::Options wide, narrow;
        wide.simd = 2;
        wide.mask = narrow.mask = draw(0x10000);
        const unsigned reserved = 0x0D;
        const unsigned codes[] = {kSampleLz, kLdLz, kSampleL, kGather4, kResInfo, reserved};
        const unsigned code = codes[draw(6)];
        const bool loads = code == kLdLz || code == kResInfo;
        auto& params = loads ? integers : floats;
        params.resize(code == kSampleL ? 3 : code == kResInfo ? 1 : 2);
        for (auto& values : params)
            values.resize(code == kSampleLz || code == kLdLz ? 16 : 8);
        bench.build(code, params, code == kSampleLz || code == kLdLz ? wide : narrow);
        message = bench.message;
    }
    bool idle() const override { return sampler.idle() && sampler.transactions() == 0; }
    MemoryTarget* behind() override { return &memory; }
};

/// All kinds of messages of pixel threads.
struct InterpolatorDevice : MessageDevice {
    interpolator::Interpolator interpolator{"interpolator", environment.environment, clock, kEus};
    interpolator::test::Sender sender;
    InterpolatorDevice(sc_core::sc_module_name name, Timing timing) : MessageDevice(name, timing) {
        for (ThreadSideband& thread : threads) {
            thread.state = sender.draw.state;
            thread.pixels = &sender.record;
        }
    }
    TargetSocket<MessageProtocol>& socket(unsigned eu) override { return interpolator.msg_in[eu]; }
    void message(Message& message, unsigned, unsigned, std::mt19937& random) override {
        const auto draw = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
        const unsigned type = draw(4);
        const bool wide = draw(2);
        std::vector<std::uint32_t> offsets(type != 3 ? 0 : wide ? 32 : 16);
        for (std::uint32_t& offset : offsets)
            offset = draw(16);
        message = interpolator::test::make_message(
            interpolator::test::descriptor_of(type, wide, draw(256), draw(2)), draw(0x10000),
            offsets);
    }
    bool idle() const override { return interpolator.idle(); }
};

/// Meshes, whose answers hold no times, and messages that are refused.
struct VmeDevice : MessageDevice {
    vme::Vme vme{"vme", environment.environment, clock, kEus};
    MemoryTarget memory{"memory", clock, 1, 1};
    InitiatorSocket<MemoryProtocol> control{"control"};
    VmeDevice(sc_core::sc_module_name name, Timing timing)
        : MessageDevice(name, timing, {"vme.messages_in_flight=3"}) {
        vme.mem_out.bind(memory.mem_in[0]);
        control.bind(vme.control_in);
        vme::test::PictureMemoryBytes pictures;
        for (unsigned index = 0; index < 2; ++index)
            pictures.bind(index, motion::texture(64, 64, index));
        std::copy(pictures.bytes.begin(), pictures.bytes.end(), memory.bytes.begin());
    }
    TargetSocket<MessageProtocol>& socket(unsigned eu) override { return vme.msg_in[eu]; }
    void message(Message& message, unsigned, unsigned number, std::mt19937& random) override {
        using namespace vme::test;
        const auto draw = [&](unsigned n) { return static_cast<int>(random() % n); };
        Words words(number % 7 == 3 ? kRefine : kMesh);
        words.dword(0, 2, pair(draw(64), draw(64))).dword(0, 0, pair(draw(60) - 30, draw(60) - 30));
        // SubPelMode 2 and a source of 8x8 do not exist for these.
        if (number % 7 == 3) words.set(0, 3, 13, 12, 2);
        if (number % 7 == 5) words.set(0, 3, 1, 0, 3);
        message = words.message;
    }
    bool idle() const override { return vme.idle(); }
    MemoryTarget* behind() override { return &memory; }
};

}  // namespace gen9::test

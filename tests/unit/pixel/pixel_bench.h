// SPDX-License-Identifier: Apache-2.0
// The pixel end of the 3D pipe with the thread dispatcher; the rasteriser before it and the EUs are
// played by the test.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "common/bits.h"
#include "dispatcher/module.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/payload/direct_message.h"
#include "interconnect/payload/unanswered.h"
#include "pixel/depth_module.h"
#include "pixel/dispatch_module.h"
#include "pixel/render_target_module.h"
#include "tests/support/environment.h"
#include "tests/support/memory_target.h"

namespace gen9::pixel::module_test {

using gen9::test::MemoryTarget;
using gen9::test::TestEnvironment;

/// State as a command stream gives it.
struct StateMaker {
    PipelineState state;
    StateMaker() { state.number = 1; }
    void give(const std::vector<std::uint32_t>& dwords) {
        const packets::CommandRow* const row = packets::find_command(dwords[0]);
        ASSERT_NE(row, nullptr);
        const auto unit = static_cast<std::size_t>(row->latch.unit);
        auto made = state.stages[unit] ? std::make_shared<StageState>(*state.stages[unit])
                                       : std::make_shared<StageState>(row->latch.unit);
        made->take(*row, dwords);
        state.stages[unit] = made;
    }
};

/// Where the bench's memory has what.
inline constexpr std::uint32_t kDynamic = 0x10000, kSurfaces = 0x20000, kTarget = 0x100000,
                               kDepth = 0x200000, kStencil = 0x280000, kAux = 0x300000;

struct ThreadSeen {
    ThreadDispatch dispatch;
    PixelRecord record;
};

class PixelBench : public sc_core::sc_module {
  public:
    static constexpr ThreadTopology kTopology{1, 3, 2, 7};
    static constexpr unsigned kEus = 6;
    /// A thread's messages to the render cache, in order; each waits for the one before.
    using Shader = std::function<std::vector<Message>(const ThreadDispatch&)>;

    TestEnvironment env;
    Clock clock{1'000'000'000};
    MemoryTarget memory{"memory", clock, 3};
    dispatcher::Dispatcher dispatcher;
    DepthUnit depth;
    PixelDispatch dispatch;
    RenderTarget target;
    InitiatorSocket<PixelProtocol> pixel_out{"pixel_out"};
    std::deque<InitiatorSocket<MessageProtocol>> message_out;
    std::deque<TargetSocket<DispatchProtocol>> eus;
    std::deque<TargetSocket<MemoryProtocol>> gateways;

    Shader shader;
    int split = -1;  ///< messages are calls, in two parts of which the first has so many registers
    unsigned calls = 0;
    bool takes_next = false;       ///< EUs have threads follow one another in their slots
    unsigned followed = 0;         ///< threads that did
    bool owes_answers = false;     ///< threads end with a message that is not answered yet
    std::vector<ThreadSeen> seen;  ///< threads as they came
    std::vector<Message> answers;  ///< messages with a response
    unsigned ended_batches = 0;
    std::size_t most_live = 0;  ///< threads at a time
    DrawCounts counts;

    PixelBench(sc_core::sc_module_name name, Timing timing, std::vector<std::string> settings = {},
               std::uint64_t shuffle = 0)
        : sc_module(name),
          env(timing, std::move(settings)),
          dispatcher("dispatcher", env.environment, clock, dispatcher_setup()),
          depth("depth", env.environment, clock),
          dispatch("dispatch", env.environment, clock, {kTopology, 0, 7}),
          target("target", env.environment, clock, {kEus}),
          wakeup_(clock),
          output_(pixel_out, clock, wakeup_) {
        pixel_out.bind(depth.pixel_in);
        depth.pixel_out.bind(dispatch.pixel_in);
        target.late_out.bind(depth.late_in);
        depth.mem_out.bind(memory.mem_in[0]);
        dispatch.mem_out.bind(memory.mem_in[1]);
        target.mem_out.bind(memory.mem_in[2]);
        dispatch.request_out.bind(*dispatcher.request_in[0]);
        control_depth.bind(depth.control_in);
        control_target.bind(target.control_in);
        for (unsigned eu = 0; eu < kEus; ++eu) {
            eus.emplace_back(("eu" + std::to_string(eu)).c_str());
            dispatcher.thread_out[eu]->bind(eus[eu]);
            eus[eu].on_forward = [this](ThreadDispatch& thread, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
                if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
                begin_thread(thread, clock.after(delay));
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
            auto& out = message_out.emplace_back(("out" + std::to_string(eu)).c_str());
            out.bind(target.msg_in[eu]);
            out.on_backward = [this](Message& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
                if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
                message_answered(message, clock.after(delay));
                return tlm::TLM_COMPLETED;
            };
        }
        for (unsigned s = 0; s < kTopology.total_subslices(); ++s) {
            gateways.emplace_back(("gateway" + std::to_string(s)).c_str());
            dispatcher.barrier_out[s]->bind(gateways[s]);
        }
        output_.on_ended = [this](PixelBatch&, Cycles) { ++ended_batches; };
        wakeup_.runs<&PixelBench::step>(this);
        if (shuffle) clock.agenda().shuffle(shuffle);
    }

    InitiatorSocket<MemoryProtocol> control_depth{"control_depth"},
        control_target{"control_target"};

    // --- The draw

    /// From now on objects are of a new draw.
    Draw& new_draw(const PipelineState& state, WorkKind kind = WorkKind::Draw) {
        Draw& draw = *draws_.emplace_back(std::make_unique<Draw>());
        draw.work = {static_cast<std::uint32_t>(draws_.size() - 1), kind, "3DPRIMITIVE"};
        draw.state = std::make_shared<PipelineState>(state);
        draw.address = GpuAddr(0x4000 + 64 * draws_.size());
        draw.order = draws_.size();
        draw.counts = &counts;
        return draw;
    }
    /// An object that covers pixels of a rectangle for which `covers` says so; `samples` masks.
    void add_object(const SetUpObject& object, gen9::PixelRectangle box,
                    const std::function<std::uint16_t(int, int)>& covers, unsigned samples = 1) {
        ObjectBatch& objects = *objects_.emplace_back(std::make_unique<ObjectBatch>());
        objects.draw = draws_.back().get();
        objects.first = orders_++;
        objects.count = 1;
        objects.objects = {object};
        auto next = [&]() -> PixelBatch& {
            PixelBatch& batch = *batches_.emplace_back(std::make_unique<PixelBatch>());
            batch.objects = &objects;
            return batch;
        };
        PixelBatch* batch = nullptr;
        for (int y = box.min_y & ~3; y <= box.max_y; y += 4)
            for (int x = box.min_x & ~7; x <= box.max_x; x += 8) {
                PixelBlock block;
                block.x = x;
                block.y = y;
                block.samples = static_cast<std::uint8_t>(samples);
                block.covered.fill(0);
                for (int p = 0; p < 32; ++p) {
                    const int px = x + p % 8, py = y + p / 8;
                    if (px < box.min_x || px > box.max_x || py < box.min_y || py > box.max_y)
                        continue;
                    const std::uint16_t mask = covers(px, py);
                    for (unsigned s = 0; s < samples; ++s)
                        block.covered[s] |= std::uint32_t(mask >> s & 1) << p;
                }
                for (unsigned s = 0; s < samples; ++s)
                    block.lit |= block.covered[s];
                if (block.lit == 0) continue;
                if (batch == nullptr || batch->blocks.size() == PixelBatch::kBlocks)
                    batch = &next();
                batch->blocks.push_back(block);
            }
    }
    void add_rectangle(const SetUpObject& object, gen9::PixelRectangle box, unsigned samples = 1) {
        add_object(
            object, box, [=](int, int) { return (1u << samples) - 1; }, samples);
    }
    void run(std::uint64_t cycles = 200'000) {
        start();
        sc_core::sc_start(clock.time(Cycles(cycles)));
        check();
    }
    void start() { wakeup_.at(clock.now()); }
    /// All that was given has ended.
    void check() const {
        EXPECT_EQ(ended_batches, batches_.size());
        EXPECT_TRUE(depth.idle());
        EXPECT_TRUE(dispatch.idle());
        EXPECT_TRUE(target.idle());
        EXPECT_TRUE(live_.empty());
    }
    void control(const CacheControl& what) {
        for (auto* socket : {&control_depth, &control_target}) {
            MemoryTransaction transaction(nullptr);
            transaction.set_command(tlm::TLM_IGNORE_COMMAND);
            transaction.attributes.operation = MemoryAttributes::Operation::Control;
            transaction.attributes.control = what;
            sc_core::sc_time delay;
            (*socket)->b_transport(transaction, delay);
        }
    }

    // --- Memory

    template <class T>
    void put(std::uint64_t address, const T& value) {
        std::memcpy(&memory.bytes[address], &value, sizeof value);
    }
    std::uint32_t dword(std::uint64_t address) const {
        return load<std::uint32_t>(&memory.bytes[address]);
    }
    void put_dwords(std::uint64_t address, const std::vector<std::uint32_t>& dwords) {
        std::memcpy(&memory.bytes[address], dwords.data(), dwords.size() * 4);
    }

  private:
    struct Running {
        ThreadDispatch* thread = nullptr;
        std::vector<Message> messages;
        std::size_t sent = 0, number = 0;
        std::set<unsigned> waits;  ///< FFTIDs
        bool held = false;         ///< by them
    };
    static dispatcher::DispatcherSetup dispatcher_setup() {
        dispatcher::DispatcherSetup setup;
        setup.topology = kTopology;
        return setup;
    }
    void step() {
        const Cycles now = clock.now();
        while (sent_ < batches_.size() && output_.can_send(now))
            output_.send(*batches_[sent_++]);
        while (!due_.empty() && due_.begin()->first <= now) {
            const unsigned fftid = due_.begin()->second;
            due_.erase(due_.begin());
            go_on(fftid);
        }
        if (!due_.empty()) wakeup_.at(due_.begin()->first);
    }
    void at(Cycles when, unsigned fftid) {
        due_.emplace(when, fftid);
        wakeup_.at(when);
    }
    void begin_thread(ThreadDispatch& thread, Cycles when) {
        const unsigned fftid = thread.sideband.fftid;
        seen.push_back({thread, *thread.sideband.pixels});
        Running& running = live_[fftid];
        running = {};
        running.thread = &thread;
        running.number = seen.size() - 1;
        most_live = std::max(most_live, live_.size());
        for (const std::uint16_t entry : thread.dependency)
            if (entry >> 15 && live_.contains(entry & 0x1FF)) running.waits.insert(entry & 0x1FF);
        // As an EU that hears of an end before the thread has started.
        thread.dependency[0] &= 0x1FF;
        if (shader) running.messages = shader(thread);
        for (Message& message : running.messages)
            message.sender = &thread.sideband;
        at(when, fftid);
    }
    void go_on(unsigned fftid) {
        Running& running = live_.at(fftid);
        running.held = !running.waits.empty();
        if (running.held) return;
        ThreadDispatch& thread = *running.thread;
        const unsigned eu = fftid / kTopology.threads;
        if (running.sent < running.messages.size()) {
            Message& message = running.messages[running.sent++];
            sc_core::sc_time delay;
            if (env.environment.timed()) {
                tlm::tlm_phase phase = tlm::BEGIN_REQ;
                message_out[eu]->nb_transport_fw(message, phase, delay);
                return;
            }
            if (split < 0 || !call(eu, message)) message_out[eu]->b_transport(message, delay);
            return message_answered(message, clock.now());
        }
        expect_record(running);
        for (auto& [other, waiting] : live_)
            if (waiting.waits.erase(fftid) && waiting.waits.empty() && waiting.held)
                at(clock.now(), other);
        thread.retire = {3, running.messages.size()};
        live_.erase(fftid);
        UnansweredMessages* const owed = owes_answers ? thread.sideband.unanswered : nullptr;
        if (owed != nullptr) owed->announced();
        if (takes_next && thread.relay != nullptr && thread.relay->next(thread, clock.now())) {
            ++followed;
            EXPECT_EQ(thread.dependency, decltype(thread.dependency){})
                << "nobody would tell it of their ends";
            return begin_thread(thread, clock.now());
        }
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay;
        eus[eu]->nb_transport_bw(thread, phase, delay);
        if (owed != nullptr) owed->answered(clock.now());
    }
    bool call(unsigned eu, const Message& message) {
        SendForm form{message.descriptor, message.extended_descriptor,
                      static_cast<std::uint8_t>(message.sfid), message.length};
        form.first_length =
            std::min<std::uint8_t>(message.length, static_cast<std::uint8_t>(split));
        form.header_present = message.header_present;
        const auto site = message_out[eu].direct_function()->site(form);
        if (site == nullptr) return false;
        const Grf* const payload = message.payload.data();
        const std::vector<Grf> first(payload, payload + form.first_length),
            second(payload + form.first_length, payload + form.length);
        const bool done = site->run({*message.sender, message.trace_id}, message.execution_mask,
                                    first.data(), second.data(), nullptr);
        calls += done;
        return done;
    }
    /// What a thread is of stays as it was until the thread ends (PI-17).
    void expect_record(const Running& running) const {
        const PixelRecord &now = *running.thread->sideband.pixels,
                          &then = seen[running.number].record;
        EXPECT_EQ(now.object, then.object);
        EXPECT_EQ(now.order, then.order);
        EXPECT_EQ(now.lit, then.lit);
        EXPECT_EQ(now.subspans[0].x, then.subspans[0].x);
        EXPECT_EQ(now.subspans[0].y, then.subspans[0].y);
    }
    void message_answered(Message& message, Cycles when) {
        if (message.response_length != 0) answers.push_back(message);
        at(when, message.sender->fftid);
    }

    Wakeup wakeup_;
    StageOutput<PixelProtocol> output_;
    std::vector<std::unique_ptr<Draw>> draws_;
    std::vector<std::unique_ptr<ObjectBatch>> objects_;
    std::vector<std::unique_ptr<PixelBatch>> batches_;
    std::size_t sent_ = 0;
    std::uint64_t orders_ = 100;
    std::map<unsigned, Running> live_;
    std::multimap<Cycles, unsigned> due_;
};

/// Benches that run side by side: modules cannot be made once time has begun.
class Benches {
  public:
    PixelBench& add(Timing timing, std::uint64_t shuffle = 0) {
        const std::string name = "bench" + std::to_string(benches_.size());
        return benches_.emplace_back(name.c_str(), timing, std::vector<std::string>{}, shuffle);
    }
    void run(std::uint64_t cycles = 200'000) {
        for (PixelBench& bench : benches_)
            bench.start();
        sc_core::sc_start(benches_.front().clock.time(Cycles(cycles)));
        for (const PixelBench& bench : benches_)
            bench.check();
    }
    auto begin() { return benches_.begin(); }
    auto end() { return benches_.end(); }

  private:
    std::deque<PixelBench> benches_;
};

// --- Messages, by the bit positions of 003:8023-8061

enum Subtype : std::uint32_t { kSimd16 = 0, kRep16 = 1, kLow = 2, kHigh = 3, kSimd8 = 4 };

struct MessageMaker {
    Subtype subtype = kSimd16;
    unsigned binding = 0;
    bool last = true, upper = false, read = false;
    std::vector<Grf> header{};
    std::vector<Grf> registers{};
    std::uint32_t execution_mask = 0xFFFF;

    Message make() const {
        Message m;
        m.reset();
        m.sfid = Sfid::RenderCache;
        std::vector<Grf> all = header;
        all.insert(all.end(), registers.begin(), registers.end());
        m.header_present = !header.empty();
        m.length = m.first_length = static_cast<std::uint8_t>(all.size());
        m.response_length = read ? (subtype == kSimd16 ? 8 : 4) : 0;
        m.descriptor = m.length << 25 | m.response_length << 20 |
                       std::uint32_t{m.header_present} << 19 | (read ? 0xDu : 0xCu) << 14 |
                       std::uint32_t{last} << 12 | std::uint32_t{upper} << 11 | subtype << 8 |
                       binding;
        m.execution_mask = execution_mask;
        std::copy(all.begin(), all.end(), m.payload.begin());
        return m;
    }
};

inline Grf floats(const std::array<float, 8>& values) {
    Grf grf;
    std::memcpy(grf.bytes, values.data(), sizeof grf.bytes);
    return grf;
}
inline float float_at(const Grf& grf, unsigned n) {
    return load<float>(grf.bytes + 4 * n);
}
inline std::uint32_t dword_at(const Grf& grf, unsigned n) {
    return load<std::uint32_t>(grf.bytes + 4 * n);
}

/// The place of a byte in a surface, by the figures of 003:5332-5342, written once more.
inline std::uint64_t byte_place(unsigned tile_mode, std::uint32_t pitch, std::uint64_t x,
                                std::uint64_t y) {
    if (tile_mode == 2)  // X: 512 bytes, 8 rows
        return (y / 8 * (pitch / 512) + x / 512) * 4096 + y % 8 * 512 + x % 512;
    if (tile_mode == 3)  // Y: 128 bytes, 32 rows, columns of 16 bytes
        return (y / 32 * (pitch / 128) + x / 128) * 4096 + x % 128 / 16 * 512 + y % 32 * 16 +
               x % 16;
    return y * pitch + x;
}

/// A surface state of a 2D target.
inline std::vector<std::uint32_t> surface_state(unsigned format, unsigned tile_mode, unsigned width,
                                                unsigned height, std::uint32_t pitch,
                                                std::uint64_t base) {
    std::vector<std::uint32_t> d(16, 0);
    d[0] = 1u << 29 | format << 18 | 1u << 16 | 1u << 14 | tile_mode << 12;
    d[2] = (height - 1) << 16 | (width - 1);
    d[3] = pitch - 1;
    d[7] = 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16;
    d[8] = static_cast<std::uint32_t>(base);
    d[9] = static_cast<std::uint32_t>(base >> 32);
    return d;
}
inline constexpr unsigned kRgba8 = 0x0C7, kRgba32f = 0x000, kRgba32u = 0x002, kR8 = 0x140,
                          kB5G6R5 = 0x100;

inline constexpr unsigned kLinear = 0, kX = 2, kY = 3;

/// Clear of both drivers without auxiliary surfaces: a rectangle and a REP16 shader, as iris sends
/// it.
inline StateMaker clear_state() {
    StateMaker maker;
    maker.state.dynamic_state_base = GpuAddr(kDynamic);
    maker.state.surface_state_base = GpuAddr(kSurfaces);
    for (const std::vector<std::uint32_t>& command : std::vector<std::vector<std::uint32_t>>{
             {0x78240000, 0x00000001},                    // BLEND_STATE_POINTERS
             {0x784d0000, 0x40000000},                    // PS_BLEND
             {0x780e0000, 0x00000041},                    // CC_STATE_POINTERS
             {0x784e0002, 0, 0, 0},                       // WM_DEPTH_STENCIL
             {0x78170409, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},  // CONSTANT_PS
             {0x780d0000, 0},                             // MULTISAMPLE
             {0x78180000, 1},                             // SAMPLE_MASK
             {0x78140000, 0},                             // WM
             {0x7820000a, 0xffff7000, 0, 0x00040000, 0, 0, 0x1f800002, 0x00020000, 0xffff7000, 0,
              0xffff7000, 0},                             // PS
             {0x784f0000, 0x80000100},                    // PS_EXTRA
             {0x782a0000, 0x00000020},                    // BINDING_TABLE_POINTERS_PS
             {0x78050006, 0xe0040000, 0, 0, 0, 4, 0, 0},  // DEPTH_BUFFER
             {0x78060003, 0x01000000, 0, 0, 0}})          // STENCIL_BUFFER
        maker.give(command);
    return maker;
}

inline SetUpObject rectangle_object(const std::array<float, 4>& flat) {
    SetUpObject object;
    object.type = ObjectType::Rectangle;
    object.topology = 0x0F;
    object.attribute_count = 1;
    object.attributes[0] = {};
    for (unsigned c = 0; c < 4; ++c)
        object.attributes[0][4 * c + 3] = std::bit_cast<std::uint32_t>(flat[c]);
    return object;
}

/// The shader of such a clear: a message of four scalars that stand in its set-up data.
inline std::vector<Message> rep16_shader(const ThreadDispatch& thread) {
    Grf color{};
    for (unsigned c = 0; c < 4; ++c)
        std::memcpy(color.bytes + 4 * c, thread.payload[2 + c / 2].bytes + 16 * (c % 2) + 12, 4);
    MessageMaker maker{.subtype = kRep16};
    maker.registers = {color};
    maker.execution_mask = thread.dispatch_mask;
    return {maker.make()};
}

/// A target at kTarget behind binding 0 of the table at 0x20.
inline void bind_target(PixelBench& bench, const std::vector<std::uint32_t>& surface) {
    bench.put<std::uint32_t>(kSurfaces + 0x20, 0x400);
    bench.put_dwords(kSurfaces + 0x400, surface);
}

/// A triangle whose corners are 16.8 numbers, clockwise or not.
inline Interpolation interpolation_of(const std::array<ScreenPoint, 3>& p,
                                      const std::array<double, 3>& z = {}) {
    const double x1 = p[1].x - p[0].x, y1 = p[1].y - p[0].y;
    const double x2 = p[2].x - p[0].x, y2 = p[2].y - p[0].y;
    Interpolation i;
    i.origin = p[0];
    i.a1 = y2;
    i.b1 = -x2;
    i.a2 = -y1;
    i.b2 = x1;
    i.scale = 1 / (x1 * y2 - y1 * x2);
    i.z0 = z[0];
    i.z1 = z[1] - z[0];
    i.z2 = z[2] - z[0];
    return i;
}

/// 3DSTATE_PS with kernels of some widths: bit 0 for 8, 1 for 16, 2 for 32 slots. The pointers are
/// 1000h, 2000h and 3000h, their set-up data begins at `first`.
inline std::vector<std::uint32_t> pixel_shader(unsigned widths,
                                               std::array<unsigned, 3> first = {2, 2, 2},
                                               std::uint32_t more = 0) {
    return {0x7820000a,
            0x1000,
            0,
            1u << 30,
            0,
            0,
            0x1f800000u | widths | more,
            first[0] << 16 | first[1] << 8 | first[2],
            0x2000,
            0,
            0x3000,
            0};
}

/// A shader that writes one colour by its own width, as the compiler sends it: without a header, all
/// slots of its groups on.
inline PixelBench::Shader flat_shader(const std::array<float, 4>& color) {
    return [color](const ThreadDispatch& thread) {
        std::vector<Message> messages;
        const unsigned width = thread.simd_width;
        for (unsigned first = 0; first < width; first += 16) {
            MessageMaker maker{.subtype = width == 8 ? kSimd8 : kSimd16};
            maker.upper = first != 0;
            for (unsigned c = 0; c < 4; ++c)
                for (unsigned r = 0; r < (width == 8 ? 1u : 2u); ++r) {
                    std::array<float, 8> row;
                    row.fill(color[c]);
                    maker.registers.push_back(floats(row));
                }
            maker.execution_mask = thread.dispatch_mask >> first & (width == 8 ? 0xFF : 0xFFFF);
            messages.push_back(maker.make());
        }
        return messages;
    };
}

}  // namespace gen9::pixel::module_test

// SPDX-License-Identifier: Apache-2.0
/// Clipper, set-up and rasterisers joined, between a played vertex shader and played depth units.
#pragma once
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "clip/module.h"
#include "raster/module.h"
#include "setup/module.h"
#include "tests/support/environment.h"
#include "tests/support/memory_target.h"

namespace gen9::test {

using Words = std::vector<std::uint32_t>;

inline std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

/// State as commands set it.
class Commands {
  public:
    Commands& operator()(const Words& words) {
        const packets::CommandRow& row = *packets::find_command(words[0]);
        StageState& stage = stages_.try_emplace(row.latch.unit, row.latch.unit).first->second;
        if (!stage.take(row, words)) throw std::runtime_error(row.name);
        return *this;
    }
    PipelineStatePtr state(GpuAddr dynamic_base) const {
        auto state = std::make_shared<PipelineState>();
        state->dynamic_state_base = dynamic_base;
        for (const auto& [unit, stage] : stages_)
            state->stages[static_cast<unsigned>(unit)] = std::make_shared<StageState>(stage);
        return state;
    }

  private:
    std::map<packets::Unit, StageState> stages_;
};

/// A block as a depth unit got it.
struct SeenBlock {
    std::uint64_t draw = 0, object = 0;
    PixelBlock block;
    bool operator==(const SeenBlock& other) const {
        return draw == other.draw && object == other.object && block.x == other.block.x &&
               block.y == other.block.y && block.lit == other.block.lit;
    }
};

struct Pipe : sc_core::sc_module {
    static constexpr std::uint64_t kDynamic = 2 << 20;
    static constexpr std::uint64_t kViewport = 0xC0, kScissor = 0x1000;  ///< behind kDynamic

    /// Plays the depth unit of a slice.
    struct Sink {
        TargetSocket<PixelProtocol> pixel_in;
        Pipe& pipe;
        Wakeup wakeup;
        StageInput<PixelProtocol> input;
        Cycles free;
        std::vector<SeenBlock> seen;

        Sink(const char* name, Pipe& owner)
            : pixel_in(name),
              pipe(owner),
              wakeup(owner.clock),
              input(pixel_in, owner.env.environment, owner.clock, wakeup, 1) {
            wakeup.runs<&Sink::step>(this);
        }
        void step() {
            const Cycles now = pipe.clock.now();
            while (free <= now && input.front(now)) {
                PixelBatch& batch = input.take(now);
                for (const PixelBlock& block : batch.blocks) {
                    const std::uint64_t object = batch.objects->first + block.object;
                    seen.push_back({batch.objects->draw->order, object, block});
                    pipe.objects[object] = batch.objects->objects[block.object];
                }
                const bool timed = pipe.env.environment.timed();
                if (timed) free = now + Cycles(1 + pipe.take_cycles);
                input.end(batch, timed ? now + Cycles(1 + pipe.hold_cycles) : now);
            }
            if (free > now) wakeup.at(free);
            input.wake(now);
        }
    };

    TestEnvironment env;
    Clock clock{1'000'000'000};
    MemoryTarget memory{"memory", clock, 2};
    Wakeup wakeup{clock};
    InitiatorSocket<PrimitiveProtocol> source{"source"};
    StageOutput<PrimitiveProtocol> output{source, clock, wakeup};
    clip::Clip clip;
    setup::Setup setup;
    std::deque<raster::Raster> rasters;
    std::deque<Sink> sinks;
    unsigned take_cycles = 0, hold_cycles = 3;

    std::deque<Draw> draws;
    std::deque<DrawCounts> counts;
    std::deque<PrimitiveBatch> batches;
    std::deque<PrimitiveBatch*> to_send;
    std::vector<std::pair<const PrimitiveBatch*, Cycles>> read, ended;
    std::map<std::uint64_t, SetUpObject> objects;  ///< that have a block, by number
    std::uint32_t row = 8;                         ///< of the URB that is free

    explicit Pipe(sc_core::sc_module_name module_name, Timing timing, unsigned slices = 1,
                  std::vector<std::string> settings = {})
        : sc_module(module_name),
          env(timing, std::move(settings)),
          clip("clip", env.environment, clock),
          setup("setup", env.environment, clock, {slices}) {
        clip.mem_out.bind(memory.mem_in[0]);
        setup.mem_out.bind(memory.mem_in[1]);
        source.bind(clip.batch_in);
        clip.batch_out.bind(setup.batch_in);
        for (unsigned slice = 0; slice < slices; ++slice) {
            rasters.emplace_back(("raster" + std::to_string(slice)).c_str(), env.environment, clock,
                                 raster::RasterSetup{slice, slices});
            sinks.emplace_back(("sink" + std::to_string(slice)).c_str(), *this);
            setup.object_out[slice]->bind(rasters[slice].object_in);
            rasters[slice].pixel_out.bind(sinks[slice].pixel_in);
        }
        output.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
            if (phase == kVerticesRead) read.emplace_back(&batch, at);
        };
        output.on_ended = [this](PrimitiveBatch& batch, Cycles at) {
            ended.emplace_back(&batch, at);
        };
        wakeup.runs<&Pipe::step>(this);
    }
    void step() {
        const Cycles now = clock.now();
        while (!to_send.empty() && output.can_send(now)) {
            output.send(*to_send.front());
            to_send.pop_front();
        }
        output.wake(now);
    }

    Draw& draw(const Commands& commands, WorkKind kind = WorkKind::Draw) {
        Draw& made = draws.emplace_back();
        made.work = {static_cast<std::uint32_t>(draws.size() - 1), kind, "3DPRIMITIVE"};
        made.state = commands.state(GpuAddr(kDynamic));
        made.address = GpuAddr(0x1000 + 0x100 * draws.size());
        made.order = draws.size();
        made.counts = &counts.emplace_back();
        return made;
    }
    PrimitiveBatch& batch(const Draw& of) {
        PrimitiveBatch& made = batches.emplace_back();
        made.draw = &of;
        made.entry_rows = 4;
        to_send.push_back(&made);
        return made;
    }
    /// A URB entry of header, position and what follows. Gives the vertex' number in the batch.
    std::uint32_t vertex(PrimitiveBatch& to, const std::array<float, 4>& position,
                         const Words& rest = {}, const Words& header = {0, 0, 0, 0}) {
        Words entry = header;
        for (const float part : position)
            entry.push_back(bits_of(part));
        entry.insert(entry.end(), rest.begin(), rest.end());
        write(std::uint64_t{row} * 32, entry);
        to.vertices.push_back({row, true});
        row += 4;
        return static_cast<std::uint32_t>(to.vertices.size() - 1);
    }
    PrimitiveObject& object(PrimitiveBatch& to, packets::Topology topology,
                            std::initializer_list<std::uint32_t> vertices) {
        PrimitiveObject& made = to.objects.emplace_back();
        made.topology = topology;
        made.starts = true;
        made.primitive_id = static_cast<std::uint32_t>(to.objects.size() - 1);
        for (const std::uint32_t v : vertices)
            made.vertices[made.count++] = v;
        return made;
    }
    void write(std::uint64_t address, const Words& words) {
        std::memcpy(&memory.bytes[address], words.data(), 4 * words.size());
    }
    void viewport(unsigned index, float width, float height, float guard, float x = 0,
                  float y = 0) {
        Words words(16);
        const float values[] = {width / 2, height / 2, 0.5f, x + width / 2, y + height / 2, 0.5f};
        for (unsigned i = 0; i < 6; ++i)
            words[i] = bits_of(values[i]);
        const float limits[] = {-guard, guard, -guard, guard, x, x + width - 1, y, y + height - 1};
        for (unsigned i = 0; i < 8; ++i)
            words[8 + i] = bits_of(limits[i]);
        write(kDynamic + kViewport + 64 * index, words);
    }

    void start() { wakeup.at(Cycles(1)); }
    bool idle() const {
        for (const auto& raster : rasters)
            if (!raster.idle()) return false;
        return clip.idle() && setup.idle() && to_send.empty() && output.in_flight() == 0;
    }
    /// Of all slices.
    std::vector<SeenBlock> blocks() const {
        std::vector<SeenBlock> all;
        for (const Sink& sink : sinks)
            all.insert(all.end(), sink.seen.begin(), sink.seen.end());
        return all;
    }
    /// How often the pixel is lit by a draw; order 0: by any.
    unsigned lit(int x, int y, std::uint64_t draw_order = 0) const {
        unsigned times = 0;
        for (const Sink& sink : sinks)
            for (const SeenBlock& seen : sink.seen) {
                if (draw_order != 0 && seen.draw != draw_order) continue;
                const int column = x - seen.block.x, line = y - seen.block.y;
                if (column >= 0 && column < 8 && line >= 0 && line < 4)
                    times += seen.block.lit >> (8 * line + column) & 1;
            }
        return times;
    }
    unsigned pixels() const {
        unsigned sum = 0;
        for (const SeenBlock& seen : blocks())
            sum += static_cast<unsigned>(std::popcount(seen.block.lit));
        return sum;
    }
};

/// One pipe in each mode, with the same work.
struct BothModes {
    Pipe functional, timed;
    explicit BothModes(unsigned slices = 1, const std::vector<std::string>& settings = {})
        : functional("functional", Timing::Functional, slices, settings),
          timed("timed", Timing::Timed, slices, settings) {}
    template <class Work>
    void give(const Work& work) {
        for (Pipe* pipe : {&functional, &timed})
            work(*pipe);
    }
    void run(unsigned cycles = 100'000) {
        for (Pipe* pipe : {&functional, &timed})
            pipe->start();
        sc_core::sc_start(sc_core::sc_time(cycles, sc_core::SC_NS));
    }
};

}  // namespace gen9::test

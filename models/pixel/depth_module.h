// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/host_pages.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "pixel/depth_draw.h"
#include "pixel/interface.h"
#include "pixel/line_set.h"
#include "pixel/params.h"
#include "pixel/stats.h"

namespace gen9::pixel {

/// Depth and stencil unit of a slice (module half; the tests are in depth.h, the state of a draw in
/// depth_draw.h).
/// Role     tests the samples of blocks and stores depth and stencil before their shader where the
///          outcome cannot depend on it, else when a message asks; clears the buffers; counts
/// Sockets  pixel_in    target     PixelBatch         blocks of the rasteriser
///          late_in     target     DepthTest          tests for render target writes, blocking
///          control_in  target     memory (Control)   flush, invalidation
///          mem_out     initiator  memory             buffers and viewports, to L3
///          pixel_out   initiator  PixelBatch         blocks with the coverage that is left
/// Params   params.h
/// Order    batches in order, one at a time. Early tests wait while batches whose tests come late
///          are on their way; those go on when all early writes are in memory
/// Not here HiZ: the buffers always hold what they mean, and resolves do nothing; depth and stencil
///          caches: lines are read and written at once, and L3 keeps none of them
/// Spec     DZ-06..DZ-43, WM-31, WM-34; 003:15760-15938, 16488-16766
class DepthUnit : public sc_core::sc_module, public DepthBlock {
  public:
    DepthUnit(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~DepthUnit() override;

    TargetSocket<PixelProtocol> pixel_in{"pixel_in"};
    TargetSocket<DepthTestProtocol> late_in{"late_in"};
    ControlTarget control_in{"control_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<PixelProtocol> pixel_out{"pixel_out"};

    const DepthStats& stats() const { return stats_; }
    DepthSockets sockets() override { return {pixel_in, late_in, control_in, mem_out, pixel_out}; }
    bool idle() const override { return input_.idle() && traffic_.idle(); }
    void settle() override { account_.settle(clock_.now()); }
    std::string describe_waiting() const override;
    std::uint64_t progress() const override { return stats_.batches.value(); }

  private:
    static constexpr unsigned kLanes = formats::kLanes;
    using DrawPtr = std::shared_ptr<const DepthDraw>;
    /// Samples that are tested together: the same one of 16 pixels.
    struct Row {
        std::uint32_t lanes = 0;  ///< covered
        std::uint8_t sample = 0, viewport = 0;
        bool back = false;
        std::uint32_t slice = 0;
        std::array<std::uint16_t, kLanes> x, y;
        DepthRow z;  ///< float bits
        const StencilRow* exported = nullptr;
    };
    struct Places {
        std::uint32_t inside = 0;  ///< lanes that are tested; others pass
        std::array<std::uint64_t, kLanes> depth, stencil;
    };
    /// Where a row's bytes are.
    struct Bytes {
        static constexpr bool kQuads = false;
        std::array<std::uint8_t*, kLanes> depth_at, stencil_at;
        std::uint8_t* depth(unsigned lane) const { return depth_at[lane]; }
        std::uint8_t* stencil(unsigned lane) const { return stencil_at[lane]; }
    };
    /// The same of a row of a block whose pages are at hand: distances from the block's first.
    struct BlockBytes {
        static constexpr bool kQuads = true;
        std::uint8_t *first_depth = nullptr, *first_stencil = nullptr;
        const std::uint16_t *depth_offset = nullptr, *stencil_offset = nullptr;
        bool quads =
            false;  ///< four samples of depth side by side lie so in memory, and have 16 bytes
        std::uint8_t* depth(unsigned lane) const { return first_depth + depth_offset[lane]; }
        std::uint8_t* stencil(unsigned lane) const { return first_stencil + stencil_offset[lane]; }
    };
    struct Outcome {
        std::uint32_t passed = 0, depth_changed = 0, stencil_changed = 0;
    };
    /// A batch from its first test to its end.
    struct Job {
        PixelBatch* in = nullptr;
        PixelBatch out;
        DrawPtr draw;
        bool tests = false, late = false;
        LineTraffic::Group group = 0;  ///< reads, then writes
        Cycles ready;
        enum class Stage : std::uint8_t { Reading, Testing, Passing, Writing, Passed } stage{};
        bool returned = false;  ///< nothing of it is left behind, from `returned_at` on
        Cycles returned_at;
    };

    void step();
    bool begin(Cycles now);
    bool go_on(Job& job, Cycles now);
    void close(Job& job, Cycles now);
    DrawPtr find_draw(const Draw& draw, sc_core::sc_time& delay);
    StageActivity activity(Cycles now) const;

    // Tests of rows (depth_rows.cpp).
    void find_lines(const DepthDraw& draw, const PixelBatch& batch);
    template <class Each>
    void each_row(const DepthDraw& draw, const SetUpObject& object, const PixelBlock& block,
                  const Each& each);
    static Places find_places(const DepthDraw& draw, const Row& row);
    static void add_lines(const DepthDraw& draw, const Places& places, LineSet& lines);
    template <class RowBytes>
    static void load_depth(const RowBytes& bytes, unsigned size, std::uint32_t lanes, DepthRow& to);
    template <class RowBytes>
    static void store_depth(const DepthRow& from, unsigned size, std::uint32_t lanes,
                            const RowBytes& bytes);
    template <class RowBytes>
    Outcome test_row(const DepthDraw& draw, const Row& row, std::uint32_t inside,
                     const RowBytes& bytes, bool writes);
    bool find_block(const DepthDraw& draw, std::uint32_t slice, const PixelBlock& block,
                    BlockBytes& bytes);
    Outcome test_in_lines(const DepthDraw& draw, const Row& row, LineSet& lines, bool writes);
    Outcome test_at_once(const Draw& draw, const DepthDraw& state, const Row& row, bool writes,
                         sc_core::sc_time& delay);
    void test_batch(Job& job);
    void test_late(DepthTest& test, sc_core::sc_time& delay);
    void count_blocks(const Job& job);
    /// Of draws with statistics (DZ-41).
    void count_passed(const Draw& draw, std::uint64_t samples);
    void report_unmapped(const Draw& draw) const;
    MemoryAttributes access_of(const Draw& draw, const DepthDraw& state, Requester of) const;

    Environment& env_;
    const Clock& clock_;
    DepthParams params_;
    DepthStats stats_;
    StageSignals signals_;
    MemoryPool pool_;
    HostPages pages_;
    Wakeup wakeup_;
    StageInput<PixelProtocol> input_;
    StageOutput<PixelProtocol> output_;
    LineTraffic traffic_;
    StageAccount account_;

    std::vector<DrawPtr> draws_;
    std::size_t next_draw_ = 0;
    std::vector<std::unique_ptr<Job>> jobs_;
    std::vector<Job*> free_jobs_;
    Job* current_ = nullptr;  ///< that has not passed yet
    std::vector<Job*> passed_jobs_;
    LineSet lines_;  ///< of the current one
    LineSet late_lines_;
    unsigned late_out_ = 0;  ///< batches that have passed and will be tested late
};

}  // namespace gen9::pixel
